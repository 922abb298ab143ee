package org.example.auth.store;

/** A store that counts what is saved. */
abstract class Counting<T> implements Store<T> {
    private int saved;

    @Override
    public void save(String name, T value) {
        saved++;
        put(name, value);
    }

    public int saved() {
        return saved;
    }

    abstract void put(String name, T value);
}
