; imports: modules by path, and what is taken from them
(import_statement name: (_) @path) @import.modules
(import_from_statement module_name: (_) @path name: (dotted_name)* @name) @import.from
(aliased_import name: (_) @name alias: (_) @alias) @import.item
(wildcard_import) @import.all
(future_import_statement) @skip
