package auth

import (
	"time"

	"example.com/ident"
)

// Claims is what a valid token says about its bearer. The embedded subject lends it String and Human.
type Claims struct {
	ident.Subject
	ExpiresAt time.Time
	Roles     []string
}

// Expired says whether the claims are no longer good at the given time.
func (c *Claims) Expired(now time.Time) bool {
	return !now.Before(c.ExpiresAt)
}

// HasRole says whether the bearer was granted a role.
func (c *Claims) HasRole(role string) bool {
	for _, granted := range c.Roles {
		if granted == role {
			return true
		}
	}
	return false
}

// label is the bearer's name in the access log; people are not logged by name.
func (c *Claims) label() string {
	if c.Human() {
		return "user"
	}
	return c.String()
}
