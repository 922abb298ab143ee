// Command server answers sign-in requests over HTTP.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"

	"example.com/auth/internal/auth"
	"example.com/auth/internal/config"
	"example.com/auth/internal/session"
	"example.com/auth/internal/store"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

func run() error {
	settings, err := config.Load()
	if err != nil {
		return err
	}
	keys, err := auth.LoadKeys(settings.KeyFile)
	if err != nil {
		return err
	}
	defer keys.Close()
	rows, err := store.OpenDisk(settings.DataFile)
	if err != nil {
		return err
	}
	book := session.NewBook(rows, keys)
	defer book.Close()
	logs := log.New(os.Stderr, "auth ", log.LstdFlags)
	server := &server{book: book, keys: keys}
	return http.ListenAndServe(settings.Addr(), server.routes(auth.NewGuard(keys, logs)))
}
