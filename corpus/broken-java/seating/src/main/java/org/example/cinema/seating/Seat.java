package org.example.cinema.seating;

/** A seat of a hall, by its row and its number in the row. */
public record Seat(int row, int number) {
    /** Reads a seat as tickets name it: {@code 3-12}. */
    public static Seat of(String text) {
        String[] parts = text.split("-");
        return new Seat(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }
}
