package org.example.cinema.seating;

import java.util.List;

/** Takes seats for guests, all of a booking or none. */
public final class Bookings {
    private final Hall hall;

    public Bookings(Hall hall) {
        this.hall = hall;
    }

    /** Books seats as tickets name them. */
    public int book(String guest, List<String> seats) {
        try {
            seats.forEach(seat -> hall.take(Seat.of(seat), guest));
        } catch (NumberFormatException error) {
            throw new BookingException("no seats for " + guest, error);
        }
        return seats.size();
    }

    /** That a booking is refused. */
    public static final class BookingException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BookingException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
