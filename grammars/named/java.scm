; Java: the package, types with their members, calls, instances made, imports
(package_declaration [(scoped_identifier) (identifier)] @name) @package
(class_declaration (modifiers)? @visibility name: (_) @name body: (_) @body) @def.type
(record_declaration (modifiers)? @visibility name: (_) @name parameters: (_)? body: (_) @body) @def.type
(interface_declaration (modifiers)? @visibility name: (_) @name body: (_) @body) @def.interface
(annotation_type_declaration (modifiers)? @visibility name: (_) @name body: (_) @body) @def.interface
(enum_declaration (modifiers)? @visibility name: (_) @name body: (_) @body) @def.type
(method_declaration (modifiers)? @visibility name: (_) @name body: (_)? @body) @def.function
(constructor_declaration (modifiers)? @visibility name: (_) @name body: (_) @body) @def.function
(compact_constructor_declaration (modifiers)? @visibility name: (_) @name body: (_) @body) @def.function
(annotation_type_element_declaration name: (_) @name) @def.function
(enum_constant name: (_) @name) @def.variant
(field_declaration declarator: (_)* @name) @def.declared
(constant_declaration declarator: (_)* @name) @def.declared
(variable_declarator name: (_) @name value: (_)?) @declarator
(import_declaration [(scoped_identifier) (identifier)] @path) @import.module
(modifiers) @modifiers
(block) @scope
(lambda_expression body: (_) @body) @expr.function

(method_invocation !object name: (_) @callee arguments: (_) @args) @expr.call
(method_invocation object: (_) @base name: (_) @name arguments: (_) @args) @expr.send
(object_creation_expression type: (_) @type) @expr.new
(generic_type [(type_identifier) (scoped_type_identifier)] @value) @same
(identifier) @expr.name
(type_identifier) @type.name
[(line_comment) (block_comment)] @zone.comment
(string_literal) @zone.literal
(character_literal) @expr.literal
