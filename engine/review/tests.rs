//! Patches as text in, what is known of them as text out.
//!
//! Must not test what is shown of a change: the command's tests do.

mod removed;

use super::locate::{Files, Placed, place};
use super::pieces::pieces;
use super::removed::{Asked, effects};
use super::{FileChange, Patch, Sign};
use activate_rules::atoms::NodeId;
use index::base::FactBase;
use index::fixture;
use redact::Masker;
use std::cell::Cell;

/// A patch in short: a line a file, its hunks with where they begin and their signs, then its problems.
fn said(text: &str) -> String {
    let patch = Patch::parse(text);
    let named = |path: &Option<repo::RepoPath>| path.as_ref().map_or("-".to_owned(), |path| path.as_str().to_owned());
    let mut lines = Vec::new();
    for file in &patch.files {
        let hunks = file.hunks.iter().map(|hunk| {
            let signs = hunk.lines.iter().map(|line| match line.sign {
                Sign::Kept => format!("={}", line.text),
                Sign::Removed => format!("-{}", line.text),
                Sign::Added => format!("+{}", line.text),
            });
            format!(" {},{}[{}]", hunk.old_first, hunk.new_first, signs.collect::<Vec<_>>().join(" "))
        });
        let binary = if file.is_binary { " binary" } else { "" };
        lines.push(format!("{} > {}{binary}{}", named(&file.old), named(&file.new), hunks.collect::<String>()));
    }
    lines.extend(patch.problems.iter().map(|problem| format!("! {}", problem.message)));
    lines.join("\n")
}

#[test]
fn patches_are_read_as_git_and_diff_write_them_and_wherever_they_stand() {
    let git = "From 1234 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] mend\n\n---\n a.go | 2 +-\n\ndiff --git a/a.go b/a.go\nindex 1..2 100644\n\
               --- a/a.go\n+++ b/a.go\n@@ -1,3 +1,3 @@ func f()\n one\n-two\n+TWO\n three\n\\ No newline at end of file\n@@ -9 +9,2 @@\n nine\n+ten\n-- \n2.40.0\n";
    assert_eq!(said(git), "a.go > a.go 1,1[=one -two +TWO =three] 9,9[=nine +ten]");
    // Line ends of other systems, no prefixes, times behind paths, and a line that looks like a header.
    let plain = "some words\r\n--- src/a.rs\t2026-01-01 00:00:00\r\n+++ src/a.rs\t2026-01-02\r\n@@ -3,2 +3 @@\r\n--- old\r\n-x\r\n+++ new\r\nmore words\r\n";
    assert_eq!(said(plain), "src/a.rs > src/a.rs 3,3[--- old -x +++ new]");
    assert_eq!(said("--- a.go.orig\n+++ a.go\n@@ -1 +1 @@\n-a\n+b\n"), "a.go > a.go 1,1[-a +b]");
    assert_eq!(said("--- a/x.go\n+++ b/x.go\n@@ -5,0 +6,2 @@\n+one\n+two\n"), "x.go > x.go 6,6[+one +two]");
    let moved = "diff --git a/old name.go b/new name.go\nsimilarity index 90%\nrename from old name.go\nrename to new name.go\n\
                 diff --git a/gone.go b/gone.go\ndeleted file mode 100644\n--- a/gone.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
                 diff --git a/new.go b/new.go\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/new.go\n@@ -0,0 +1 @@\n+y\n\
                 diff --git a/p.png b/p.png\nnew file mode 100644\nBinary files /dev/null and b/p.png differ\n\
                 diff --git \"a/b\\303\\244r \\\"1\\\".go\" \"b/b\\303\\244r \\\"1\\\".go\"\n--- \"a/b\\303\\244r \\\"1\\\".go\"\n+++ \"b/b\\303\\244r \\\"1\\\".go\"\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(
        said(moved),
        "old name.go > new name.go\ngone.go > - 1,1[-x]\n- > new.go 1,1[+y]\n- > p.png binary\nbär \"1\".go > bär \"1\".go 1,1[-a +b]"
    );
}

