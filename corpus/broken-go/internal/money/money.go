// Package money holds amounts in whole cents.
package money

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Cents is an amount. It is negative for what somebody owes.
type Cents int64

// ErrFraction is returned for amounts with parts of a cent.
var ErrFraction = errors.New("more than two digits after the point")

// Parse reads an amount such as "12.50" or "-3".
func Parse(text string) (Cents, error) {
	whole, part, _ := strings.Cut(strings.TrimSpace(text), ".")
	if len(part) > 2 {
		return 0, fmt.Errorf("amount %q: %w", text, ErrFraction)
	}
	part += strings.Repeat("0", 2-len(part))
	cents, err := strconv.ParseInt(whole+part, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("amount %q: %w", text, err)
	}
	return Cents(cents), nil
}

// Text writes an amount with two digits after the point.
func Text(amount Cents) string {
	sign := ""
	if amount < 0 {
		sign, amount = "-", -amount
	}
	return fmt.Sprintf("%s%d.%02d", sign, amount/100, amount%100)
}

// Percent returns that part of the amount, rounded up.
func (c Cents) Percent(percent int) Cents {
	return (c*Cents(percent) + 99) / 100
}
