//! Names that a line of JavaScript or TypeScript imports from a package.
//!
//! Reads form only: must not know which packages exist.

/// How such lines begin, and what stands before the package.
const BEGINNINGS: [&str; 5] = ["import ", "export ", "const ", "let ", "var "];
const BEFORE_PACKAGE: [&str; 4] = ["from", "= require(", "= await import(", "=require("];

/// What stands before a name of a type, and between a name and the one that it gets.
const TYPE: &str = "type ";
const RENAMED: [&str; 2] = [" as ", ":"];

/// The names in braces and the package: `import { a, type b as c } from "p"`, `const { a, b: c } = require("p")`.
pub(super) fn imported(line: &str) -> Option<(impl Iterator<Item = &str>, &str)> {
    let line = BEGINNINGS.iter().filter_map(|beginning| Some(&line[line.find(beginning)?..])).max_by_key(|rest| rest.len())?;
    let (names, rest) = line.split_once('{')?.1.split_once('}')?;
    let quoted = BEFORE_PACKAGE.iter().find_map(|before| rest.trim_start().strip_prefix(before))?.trim_start();
    let quote = quoted.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let (package, _) = quoted[1..].split_once(quote)?;
    let name = |item: &'_ str| -> usize { RENAMED.iter().filter_map(|as_| item.find(as_)).min().unwrap_or(item.len()) };
    let names = names.split(',').map(move |item| {
        let item = item.trim();
        let item = item.strip_prefix(TYPE).unwrap_or(item);
        item[..name(item)].trim()
    });
    let is_name = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
    Some((names.filter(is_name), package))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_package_are_those_that_it_has_them_by() {
        let read = |line: &str| {
            let Some((names, package)) = imported(line) else { return "nothing".to_owned() };
            format!("{} of {package}", names.collect::<Vec<_>>().join(" "))
        };
        for (line, expected) in [
            ("import { connect } from \"parcel-watch\";", "connect of parcel-watch"),
            ("> import x, { a as b, type C, d } from '@s/p/q'", "a C d of @s/p/q"),
            ("const { a, b: c } = require(\"p\");", "a b of p"),
            ("export { a } from \"p\"", "a of p"),
            ("import { } from \"p\"", " of p"),
            ("import { a, ...b } from \"p\"", "a of p"),
            ("import x from \"p\"", "nothing"),
            ("const x = { a: 1 }; require(\"p\")", "nothing"),
            ("import { a } from p", "nothing"),
            ("import { a from \"p\"", "nothing"),
            ("imports {a} from \"p\"", "nothing"),
            ("import { é as ü } from \"p", "nothing"),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }
}
