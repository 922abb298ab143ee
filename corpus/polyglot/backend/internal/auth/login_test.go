package auth

import (
	"errors"
	"testing"
)

func TestValidateToken(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		want      error
	}{
		{"empty token", "", ErrEmptyToken},
		{"expired token", "user:ada@1", ErrExpiredToken},
		{"good token", "user:ada@99999999999", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := ValidateToken(c.raw); !errors.Is(err, c.want) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
		})
	}
}
