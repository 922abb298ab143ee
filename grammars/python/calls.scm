; calls and references: names, members, calls and the types they pass through
(identifier) @expr.name
(dotted_name (_)* @item) @expr.path
(attribute object: (_) @base attribute: (_) @name) @expr.member
(call function: (_) @callee arguments: (_) @args) @expr.call
(subscript value: (_) @value subscript: (slice)) @same
(subscript value: (_) @base subscript: (_)* @args) @type.apply
(keyword_argument name: (_) @key value: (_) @value) @expr.argument
(lambda parameters: (_)? @params body: (_) @value) @expr.function
(await (_) @value) @expr.await
(parenthesized_expression (_) @value) @same
(conditional_expression) @expr.choice
(boolean_operator left: (_) @value operator: "or" right: (_) @value) @expr.either
(boolean_operator operator: "and" right: (_) @value) @same
(binary_operator left: (_) @type operator: "|" right: (_) @type) @type.union
[(binary_operator) (unary_operator) (not_operator) (comparison_operator)] @expr.opaque
[(none) (list_splat) (dictionary_splat) (slice)] @expr.opaque

(argument_list) @list
(expression_list) @list
(tuple (_)* @type) @type.tuple
(list (_)* @value) @expr.many
(set (_)* @value) @expr.many
(list_comprehension body: (_) @value) @expr.many
(set_comprehension body: (_) @value) @expr.many
(generator_expression body: (_) @value) @expr.many
(pair key: (_) @key value: (_) @type) @type.map
(dictionary (pair) @value) @same
(dictionary_comprehension body: (_) @value) @same
[(dictionary) (integer) (float) (true) (false) (ellipsis) (concatenated_string)] @expr.literal
(string) @zone.literal
(comment) @zone.comment
; A text that is a statement says what it stands in.
(expression_statement (string)) @zone.doc

(type (string) @value) @type.quoted
(type (_) @value) @same
(generic_type (identifier) @base (type_parameter) @args) @type.apply
(type_parameter) @list
(union_type (_) @type) @type.union
(constrained_type (_) @value) @same
[(splat_type) (member_type)] @expr.opaque
