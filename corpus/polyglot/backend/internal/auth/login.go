// Package auth validates the tokens that the web client sends.
package auth

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/shared/ident"
)

// ErrEmptyToken says that a request carried no token.
var ErrEmptyToken = errors.New("token is empty")

// ErrExpiredToken says that a token was good once.
var ErrExpiredToken = errors.New("token has expired")

// Claims is what a token says.
type Claims struct {
	Subject ident.Subject
	Expires time.Time
}

// ValidateToken checks a token of the form "kind:name@seconds".
func ValidateToken(raw string) (*Claims, error) {
	if raw == "" {
		return nil, ErrEmptyToken
	}
	subject, seconds, err := parseToken(raw)
	if err != nil {
		return nil, err
	}
	claims, err := getClaims(subject, seconds)
	if err != nil {
		return nil, err
	}
	if time.Now().After(claims.Expires) {
		return nil, ErrExpiredToken
	}
	return claims, nil
}

func parseToken(raw string) (string, string, error) {
	subject, seconds, found := strings.Cut(raw, "@")
	if !found {
		return "", "", fmt.Errorf("malformed token %q", raw)
	}
	return subject, seconds, nil
}

func getClaims(subject, seconds string) (*Claims, error) {
	who, err := ident.Parse(subject)
	if err != nil {
		return nil, err
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("expiry is not a number: %w", err)
	}
	return &Claims{Subject: who, Expires: time.Unix(unix, 0)}, nil
}
