// Package ident names the people and services that sign in.
package ident

import (
	"errors"
	"strings"
)

// ErrBadSubject says that a subject has no kind or no name.
var ErrBadSubject = errors.New("subject must look like kind:name")

// Subject is who a token speaks for.
type Subject struct {
	Kind string
	Name string
}

// Parse reads a subject such as "user:ada" or "service:billing".
func Parse(text string) (Subject, error) {
	kind, name, found := strings.Cut(text, ":")
	if !found || kind == "" || name == "" {
		return Subject{}, ErrBadSubject
	}
	return Subject{Kind: kind, Name: name}, nil
}

// String gives the subject in the form that Parse reads.
func (s Subject) String() string {
	return s.Kind + ":" + s.Name
}

// Human says whether a person is behind the subject.
func (s Subject) Human() bool {
	return s.Kind == "user"
}
