; tests: annotations and names say what a test is, see declared.rs; nothing in the tree says more
