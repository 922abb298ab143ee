//! Reviews of changes with the built command: ranges, the work tree, patches on stdin, and what cannot be reviewed.
//!
//! Must not test how patches are read: the engine's tests do.

use super::{Ended, command, ended, run, run_with};
use crate::replay::{Replayed, corpus};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A shop in six commits: prices and their table change together, and the last commit takes a helper away that is used, with a key.
const SHOP: &str = "\
commit 1700000000 Ada <ada@example.com> | Start
edit go.mod
+module example.com/shop
+
+go 1.22
edit cart/cart.go
+package cart
+
+// Cart holds what is bought.
+type Cart struct{ cents []int }
+
+// Total adds up the prices.
+func (c *Cart) Total() int {
+	sum := 0
+	for _, cents := range c.cents {
+		sum += cents
+	}
+	return sum
+}
+
+func halfOf(cents int) int {
+	return cents / 2
+}
edit cart/cart_test.go
+package cart
+
+import \"testing\"
+
+func TestTotal(t *testing.T) {
+	if (&Cart{}).Total() != 0 {
+		t.Fatal(\"not empty\")
+	}
+}
edit till/till.go
+package till
+
+import \"example.com/shop/cart\"
+
+// Pay says what is to be paid.
+func Pay(c *cart.Cart) int {
+	return c.Total()
+}
edit cart/sale.go
+package cart
+
+// Sale is what a sale costs. Nobody calls halfOf in this comment.
+func Sale(c *Cart) int {
+	return halfOf(c.Total())
+}
edit cart/table.txt
+1
edit cart/keys.go
+package cart
+
+const apiKey = \"sk_live_4eC39HqLyjWDarjtT1zdp7dcQ8vN2kXw\"
commit 1700000100 Ada <ada@example.com> | Prices
edit cart/table.txt
+2
edit cart/keys.go
+package cart
+
+// Two.
+const apiKey = \"sk_live_4eC39HqLyjWDarjtT1zdp7dcQ8vN2kXw\"
commit 1700000200 Ada <ada@example.com> | Prices
edit cart/table.txt
+3
edit cart/keys.go
+package cart
+
+// Three.
+const apiKey = \"sk_live_4eC39HqLyjWDarjtT1zdp7dcQ8vN2kXw\"
commit 1700000300 Ada <ada@example.com> | Prices
edit cart/table.txt
+4
edit cart/keys.go
+package cart
+
+// Four.
+const apiKey = \"sk_live_4eC39HqLyjWDarjtT1zdp7dcQ8vN2kXw\"
commit 1700000400 Ada <ada@example.com> | Count from the discount
edit cart/keys.go
+package cart
+
+import \"os\"
+
+func apiKeyOf() string { return os.Getenv(\"SHOP_KEY\") }
edit cart/cart.go
+package cart
+
+// Cart holds what is bought.
+type Cart struct{ cents []int }
+
+// Total adds up the prices.
+func (c *Cart) Total() int {
+	sum := -discount
+	for _, cents := range c.cents {
+		sum += cents
+	}
+	return sum
+}
+
+const discount = 5
";

const KEY: &str = "4eC39HqLyjWDarjtT1zdp7dcQ8vN2kXw";

fn shop() -> Replayed {
    Replayed::of(SHOP, &corpus())
}

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

fn review(shop: &Replayed, args: &[&str]) -> Ended {
    run(&[args, &["--repo", text(shop.path()), "--no-cache", "--no-state"]].concat())
}

fn says(ended: &Ended, parts: &[&str]) {
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    for part in parts {
        assert!(ended.stdout.contains(part), "no {part:?} in\n{}\n{}", ended.stdout, ended.stderr);
    }
}

/// The hunk of the range below, on a file as it is before.
const PATCH: &str = "\
--- a/cart/cart.go
+++ b/cart/cart.go
@@ -7,3 +7,4 @@
 func (c *Cart) Total() int {
-	sum := -discount
+	sum := 0
+	sum -= discount
 	for _, cents := range c.cents {
";

#[test]
fn a_range_shows_hunks_under_their_definitions_callers_tests_and_what_is_missing() {
    let shop = shop();
    let range = review(&shop, &["--diff", "HEAD~1..HEAD"]);
    says(
        &range,
        &[
            "# Session context: Review the change",
            "Task: review; certainty: strong",
            "CHANGED FILES (HEAD~1 to HEAD: 2 files, +5 -6):",
            "  - cart/cart.go (+2 -4)",
            "cart/cart.go:",
            " Cart.Total\n",
            "\n-\tsum := 0\n+\tsum := -discount\n",
            "  - halfOf (function, was cart/cart.go:15): used at cart/sale.go:5\n",
            "  - cart/table.txt (changed with keys.go in 4 of 5 commits)",
            "till/till.go",
            "  - go test ./cart",
        ],
    );
    // A secret that a line gives away that is gone is masked with the rest of what is said.
    assert!(!range.stdout.contains(KEY) && range.stdout.contains("-const apiKey = "), "{}", range.stdout);
    assert_eq!(
        review(&shop, &["--diff", "HEAD^...main"]).stdout.replace("HEAD^", "HEAD~1").lines().count(),
        range.stdout.lines().count()
    );
    let one = review(&shop, &["--diff=HEAD~1", "--threads", "1"]);
    says(&one, &["CHANGED FILES (HEAD~1 to the work tree: 2 files, +5 -6):"]);
    // Beside a change an intent keeps its words.
    says(&review(&shop, &["--intent", "fix the discount", "--diff", "HEAD~1..HEAD"]), &["Task: fix;", "CHANGED CODE:"]);

    let json: Value = serde_json::from_str(&review(&shop, &["--diff", "HEAD~1..HEAD", "--format", "json"]).stdout).expect("JSON");
    let json = json.get("packet").unwrap_or(&json).to_string();
    for part in
        ["\"changed_file\"", "\"hunk\"", "\"removed_use\"", "\"missing_change\"", "\"changed\"", "cart/cart.go#Cart.Total"]
    {
        assert!(json.contains(part), "no {part} in {json}");
    }
    assert!(!json.contains(KEY));
    let why = run(&["why", "cart/cart.go#Cart.Total", "--diff", "HEAD~1..HEAD", "--repo", text(shop.path()), "--no-cache"]);
    says(&why, &["the diff changes it: +1 -1 lines"]);
}

#[test]
fn the_work_tree_and_patches_are_reviewed_whether_they_are_applied_or_not() {
    let shop = shop();
    let nothing = review(&shop, &["--diff"]);
    assert_eq!(nothing.code, 2, "{}", nothing.stdout);
    assert!(nothing.stderr.contains("nothing changed from HEAD to the work tree; name another range"), "{}", nothing.stderr);
    let stdin =
        |patch: &str| run_with(patch.as_bytes(), &["--diff", "-", "--repo", text(shop.path()), "--no-cache", "--no-state"]);
    says(
        &stdin(PATCH),
        &["CHANGED FILES (patch on stdin: 1 files, +2 -1):", "Cart.Total (not applied)\n", "+\tsum -= discount\n"],
    );
    let strange = stdin(&PATCH.replace("-discount", "-rebate"));
    says(&strange, &["+\tsum -= discount\n"]);
    assert!(strange.stderr.contains("the hunk at line 7 fits neither before nor after the change"), "{}", strange.stderr);
    let file = |number: usize| {
        let path = format!("{}/f{number:02}.go", ["gen/one", "gen/two"][number % 2]);
        format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+package gen\n")
    };
    // The first eighty have names, and of all others it is said where they are.
    let many = stdin(&(0..99).map(file).fold(PATCH.to_owned(), |patch, file| patch + &file));
    says(&many, &["100 files, +101 -1):", "  - gen/one/f00.go (new, +1)", "  - gen/two/: 20 more files (+20 -0)\n"]);
    let none = stdin("no patch\n");
    assert_eq!((none.code, none.stdout.as_str()), (2, ""));
    assert!(none.stderr.contains("no change was found in the patch"), "{}", none.stderr);

    let cart = fs::read_to_string(shop.path().join("cart/cart.go")).expect("a file");
    fs::write(shop.path().join("cart/cart.go"), cart.replace("sum := -discount", "sum := 0\n\tsum -= discount")).expect("a file");
    fs::write(shop.path().join("cart/new.go"), "package cart\n\nfunc fresh() int { return 1 }\n").expect("a file");
    says(
        &review(&shop, &["--diff", "--quiet"]),
        &["(HEAD to the work tree: 2 files, +5 -1)", "  - cart/new.go (new, +3)", "+func fresh() int", "+\tsum -= discount\n"],
    );
    let applied = stdin(PATCH);
    says(&applied, &["+\tsum -= discount\n"]);
    assert!(!applied.stdout.contains("not applied"), "{}", applied.stdout);
    // What a range leads to is not what is there.
    let old = review(&shop, &["--diff", "HEAD~1..HEAD"]);
    assert!(
        old.stderr.contains(
            "1 of the files that `HEAD~1..HEAD` changes differ here from the end of the range, cart/cart.go among them"
        ),
        "{}",
        old.stderr
    );
}

#[test]
fn what_cannot_be_compared_says_why_and_what_to_do() {
    let shop = shop();
    for (range, part) in [
        ("nowhere..HEAD", "`nowhere..HEAD` cannot be compared: there is no commit `nowhere`; name a range such as `main..HEAD`"),
        ("HEAD~99", "cannot be compared: there is no commit `HEAD~99`"),
        ("HEAD:cart", "is not a name of a commit that is understood"),
    ] {
        let refused = review(&shop, &["--diff", range]);
        assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{range}");
        assert!(refused.stderr.contains(part), "{range}: {}", refused.stderr);
    }
    let at = review(&shop, &["--diff", "--at", "HEAD"]);
    assert!(at.code == 2 && at.stderr.contains("the work tree is not read"), "{}", at.stderr);
    says(&review(&shop, &["--diff", "HEAD~1", "--at", "HEAD"]), &["(HEAD~1 to HEAD: 2 files, +5 -6)"]);
    let outside = corpus().join("auth-go/internal");
    let scratch = super::Scratch::new();
    fs::create_dir_all(scratch.0.join("plain")).expect("a folder");
    fs::copy(outside.join("auth/claims.go"), scratch.0.join("plain/claims.go")).expect("a file");
    let plain = ended(&mut command(&["--diff", "main..HEAD", "--repo", text(&scratch.0.join("plain")), "--no-cache"]));
    assert!(plain.code == 2 && plain.stderr.contains("there is no git history here"), "{}", plain.stderr);
}
