// Package stock counts what lies in the bins.
package stock

import "fmt"

type bin struct {
	crates int
	held   map[string]int
}

// Stock holds the bins by goods.
type Stock struct {
	bins map[string]*bin
}

// New returns a stock without goods.
func New() *Stock {
	return &Stock{bins: map[string]*bin{}}
}

// Deliver puts crates into the bin of the goods.
func (s *Stock) Deliver(goods string, crates int) {
	if _, ok := s.bins[goods]; !ok {
		s.bins[goods] = &bin{}
	}
	s.bins[goods].crates += crates
}

// Free returns the crates that nobody has reserved.
func (s *Stock) Free(goods string) int {
	found, ok := s.bins[goods]
	if !ok {
		return 0
	}
	free := found.crates
	for _, held := range found.held {
		free -= held
	}
	return free
}

// Reserve keeps crates back for a customer.
func (s *Stock) Reserve(goods, customer string, crates int) error {
	if s.Free(goods) < crates {
		return fmt.Errorf("reserve %d of %s: only %d free", crates, goods, s.Free(goods))
	}
	s.hold(goods, customer, crates)
	return nil
}

func (s *Stock) hold(goods, customer string, crates int) {
	s.bins[goods].add(customer, crates)
}

func (b *bin) add(customer string, crates int) {
	b.held[customer] += crates
}
