; calls and references: names, members, calls and instances made
(method_invocation !object name: (_) @callee arguments: (_) @args) @expr.call
(method_invocation object: (_) @base name: (_) @name arguments: (_) @args) @expr.send
(object_creation_expression type: (_) @type) @expr.new
(generic_type [(type_identifier) (scoped_type_identifier)] @value) @same
(identifier) @expr.name
(type_identifier) @type.name
[(line_comment) (block_comment)] @zone.comment
(string_literal) @zone.literal
(character_literal) @expr.literal
