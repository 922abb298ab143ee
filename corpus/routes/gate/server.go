// Package gate sells seats.
package gate

import (
	"encoding/json"
	"net/http"
)

// Gate knows how many seats each crossing has left.
type Gate struct {
	left map[string]int
}

// New is a gate with seats for each crossing.
func New(left map[string]int) *Gate {
	return &Gate{left: left}
}

// Handler serves the gate.
func (g *Gate) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/crossings/{id}/seats", g.seats)
	mux.HandleFunc("POST /api/crossings/{id}/seats", counted(g.reserve))
	return mux
}

// counted asks for the number of seats first.
func counted(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("n") == "" {
			http.Error(w, "how many seats?", http.StatusBadRequest)
			return
		}
		next(w, r)
	}
}

// seats says how many seats are left.
func (g *Gate) seats(w http.ResponseWriter, r *http.Request) {
	json.NewEncoder(w).Encode(map[string]int{"left": g.left[r.PathValue("id")]})
}

// reserve takes one seat.
func (g *Gate) reserve(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if g.left[id] == 0 {
		http.Error(w, "full", http.StatusConflict)
		return
	}
	g.left[id]--
	w.WriteHeader(http.StatusCreated)
}