#[test]
fn what_is_no_patch_or_half_of_one_is_told_and_never_fails() {
    assert_eq!(said("nothing here\n--- not a patch\n@@ no\n"), "! a hunk is left out: its header cannot be read");
    assert_eq!(said("@@ -1 +1 @@\n-a\n+b\n"), "! a hunk is left out: no file is named above it");
    let cut = "--- a/a.go\n+++ b/a.go\n@@ -1,5 +1,5 @@\n one\n-two\n+TWO\n--- a/b.go\n+++ b/b.go\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(
        said(cut),
        "a.go > a.go 1,1[=one -two +TWO]\nb.go > b.go 1,1[-a +b]\n! a hunk at line 1 ends too early; what there is of it was read"
    );
    assert_eq!(
        said("--- a/../../etc/passwd\n+++ b/../../etc/passwd\n@@ -1 +1 @@\n-a\n+b\n").matches("leads").count(),
        0,
        "a path that leads outside is not a file"
    );
    assert!(!said("--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n").contains("> "));
    // A merge has more than two sides: its files are named, and what was read before them stays.
    let combined = "! combined diffs of merges are not read: give the diff against one parent";
    let merge = "diff --git a/go.mod b/go.mod\nold mode 100644\nnew mode 100755\ndiff --cc \"b\\303\\244r.go\"\nindex 1,2..3\n\
                 --- a/b.go\n+++ b/b.go\n@@@ -1,2 -1,2 +1,3 @@@\n  x\n- y\n -z\n++w\n@@@ -9,1 -9,1 +9,1 @@@\n--a\n++b\n";
    assert_eq!(said(merge), format!("go.mod > go.mod\nb.go > b.go\n{combined}"));
    assert_eq!(said("diff --combined a.go\n"), format!("a.go > a.go\n{combined}"));
    assert_eq!(said("--- a/a.go\n+++ b/a.go\n@@@@ -1 -1 -1 +1 @@@@\n---a\n+++b\n"), combined);
    // Whatever is cut off or changed, it is read.
    let whole = "diff --git \"a/\\303\" b/x\n--- \"a/\\303\"\n+++ b/ä\n@@ -4294967295,4294967295 +1,4294967295 @@\n-ä\n+b\n\\ No\n@@ -1\n";
    for (at, _) in whole.char_indices() {
        said(&whole[..at]);
        said(&whole[at..]);
    }
}

const FILES: &str = "\
//- go.mod
module x.com/shop
//- cart/cart.go
package cart

import \"fmt\"

// Cart holds lines.
type Cart struct{ n int }

// Add adds a line.
func (c *Cart) Add() {
	c.n++
	fmt.Println(c.n)
}

func total(c *Cart) int {
	return c.n
}
//- cart/use.go
package cart

func use(c *Cart) {
	c.Add()
	// oldTotal is no use, nor is \"oldTotal\".
	oldTotal(c)
}
";

fn text_of(path: &str) -> String {
    let of = FILES.split("//- ").find(|file| file.starts_with(&format!("{path}\n")));
    of.and_then(|file| file.split_once('\n')).map(|(_, text)| text.to_owned()).unwrap_or_default()
}

fn placed(base: &FactBase, patch: &str, is_exact: bool) -> (Vec<Placed>, Vec<String>) {
    let read = |file: NodeId| Ok(text_of(base.path(file)).into_bytes());
    let (placed, problems) = place(&Files { base, is_exact, read: &read }, &Patch::parse(patch));
    (placed, problems.into_iter().map(|problem| problem.message).collect())
}

#[test]
fn a_patch_that_names_a_large_file_in_each_of_its_parts_reads_so_much_of_it() {
    let base = fixture::base(FILES);
    let (n_read, part) = (Cell::new(0), "--- a/cart/cart.go\n+++ b/cart/cart.go\n@@ -1 +1 @@\n-x\n+y\n");
    let large = "x\n".repeat(1 << 19);
    let read = |_| {
        n_read.set(n_read.get() + large.len());
        Ok(large.clone().into_bytes())
    };
    let (placed, problems) = place(&Files { base: &base, is_exact: true, read: &read }, &Patch::parse(&part.repeat(40)));
    assert_eq!((placed.len(), n_read.get()), (40, 16 << 20));
    assert_eq!(problems.len(), 20 + 1, "those of 24 parts");
    assert!(problems[0].message.contains("more than 16 MiB of files are read"), "{}", problems[0].message);
}

#[test]
fn a_file_without_lines_is_not_read_and_what_changes_in_it_is_not_known() {
    let base = fixture::base(&format!("{FILES}//- data.csv\n1\n//- big.go\npackage big\n"));
    let read = |file: NodeId| match base.path(file) {
        "cart/cart.go" => Ok(text_of("cart/cart.go").into_bytes()),
        path => Err(format!("{path} is read")),
    };
    let mut patch = Patch::parse(
        "--- a/cart/cart.go\n+++ b/cart/cart.go\n@@ -15,2 +15,2 @@\n func total(c *Cart) int {\n-\treturn 0\n+\treturn c.n\n",
    );
    for (path, is_large) in [("data.csv", true), ("data.csv", false), ("big.go", true)] {
        let side = repo::RepoPath::new(path);
        patch.files.push(FileChange { old: side.clone().ok(), new: side.ok(), is_large, ..FileChange::default() });
    }
    let (placed, problems) = place(&Files { base: &base, is_exact: true, read: &read }, &patch);
    assert_eq!((placed.len(), problems), (4, Vec::new()));
    let at_large = effects(&Asked { base: &base, read: &|file| read(file).ok() }, &placed).at_large;
    assert_eq!(at_large.iter().map(String::as_str).collect::<Vec<_>>(), ["big.go", "data.csv"]);
}

