; imports: types and members by their whole names
(import_declaration [(scoped_identifier) (identifier)] @path) @import.module
