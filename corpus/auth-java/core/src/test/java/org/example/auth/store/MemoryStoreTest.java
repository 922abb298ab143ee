package org.example.auth.store;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MemoryStoreTest {
    @Test
    void whatIsRenamedIsLoaded() {
        MemoryStore<Session> store = new MemoryStore<>();
        assertTrue(store.isEmpty());
        Session session = new Session("ada");
        session.touch();
        store.save("a", session);
        store.rename("a", "b");
        assertTrue(store.load("b").isPresent());
    }
}
