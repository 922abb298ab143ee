//! Reports of Java over a small repository: what tools wrote in, places and tests out.

use super::tests::written;
use super::*;
use index::fixture::base;

const CLASSES: &str = "\
//- hall/src/main/java/org/example/Hall.java
package org.example;

class Hall {
    int free() {
        return 1;
    }
}
//- hall/src/test/java/org/example/HallTest.java
package org.example;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class HallTest {
    @Test
    void opens() {}

    @Nested
    class Empty {
        @Test
        void opens() {}
    }
}
//- shop/src/main/java/org/example/shop/Hall.java
package org.example.shop;

class Hall {}
//- a/src/org/example/Twice.java
package org.example;

class Twice {}
//- b/src/org/example/Twice.java
package org.example;

class Twice {}
";

#[test]
fn frames_and_tests_of_java_are_found_by_their_package() {
    let base = base(CLASSES);
    let locate = |text: &str| {
        let mut report = Report::default();
        signals::read(text.as_bytes(), "log", None, &mut report).unwrap();
        Failures::locate(&redact::Masker::knowing_nothing(), &base, "", "", &report)
    };
    let find = |frames: &str| {
        let found = locate(&format!("Exception in thread \"main\" java.lang.Error: x\n{frames}"));
        written(&base, found.diagnostics[0].spot)
    };
    let free = "hall/src/main/java/org/example/Hall.java:5 in hall/src/main/java/org/example/Hall.java#Hall.free";
    assert_eq!(find("\tat org.example.Hall.free(Hall.java:5)\n"), free);
    // What called it from outside has a line of its own.
    let from_outside = "\tat com.acme.Crawler.run(Crawler.java:4444)\n\tat org.example.Hall.free(Hall.java:5)\n";
    assert_eq!(find(from_outside), free);
    let said = locate(&format!("Exception in thread \"main\" java.lang.Error: x\n{from_outside}"));
    assert_eq!(said.diagnostics[0].diagnostic.place.as_ref().map(|place| place.line), Some(5));
    assert_eq!(find("\tat app//org.example.Hall$Row.free(Hall.java:5)\n"), free);
    assert_eq!(
        find("\tat org.example.shop.Hall.free(Hall.java:3)\n").split(':').next(),
        Some("shop/src/main/java/org/example/shop/Hall.java")
    );
    // The file of another package, or of one of two, is none of it.
    assert_eq!(find("\tat com.other.example.Hall.free(Hall.java:5)\n"), "nowhere");
    assert_eq!(find("\tat example.Hall.free(Hall.java:5)\n"), "nowhere", "no folder is called so by itself");
    assert_eq!(find("\tat org.example.Twice.x(Twice.java:3)\n"), "nowhere");
    // A library looks like the repository by its form: the first frame that is there is meant.
    assert_eq!(find("\tat com.library.Json.read(Json.java:90)\n\tat org.example.Hall.free(Hall.java:5)\n"), free);

    let tests = |text: &str| {
        let found = locate(text);
        found.tests[0].tests.iter().map(|test| base.id(*test)).collect::<Vec<_>>().join(" ")
    };
    let mark = "Time elapsed: 0.1 s <<< FAILURE!\njava.lang.Error: x\n\tat org.example";
    let file = "hall/src/test/java/org/example/HallTest.java";
    let outer = format!("{file}#HallTest.opens");
    let inner = format!("{file}#HallTest.Empty.opens");
    assert_eq!(tests(&format!("[ERROR] org.example.HallTest.opens -- {mark}.HallTest.opens(HallTest.java:8)\n")), outer);
    assert_eq!(tests(&format!("[ERROR] org.example.HallTest$Empty.opens(int)[2] -- {mark}.Hall.free(Hall.java:5)\n")), inner);
    // Older ones name the outer class alone, and the place says more.
    let old = format!(
        "[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! - in org.example.HallTest\n[ERROR] opens  {mark}.HallTest$Empty.opens(HallTest.java:13)\n"
    );
    assert_eq!(tests(&old), inner);
    assert_eq!(tests("HallTest > Empty > opens() FAILED\n    java.lang.Error at HallTest.java:13\n"), inner);
    assert_eq!(tests("HallTest > opens() FAILED\n    java.lang.Error at HallTest.java:8\n"), outer);
    assert_eq!(tests(&format!("[ERROR] com.other.HallTest.opens -- {mark}.X.y(X.java:8)\n")), "");
}
