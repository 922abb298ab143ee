; tests: calls with a title, see `is_test_call` in mod.rs; nothing in the tree says more
