// Package billing adds up what customers owe. It has nothing to do with signing in.
package billing

import (
	"fmt"
	"sort"
	"strings"
)

// Line is one position of an invoice, in cents.
type Line struct {
	Customer string
	Cents    int64
}

// Report is the month's total for each customer.
type Report struct {
	totals map[string]int64
}

// Add counts one line.
func (r *Report) Add(line Line) {
	if r.totals == nil {
		r.totals = map[string]int64{}
	}
	r.totals[line.Customer] += line.Cents
}

// String writes the report as a table, customers in order.
func (r *Report) String() string {
	var table strings.Builder
	for _, customer := range r.customers() {
		fmt.Fprintf(&table, "%-20s %s\n", customer, money(r.totals[customer]))
	}
	return table.String()
}

func (r *Report) customers() []string {
	names := make([]string, 0, len(r.totals))
	for name := range r.totals {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func money(cents int64) string {
	return fmt.Sprintf("%d.%02d EUR", cents/100, cents%100)
}
