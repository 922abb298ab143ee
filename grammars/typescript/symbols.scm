; defines: what a TypeScript or JavaScript file declares
(function_declaration name: (identifier) @name parameters: (_)? @params return_type: (_)? @type body: (_) @body) @def.function
(generator_function_declaration name: (identifier) @name parameters: (_)? @params return_type: (_)? @type body: (_) @body) @def.function
(function_signature name: (identifier) @name parameters: (_)? @params return_type: (_)? @type) @def.function

(class_declaration name: (type_identifier) @name body: (_) @body) @def.type
(abstract_class_declaration name: (type_identifier) @name body: (_) @body) @def.type
; A class without a declaration takes the name of what holds it; its own is known inside alone.
(class name: (_)? @alias) @def.type
(interface_declaration name: (type_identifier) @name body: (_) @body) @def.interface
(type_alias_declaration name: (type_identifier) @name value: (_) @type) @def.alias
(import_alias (identifier) @name (nested_identifier) @type) @def.alias
(enum_declaration name: (identifier) @name body: (_) @body) @def.type
(internal_module name: (_) @name body: (_)? @body) @def.module
(module name: (_) @name body: (_)? @body) @def.module

; A declared type is that of the function, not of its result.
(variable_declarator name: (identifier) @name type: (_)? @declared value: [(arrow_function) (function_expression) (generator_function)] @value) @def.function
(variable_declarator name: (identifier) @name value: (class) @value) @def.type
(variable_declarator name: (_) @name type: (_)? @type value: (_)? @value) @def.variable
(lexical_declaration kind: "const") @constant

(method_definition (accessibility_modifier)? @visibility "static"? @static ["get" "set"]? @getter name: [(property_identifier) (private_property_identifier) (string)] @name parameters: (_)? @params return_type: (_)? @type body: (_) @body) @def.method
(method_signature (accessibility_modifier)? @visibility "static"? @static ["get" "set"]? @getter name: [(property_identifier) (private_property_identifier) (string)] @name parameters: (_)? @params return_type: (_)? @type) @def.method
(abstract_method_signature (accessibility_modifier)? @visibility ["get" "set"]? @getter name: [(property_identifier) (private_property_identifier) (string)] @name parameters: (_)? @params return_type: (_)? @type) @def.method
(public_field_definition (accessibility_modifier)? @visibility "static"? @static name: [(property_identifier) (private_property_identifier) (string)] @name type: (_)? @declared value: [(arrow_function) (function_expression) (generator_function)] @value) @def.method
(public_field_definition name: [(property_identifier) (private_property_identifier) (string)] @name type: (_)? @type value: (_)? @value) @def.field
(property_signature name: [(property_identifier) (private_property_identifier) (string)] @name type: (_)? @type) @def.field
(pair key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression) (generator_function)] @value) @def.method
(pair key: [(property_identifier) (string)] @name value: (_) @value) @def.field
(pair) @expr.keyed
(object (shorthand_property_identifier)* @name) @type.anonymous
(call_signature parameters: (_)? @params return_type: (_)? @type) @def.callable
(enum_body name: (_)* @name) @def.member
(enum_assignment name: (_) @name value: (_)) @def.member

(extends_clause value: (_) @type) @super.extends
(extends_type_clause type: (_) @type) @super.extends
(implements_clause (_) @type) @super.implements

(export_statement "default" declaration: (_)) @export.default
(export_statement "default" value: (_) @value) @export.default
(export_statement "=" (_) @value) @export.default
(export_statement "*" @item source: (_) @path) @export.from
(export_statement "type"? @type_only source: (_) @path) @export.from
(export_statement "type"? @type_only (export_clause)) @export.from
(export_statement "namespace" (identifier) @key) @expr.keyed
(export_statement declaration: (_)) @export
(decorator (_) @callee) @attribute
