; calls and references: names, members, calls and the types they pass through
(identifier) @expr.name
(shorthand_property_identifier) @expr.name
(type_identifier) @type.name
(this) @expr.this
(this_type) @type.this
(super) @expr.super

(member_expression object: (_) @base property: (_) @name) @expr.member
(nested_identifier object: (_) @base property: (_) @name) @expr.member
(nested_type_identifier module: (_) @base name: (_) @name) @type.scoped
(subscript_expression object: (_) @base) @expr.index
(call_expression function: (_) @callee type_arguments: (_)? @type arguments: (_) @args) @expr.call
(new_expression constructor: (_) @type type_arguments: (_)? @args) @expr.new

(function_expression name: (_)? @name parameters: (_)? @params return_type: (_) @type body: (_) @body) @expr.function
(function_expression name: (_)? @name parameters: (_)? @params body: (_) @body) @expr.function
(generator_function name: (_)? @name parameters: (_)? @params return_type: (_)? @type body: (_) @body) @expr.function
(arrow_function parameter: (_)? @pattern parameters: (_)? @params return_type: (_) @type body: (_) @body) @expr.function
(arrow_function parameter: (_)? @pattern parameters: (_)? @params body: (statement_block) @body) @expr.function
; The body of a function without a block is its result, where it says of which type.
(arrow_function parameter: (_)? @pattern parameters: (_)? @params body: [(call_expression) (new_expression) (await_expression) (as_expression) (member_expression)] @value) @expr.function
(arrow_function parameter: (_)? @pattern parameters: (_)? @params body: (_) @body) @expr.function
[(function_expression) (generator_function) (function_declaration) (generator_function_declaration)] @this.own
(class_static_block body: (_) @body) @expr.function
(return_statement (_) @value) @return

(as_expression (_) @value "const") @same
(as_expression [(array_type) (conditional_type) (constructor_type) (existential_type) (flow_maybe_type) (function_type) (generic_type) (index_type_query) (infer_type) (intersection_type) (literal_type) (lookup_type) (nested_type_identifier) (object_type) (parenthesized_type) (predefined_type) (readonly_type) (template_literal_type) (this_type) (tuple_type) (type_identifier) (type_query) (union_type)] @type) @expr.cast
(satisfies_expression (_) @value) @same
(non_null_expression (_) @value) @same
(parenthesized_expression (_) @value) @same
(instantiation_expression (_) @value) @same
(await_expression (_) @value) @expr.await
(assignment_expression right: (_) @value) @same
(ternary_expression consequence: (_) @value alternative: (_) @value) @expr.either
(binary_expression left: (_) @value operator: ["??" "||"] right: (_) @value) @expr.either
(binary_expression operator: "&&" right: (_) @value) @same
(binary_expression left: (_) @value operator: "instanceof") @expr.is
(binary_expression) @expr.opaque
[(augmented_assignment_expression) (unary_expression) (update_expression) (yield_expression) (sequence_expression) (spread_element) (meta_property)] @expr.opaque
(array (_)* @type) @type.tuple

(arguments) @list
(formal_parameters) @list
(type_arguments) @list
[(number) (regex) (true) (false) (null) (undefined) (predefined_type)] @expr.literal
(string) @zone.literal
(template_string) @zone.literal
(template_literal_type) @zone.literal
[(comment) (html_comment)] @zone.comment

(generic_type name: (_) @base type_arguments: (_) @args) @type.apply
(array_type (_) @type) @type.many
(tuple_type (_)* @type) @type.tuple
(union_type (_) @type) @type.union
(intersection_type (_) @type) @type.union
(conditional_type consequence: (_) @type alternative: (_) @type) @type.union
(function_type parameters: (_)? @params return_type: (_) @type) @type.function
(constructor_type type: (_) @type) @type.function
(object_type) @type.anonymous
(type_query (_) @value) @type.of
(parenthesized_type (_) @value) @same
(readonly_type (_) @value) @same
(optional_type (_) @value) @same
(index_signature (mapped_type_clause) @key type: (_) @type) @type.map
(lookup_type (_)* @type) @type.lookup
[(rest_type) (index_type_query) (type_predicate) (asserts)] @expr.opaque
