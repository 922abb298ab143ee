module example.org/shop/api

go 1.22

require example.org/shop/kit v1.4.0