/// The pieces of a patch in short: definition, lines, how many lines are added and removed.
fn cut(patch: &str) -> String {
    cut_at(patch, false)
}

/// The same, of paths that are those of the repository or may have folders before them.
fn cut_at(patch: &str, is_exact: bool) -> String {
    let base = fixture::base(FILES);
    let (placed, problems) = placed(&base, patch, is_exact);
    let of_file = |file: &Placed| {
        let (old, new) = (
            Masker::knowing_nothing().file(&file.path, file.old.as_bytes()),
            Masker::knowing_nothing().file(&file.path, file.new.as_bytes()),
        );
        let pieces = pieces(&base, file, &old, &new).into_iter().map(|piece| {
            let of = piece.definition.and_then(|node| base.symbol(node)).map_or("-", |row| row.local_id);
            format!("{of} {}-{} +{} -{}", piece.lines.0, piece.lines.1, piece.n_added, piece.n_removed)
        });
        format!("{}{}: {}", file.path, if file.is_old { " (old)" } else { "" }, pieces.collect::<Vec<_>>().join(", "))
    };
    placed.iter().map(of_file).chain(problems).collect::<Vec<_>>().join("\n")
}

#[test]
fn hunks_stand_where_their_lines_do_on_either_side_and_are_cut_at_definitions() {
    let head = "--- a/cart/cart.go\n+++ b/cart/cart.go\n";
    // Applied, and counted from another line.
    let applied = format!("{head}@@ -20,3 +20,3 @@\n func (c *Cart) Add() {{\n-\tc.n--\n+\tc.n++\n \tfmt.Println(c.n)\n");
    assert_eq!(cut(&applied), "cart/cart.go: Cart.Add 9-11 +1 -1");
    // Not applied yet.
    let open = format!("{head}@@ -9,3 +9,3 @@\n func (c *Cart) Add() {{\n-\tc.n++\n+\tc.n += 2\n \tfmt.Println(c.n)\n");
    assert_eq!(cut(&open), "cart/cart.go (old): Cart.Add 9-11 +1 -1");
    // Two definitions and what stands outside of all, and a place where lines were only removed.
    let two = format!(
        "{head}@@ -1,5 +1,5 @@\n package cart\n \n-import \"log\"\n+import \"fmt\"\n \n // Cart holds lines.\n\
         @@ -9,9 +9,8 @@\n func (c *Cart) Add() {{\n-\tlog.Print()\n \tc.n++\n \tfmt.Println(c.n)\n }}\n \n func total(c *Cart) int {{\n-\treturn 0\n+\treturn c.n\n }}\n"
    );
    assert_eq!(cut(&two), "cart/cart.go: - 1-5 +1 -1, Cart.Add 9-12 +0 -1, total 13-16 +1 -1");
    // What is left of a hunk stands there before it is applied too.
    assert_eq!(cut(&format!("{head}@@ -15,2 +15 @@\n \treturn c.n\n-}}\n")), "cart/cart.go (old): total 15-16 +0 -1");
    let strange = format!("{head}@@ -9,2 +9,2 @@\n func Other() {{\n-\ta()\n+\tb()\n");
    assert_eq!(
        cut(&strange),
        "cart/cart.go: - 17-18 +1 -1\nthe hunk at line 9 fits neither before nor after the change: the file has other lines there"
    );
    assert!(
        cut("--- a/none.go\n+++ b/none.go\n@@ -1 +1 @@\n-a\n+b\n")
            .contains("no such file is in this repository, or it is ignored")
    );
    // A path from elsewhere, as a tool may write it.
    assert!(
        cut(&applied.replace("a/cart", "/home/ada/shop/cart").replace("b/cart", "/home/ada/shop/cart"))
            .starts_with("cart/cart.go: Cart.Add")
    );
}

#[test]
fn the_file_of_a_patch_is_no_other_one_with_its_name() {
    let none = "no such file is in this repository, or it is ignored; its hunks are shown as the diff has them";
    let new = "--- /dev/null\n+++ b/cmd/use.go\n@@ -0,0 +1 @@\n+package cart\n";
    assert_eq!(cut(new), "cmd/use.go (old): - 1-1 +1 -0");
    let gone = "--- a/cmd/cart/use.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-package cart\n";
    assert_eq!(cut(gone), "cmd/cart/use.go: - 1-1 +0 -1");
    let other = "--- a/cmd/cart/use.go\n+++ b/cmd/cart/use.go\n@@ -3,2 +3,2 @@\n func use(c *Cart) {\n-\tc.Take()\n+\tc.Put()\n";
    assert_eq!(cut(other), format!("cmd/cart/use.go (old): - 1-2 +1 -1\n{none}"));
    // The lines stand there, so that folders before it are those of another root; in a comparison there are none.
    let same = other.replace("Put", "Add");
    assert_eq!(cut(&same), "cart/use.go: use 3-4 +1 -1");
    assert_eq!(cut_at(&same, true), format!("cmd/cart/use.go (old): - 1-2 +1 -1\n{none}"));
}

