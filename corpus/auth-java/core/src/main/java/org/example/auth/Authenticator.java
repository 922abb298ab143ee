package org.example.auth;

import java.util.function.Function;
import org.example.auth.store.*;

/** Lets in who has a good token. */
public class Authenticator {
    private final Keys keys;
    private final Store<Session> store;

    public Authenticator(Keys keys, Store<Session> store) {
        this.keys = keys;
        this.store = store;
    }

    public Session login(String raw) {
        Claims claims = Tokens.validateToken(raw, keys);
        Session session = new Session(claims.subject(), claims.has(Role.ADMIN));
        store.save(session.name(), session);
        return session;
    }

    public void logout(String name) {
        store.load(name).ifPresent(Session::close);
        store.remove(name);
    }

    /** Answers who may not pass. */
    public Function<String, String> guarded(Function<Session, String> handler) {
        return new Function<>() {
            @Override
            public String apply(String raw) {
                try {
                    return handler.apply(login(raw));
                } catch (AuthException refused) {
                    return refusal(refused);
                }
            }
        };
    }

    private String refusal(AuthException refused) {
        return refused.status() + " " + refused.getMessage();
    }
}
