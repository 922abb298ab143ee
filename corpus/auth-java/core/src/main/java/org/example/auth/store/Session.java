package org.example.auth.store;

/** Somebody who is logged in. */
public class Session {
    private final String name;
    private final boolean isAdmin;
    private boolean isOpen = true;

    public Session(String name, boolean isAdmin) {
        this.name = name;
        this.isAdmin = isAdmin;
    }

    public Session(String name) {
        this(name, false);
    }

    public String name() {
        return isAdmin ? name + "!" : name;
    }

    public boolean isOpen() {
        return isOpen;
    }

    void touch() {
        isOpen = true;
    }

    public void close() {
        isOpen = false;
    }
}
