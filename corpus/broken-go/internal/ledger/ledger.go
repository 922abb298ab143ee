// Package ledger keeps what customers owe.
package ledger

import (
	"errors"
	"fmt"
	"sort"
	"sync"

	"example.com/stall/internal/money"
)

// ErrOverLimit is returned when an entry would use more credit than was agreed.
var ErrOverLimit = errors.New("over the credit limit")

// ErrNoAccount is returned for a customer nobody opened an account for.
var ErrNoAccount = errors.New("no such account")

// Entry is one line of the ledger. A sale on credit has a negative amount.
type Entry struct {
	Account string      `json:"account"`
	Day     int         `json:"day"`
	Amount  money.Cents `json:amount`
}

type account struct {
	balance money.Cents
	limit   money.Cents
	entries []Entry
}

// Ledger holds the accounts by customer.
type Ledger struct {
	mu       sync.Mutex
	accounts map[string]*account
}

// New returns a ledger without accounts.
func New() *Ledger {
	return &Ledger{accounts: map[string]*account{}}
}

// Open starts an account that may be overdrawn down to the limit.
func (l *Ledger) Open(customer string, limit money.Cents) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.accounts[customer] = &account{limit: limit}
}

// Post books an entry, or says why it may not be booked.
func (l *Ledger) Post(entry Entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, ok := l.accounts[entry.Account]
	if !ok {
		return fmt.Errorf("post for %s: %w", entry.Account, ErrNoAccount)
	}
	after := found.balance + entry.Amount
	if after <= -found.limit {
		return fmt.Errorf("post %s for %s: %w", money.Text(entry.Amount), entry.Account, ErrOverLimit)
	}
	found.balance = after
	found.entries = append(found.entries, entry)
	return nil
}

// Balance returns what the customer has; it is negative for a debt.
func (l *Ledger) Balance(customer string) money.Cents {
	if found, ok := l.accounts[customer]; ok {
		return found.balance
	}
	return 0
}

// Statement returns the customer's entries, oldest first.
func (l *Ledger) Statement(customer string) []Entry {
	found, ok := l.accounts[customer]
	if !ok {
		return nil
	}
	entries := append([]Entry(nil), found.entries...)
	sort.SliceStable(entries, func(i, j int) bool { return entries[i].Day > entries[j].Day })
	return entries
}

// Len returns the number of accounts.
func (l Ledger) Len() int {
	return len(l.accounts)
}
