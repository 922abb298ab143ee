; imports: use trees, crates by name
(use_declaration (visibility_modifier)? @visibility argument: (_) @item) @import.tree
(use_list (_)* @item) @import.list
(scoped_use_list path: (_)? @path list: (_) @list) @import.group
(use_as_clause path: (_) @path alias: (_) @alias) @import.alias
(use_wildcard (_)? @path) @import.glob
(extern_crate_declaration name: (_) @path alias: (_)? @alias) @import.module
