package org.example.auth;

/** What somebody may do. */
public enum Role {
    READER,
    ADMIN {
        @Override
        public boolean covers(Role other) {
            return true;
        }
    };

    public boolean covers(Role other) {
        return this == other;
    }

    static Role of(String word) {
        return valueOf(word.toUpperCase());
    }
}
