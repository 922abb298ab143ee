package store

import (
	"encoding/json"
	"fmt"
	"os"
)

// Disk is a memory store that is loaded from a file and saved on Close. Get, Put, Delete and Count are promoted.
type Disk struct {
	*Memory
	path string
}

// OpenDisk loads the file when it exists and locks it.
func OpenDisk(path string) (*Disk, error) {
	if err := lockFile(path + ".lock"); err != nil {
		return nil, fmt.Errorf("store %s is in use: %w", path, err)
	}
	disk := &Disk{Memory: NewMemory(), path: path}
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return disk, nil
	}
	if err != nil {
		return nil, err
	}
	return disk, json.Unmarshal(text, &disk.rows)
}

// Close writes the records back and drops them.
func (d *Disk) Close() error {
	if d.Count() == 0 {
		return d.Memory.Close()
	}
	text, err := json.Marshal(d.rows)
	if err != nil {
		return err
	}
	if err := os.WriteFile(d.path, text, 0o600); err != nil {
		return fmt.Errorf("save store: %w", err)
	}
	return d.Memory.Close()
}
