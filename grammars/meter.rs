//! Counts what the parser allocates, so that a small file cannot take all memory: a text that could be read in many ways makes it keep all of
//! them, and of 64 KB of `a<b,a<b,…` 4.2 GB.

use std::cell::Cell;
use std::ffi::c_void;

thread_local! {
    /// Bytes that the parser asked for on this thread, those it gave back among them.
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

/// Bytes that the parser asked for on this thread so far: 0 where nobody called [`install`].
pub(crate) fn asked() -> u64 {
    ASKED.get()
}

fn count(n_bytes: usize) {
    ASKED.set(ASKED.get().saturating_add(n_bytes as u64));
}

#[expect(unsafe_code, reason = "the parser takes its memory through functions of C")]
mod counted {
    use super::{c_void, count};

    unsafe extern "C" {
        fn malloc(size: usize) -> *mut c_void;
        fn calloc(n: usize, size: usize) -> *mut c_void;
        fn realloc(of: *mut c_void, size: usize) -> *mut c_void;
        fn free(of: *mut c_void);
    }

    /// The parser does not ask whether it was given memory.
    #[expect(clippy::disallowed_methods, reason = "as the parser's own functions do, and nothing can be told without memory")]
    fn held(memory: *mut c_void, n_bytes: usize) -> *mut c_void {
        if memory.is_null() && n_bytes > 0 { std::process::abort() } else { memory }
    }

    pub(super) unsafe extern "C" fn counted_malloc(size: usize) -> *mut c_void {
        count(size);
        // SAFETY: as `malloc` of C.
        held(unsafe { malloc(size) }, size)
    }

    pub(super) unsafe extern "C" fn counted_calloc(n: usize, size: usize) -> *mut c_void {
        count(n.saturating_mul(size));
        // SAFETY: as `calloc` of C.
        held(unsafe { calloc(n, size) }, n.saturating_mul(size))
    }

    pub(super) unsafe extern "C" fn counted_realloc(of: *mut c_void, size: usize) -> *mut c_void {
        count(size);
        // SAFETY: the parser hands over what one of these functions gave.
        held(unsafe { realloc(of, size) }, size)
    }

    pub(super) unsafe extern "C" fn given_back(of: *mut c_void) {
        // SAFETY: the parser hands over what one of these functions gave.
        unsafe { free(of) }
    }
}

/// Lets the parser count what it allocates, for the whole process. Without it a file is bounded by the parser's steps alone.
///
/// # Safety
///
/// As of [`tree_sitter::set_allocator`]: before anything else in the process uses tree-sitter, and on one thread.
#[expect(unsafe_code, reason = "the caller promises what the parser asks for")]
pub unsafe fn install() {
    let allocator = tree_sitter::Allocator {
        malloc: counted::counted_malloc,
        calloc: counted::counted_calloc,
        realloc: counted::counted_realloc,
        free: counted::given_back,
    };
    // SAFETY: the functions are those of C, which return memory or end the process; the rest the caller promises.
    unsafe { tree_sitter::set_allocator(Some(allocator)) };
}
