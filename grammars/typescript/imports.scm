; imports: modules by path, and what is taken from them
(import_statement "type"? @type_only source: (_) @path) @import.from
(import_require_clause (identifier) @alias source: (_) @path) @import.module
(import_clause (identifier) @alias) @import.default
(namespace_import (identifier) @alias) @import.namespace
(import_specifier "type"? @type_only name: (_) @name alias: (_)? @alias) @import.item
(export_specifier "type"? @type_only name: (_) @name alias: (_)? @alias) @import.item
(namespace_export (_) @alias) @import.namespace
(call_expression function: (import) arguments: (_) @args) @import.call
