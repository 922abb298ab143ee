//! All integration tests, one module per area.
