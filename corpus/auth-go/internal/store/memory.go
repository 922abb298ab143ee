package store

import "sync"

// Memory is a store that lives as long as the process. Its methods have pointer receivers: only *Memory is a Store.
type Memory struct {
	mu   sync.RWMutex
	rows map[string]Record
}

// NewMemory makes an empty store.
func NewMemory() *Memory {
	return &Memory{rows: map[string]Record{}}
}

// Get returns the record with the given id.
func (m *Memory) Get(id string) (Record, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	record, found := m.rows[id]
	return record, found
}

// Put stores a record, replacing an earlier one.
func (m *Memory) Put(id string, record Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows[id] = record
}

// Delete removes a record; removing a missing one is not an error.
func (m *Memory) Delete(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.rows, id)
}

// Count returns the number of records.
func (m *Memory) Count() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.rows)
}

// Close drops all records.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows = nil
	return nil
}
