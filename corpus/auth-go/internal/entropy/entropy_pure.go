//go:build !cgo

// Package entropy hands out random bytes for session ids.
package entropy

import "crypto/rand"

// Bytes returns n random bytes.
func Bytes(n int) ([]byte, error) {
	buffer := make([]byte, n)
	_, err := rand.Read(buffer)
	return buffer, err
}
