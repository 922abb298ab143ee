; scope facts: what is bound where, and to what
(let_declaration pattern: (_)? @pattern type: (_)? @type value: (_)? @value) @bind
(let_condition pattern: (_) @pattern value: (_) @value) @bind
(parameter pattern: (_)? @pattern type: (_) @type) @bind
(const_parameter name: (_) @pattern type: (_) @type) @bind
(type_parameter name: (_) @name bounds: (_)? @bound default_type: (_)? @value) @bind.type
(where_predicate left: (_) @type bounds: (_) @bound) @bind.bound

(block (_)* @value) @scope
(if_expression consequence: (_) @value alternative: (_) @value) @expr.either
[(if_expression) (while_expression)] @scope
(else_clause (_) @value) @scope.end
(match_expression value: (_) @value body: (_) @body) @scope.match
(match_block (_)* @value) @expr.either
(match_arm value: (_) @value) @scope
(match_pattern (_)? @pattern condition: (_)?) @bind.match
(for_expression pattern: (_)? @pattern value: (_) @value) @bind.each
(for_expression) @scope
(closure_expression return_type: (_)? @type body: (_)? @value) @expr.function
(closure_parameters [(identifier) (tuple_pattern) (tuple_struct_pattern) (struct_pattern) (slice_pattern)]* @pattern
  [(reference_pattern) (ref_pattern) (mut_pattern) (captured_pattern)]* @pattern) @bind

(tuple_pattern (_)* @item "_"* @item) @pattern.tuple
(slice_pattern (_)* @item "_"* @item) @pattern.tuple
(tuple_struct_pattern type: (_) @type (_)* @item "_"* @item) @pattern.variant
(struct_pattern type: (_) @type (field_pattern)* @item) @pattern.struct
(field_pattern name: (_) pattern: "_") @pattern.any
(field_pattern name: (_) @name pattern: (_)? @pattern) @pattern.field
(captured_pattern (identifier) @name (_)? @pattern) @pattern.capture
(or_pattern (_) @value) @same
(remaining_field_pattern) @pattern.rest
(range_pattern) @pattern.any
