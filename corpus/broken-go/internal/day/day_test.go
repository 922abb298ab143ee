package day

import (
	"os"
	"testing"
)

func TestCloseMonday(t *testing.T) {
	file, err := os.Open("../../testdata/monday.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	sales, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	closing := Close("north", sales)
	if closing.Total != 1570 || closing.Average != 785 {
		t.Errorf("north closed with %+v", closing)
	}
}
