; casts in angle brackets; only the TypeScript grammar has them
(type_assertion (type_arguments) @type) @expr.cast
