//! Parts of what was derived: whatever came and went, the files are those of all that is left, and parts that did not change stay as they are.

use crate::dataflow::Derived;
use crate::derived::{Parts, write};
use crate::rules::{Link, Use, UseKind};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What comes and goes, all that is left, and the files that stay.
type Step<'s> = (&'s [(Derived, isize)], &'s [Derived], &'s [&'s str]);

fn link(from: u64, to: u64, line: u32) -> Derived {
    let of = Use { from: (from << 56, line), line, kind: UseKind::Call };
    Derived::Link(Link { to: (to << 56, 7), of, n_meant: 1 })
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    entries.map(|entry| (entry.file_name().into_string().expect("text"), fs::read(entry.path()).expect("bytes"))).collect()
}

#[test]
fn what_is_written_of_a_change_is_what_is_written_of_all() {
    let root = std::env::temp_dir().join(format!("activate-parts-{}", std::process::id()));
    let mut parts = Parts::default();
    let mut last = None;
    let (one, two, three) = (link(1, 2, 5), link(3, 2, 6), link(1, 255, 5));
    let (unused, depends) = (Derived::Unused((4 << 56, 1)), Derived::Depends(1, 2, true));
    let steps: [Step<'_>; 5] = [
        (&[(two, 1), (one, 1), (unused, 1), (depends, 1)], &[one, two, unused, depends], &[]),
        // What starts in 1 is made anew, and of what leads to 2 nothing.
        (&[(three, 1)], &[one, two, three, unused, depends], &["links_in.020.arrow", "links_out.030.arrow", "unused.040.arrow"]),
        (&[(one, -1), (unused, -1)], &[two, three, depends], &["links_in.ff0.arrow", "links_out.030.arrow"]),
        // Nothing changes in the end.
        (&[(one, 1), (one, -1)], &[two, three, depends], &["links_in.ff0.arrow", "links_out.030.arrow"]),
        (&[(two, -1), (three, -1), (depends, -1)], &[], &[]),
    ];
    for (step, (changes, all, same)) in steps.into_iter().enumerate() {
        let [folder, fresh] = ["folder", "fresh"].map(|name| root.join(format!("{name}-{step}")));
        for folder in [&folder, &fresh] {
            fs::create_dir_all(folder).expect("a folder");
        }
        parts.take(changes.iter().copied());
        parts.write(&folder, last.as_deref()).expect("tables");
        write(&fresh, all.to_vec()).expect("tables");
        assert_eq!(files(&folder), files(&fresh), "step {step}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            let n_names = |name: &String| fs::metadata(folder.join(name)).expect("a file").nlink();
            let kept: Vec<String> = files(&folder).into_keys().filter(|name| n_names(name) > 1).collect();
            assert_eq!(kept, same, "step {step}");
        }
        last = Some(folder);
    }
    fs::remove_dir_all(&root).expect("gone");
}
