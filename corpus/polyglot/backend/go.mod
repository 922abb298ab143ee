module example.com/backend

go 1.22

require example.com/shared/ident v0.0.0
