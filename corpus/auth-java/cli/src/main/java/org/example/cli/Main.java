package org.example.cli;

import java.util.List;
import org.example.auth.Keys;
import org.example.auth.Tokens;
import org.example.billing.Report;

/** Issues a token: {@code name secret payload}. */
public class Main {
    public static void main(String[] words) {
        Keys keys = new Keys().add(words[0], words[1]);
        String token = Tokens.issue(words[0], words[2], keys);
        System.out.println(Tokens.validateToken(token, keys).label());
        System.out.println(shown(new Report().total(List.of(words).subList(3, words.length))));
    }

    private static String shown(int cents) {
        return "%d.%02d".formatted(cents / 100, cents % 100);
    }
}
