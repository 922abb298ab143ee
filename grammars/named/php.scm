; PHP: namespaces, types with their members, functions, calls by the three arrows, uses
(namespace_definition name: (_) @name body: (_) @body) @def.module
(namespace_definition name: (_) @name) @package
(class_declaration name: (_) @name body: (_) @body) @def.type
(interface_declaration name: (_) @name body: (_) @body) @def.interface
(trait_declaration name: (_) @name body: (_) @body) @def.type
(enum_declaration name: (_) @name body: (_) @body) @def.type
(function_definition name: (_) @name body: (_) @body) @def.function
(method_declaration (visibility_modifier)? @visibility (static_modifier)? @static name: (_) @name body: (_)? @body) @def.function
(const_element (name) @name) @def.constant
(property_element name: (_) @name) @def.field
(property_promotion_parameter name: (_) @name) @def.field
(enum_case name: (_) @name) @def.variant
(namespace_use_clause (_) @path alias: (_)? @alias) @import.module
(require_expression [(string) (encapsed_string)] @path) @import.module
(require_once_expression [(string) (encapsed_string)] @path) @import.module
(include_expression [(string) (encapsed_string)] @path) @import.module
(include_once_expression [(string) (encapsed_string)] @path) @import.module
(attribute_list) @modifiers
(anonymous_class) @def.type
(anonymous_function body: (_) @body) @expr.function
(arrow_function body: (_) @body) @expr.function

(function_call_expression function: (_) @callee arguments: (_) @args) @expr.call
(member_call_expression object: (_) @base name: (_) @name arguments: (_) @args) @expr.send
(nullsafe_member_call_expression object: (_) @base name: (_) @name arguments: (_) @args) @expr.send
(scoped_call_expression scope: (_) @base name: (_) @name arguments: (_) @args) @expr.send
(object_creation_expression [(name) (qualified_name)] @type) @expr.new
(qualified_name (name) @value) @same
(variable_name) @expr.opaque
(name) @expr.name
(comment) @zone.comment
(string) @zone.literal
(encapsed_string) @zone.literal
(heredoc_body) @zone.literal
(nowdoc_string) @zone.literal
