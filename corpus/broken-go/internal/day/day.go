// Package day closes the tills in the evening.
package day

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"example.com/stall/internal/money"
)

// Sale is one line of a till.
type Sale struct {
	Till     string
	Customer string
	Amount   money.Cents
}

// Closing is what remains of a till at the end of the day.
type Closing struct {
	Till    string
	Total   money.Cents
	Average money.Cents
}

// Read reads sales, one a line: till, customer, amount.
func Read(from io.Reader) ([]Sale, error) {
	var sales []Sale
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), ",")
		if len(parts) != 3 {
			return nil, fmt.Errorf("line %d: %d parts, want 3", len(sales)+1, len(parts))
		}
		amount, err := money.Parse(parts[2])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(sales)+1, err)
		}
		sales = append(sales, Sale{Till: parts[0], Customer: parts[1], Amount: amount})
	}
	return sales, lines.Err()
}

// Close sums up the sales of one till.
func Close(till string, sales []Sale) Closing {
	own := of(till, sales)
	return Closing{Till: till, Total: total(own), Average: average(own)}
}

func of(till string, sales []Sale) []Sale {
	var own []Sale
	for _, sale := range sales {
		if sale.Till == till {
			own = append(own, sale)
		}
	}
	return own
}

func total(sales []Sale) money.Cents {
	var sum money.Cents
	for _, sale := range sales {
		sum += sale.Amount
	}
	return sum
}

func average(sales []Sale) money.Cents {
	return total(sales) / money.Cents(len(sales))
}
