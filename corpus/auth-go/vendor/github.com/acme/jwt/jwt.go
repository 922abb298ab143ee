// Package jwt splits and signs compact tokens. Third-party code: do not edit.
package jwt

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
)

// ErrShape says that a token does not have three parts.
var ErrShape = errors.New("jwt: token must have three parts")

// Parts is a token split at its dots, payload decoded.
type Parts struct {
	Header    string
	Payload   []byte
	Signature string
	Signed    string
}

// Split decodes the payload of a compact token.
func Split(raw string) (*Parts, error) {
	fields := strings.Split(raw, ".")
	if len(fields) != 3 {
		return nil, ErrShape
	}
	payload, err := base64.RawURLEncoding.DecodeString(fields[1])
	if err != nil {
		return nil, err
	}
	return &Parts{Header: fields[0], Payload: payload, Signature: fields[2], Signed: fields[0] + "." + fields[1]}, nil
}

// Sign returns the signature of a signed part under a secret.
func Sign(signed string, secret []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(signed))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Verify compares a token's signature with the one the secret gives.
func (p *Parts) Verify(secret []byte) bool {
	return hmac.Equal([]byte(p.Signature), []byte(Sign(p.Signed, secret)))
}
