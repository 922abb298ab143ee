package org.example.cinema.seating;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HallTest {
    private final Hall hall = new Hall(4, 10);

    @Test
    void countsFreeSeats() {
        assertEquals(40, hall.free());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1-1", "4-10", "5-1"})
    void takesSeats(String seat) {
        hall.take(Seat.of(seat), "Ada");
        assertEquals("Ada", hall.guestAt(Seat.of(seat)));
    }

    @Test
    @Disabled("the balcony is closed")
    void seatsOnTheBalcony() {
        assertEquals(0, hall.free());
    }

    @Nested
    class WhenEmpty {
        @Test
        void hasNoGuests() {
            assertEquals("", hall.guestAt(new Seat(1, 1)));
        }

        @Test
        void refusesUnknownRows() {
            assertThrows(IllegalArgumentException.class, () -> hall.take(new Seat(9, 1), "Ada"));
        }
    }
}
