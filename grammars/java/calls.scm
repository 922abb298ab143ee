; calls and references: names, members, calls and the types they pass through
(identifier) @expr.name
(type_identifier) @type.name
(this) @expr.this
(super) @expr.super
(scoped_identifier scope: (_) @base name: (_) @name) @expr.member

(method_invocation object: (super) @base name: (_) @name arguments: (_) @args) @expr.send
(method_invocation object: (_) (super) @base name: (_) @name arguments: (_) @args) @expr.send
(method_invocation object: (_)? @base name: (_) @name arguments: (_) @args) @expr.send
(explicit_constructor_invocation constructor: (_) @callee arguments: (_) @args) @expr.call
(method_reference) @expr.reference
(field_access object: (_) @type field: (this)) @expr.cast
(field_access object: (_) @base field: (_) @name) @expr.member
(array_access array: (_) @base) @expr.index
(cast_expression type: (_) @type value: (_)) @expr.cast
(array_creation_expression type: (_) @type) @type.many
(class_literal (_) @type) @expr.class

(parenthesized_expression (_) @value) @same
(assignment_expression left: (_) right: (_) @value) @same
(ternary_expression condition: (_) consequence: (_) @value alternative: (_) @value) @expr.either
(unary_expression operator: "!") @expr.truth
(unary_expression operand: (_) @value) @same
(update_expression (_) @value) @same
(binary_expression operator: ["==" "!=" "<" ">" "<=" ">=" "&&" "||"]) @expr.truth
(binary_expression operator: "+") @expr.sum
(binary_expression left: (_) @value operator: ["-" "*" "/" "%" "&" "|" "^"] right: (_) @value) @expr.either
(binary_expression left: (_) @value operator: ["<<" ">>" ">>>"]) @same
[(binary_expression) (array_initializer) (template_expression)] @expr.opaque
(argument_list) @list

(generic_type [(type_identifier) (scoped_type_identifier)] @base (type_arguments) @args) @type.apply
(type_arguments) @list
(wildcard [(type_identifier) (scoped_type_identifier) (generic_type) (array_type) (annotated_type)] @value) @same
(scoped_type_identifier (_)* @item) @expr.path
(array_type element: (_) @type) @type.many
(annotated_type [(type_identifier) (scoped_type_identifier) (generic_type) (array_type) (integral_type) (floating_point_type) (boolean_type)] @value) @same
(type_list) @list
[(integral_type) (floating_point_type) (boolean_type) (void_type)] @expr.literal

(element_value_pair key: (_) @key value: (_) @value) @expr.keyed
[(decimal_integer_literal) (hex_integer_literal) (octal_integer_literal) (binary_integer_literal)] @expr.literal
[(decimal_floating_point_literal) (hex_floating_point_literal) (true) (false) (null_literal) (character_literal)] @expr.literal
(string_literal) @zone.literal
[(line_comment) (block_comment)] @zone.comment
