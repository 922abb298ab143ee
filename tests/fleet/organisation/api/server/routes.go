package server

import "net/http"

// Routes says who answers which path.
func Routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /orders/{number}", showOrder)
	mux.HandleFunc("POST /orders", placeOrder)
}
