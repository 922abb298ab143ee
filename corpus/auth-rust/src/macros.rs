//! Macros of this crate.

/// Leaves the function with an error unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $error:expr) => {
        if !$condition {
            return Err($error);
        }
    };
}
