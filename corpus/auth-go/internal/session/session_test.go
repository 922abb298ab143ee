package session

import (
	"testing"

	"example.com/auth/internal/auth"
	"example.com/auth/internal/store"
)

func TestLogoutForgetsSession(t *testing.T) {
	rows := store.NewMemory()
	rows.Put("s1", store.Record{Owner: "user:ada"})
	book := NewBook(rows, auth.NewKeySet())
	book.Logout("s1")
	if owner, open := book.Validate("s1"); open {
		t.Fatalf("session of %s survived the logout", owner)
	}
}

func TestLoginRefusesEmptyToken(t *testing.T) {
	var book = NewBook(store.NewMemory(), auth.NewKeySet())
	if _, err := book.Login(""); err == nil {
		t.Fatal("an empty token opened a session")
	}
}
