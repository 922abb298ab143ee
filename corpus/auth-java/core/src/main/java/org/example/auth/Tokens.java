package org.example.auth;

import static org.example.auth.Role.of;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Checks tokens and issues them. */
public final class Tokens {
    private Tokens() {}

    /**
     * Checks a token and returns what it claims.
     *
     * <p>The result is not cached: a cached answer outlived a logout.
     */
    public static Claims validateToken(String raw, Keys keys) {
        if (raw.isEmpty()) {
            throw new AuthException("no token");
        }
        String[] parts = parse(raw);
        Claims claims = read(parts);
        if (!keys.find(parts[0]).sign(parts[1]).equals(parts[2])) {
            throw new AuthException("a wrong signature");
        }
        if (claims.isExpired(Instant.now())) {
            throw new AuthException.Expired(claims);
        }
        return claims;
    }

    /** Issues a token. */
    public static String issue(String name, String payload, Keys keys) {
        return String.join(".", name, payload, keys.find(name).sign(payload));
    }

    private static String[] parse(String raw) {
        String[] parts = raw.split("\\.");
        if (parts.length != 3) {
            throw new AuthException("no token");
        }
        return parts;
    }

    private static Claims read(String[] parts) {
        String[] fields = parts[1].split(",");
        List<Role> roles = Arrays.stream(fields).skip(2).map(Role::of).collect(Collectors.toList());
        if (roles.isEmpty()) {
            roles = List.of(of("reader"));
        }
        return new Claims(fields[0], Instant.ofEpochSecond(Long.parseLong(fields[1])), roles);
    }

    /**
     * Whether a token is good.
     *
     * @deprecated {@link #validateToken} says why it is refused.
     */
    @Deprecated
    public static boolean checkToken(String raw, Keys keys) {
        try {
            validateToken(raw, keys);
            return true;
        } catch (AuthException refused) {
            return false;
        }
    }
}
