package org.example.auth;

import java.time.Instant;
import java.util.List;

/** What a token claims. */
public record Claims(String subject, Instant until, List<Role> roles) {
    public boolean isExpired(Instant now) {
        return until.isBefore(now);
    }

    public boolean has(Role wanted) {
        return roles.stream().anyMatch(role -> role.covers(wanted));
    }

    public String label() {
        return subject() + " " + roles();
    }
}
