; defines: what a Java file declares
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
(modifiers) @modifiers
