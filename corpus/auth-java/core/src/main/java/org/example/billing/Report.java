package org.example.billing;

import java.util.List;

/** What is owed for tokens of the till, which are others. */
public final class Report {
    public int total(List<String> tokens) {
        return tokens.stream().filter(this::validateToken).mapToInt(Report::parse).sum();
    }

    public boolean validateToken(String raw) {
        return raw.startsWith("till-");
    }

    private static int parse(String raw) {
        return Integer.parseInt(raw.substring("till-".length()));
    }
}
