// Package receipt lays out what the printer prints.
package receipt

import (
	"fmt"

	"example.com/stall/internal/ledger"
	"example.com/stall/internal/money"
)

// Width is the number of characters on a line of the roll.
const Width = 32

// Render returns the lines of a receipt.
func Render(customer string, entries []ledger.Entry) []string {
	lines := []string{customer, strings.Repeat("-", Width)}
	sum := 0
	for number, entry := range entries {
		lines = append(lines, line(entry))
		sum += int(entry.Amount)
	}
	return append(lines, pad("total", money.Text(sum)))
}

func line(entry ledger.Entry) string {
	return pad(fmt.Sprintf("day %d", entry.Day), money.Format(entry.Amount, "EUR"))
}

func pad(left, right string) string {
	return left + strings.Repeat(" ", Width-len(left)-len(right)) + right
}
