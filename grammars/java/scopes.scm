; scope facts: what is bound where, and to what
[(block) (constructor_body) (for_statement) (switch_block) (switch_rule) (catch_clause) (try_with_resources_statement)] @scope

(local_variable_declaration type: (_) @type declarator: (_)* @name) @bind.declared
(variable_declarator name: (_) @name value: (_)? @value) @declarator

(formal_parameter type: (_) @type name: (_) @pattern) @bind
(spread_parameter [(type_identifier) (scoped_type_identifier) (generic_type) (array_type) (integral_type) (floating_point_type) (boolean_type) (annotated_type)] @type (variable_declarator) @pattern) @bind.rest
(receiver_parameter) @absent
(catch_formal_parameter (catch_type) @type name: (_) @pattern) @bind
(catch_type (_)* @type) @type.union
(resource type: (_) @type name: (_) @pattern value: (_) @value) @bind
(type_parameter (type_identifier) @name (type_bound)? @bound) @bind.type
(type_bound (_)* @type) @type.union

(enhanced_for_statement type: (_) @type name: (_) @pattern value: (_) @value) @bind.each
(enhanced_for_statement) @scope
(instanceof_expression right: (_) @type name: (_) @pattern) @bind.tested
(instanceof_expression) @expr.truth
(type_pattern [(type_identifier) (scoped_type_identifier) (generic_type) (array_type)] @type (identifier) @pattern) @bind
(record_pattern_component [(type_identifier) (scoped_type_identifier) (generic_type) (array_type) (integral_type) (floating_point_type) (boolean_type)] @type (identifier) @pattern) @bind
(underscore_pattern) @pattern.any

(lambda_expression parameters: (identifier) @pattern body: (block) @body) @expr.function
(lambda_expression parameters: (identifier) @pattern body: (_) @value) @expr.function
(lambda_expression parameters: (_) @params body: (block) @body) @expr.function
(lambda_expression parameters: (_) @params body: (_) @value) @expr.function
(inferred_parameters) @bind.list
(formal_parameters) @list

(labeled_statement (identifier) @key) @expr.keyed
(break_statement (identifier) @key) @expr.keyed
(continue_statement (identifier) @key) @expr.keyed
