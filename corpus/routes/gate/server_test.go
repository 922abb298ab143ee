package gate

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func status(g *Gate, req *http.Request) int {
	recorder := httptest.NewRecorder()
	g.Handler().ServeHTTP(recorder, req)
	return recorder.Code
}

func TestReserve(t *testing.T) {
	g := New(map[string]int{"north": 1})
	for _, want := range []int{http.StatusCreated, http.StatusConflict} {
		got := status(g, httptest.NewRequest(http.MethodPost, "/api/crossings/north/seats?n=1", nil))
		if got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	}
}

func TestSeats(t *testing.T) {
	g := New(map[string]int{"north": 1})
	if got := status(g, httptest.NewRequest("GET", "/api/crossings/north/seats", nil)); got != http.StatusOK {
		t.Errorf("got %d", got)
	}
}
