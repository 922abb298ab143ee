//! Paths as anybody may write them: one text a name, one name a text, and no way out.
#![no_main]

use repo::RepoPath;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(path) = RepoPath::from_bytes(data) {
        assert_eq!(&*path.to_bytes(), data);
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(path) = RepoPath::new(text) {
        let bytes = path.to_bytes();
        assert!(!bytes.starts_with(b"/") && !bytes.contains(&0));
        assert!(bytes.split(|byte| *byte == b'/').all(|part| !matches!(part, b"" | b"." | b"..")));
        assert_eq!(RepoPath::from_bytes(&bytes), Ok(path));
    }
});
