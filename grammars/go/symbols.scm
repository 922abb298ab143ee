; defines: what a Go file declares
(package_clause (package_identifier) @name) @package

(function_declaration name: (identifier) @name parameters: (_)? @params result: (_)? @type body: (_)? @body) @def.function
(method_declaration receiver: (_) @receiver name: (field_identifier) @name parameters: (_)? @params result: (_)? @type body: (_)? @body) @def.function
(method_elem name: (field_identifier) @name parameters: (_)? @params result: (_)? @type) @def.function

(type_spec name: (type_identifier) @name type: (interface_type)) @def.interface
(type_spec name: (type_identifier) @name type: (struct_type)) @def.type
(type_spec name: (type_identifier) @name type: (_) @type) @def.type
(type_alias name: (type_identifier) @name type: (_) @type) @def.alias

(const_spec name: (identifier) @name type: (_)? @type value: (_)? @value) @def.constant
(var_spec name: (identifier) @name type: (_)? @type value: (_)? @value) @def.variable

(field_declaration name: (field_identifier) @name type: (_) @type) @def.field
(field_declaration !name type: (_) @type) @super.embeds
(type_elem (_) @type) @super.extends
