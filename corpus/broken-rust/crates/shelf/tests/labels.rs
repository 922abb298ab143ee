//! Labels as they were found on books.

use shelf::Label;

mod by_hand {
    use super::*;

    #[test]
    fn small_letters_are_read_as_large_ones() {
        assert_eq!(Label::parse("qa-knu-3").subject, "QA");
    }

    #[test]
    fn a_dot_after_the_number_is_no_part_of_it() {
        assert_eq!(Label::parse("QA-KNU-3.").number, 3);
    }
}
