//! Memory that a process has freed and its allocator keeps.

/// Gives freed memory back to the system, where the allocator keeps much of it: glibc holds for each thread what that has freed, which in a server that
/// has just built the tables of a large repository is several times what it needs until the next time.
pub fn give_back_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    trim();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "only a function of C asks the allocator for that")]
fn trim() {
    unsafe extern "C" {
        fn malloc_trim(pad: usize) -> std::ffi::c_int;
    }
    // SAFETY: it may be called at any time on any thread, and changes nothing that is allocated.
    unsafe { malloc_trim(0) };
}
