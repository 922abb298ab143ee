; scope facts: what is bound where, and to what
[(parameters) (lambda_parameters)] @bind.list
[(keyword_separator) (positional_separator)] @absent
(typed_parameter (identifier) @pattern type: (_) @type) @bind
(typed_parameter [(list_splat_pattern) (dictionary_splat_pattern)] @pattern) @bind
(typed_default_parameter name: (_) @pattern type: (_) @type value: (_)) @bind
(default_parameter name: (_) @pattern value: (_) @value) @bind
[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope
(global_statement (identifier)* @name) @scope.outside
(nonlocal_statement (identifier)* @name) @scope.outside

(for_statement left: (_) @pattern right: (_) @value) @bind.each
(for_in_clause left: (_) @pattern right: (_) @value) @bind.each
(with_item value: (_) @value) @same
(as_pattern (_) @value alias: (_) @pattern) @bind.entered
(as_pattern (_) (identifier) @pattern) @bind.captured
(as_pattern_target (_) @value) @same

(pattern_list (_)* @item) @pattern.tuple
(tuple_pattern (_)* @item) @pattern.tuple
(list_pattern (_)* @item) @pattern.tuple
(list_splat_pattern (_) @pattern) @pattern.rest
(dictionary_splat_pattern (_) @pattern) @pattern.rest

(case_pattern (dotted_name) @pattern) @bind.captured
(keyword_pattern (identifier) @key (dotted_name) @pattern) @bind.captured
(keyword_pattern (identifier) @key) @bind.captured
(splat_pattern (identifier) @pattern) @bind.captured
(class_pattern (dotted_name) (_)*) @expr.opaque

(block) @branch
[(if_statement) (match_statement)] @alternatives
(if_statement condition: (_) @value) @condition
(elif_clause condition: (_) @value) @condition
(assert_statement (_) @value) @assert
[(return_statement) (raise_statement)] @leaves
[(continue_statement) (break_statement)] @leaves.loop
