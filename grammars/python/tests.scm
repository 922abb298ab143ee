; tests: names and decorators say what a test is, see tests.rs; nothing in the tree says more
