package receipt

import (
	"testing"

	"example.com/stall/internal/ledger"
)

func TestRenderEndsWithTheTotal(t *testing.T) {
	lines := Render("ada", []ledger.Entry{{Account: "ada", Day: 1, Amount: -250}})
	if last := lines[len(lines)-1]; len(last) != Width {
		t.Errorf("the last line is %q", last)
	}
}
