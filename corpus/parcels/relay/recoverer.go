package relay

import (
	"log"
	"net/http"
	"runtime/debug"
)

// Recoverer keeps the server alive when a handler panics, and answers 500.
func Recoverer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if cause := recover(); cause != nil {
				log.Printf("%s: %v\n%s", r.URL.Path, cause, debug.Stack())
				w.WriteHeader(http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}
