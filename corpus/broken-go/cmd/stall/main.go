// Command stall closes the tills of a day: stall close FILE, or - for the standard input.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"sync"

	"example.com/stall/internal/day"
	"example.com/stall/internal/money"
)

var tills = []string{"north", "south"}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 || os.Args[1] != "close" {
		log.Fatal("usage: stall close FILE")
	}
	from, err := open(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	defer from.Close()
	sales, err := day.Read(from)
	if err != nil {
		log.Fatal(err)
	}
	for _, closing := range closeAll(sales) {
		fmt.Printf("%-8s %8s %8s\n", closing.Till, money.Text(closing.Total), money.Text(closing.Average))
	}
}

func open(path string) (io.ReadCloser, error) {
	if path == "-" {
		return os.Stdin, nil
	}
	return os.Open(path)
}

func closeAll(sales []day.Sale) []day.Closing {
	closings := make([]day.Closing, len(tills))
	var open sync.WaitGroup
	for i, till := range tills {
		open.Add(1)
		go func() {
			defer open.Done()
			closings[i] = day.Close(till, sales)
		}()
	}
	open.Wait()
	return closings
}
