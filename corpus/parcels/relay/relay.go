// Package relay passes parcels from depot to depot.
package relay

import (
	"errors"
	"fmt"
	"sync"

	"github.com/parcels/relay/internal/route"
)

// ErrNoDepot says that a parcel has nowhere to go.
var ErrNoDepot = errors.New("no depot on the way")

// Parcel is one box with its label.
type Parcel struct {
	ID    string
	To    string
	Grams int
}

// Relay knows the depots and what waits in each.
type Relay struct {
	mu      sync.Mutex
	depots  *route.Map
	waiting map[string][]Parcel
}

// New makes a relay over a map of depots.
func New(depots *route.Map) *Relay {
	return &Relay{depots: depots, waiting: map[string][]Parcel{}}
}

// Accept takes a parcel in at a depot.
func (r *Relay) Accept(depot string, parcel Parcel) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting[depot] = append(r.waiting[depot], parcel)
}

// Forward moves everything that waits in a depot one step on.
func (r *Relay) Forward(depot string) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	moved := 0
	for _, parcel := range r.waiting[depot] {
		next, found := r.depots.Next(depot, parcel.To)
		if !found {
			return moved, fmt.Errorf("parcel %s at %s: %w", parcel.ID, depot, ErrNoDepot)
		}
		r.waiting[next] = append(r.waiting[next], parcel)
		moved++
	}
	delete(r.waiting, depot)
	return moved, nil
}
