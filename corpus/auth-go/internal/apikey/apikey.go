// Package apikey checks the long-lived keys of build machines. They are not the tokens of package auth.
package apikey

import (
	"errors"
	"strings"

	"example.com/auth/internal/store"
)

// ErrUnknownKey says that nobody was given this key.
var ErrUnknownKey = errors.New("api key is unknown")

// Checker looks keys up in a store.
type Checker struct {
	Store store.Store
}

// ValidateToken returns the owner of an API key such as "ak_build_7f3a".
func ValidateToken(raw string, known store.Store) (string, error) {
	id, err := parseToken(raw)
	if err != nil {
		return "", err
	}
	record, found := known.Get(id)
	if !found {
		return "", ErrUnknownKey
	}
	return record.Owner, nil
}

// Owner returns who holds a key, or "nobody".
func (c Checker) Owner(raw string) string {
	owner, err := ValidateToken(raw, c.Store)
	if err != nil {
		return "nobody"
	}
	return owner
}

func parseToken(raw string) (string, error) {
	id, found := strings.CutPrefix(raw, "ak_")
	if !found {
		return "", errors.New("api key must begin with ak_")
	}
	return id, nil
}
