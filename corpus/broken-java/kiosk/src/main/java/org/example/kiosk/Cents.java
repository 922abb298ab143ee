package org.example.kiosk;

/** Money as signs name it. */
final class Cents {
    private Cents() {}

    static int read(String price) {
        try {
            return Math.toIntExact(Math.round(Double.parseDouble(price) * 100));
        } catch (NumberFormatException error) {
            throw new IllegalArgumentException("no price: " + price, error);
        }
    }
}
