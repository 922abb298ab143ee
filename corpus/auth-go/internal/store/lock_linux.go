package store

import (
	"os"
	"syscall"
)

// lockFile takes an advisory lock that the kernel drops when the process ends.
func lockFile(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return flock(file)
}

func flock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
