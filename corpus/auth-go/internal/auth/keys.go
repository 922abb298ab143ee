package auth

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
)

// Key is one signing secret.
type Key struct {
	ID     string `json:"id"`
	Secret []byte `json:"secret"`
}

// KeySet finds signing keys by id.
type KeySet struct {
	byID map[string]Key
}

// NewKeySet makes a set of the given keys; a later key replaces an earlier one with the same id.
func NewKeySet(keys ...Key) *KeySet {
	set := &KeySet{byID: make(map[string]Key, len(keys))}
	for _, key := range keys {
		set.add(key)
	}
	return set
}

// LoadKeys reads a JSON file of keys.
func LoadKeys(path string) (*KeySet, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open key file: %w", err)
	}
	defer file.Close()
	var keys []Key
	if err := json.NewDecoder(file).Decode(&keys); err != nil {
		return nil, fmt.Errorf("key file %s is not JSON: %w", path, err)
	}
	return NewKeySet(keys...), nil
}

// Find returns the key with the given id.
func (s *KeySet) Find(id string) (Key, error) {
	key, found := s.byID[id]
	if !found {
		return Key{}, fmt.Errorf("no signing key %q", id)
	}
	return key, nil
}

// Close forgets the secrets.
func (s *KeySet) Close() error {
	for id, key := range s.byID {
		wipe(key.Secret)
		delete(s.byID, id)
	}
	return nil
}

// String lists the key ids, never the secrets.
func (s *KeySet) String() string {
	ids := make([]string, 0, len(s.byID))
	for id := range s.byID {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	var text strings.Builder
	text.WriteString("keys: ")
	text.WriteString(strings.Join(ids, ", "))
	return text.String()
}

func (s *KeySet) add(key Key) {
	s.byID[key.ID] = key
}

func wipe(secret []byte) {
	for i := range secret {
		secret[i] = 0
	}
}
