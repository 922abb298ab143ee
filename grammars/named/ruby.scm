; Ruby: classes, modules and methods, calls with and without brackets
(class name: (_) @name) @def.type
(module name: (_) @name) @def.module
(method name: (_) @name body: (_)? @body) @def.function
(singleton_method name: (_) @name body: (_)? @body) @def.function
(alias name: (_) @name) @def.function
(assignment left: (constant) @name right: (_) @value) @def.constant
(singleton_class) @scope
(superclass (_) @type) @super.extends

(call receiver: (_)? @base method: (_) @name arguments: (_)? @args) @expr.send
(scope_resolution scope: (_)? @base name: (_) @name) @expr.scoped
(identifier) @expr.name
(constant) @expr.name
(self) @expr.this
(super) @expr.super
(argument_list) @list
(comment) @zone.comment
(string) @zone.literal
(heredoc_body) @zone.literal
(regex) @zone.literal
(simple_symbol) @zone.literal
