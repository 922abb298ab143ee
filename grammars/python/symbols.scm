; defines: what a Python file declares
(function_definition "async"? @async name: (identifier) @name parameters: (_) @params return_type: (_)? @type body: (_) @body) @def.function
(class_definition name: (identifier) @name superclasses: (_)? @bound body: (_) @body) @def.type
(type_alias_statement left: (_) @name right: (_) @type) @def.alias
(decorator (_) @callee) @attribute
(assignment left: (_) @name type: (_)? @type right: (_)? @value) @def.assigned
(named_expression name: (_) @name value: (_) @value) @def.assigned
(augmented_assignment left: (_) @name right: (_) @list) @def.assigned
(return_statement (_) @value) @return
(yield "from" (_) @item) @yield
(yield (_) @value) @yield
