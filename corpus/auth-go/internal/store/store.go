// Package store keeps small records by id.
package store

import "io"

// Record is one stored row.
type Record struct {
	Owner string
	Value string
}

// Store is what the rest of the service needs of a database.
type Store interface {
	Get(id string) (Record, bool)
	Put(id string, record Record)
	Delete(id string)
	io.Closer
}

// Counter is implemented by stores that can count.
type Counter interface {
	Count() int
}

// CountOf returns the number of records, or -1 when the store cannot count.
func CountOf(s Store) int {
	if counter, ok := s.(Counter); ok {
		return counter.Count()
	}
	return -1
}
