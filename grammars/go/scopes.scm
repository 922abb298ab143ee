; scope facts: what is bound where, and to what
[(block) (if_statement) (for_statement) (expression_switch_statement) (select_statement) (function_type)] @scope
[(expression_case) (default_case) (communication_case)] @scope
(type_switch_statement alias: (_)? @alias value: (_) @value) @scope.match
(type_case type: (_) @type) @scope.case

(parameter_declaration name: (identifier)* @pattern type: (_) @type) @bind
(variadic_parameter_declaration name: (identifier)? @pattern type: (_) @type) @bind
(type_parameter_declaration name: (identifier) @name type: (_)? @bound) @bind.type
(short_var_declaration left: (_) @pattern right: (_) @value) @bind.short
(receive_statement left: (_) @pattern right: (_) @value) @bind.short
(range_clause left: (_)? @key right: (_) @value) @bind.each
