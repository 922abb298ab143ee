// Package session keeps signed-in sessions until they log out.
package session

import (
	"encoding/hex"
	"fmt"

	tokens "example.com/auth/internal/auth"
	"example.com/auth/internal/entropy"
	"example.com/auth/internal/store"
)

// idBytes is the length of a session id before it is written in hex.
const idBytes = 16

// Book is the list of open sessions.
type Book struct {
	rows store.Store
	keys *tokens.KeySet
}

// NewBook opens a book over a store.
func NewBook(rows store.Store, keys *tokens.KeySet) *Book {
	return &Book{rows: rows, keys: keys}
}

// Login opens a session for a valid token and returns its id.
func (b *Book) Login(raw string) (string, error) {
	claims, err := tokens.ValidateToken(raw, b.keys)
	if err != nil {
		return "", fmt.Errorf("login: %w", err)
	}
	seed, err := entropy.Bytes(idBytes)
	if err != nil {
		return "", fmt.Errorf("no randomness for a session id: %w", err)
	}
	id := hex.EncodeToString(seed)
	b.rows.Put(id, store.Record{Owner: claims.Subject.String(), Value: raw})
	return id, nil
}

// Logout forgets a session.
func (b *Book) Logout(id string) {
	b.rows.Delete(id)
}

// Validate says who owns an open session.
func (b *Book) Validate(id string) (string, bool) {
	record, found := b.rows.Get(id)
	return record.Owner, found
}

// Close closes the store under the book.
func (b *Book) Close() error {
	return b.rows.Close()
}
