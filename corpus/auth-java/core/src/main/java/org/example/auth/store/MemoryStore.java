package org.example.auth.store;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Forgets all when the program ends. */
public class MemoryStore<T> extends Counting<T> {
    private final Map<String, T> values = new HashMap<>();

    @Override
    void put(String name, T value) {
        values.put(name, value);
    }

    @Override
    public Optional<T> load(String name) {
        return Optional.ofNullable(values.get(name));
    }

    @Override
    public void remove(String name) {
        values.remove(name);
    }

    public boolean isEmpty() {
        return saved() == 0;
    }
}
