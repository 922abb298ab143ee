package org.example.auth.store;

import java.util.Optional;

/** Keeps values by their names. */
public interface Store<T> {
    void save(String name, T value);

    Optional<T> load(String name);

    void remove(String name);

    default void rename(String from, String to) {
        load(from).ifPresent(value -> save(to, value));
        remove(from);
    }
}
