; C++: what it has beside C
(class_specifier name: (_) @name body: (_) @body) @def.type
(namespace_definition name: (_) @name body: (_) @body) @def.module
(alias_declaration name: (_) @name) @def.alias
(concept_definition name: (_) @name) @def.type
(base_class_clause (_)* @type) @super.extends
(reference_declarator (_) @name) @declarator
(optional_parameter_declaration declarator: (_)? @pattern) @bind
(qualified_identifier scope: (_)? @base name: (_) @name) @expr.scoped
(template_function name: (_) @value) @same
(template_method name: (_) @value) @same
(template_type name: (_) @value) @same
(namespace_identifier) @expr.name
(destructor_name) @expr.name
(operator_name) @expr.name
(operator_cast) @expr.name
(new_expression type: (_) @type) @expr.new
(lambda_expression body: (_) @body) @expr.function
(raw_string_literal) @zone.literal
(this) @expr.this
