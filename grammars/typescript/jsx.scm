; calls: components used as tags; only the TSX grammar has them
(jsx_opening_element name: (_) @callee) @expr.tag
(jsx_self_closing_element name: (_) @callee) @expr.tag
[(jsx_closing_element) (jsx_namespace_name)] @skip
(jsx_element) @expr.opaque
(jsx_text) @zone.literal
