module example.com/shared/ident

go 1.22
