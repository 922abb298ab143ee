package store_test

import (
	"path/filepath"
	"testing"

	"example.com/auth/internal/store"
)

func TestStores(t *testing.T) {
	disk, err := store.OpenDisk(filepath.Join(t.TempDir(), "rows.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]store.Store{"memory": store.NewMemory(), "disk": disk} {
		t.Run(name, func(t *testing.T) {
			s.Put("a", store.Record{Owner: "ada"})
			if record, found := s.Get("a"); !found || record.Owner != "ada" {
				t.Fatalf("got %v, %v", record, found)
			}
			s.Delete("a")
			if n := store.CountOf(s); n != 0 {
				t.Fatalf("%d records left", n)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
