package org.example.kiosk;

import static org.junit.Assert.assertEquals;

import org.junit.Ignore;
import org.junit.Test;

public class TillTest {
    private final Till till = new Till();

    @Test
    public void addsPrices() {
        till.add("1.50");
        till.add("2.00");
        assertEquals("what two cost", 350, till.total());
    }

    @Test
    public void readsNames() {
        till.add("popcorn");
    }

    @Test
    public void beginsWithNothing() {
        assertEquals(0, till.total());
    }

    @Test
    @Ignore("no coupons yet")
    public void takesCoupons() {
        till.add("-0.50");
    }
}
