//go:build cgo

// Package entropy hands out random bytes for session ids.
package entropy

/*
#include <stdlib.h>
#include <string.h>

static void *scratch(size_t n) {
	void *p = malloc(n);
	if (p != NULL) memset(p, 0, n);
	return p;
}
*/
import "C"

import (
	"crypto/rand"
	"errors"
	"unsafe"
)

// Bytes returns n random bytes. The scratch buffer lives outside the Go heap so that it is never copied by it.
func Bytes(n int) ([]byte, error) {
	buffer := C.scratch(C.size_t(n))
	if buffer == nil {
		return nil, errors.New("out of memory")
	}
	defer C.free(buffer)
	if err := fill(unsafe.Slice((*byte)(buffer), n)); err != nil {
		return nil, err
	}
	return C.GoBytes(buffer, C.int(n)), nil
}

func fill(buffer []byte) error {
	_, err := rand.Read(buffer)
	return err
}
