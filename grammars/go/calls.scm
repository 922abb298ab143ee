; calls and references: names, members, calls and the types they pass through
(identifier) @expr.name
(type_identifier) @type.name
(package_identifier) @expr.name
(blank_identifier) @pattern.any

(selector_expression operand: (_) @base field: (_) @name) @expr.member
(qualified_type package: (package_identifier) @base name: (type_identifier) @name) @type.scoped
(call_expression function: (_) @callee arguments: (_)? @args) @expr.call
(composite_literal type: (_) @type) @expr.new
(type_conversion_expression type: (_) @callee) @expr.call
(type_assertion_expression type: (_) @type) @expr.cast
(type_instantiation_expression type: (_) @base (_) @args) @type.apply
(index_expression operand: (_) @base) @expr.index
(slice_expression operand: (_) @value) @expr.deref
(unary_expression "<-" operand: (_) @base) @expr.index
(unary_expression ["&" "*"] operand: (_) @value) @expr.deref
(unary_expression) @expr.opaque
(binary_expression) @expr.opaque
(keyed_element key: (_) @key) @expr.keyed
(func_literal result: (_)? @type body: (_) @body) @expr.function

(expression_list) @list
(argument_list) @list
(parameter_list) @list
(type_arguments) @list
(int_literal) @expr.literal
(float_literal) @expr.literal
(imaginary_literal) @expr.literal
(rune_literal) @expr.literal
[(true) (false) (nil) (iota)] @expr.literal
(interpreted_string_literal) @zone.literal
(raw_string_literal) @zone.literal
(comment) @zone.comment

(pointer_type (_) @type) @type.pointer
(slice_type element: (_) @type) @type.many
(array_type element: (_) @type) @type.many
(implicit_length_array_type element: (_) @type) @type.many
(channel_type "chan" @base value: (_) @args) @type.apply
(map_type key: (_) @key value: (_) @type) @type.map
(function_type parameters: (_) @params result: (_)? @type) @type.function
(generic_type type: (_) @base type_arguments: (_) @args) @type.apply
(struct_type) @type.anonymous
(interface_type) @type.anonymous
