package relay

import (
	"fmt"
	"io"
	"os"
)

// Logger writes one line an event.
type Logger struct {
	out    io.Writer
	prefix string
	fields []string
}

// NewLogger makes a logger that writes to standard output.
func NewLogger(prefix string) *Logger {
	return &Logger{out: os.Stdout, prefix: prefix}
}

// With returns a logger that adds a field to every line.
func (l *Logger) With(name string, value any) *Logger {
	fields := append(append([]string{}, l.fields...), fmt.Sprintf("%s=%v", name, value))
	return &Logger{out: l.out, prefix: l.prefix, fields: fields}
}

// Errorf writes an error.
func (l *Logger) Errorf(format string, values ...any) {
	fmt.Fprintf(l.out, "%s error: %s %v\n", l.prefix, fmt.Sprintf(format, values...), l.fields)
}
