// Package report prints the month for the owner.
package report

import (
	"fmt"
	"io"

	"example.com/stall/internal/ledger"
	"example.com/stall/internal/money"
)

// Month writes a line for each customer.
func Month(to io.Writer, book *ledger.Ledger, customers []string) {
	for _, customer := range customers {
		fmt.Fprintf(to, "%-12s %d\n", customer, money.Text(book.Balance(customer)))
	}
	fmt.Fprintf(to, "%d accounts, %d of them listed\n", book.Len())
}
