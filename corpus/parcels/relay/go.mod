module github.com/parcels/relay

go 1.22
