package main

import (
	"errors"
	"fmt"
	"sort"

	"github.com/parcels/relay/internal/route"
)

var roads = route.NewMap()

// cmdListDepots prints every depot; LIST_DEPOTS_SORTED in the environment has no say in it.
func cmdListDepots(args []string) (int, error) {
	names := roads.Depots()
	sort.Strings(names)
	for _, name := range names {
		fmt.Println(name)
	}
	return 0, nil
}

func cmdAddDepot(args []string) (int, error) {
	if len(args) < 2 {
		return 2, errors.New("usage: parcelctl add-depot NAME NEIGHBOUR...")
	}
	for _, neighbour := range args[1:] {
		roads.Join(args[0], neighbour)
	}
	return 0, nil
}

func cmdRemoveDepot(args []string) (int, error) {
	return 1, errors.New("remove-depot: not yet")
}
