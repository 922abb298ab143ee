//! Pins as they are typed in a folder of the repository.

/// A pin from the root of the repository: what begins with `./` or `../` is meant from the current folder. One that leads out stays as it
/// is, to be refused as it was given.
pub(super) fn from_root(pin: &str, current_folder: &str) -> String {
    let mut folders: Vec<&str> = current_folder.split('/').filter(|folder| !folder.is_empty()).collect();
    let mut rest = pin;
    loop {
        if let Some(below) = rest.strip_prefix("./") {
            rest = below;
        } else if let Some(above) = rest.strip_prefix("../") {
            if folders.pop().is_none() {
                return pin.to_owned();
            }
            rest = above;
        } else {
            break;
        }
    }
    if rest.is_empty() || rest.len() == pin.len() {
        return pin.to_owned();
    }
    folders.push(rest);
    folders.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pins_that_begin_with_dots_are_meant_from_the_current_folder() {
        for (pin, folder, from_the_root) in [
            ("a/b.go:1-2", "in/side", "a/b.go:1-2"),
            ("./b.go:1-2", "in/side", "in/side/b.go:1-2"),
            ("./a/b.go", "", "a/b.go"),
            ("../b.go", "in/side", "in/b.go"),
            (".././../b.go", "in/side", "b.go"),
            ("../../../b.go", "in/side", "../../../b.go"),
            ("./", "in/side", "./"),
            (".github/ci.yml", "in/side", ".github/ci.yml"),
            ("..b.go", "in/side", "..b.go"),
        ] {
            assert_eq!(from_root(pin, folder), from_the_root, "{pin} in `{folder}`");
        }
    }
}
