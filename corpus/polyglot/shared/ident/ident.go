// Package ident names the people and services that sign in.
package ident

import (
	"errors"
	"strings"
)

// Subject is who a token speaks for.
type Subject struct{ Kind, Name string }

// Parse reads a subject such as "user:ada".
func Parse(text string) (Subject, error) {
	kind, name, found := strings.Cut(text, ":")
	if !found {
		return Subject{}, errors.New("subject must look like kind:name")
	}
	return Subject{Kind: kind, Name: name}, nil
}

// String gives the subject in the form that Parse reads.
func (s Subject) String() string { return s.Kind + ":" + s.Name }
