package org.example.cinema.posters;

/** The sizes of paper. */
enum Paper {
    A2,
    A3;

    /** The width in millimetres. */
    Integer millimetres() {
        return switch (this) {
            case A2 -> new Integer(420);
            case A3 -> "297";
        };
    }
}
