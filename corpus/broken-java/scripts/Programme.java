import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Prints the films of a week: {@code java scripts/Programme.java "Mon 20 Metropolis"}. */
class Programme {
    record Show(String day, int hour, String film) {}

    static Show read(String line) {
        String[] parts = line.split(" ", 3);
        return new Show(parts[0], Integer.parseInt(parts[1]), parts[2]);
    }

    static List<Show> week(List<String> lines) {
        try {
            return lines.stream().map(Programme::read).collect(Collectors.toList());
        } catch (NumberFormatException error) {
            IllegalStateException failure = new IllegalStateException("a line is no show", error);
            failure.addSuppressed(new java.io.IOException("the printer is " + Path.of("off")));
            throw failure;
        }
    }

    public static void main(String[] lines) {
        week(List.of(lines)).forEach(System.out::println);
    }
}
