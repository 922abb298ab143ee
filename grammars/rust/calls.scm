; calls and references: names, paths, members, calls, macros and the types they pass through
(identifier) @expr.name
(type_identifier) @type.name
[(crate) (super) (primitive_type)] @expr.word
(self) @expr.this
[(mutable_specifier) (lifetime) (lifetime_parameter) (for_lifetimes) (label) (use_bounds) (removed_trait_bound)] @absent

(scoped_identifier path: (_)? @base name: (_) @name) @expr.scoped
(scoped_type_identifier path: (_)? @base name: (_) @name) @type.scoped
(qualified_type type: (_) @value alias: (_)) @same
(field_expression value: (_) @base field: (_) @name) @expr.member
(call_expression function: (_) @callee arguments: (_) @args) @expr.call
(generic_function function: (_) @base type_arguments: (_) @args) @type.apply
(struct_expression name: (_) @type) @expr.new
(field_initializer field: (_) @key value: (_) @value) @expr.keyed
(assignment_expression left: (_) @base right: (_) @value) @expr.assigned
(macro_invocation macro: (_) @callee (token_tree)? @args) @expr.macro
; words that are reserved in some places only name members in others: `T::default()`
(token_tree ["default" "union" "gen"]*) @tokens
(index_expression (_) @base) @expr.index
(reference_expression value: (_) @value) @expr.deref
(unary_expression "*" (_) @value) @expr.deref
(await_expression (_) @value) @expr.await
(try_expression (_) @value) @expr.try
(type_cast_expression type: (_) @type) @expr.cast
(array_expression (_) @type) @type.many
(tuple_expression (_)* @type) @type.tuple
[(unary_expression) (binary_expression) (compound_assignment_expr) (range_expression)] @expr.opaque
[(return_expression) (break_expression) (continue_expression) (yield_expression)] @expr.opaque
[(async_block) (gen_block) (try_block) (loop_expression) (unit_expression)] @expr.opaque
(expression_statement ";") @expr.opaque
(unsafe_block (_) @value) @note.unsafe

(arguments) @list
(parameters) @list
[(boolean_literal) (integer_literal) (float_literal) (char_literal) (negative_literal)] @expr.literal
[(string_literal) (raw_string_literal)] @zone.literal
[(line_comment) (block_comment)] @zone.comment

(generic_type type: (_) @base type_arguments: (_) @args) @type.apply
(generic_type_with_turbofish type: (_) @base type_arguments: (_) @args) @type.apply
(type_arguments) @list
(type_binding name: (_) @key type: (_) @value) @expr.keyed
(reference_type type: (_) @type) @type.pointer
(pointer_type type: (_) @type) @type.pointer
(array_type element: (_) @type) @type.many
(tuple_type (_)* @type) @type.tuple
(function_type parameters: (_)? @params return_type: (_)? @type) @type.function
(bounded_type (_)* @type) @type.union
(trait_bounds (_)* @type) @type.union
(higher_ranked_trait_bound type: (_) @value) @same
