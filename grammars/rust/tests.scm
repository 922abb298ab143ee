; tests: attributes say what is a test and what is compiled for tests only, see mod.rs
(attribute_item) @attribute
(attribute) @skip
(inner_attribute_item) @absent
