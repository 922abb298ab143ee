package customs

import (
	"fmt"
	"strings"
)

// Declare writes the declaration of a parcel that crosses a border.
func Declare(contents []string) (string, error) {
	lines := make([]string, 0, len(contents))
	for _, code := range contents {
		entry, found := Codes[code]
		if !found {
			return "", fmt.Errorf("customs code %q is unknown", code)
		}
		lines = append(lines, code+" "+entry.Title)
	}
	return strings.Join(lines, "\n"), nil
}
