module example.com/auth

go 1.22

require (
	example.com/ident v0.3.0
	github.com/acme/jwt v1.2.0
)

replace example.com/ident => ./third/ident
