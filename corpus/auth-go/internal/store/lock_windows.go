package store

import "os"

// lockFile creates the lock file and fails when it is there already.
func lockFile(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}
