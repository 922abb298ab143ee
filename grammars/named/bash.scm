; Bash and other shells: functions, and commands that may be one
(function_definition name: (_) @name body: (_) @body) @def.function
(command name: (_) @callee) @expr.call
(command_name) @expr.name
(comment) @zone.comment
(string) @zone.literal
(raw_string) @zone.literal
(ansi_c_string) @zone.literal
(heredoc_body) @zone.literal
