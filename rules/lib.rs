//! The activation policy.
