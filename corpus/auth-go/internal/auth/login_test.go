package auth

import (
	"encoding/base64"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/acme/jwt"
)

var testKey = Key{ID: "k1", Secret: []byte("not a real secret")}

// mint makes a signed token for the tests.
func mint(sub string, expires time.Time) string {
	payload := fmt.Sprintf(`{"sub":%q,"exp":%d,"kid":"k1"}`, sub, expires.Unix())
	signed := "e30." + base64.RawURLEncoding.EncodeToString([]byte(payload))
	return signed + "." + jwt.Sign(signed, testKey.Secret)
}

func TestValidateToken(t *testing.T) {
	good := mint("user:ada", time.Now().Add(time.Hour))
	stale := mint("user:ada", time.Now().Add(-time.Hour))
	cases := []struct {
		name string
		raw  string
		want error
	}{
		{"empty token", "", ErrEmptyToken},
		{"expired token", stale, ErrExpiredToken},
		{"foreign signature", good + "x", ErrBadSignature},
		{"good token", good, nil},
	}
	keys := NewKeySet(testKey)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := ValidateToken(c.raw, keys)
			if !errors.Is(err, c.want) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestParseTokenRefusesTwoParts(t *testing.T) {
	if _, err := parseToken("one.two"); err == nil {
		t.Fatal("a token of two parts was accepted")
	}
}

func TestGetClaims(t *testing.T) {
	token, err := parseToken(mint("service:billing", time.Now()))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("unknown key", func(t *testing.T) {
		if _, err := getClaims(token, NewKeySet()); err == nil {
			t.Fatal("a token signed by nobody was accepted")
		}
	})
	t.Run("service subject", func(t *testing.T) {
		claims, err := getClaims(token, NewKeySet(testKey))
		if err != nil || claims.Human() {
			t.Fatalf("claims %v, error %v", claims, err)
		}
	})
}
