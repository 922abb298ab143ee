package main

import "fmt"

// Version is set by the linker.
var Version = "dev"

func cmdVersion(args []string) (int, error) {
	fmt.Println("parcelctl", Version)
	return 0, nil
}
