package stock

import "testing"

func TestDeliverAddsUp(t *testing.T) {
	store := New()
	store.Deliver("leek", 2)
	store.Deliver("leek", 3)
	if free := store.Free("leek"); free != 5 {
		t.Errorf("%d crates free, want 5", free)
	}
}

func TestReserve(t *testing.T) {
	t.Run("more than there is", func(t *testing.T) {
		if err := New().Reserve("leek", "ada", 1); err == nil {
			t.Error("reserved a crate that does not exist")
		}
	})
	t.Run("what was delivered", func(t *testing.T) {
		store := New()
		store.Deliver("leek", 2)
		if err := store.Reserve("leek", "ada", 1); err != nil {
			t.Fatal(err)
		}
		if free := store.Free("leek"); free != 1 {
			t.Errorf("%d crates free, want 1", free)
		}
	})
}
