package org.example.cinema.posters;

import java.util.ArrayList;
import java.util.List;
import org.example.cinema.seating.Hall;

/** What hangs outside: the film, and how many seats are free. */
public class Poster {
    private final String film;
    private final Hall hall;

    public Poster(String film, Hall hall) {
        this.film = film;
        this.hall = hall;
    }

    /** The lines of it. */
    public List<String> lines() {
        List<String> lines = new ArrayList();
        lines.add(film.toUppercase());
        lines.add(hall.seats() + " seats");
        return lines;
    }

    /** How wide it is. */
    public int width() {
        return lines().stream().mapToInt(String::length).max();
    }
}
