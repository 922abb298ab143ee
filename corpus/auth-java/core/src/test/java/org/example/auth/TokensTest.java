package org.example.auth;

import static org.example.auth.Tokens.issue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokensTest {
    private Keys keys;

    @BeforeEach
    void open() {
        keys = new Keys().add("main", "a secret");
    }

    @Test
    void aGoodTokenGivesClaims() {
        Claims claims = Tokens.validateToken(issue("main", "ada,9999999999,admin", keys), keys);
        assertTrue(claims.has(Role.READER));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "main.ada,9.x"})
    void badTokensAreRefused(String raw) {
        assertThrows(AuthException.class, () -> Tokens.validateToken(raw, keys));
    }

    @Nested
    class WhenItIsLate {
        @Test
        void anOldTokenIsRefused() {
            String old = issue("main", "ada,1", keys);
            AuthException refused = assertThrows(AuthException.Expired.class, () -> Tokens.validateToken(old, keys));
            assertEquals(419, refused.status());
        }
    }
}
