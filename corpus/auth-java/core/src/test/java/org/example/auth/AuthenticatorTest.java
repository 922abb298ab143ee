package org.example.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.example.auth.store.MemoryStore;
import org.example.auth.store.Session;
import org.junit.jupiter.api.Test;

class AuthenticatorTest {
    private final Keys keys = new Keys().add(new Keys.Key("main", "a secret"));
    private final MemoryStore<Session> store = new MemoryStore<>();
    private final Authenticator authenticator = new Authenticator(keys, store);

    @Test
    void aLoginIsSaved() {
        Session session = authenticator.login(Tokens.issue("main", "ada,9999999999", keys));
        assertEquals(1, store.saved());
        authenticator.logout(session.name());
        assertFalse(session.isOpen());
    }

    @Test
    void guardsAnswer() {
        assertEquals("401 no token", authenticator.guarded(Session::name).apply(""));
    }
}
