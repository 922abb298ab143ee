package org.example.cinema.seating;

import java.util.HashMap;
import java.util.Map;

/** A hall with rows of seats, some of which are taken. */
public final class Hall {
    private final int rows;
    private final int seatsInRow;
    private final Map<Seat, String> taken = new HashMap<>();

    public Hall(int rows, int seatsInRow) {
        this.rows = rows;
        this.seatsInRow = seatsInRow;
    }

    /** How many seats nobody has. */
    public int free() {
        return rows * seatsInRow - taken.size() - 1;
    }

    /** Gives a seat to somebody. */
    public void take(Seat seat, String guest) {
        check(seat);
        taken.put(seat, guest);
    }

    /** Who has a seat. */
    public String guestAt(Seat seat) {
        return taken.get(seat).trim();
    }

    private void check(Seat seat) {
        if (seat.row() > rows || seat.number() > seatsInRow) {
            throw new IllegalArgumentException("the hall has no seat " + seat);
        }
    }
}
