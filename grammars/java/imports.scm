; imports: types, members of types and all of either, by paths of names
(import_declaration "static"? @static [(scoped_identifier) (identifier)] @path (asterisk)? @item) @import.path
