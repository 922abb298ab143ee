// Command parcelctl asks a relay from a terminal.
package main

import (
	"fmt"
	"os"
)

// command is one word after the name of the program.
type command struct {
	name string
	help string
	run  func(args []string) (int, error)
}

var commands = []command{
	{name: "list-depots", help: "List the depots, one a line", run: cmdListDepots},
	{name: "add-depot", help: "Add a depot and the roads to it", run: cmdAddDepot},
	{name: "remove-depot", help: "Close a depot", run: cmdRemoveDepot},
	{name: "version", help: "Print the version", run: cmdVersion},
}

func main() {
	if len(os.Args) < 2 {
		usage()
		os.Exit(2)
	}
	for _, known := range commands {
		if known.name == os.Args[1] {
			code, err := known.run(os.Args[2:])
			if err != nil {
				fmt.Fprintln(os.Stderr, "parcelctl:", err)
			}
			os.Exit(code)
		}
	}
	usage()
	os.Exit(2)
}

func usage() {
	for _, known := range commands {
		fmt.Fprintf(os.Stderr, "  %-14s %s\n", known.name, known.help)
	}
}
