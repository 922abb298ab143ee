// Package config reads the service's settings from the environment.
package config

import (
	"fmt"
	"os"
	"strconv"
)

// Config is everything the server can be told.
type Config struct {
	Port     int
	KeyFile  string
	DataFile string
}

// Default is what an empty environment gives.
var Default = Config{Port: 8080, KeyFile: "keys.json", DataFile: "sessions.json"}

// Load reads AUTH_PORT, AUTH_KEYS and AUTH_DATA.
func Load() (Config, error) {
	config := Default
	config.KeyFile = get("AUTH_KEYS", config.KeyFile)
	config.DataFile = get("AUTH_DATA", config.DataFile)
	port, err := strconv.Atoi(get("AUTH_PORT", strconv.Itoa(config.Port)))
	if err != nil {
		return config, fmt.Errorf("AUTH_PORT is not a number: %w", err)
	}
	config.Port = port
	return config, config.check()
}

// Addr is the address to listen on.
func (c Config) Addr() string {
	return fmt.Sprintf(":%d", c.Port)
}

func (c Config) check() error {
	if c.Port <= 0 || c.Port > 65535 {
		return fmt.Errorf("port %d is out of range", c.Port)
	}
	return nil
}

func get(name, otherwise string) string {
	if value, found := os.LookupEnv(name); found {
		return value
	}
	return otherwise
}
