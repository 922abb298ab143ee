package auth_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/auth/internal/auth"
)

func newGuard() *auth.Guard {
	return auth.NewGuard(auth.NewKeySet(), log.New(io.Discard, "", 0))
}

func TestGuardRefusesEmptyToken(t *testing.T) {
	guard := newGuard()
	handler := guard.Wrap(http.NotFoundHandler())
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest("GET", "/me", nil))
	if answer.Code != http.StatusUnauthorized {
		t.Fatalf("status %d, want 401", answer.Code)
	}
}

func TestClaimsFromPlainContext(t *testing.T) {
	request := httptest.NewRequest("GET", "/", nil)
	if _, found := auth.ClaimsFrom(request.Context()); found {
		t.Fatal("claims appeared from nowhere")
	}
}
