; C, and what C++ has of it: definitions by their declarators, calls, includes
(function_definition declarator: (_) @name body: (_)? @body) @def.function
(declaration declarator: (_)* @name) @def.declared
(field_declaration declarator: (_)* @name) @def.declared
(type_definition declarator: (_)* @name) @def.alias
(struct_specifier name: (_) @name body: (_) @body) @def.type
(union_specifier name: (_) @name body: (_) @body) @def.type
(enum_specifier name: (_) @name body: (_) @body) @def.type
(enumerator name: (_) @name) @def.variant
(preproc_def name: (_) @name) @def.macro
(preproc_function_def name: (_) @name) @def.macro
(preproc_include path: (_) @path) @import.module

(function_declarator declarator: (_) @name parameters: (_) @params) @declarator
(pointer_declarator declarator: (_) @name) @declarator
(array_declarator declarator: (_) @name) @declarator
(init_declarator declarator: (_) @name) @declarator
(attributed_declarator (_) @name) @declarator
(parenthesized_declarator (_) @value) @same
(parameter_declaration declarator: (_)? @pattern) @bind
(compound_statement) @scope
(for_statement) @scope

(call_expression function: (_) @callee arguments: (_)? @args) @expr.call
(field_expression argument: (_) @base field: (_) @name) @expr.member
(identifier) @expr.name
(field_identifier) @expr.name
(type_identifier) @type.name
(comment) @zone.comment
(string_literal) @zone.literal
(system_lib_string) @zone.literal
(char_literal) @expr.literal
