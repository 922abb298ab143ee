package money

import (
	"errors"
	"fmt"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Cents{"12.50": 1250, "-3": -300, " 0.8 ": 80} {
		got, err := Parse(text)
		if err != nil || got != want {
			t.Errorf("Parse(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestParseRefusesPartsOfACent(t *testing.T) {
	t.Parallel()
	if _, err := Parse("1.005"); !errors.Is(err, ErrFraction) {
		t.Fatalf("Parse(1.005) says %v", err)
	}
}

func TestPercentRoundsTowardsTheCustomer(t *testing.T) {
	if got := Cents(1001).Percent(10); got != 101 {
		t.Errorf("a tenth of 10.01 is %s", Text(got))
	}
}

func ExampleText() {
	fmt.Println(Text(-5))
	// Output: -0.05
}
