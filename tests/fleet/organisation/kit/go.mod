module example.org/shop/kit

go 1.22
