package main

import (
	"encoding/json"
	"net/http"

	"example.com/auth/internal/auth"
	"example.com/auth/internal/authpb"
	"example.com/auth/internal/session"
)

type server struct {
	book *session.Book
	keys *auth.KeySet
}

// routes puts the guard before everything but the sign-in itself.
func (s *server) routes(guard *auth.Guard) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/login", s.login)
	mux.HandleFunc("/validate", s.validate)
	mux.Handle("/me", guard.Wrap(http.HandlerFunc(me)))
	return mux
}

// login answers with a session id.
func (s *server) login(w http.ResponseWriter, r *http.Request) {
	id, err := s.book.Login(r.FormValue("token"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	reply(w, map[string]string{"session": id})
}

// validate tells another service whether a token is good.
func (s *server) validate(w http.ResponseWriter, r *http.Request) {
	request := &authpb.ValidateRequest{Token: r.FormValue("token")}
	claims, err := auth.ValidateToken(request.GetToken(), s.keys)
	if err != nil {
		reply(w, &authpb.ValidateReply{Error: err.Error()})
		return
	}
	reply(w, &authpb.ValidateReply{Subject: claims.String()})
}

func me(w http.ResponseWriter, r *http.Request) {
	if claims, found := auth.ClaimsFrom(r.Context()); found {
		reply(w, claims)
	}
}

func reply(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value)
}
