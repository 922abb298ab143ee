package org.example.auth;

/** Why a token is refused. */
public class AuthException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public AuthException(String message) {
        super(message);
    }

    public int status() {
        return 401;
    }

    /** Its time is over. */
    public static final class Expired extends AuthException {
        private static final long serialVersionUID = 1L;

        Expired(Claims claims) {
            super(claims.label());
        }

        @Override
        public int status() {
            return super.status() + 18;
        }
    }
}
