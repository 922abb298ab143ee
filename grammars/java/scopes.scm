; scope facts: what is bound where, and to what
(block) @scope
(lambda_expression body: (_) @body) @expr.function
