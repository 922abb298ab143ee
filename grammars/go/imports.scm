; imports: packages by path
(import_spec name: (_)? @alias path: (_) @path) @import.module
