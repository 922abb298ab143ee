package auth

import "net/http"

// Require answers 401 unless the request carries a valid token.
func Require(next func(http.ResponseWriter, *Claims)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		claims, err := ValidateToken(r.Header.Get("X-Token"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		next(w, claims)
	}
}
