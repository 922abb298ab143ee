; Lua: functions by their declarations and by what is assigned, calls
(function_declaration name: (_) @name body: (_)? @body) @def.function
(assignment_statement (variable_list) @name (expression_list) @value) @def.gets
(field name: (identifier) @name value: (function_definition) @value) @def.function
(function_definition body: (_)? @body) @expr.function
(parameters name: (identifier)* @pattern) @bind

(function_call name: (_) @callee arguments: (_) @args) @expr.call
(dot_index_expression table: (_) @base field: (_) @name) @expr.member
(method_index_expression table: (_) @base method: (_) @name) @expr.member
(identifier) @expr.name
(comment) @zone.comment
(string) @zone.literal
