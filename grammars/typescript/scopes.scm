; scope facts: what is bound where, and to what
[(statement_block) (for_statement) (switch_body) (call_signature) (construct_signature) (function_type) (constructor_type) (conditional_type) (object_type)] @scope

(required_parameter (accessibility_modifier) pattern: (_) @pattern type: (_)? @type value: (_)? @value) @bind.field
(required_parameter "readonly" pattern: (_) @pattern type: (_)? @type value: (_)? @value) @bind.field
(required_parameter pattern: (_) @pattern type: (_)? @type value: (_)? @value) @bind
(required_parameter name: (_) @key type: (_) @value) @same
(optional_parameter (accessibility_modifier) pattern: (_) @pattern type: (_)? @type value: (_)? @value) @bind.field
(optional_parameter "readonly" pattern: (_) @pattern type: (_)? @type value: (_)? @value) @bind.field
(optional_parameter pattern: (_) @pattern type: (_)? @type value: (_)? @value) @bind
(optional_parameter name: (_) @key type: (_) @value) @same
(type_parameter name: (_) @name constraint: (_)? @bound) @bind.type
(infer_type (type_identifier) @name) @bind.type
(mapped_type_clause name: (_) @name type: (_) @bound) @bind.type
(index_signature name: (_) @key) @expr.keyed

; What `var` declares is known in the whole function.
(variable_declaration) @scope.function
(for_in_statement kind: "var" @hoisted left: (_) @pattern operator: "of" right: (_) @value) @bind.each
(for_in_statement kind: "var" @hoisted left: (_) @key operator: "in" right: (_) @value) @bind.each
(for_in_statement kind: ["const" "let" "var"] left: (_) @pattern operator: "of" right: (_) @value) @bind.each
(for_in_statement kind: ["const" "let" "var"] left: (_) @key operator: "in" right: (_) @value) @bind.each
(for_in_statement) @scope
(catch_clause parameter: (_) @pattern type: (_)? @type) @bind
(catch_clause) @scope

(object_pattern (_)* @item) @pattern.struct
(pair_pattern key: [(property_identifier) (string)] @name value: (_) @pattern) @pattern.field
(pair_pattern value: (_) @pattern) @pattern.rest
(shorthand_property_identifier_pattern) @pattern.field
(object_assignment_pattern left: (_) @value) @same
(assignment_pattern left: (_) @value) @same
(array_pattern) @pattern.array
(rest_pattern (_) @pattern) @pattern.rest
