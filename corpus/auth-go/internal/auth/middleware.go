package auth

import (
	"context"
	"errors"
	"log"
	"net/http"
	"strings"
)

type claimsKey struct{}

// Guard refuses requests that carry no valid token.
type Guard struct {
	keys *KeySet
	logs *log.Logger
}

// NewGuard makes a guard that verifies with the given keys.
func NewGuard(keys *KeySet, logs *log.Logger) *Guard {
	return &Guard{keys: keys, logs: logs}
}

// Wrap lets a request through to next when its token is valid.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		claims, err := ValidateToken(bearer(r), g.keys)
		if err != nil {
			g.refuse(w, r, err)
			return
		}
		g.logs.Printf("%s %s by %s", r.Method, r.URL.Path, claims.label())
		next.ServeHTTP(w, r.WithContext(WithClaims(r.Context(), claims)))
	})
}

// refuse answers 401, or 403 when the token was good once.
func (g *Guard) refuse(w http.ResponseWriter, r *http.Request, err error) {
	g.logs.Printf("refused %s with %s: %v", r.URL.Path, g.keys.String(), err)
	http.Error(w, err.Error(), statusOf(err))
}

// statusOf maps an error of ValidateToken to an HTTP status.
func statusOf(err error) int {
	switch {
	case errors.Is(err, ErrExpiredToken):
		return http.StatusForbidden
	case errors.Is(err, ErrEmptyToken), errors.Is(err, ErrBadSignature):
		return http.StatusUnauthorized
	}
	return http.StatusInternalServerError
}

// bearer takes the token out of the Authorization header.
func bearer(r *http.Request) string {
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

// WithClaims puts claims into a context.
func WithClaims(ctx context.Context, claims *Claims) context.Context {
	return context.WithValue(ctx, claimsKey{}, claims)
}

// ClaimsFrom returns the claims of a request that passed the guard.
func ClaimsFrom(ctx context.Context) (*Claims, bool) {
	claims, found := ctx.Value(claimsKey{}).(*Claims)
	return claims, found
}
