// Package auth decides whether a request may pass.
package auth

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/acme/jwt"

	"example.com/ident"
)

// Errors that callers map to a status code.
var (
	ErrEmptyToken   = errors.New("token is empty")
	ErrExpiredToken = errors.New("token has expired")
	ErrBadSignature = errors.New("signature does not match")
)

// wireClaims is the payload as it travels.
type wireClaims struct {
	Sub   string   `json:"sub"`
	Exp   int64    `json:"exp"`
	KeyID string   `json:"kid"`
	Roles []string `json:"roles"`
}

// ValidateToken checks a compact token and returns what it claims.
//
// The result is not cached: a cached answer outlived a logout (see the history of this file).
func ValidateToken(raw string, keys *KeySet) (*Claims, error) {
	if raw == "" {
		return nil, ErrEmptyToken
	}
	token, err := parseToken(raw)
	if err != nil {
		return nil, fmt.Errorf("validate token: %w", err)
	}
	claims, err := getClaims(token, keys)
	if err != nil {
		return nil, err
	}
	if claims.Expired(time.Now()) {
		return nil, ErrExpiredToken
	}
	return claims, nil
}

// parseToken splits the token; it does not look at the signature.
func parseToken(raw string) (*jwt.Parts, error) {
	parts, err := jwt.Split(raw)
	if err != nil {
		return nil, fmt.Errorf("malformed token: %w", err)
	}
	return parts, nil
}

// getClaims reads the payload and verifies the signature with the key it names.
func getClaims(token *jwt.Parts, keys *KeySet) (*Claims, error) {
	var wire wireClaims
	if err := json.Unmarshal(token.Payload, &wire); err != nil {
		return nil, fmt.Errorf("claims are not JSON: %w", err)
	}
	key, err := keys.Find(wire.KeyID)
	if err != nil {
		return nil, err
	}
	if !token.Verify(key.Secret) {
		return nil, ErrBadSignature
	}
	subject, err := ident.Parse(wire.Sub)
	if err != nil {
		return nil, err
	}
	return &Claims{Subject: subject, ExpiresAt: time.Unix(wire.Exp, 0), Roles: wire.Roles}, nil
}

// CheckToken reports only whether a token is good.
//
// Deprecated: use ValidateToken, which says why a token was refused.
func CheckToken(raw string, keys *KeySet) bool {
	_, err := ValidateToken(raw, keys)
	return err == nil
}
