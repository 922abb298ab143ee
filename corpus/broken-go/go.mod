module example.com/stall

go 1.24
