package ledger

import (
	"errors"
	"fmt"
	"testing"

	"example.com/stall/internal/money"
)

func TestPost(t *testing.T) {
	cases := []struct {
		name   string
		amount money.Cents
		want   error
	}{
		{"within the limit", -4999, nil},
		{"down to the last cent", -5000, nil},
		{"over the limit", -5001, ErrOverLimit},
		{"a payment", 2000, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			book := New()
			book.Open("ada", 5000)
			err := book.Post(Entry{Account: "ada", Day: 1, Amount: c.amount})
			if !errors.Is(err, c.want) {
				t.Errorf("Post(%s) = %v, want %v", money.Text(c.amount), err, c.want)
			}
		})
	}
}

func TestStatement(t *testing.T) {
	t.Run("order", func(t *testing.T) {
		book := New()
		book.Open("bo", 10000)
		for _, day := range []int{3, 1, 2} {
			if err := book.Post(Entry{Account: "bo", Day: day, Amount: -100}); err != nil {
				t.Fatal(err)
			}
		}
		t.Run("oldest first", func(t *testing.T) {
			entries := book.Statement("bo")
			checkDays(t, entries, []int{1, 2, 3})
		})
		t.Run("nothing lost", func(t *testing.T) {
			if n := len(book.Statement("bo")); n != 3 {
				t.Errorf("%d entries, want 3", n)
			}
		})
	})
	t.Run("of a stranger", func(t *testing.T) {
		if entries := New().Statement("cy"); entries != nil {
			t.Errorf("a stranger has entries: %v", entries)
		}
	})
}

func TestStatementOnPaper(t *testing.T) {
	t.Skip("needs the receipt printer")
}

func checkDays(t *testing.T, entries []Entry, want []int) {
	t.Helper()
	for i, entry := range entries {
		if entry.Day != want[i] {
			t.Fatalf("wrong order of days\n got: %s\nwant: %v", days(entries), want)
		}
	}
}

func days(entries []Entry) string {
	var all []int
	for _, entry := range entries {
		all = append(all, entry.Day)
	}
	return fmt.Sprint(all)
}

func ExampleLedger_Balance() {
	book := New()
	book.Open("ada", 1000)
	_ = book.Post(Entry{Account: "ada", Day: 1, Amount: -250})
	fmt.Println(money.Text(book.Balance("ada")))
	// Output: 2.50
}
