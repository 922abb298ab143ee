// Command api serves the web client and feeds the worker.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"

	"example.com/backend/internal/auth"
	"example.com/backend/internal/queue"
)

func main() {
	jobs := queue.New(os.Stdout)
	defer jobs.Close()
	http.Handle("/jobs", auth.Require(push(jobs)))
	log.Fatal(http.ListenAndServe(":"+port(), nil))
}

// push accepts a job of the signed-in subject.
func push(jobs *queue.Queue) func(http.ResponseWriter, *auth.Claims) {
	return func(w http.ResponseWriter, claims *auth.Claims) {
		if err := jobs.Push(claims.Subject, "refresh"); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, "accepted for", claims.Subject.String())
	}
}

func port() string {
	if value := os.Getenv("API_PORT"); value != "" {
		return value
	}
	return "8080"
}
