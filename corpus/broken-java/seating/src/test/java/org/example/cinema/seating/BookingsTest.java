package org.example.cinema.seating;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BookingsTest {
    private Bookings bookings;

    @BeforeEach
    void open() {
        bookings = new Bookings(new Hall(4, 10));
    }

    @Test
    void booksSeats() {
        assertEquals(2, bookings.book("Ada", List.of("1-1", "1-2")));
    }

    @Test
    void booksBesideEachOther() {
        assertEquals(1, bookings.book("Grace", List.of("2-one")));
    }
}
