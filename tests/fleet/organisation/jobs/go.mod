module example.org/shop/jobs

go 1.22

require example.org/shop/kit v1.3.2
