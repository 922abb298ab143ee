; tests: Go marks tests by the name of the function and the file, see mod.rs; nothing in the tree says more
