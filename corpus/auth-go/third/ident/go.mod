module example.com/ident

go 1.22
