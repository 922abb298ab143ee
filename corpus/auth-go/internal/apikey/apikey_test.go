package apikey

import (
	"testing"

	"example.com/auth/internal/store"
)

func TestOwner(t *testing.T) {
	memory := store.NewMemory()
	memory.Put("build_7f3a", store.Record{Owner: "builder"})
	checker := Checker{Store: memory}
	for raw, want := range map[string]string{"ak_build_7f3a": "builder", "ak_other": "nobody", "": "nobody"} {
		t.Run(raw, func(t *testing.T) {
			if got := checker.Owner(raw); got != want {
				t.Errorf("owner of %q is %q, want %q", raw, got, want)
			}
		})
	}
}
