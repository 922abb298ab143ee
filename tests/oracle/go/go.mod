module activate-oracle-go

go 1.22
