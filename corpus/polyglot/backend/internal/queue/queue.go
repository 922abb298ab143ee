// Package queue hands jobs to the worker, one line of text each.
package queue

import (
	"fmt"
	"io"
	"sync"
)

// Queue writes jobs in order.
type Queue struct {
	mu  sync.Mutex
	out io.WriteCloser
}

// New makes a queue over a pipe to the worker.
func New(out io.WriteCloser) *Queue {
	return &Queue{out: out}
}

// Push sends one job on behalf of a subject.
func (q *Queue) Push(subject fmt.Stringer, job string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	_, err := fmt.Fprintf(q.out, "%s %s\n", subject.String(), job)
	return err
}

// Close tells the worker that no more jobs come.
func (q *Queue) Close() error {
	return q.out.Close()
}
