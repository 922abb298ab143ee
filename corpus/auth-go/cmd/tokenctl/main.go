// Command tokenctl checks one token or API key from the command line.
package main

import (
	"fmt"
	"os"
	"strings"

	"example.com/auth/internal/apikey"
	"example.com/auth/internal/auth"
	"example.com/auth/internal/store"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: tokenctl KEYFILE TOKEN")
		os.Exit(2)
	}
	who, err := check(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "tokenctl:", err)
		os.Exit(1)
	}
	fmt.Println(who)
}

// check tells an API key from a token by its prefix.
func check(keyFile, raw string) (string, error) {
	if strings.HasPrefix(raw, "ak_") {
		return apikey.ValidateToken(raw, store.NewMemory())
	}
	keys, err := auth.LoadKeys(keyFile)
	if err != nil {
		return "", err
	}
	claims, err := auth.ValidateToken(raw, keys)
	if err != nil {
		return "", err
	}
	return claims.String(), nil
}