#[test]
fn a_hunk_without_lines_around_it_stands_at_its_number_or_nowhere() {
    let head = "--- a/cart/cart.go\n+++ b/cart/cart.go\n";
    let nowhere = "fits neither before nor after the change: the file has other lines there";
    // Another function has the line that is to be added.
    assert_eq!(cut(&format!("{head}@@ -9,0 +10 @@\n+\treturn c.n\n")), "cart/cart.go (old): Cart.Add 10-10 +1 -0");
    assert_eq!(cut(&format!("{head}@@ -14,0 +15 @@\n+\treturn c.n\n")), "cart/cart.go: total 15-15 +1 -0");
    assert_eq!(cut(&format!("{head}@@ -14,0 +15 @@\n+\tx()\n")), "cart/cart.go (old): total 15-15 +1 -0");
    assert_eq!(cut(&format!("{head}@@ -15 +15 @@\n-\treturn c.n\n+\treturn 0\n")), "cart/cart.go (old): total 15-15 +1 -1");
    assert!(cut(&format!("{head}@@ -9 +9 @@\n-\treturn c.n\n+\treturn 0\n")).contains(nowhere));
    assert!(cut(&format!("{head}@@ -99,0 +100 @@\n+\tx()\n")).contains(nowhere));
}

#[test]
fn lines_of_a_key_are_masked_where_a_hunk_cuts_it_from_what_names_it() {
    let line = |letter: &str| format!("MIIEowIBAAKCAQEA{}", format!("{letter}7xQ9").repeat(9) + "Zk/+");
    let [one, two, three, four] = ["a", "b", "c", "d"].map(line);
    let of = |path: &str, hunk: &str| {
        let base = fixture::base(FILES);
        let (placed, _) = placed(&base, &format!("--- a/{path}\n+++ b/{path}\n{hunk}"), false);
        let texts = placed.iter().flat_map(|file| [&file.old, &file.new]);
        let texts: String = texts.map(|text| Masker::knowing_nothing().file(path, text.as_bytes()).as_str().to_owned()).collect();
        assert!(!texts.contains("7xQ9"), "{texts}");
        texts
    };
    let middle = format!("@@ -3,4 +3,3 @@\n {one}\n-{two}\n+{three}\n {four}\n-Ab3=\n");
    assert_eq!(of("keys/none.txt", &middle).matches("[REDACTED:private-key]").count(), 7);
    // A file that is here, with the lines nowhere in it.
    of("cart/use.go", &middle);
    of("cart/use.go", &format!("@@ -3,2 +2,0 @@\n-\t\"{one}\\n\" +\n-\t\"{two}\\n\"\n"));
}

#[test]
fn what_goes_and_is_used_is_told_with_its_uses_and_what_moved_is_not() {
    let base = fixture::base(FILES);
    let told = |patch: &str| {
        let (placed, _) = placed(&base, patch, false);
        let read = |file: NodeId| Some(text_of(base.path(file)).into_bytes());
        let removed = effects(&Asked { base: &base, read: &read }, &placed).removed;
        let uses =
            |uses: &[(NodeId, u32)]| uses.iter().map(|(file, line)| format!("{}:{line}", base.path(*file))).collect::<Vec<_>>();
        removed
            .iter()
            .map(|gone| format!("{} {} {}: {}", gone.kind, gone.name, gone.line, uses(&gone.uses).join(" ")))
            .collect::<Vec<_>>()
    };
    let gone = "--- a/cart/old.go\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-package cart\n-\n-func oldTotal(c *Cart) int { return 0 }\n";
    assert_eq!(told(gone), ["function oldTotal 3: cart/use.go:6"]);
    let moved = format!(
        "{gone}--- /dev/null\n+++ b/cart/new.go\n@@ -0,0 +1,3 @@\n+package cart\n+\n+func oldTotal(c *Cart) int {{ return 1 }}\n"
    );
    assert_eq!(told(&moved), [] as [&str; 0]);
    // Not applied yet: the definition is still there, and its use in a file that changes is one after the change.
    let open = "--- a/cart/cart.go\n+++ b/cart/cart.go\n@@ -8,5 +8,0 @@\n-// Add adds a line.\n-func (c *Cart) Add() {\n-\tc.n++\n-\tfmt.Println(c.n)\n-}\n";
    assert_eq!(told(open), ["method Cart.Add 9: cart/use.go:4"]);
}
