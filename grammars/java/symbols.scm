; defines: what a Java file declares
(package_declaration [(scoped_identifier) (identifier)] @name) @package
(module_declaration) @skip

(class_declaration (modifiers)? @visibility name: (_) @name superclass: (_)? @bound body: (_) @body) @def.type
(record_declaration (modifiers)? @visibility name: (_) @name parameters: (_)? @params body: (_) @body) @def.type
(enum_declaration (modifiers)? @visibility name: (_) @name body: (_) @body) @def.type
(interface_declaration (modifiers)? @visibility name: (_) @name body: (_) @body) @def.interface
(annotation_type_declaration (modifiers)? @visibility name: (_) @name body: (_) @body) @def.interface

(method_declaration (modifiers)? @visibility type: (_) @type name: (_) @name parameters: (_) @params body: (_)? @body) @def.function
(constructor_declaration (modifiers)? @visibility name: (_) @name parameters: (_) @params body: (_) @body) @def.function
(compact_constructor_declaration (modifiers)? @visibility name: (_) @name body: (_) @body) @def.function
(annotation_type_element_declaration (modifiers)? @visibility type: (_) @type name: (_) @name) @def.function

(field_declaration (modifiers)? @visibility type: (_) @type declarator: (_)* @name) @def.declared
(constant_declaration type: (_) @type declarator: (_)* @name) @def.declared
(enum_constant name: (_) @name arguments: (_)? @list body: (_) @body) @def.anonymous
(enum_constant name: (_) @name arguments: (_)? @list) @def.instance
(object_creation_expression type: (_) @type arguments: (_) @list (class_body) @body) @def.anonymous
(object_creation_expression type: (_) @type arguments: (_) @list) @expr.new

(superclass (_) @type) @super.extends
(super_interfaces (_) @type) @super.implements
(extends_interfaces (_) @type) @super.extends
(modifiers) @modifiers
(return_statement (_) @value) @return
