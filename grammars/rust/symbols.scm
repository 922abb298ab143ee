; defines: what a Rust file declares
(function_item (visibility_modifier)? @visibility name: (identifier) @name parameters: (_)? @params return_type: (_)? @type body: (_) @body) @def.function
(function_signature_item (visibility_modifier)? @visibility name: (identifier) @name parameters: (_)? @params return_type: (_)? @type) @def.function
(function_modifiers) @modifiers
(visibility_modifier) @skip
(self_parameter) @self.parameter
(parameter pattern: (self) type: (_)) @self.parameter

(struct_item (visibility_modifier)? @visibility name: (_) @name body: (ordered_field_declaration_list) @list) @def.type
(struct_item (visibility_modifier)? @visibility name: (_) @name body: (_)? @body) @def.type
(enum_item (visibility_modifier)? @visibility name: (_) @name body: (_) @body) @def.type
(union_item (visibility_modifier)? @visibility name: (_) @name body: (_) @body) @def.type
(field_declaration name: (_) @name type: (_) @type) @def.field
(ordered_field_declaration_list type: (_)* @type) @type.tuple
(enum_variant name: (_) @name body: (ordered_field_declaration_list)? @type) @def.variant

(trait_item (visibility_modifier)? @visibility "unsafe"? @unsafe name: (_) @name bounds: (_)? @bound body: (_) @body) @def.interface
(impl_item trait: (_)? @trait type: (_) @type) @owner

(type_item (visibility_modifier)? @visibility name: (_) @name type: (_) @type) @def.alias
(associated_type name: (_) @name bounds: (_)? @type) @def.alias
(const_item (visibility_modifier)? @visibility name: (_) @name type: (_) @type value: (_)? @value) @def.constant
(static_item (visibility_modifier)? @visibility name: (_) @name type: (_) @type value: (_)? @value) @def.variable
(mod_item !body (visibility_modifier)? @visibility name: (_) @name) @import.child
(mod_item (visibility_modifier)? @visibility name: (_) @name body: (_) @body) @def.module
(macro_definition name: (_) @name (macro_rule)? @body) @def.macro
(macro_rule) @skip
