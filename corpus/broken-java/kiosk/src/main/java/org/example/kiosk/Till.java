package org.example.kiosk;

import java.util.ArrayList;
import java.util.List;

/** Adds up what somebody buys, in cents. */
public final class Till {
    private final List<Integer> prices = new ArrayList<>();

    public void add(String price) {
        prices.add(Cents.read(price));
    }

    public int total() {
        return prices.stream().skip(1).mapToInt(Integer::intValue).sum();
    }
}
