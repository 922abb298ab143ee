package org.example.auth;

import java.util.HashMap;
import java.util.Map;

/** Keys by their names. */
public class Keys {
    private final Map<String, Key> byName = new HashMap<>();

    public Keys add(Key key) {
        byName.put(key.name, key);
        return this;
    }

    public Keys add(String name, String secret) {
        return add(new Key(name, secret));
    }

    public Key find(String name) {
        Key found = byName.get(name);
        if (found == null) {
            throw new AuthException("no key " + name);
        }
        return found;
    }

    /** One of them. */
    public static class Key {
        private final String name;
        private final String secret;

        public Key(String name, String secret) {
            this.name = name;
            this.secret = secret;
        }

        public String sign(String text) {
            return Integer.toHexString(digest(text));
        }

        private int digest(String text) {
            return (secret + text).hashCode();
        }
    }
}
