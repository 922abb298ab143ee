package report

import (
	"strings"
	"testing"

	"example.com/stall/internal/ledger"
)

func TestMonthNamesEveryCustomer(t *testing.T) {
	var text strings.Builder
	Month(&text, ledger.New(), []string{"ada", "bo"})
	if !strings.Contains(text.String(), "bo") {
		t.Errorf("bo is missing:\n%s", &text)
	}
}
