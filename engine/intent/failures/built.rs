//! Frames of code that was built, published or served, to the definitions that they are most likely of.
//!
//! Their lines are those of another text, so that the package, the end of the path and the name of the function decide.

use super::Spot;
use super::maps::Mapped;
use super::places::Locator;
use activate_grammars::project::{Registry, is_below, join};
use activate_rules::atoms::NodeId;
use index::base::{FactBase, FileFlags, SymbolRow, Traits};
use signals::built::{Origin, is_bundled};
use signals::trace::function_path;
use signals::{Frame, Place};

/// How sources end from which bundles are made.
const SCRIPTS: [&str; 8] = [".ts", ".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs"];
/// How sources of Rust end.
const RUST: &str = ".rs";

/// What stands before and behind the name of a function of JavaScript.
const BEFORE: [&str; 2] = ["async ", "new "];
const BEHIND: &str = " [as ";
/// Names that stand for a function without one, and for what everything is a member of.
const NAMELESS: [&str; 2] = ["<anonymous>", "anonymous"];
const ANYTHING: [&str; 7] = ["Object", "Function", "Module", "Array", "Promise", "exports", "module"];
/// The most letters of a name that a bundler makes up.
const SHORT: usize = 2;

/// What Go calls functions without a name and what it makes itself.
const GO_NAMELESS: [&str; 3] = ["func", "gowrap", "deferwrap"];

/// The file that makes a folder a package of Python.
const PYTHON_PACKAGE: &str = "__init__.py";

/// The most definitions of one name that are looked at; a name that more have says nothing.
const MAX_NAMESAKES: usize = 64;

/// Files that are not source of what is built.
const ASIDE: [u32; 4] = [FileFlags::TEST, FileFlags::VENDORED, FileFlags::GENERATED, FileFlags::EXAMPLE];

impl<'l> Locator<'l> {
    /// The spots of frames, each with its number among them.
    pub(super) fn frames(&self, frames: &'l [Frame]) -> Vec<(usize, Spot)> {
        let is_of_guest = self.is_of_guest(frames);
        let is_own = |frame: &Frame, spot: &Spot| {
            let is_elsewhere = !spot.is_guess && frame.place.as_ref().is_some_and(|place| self.is_elsewhere(place));
            !is_elsewhere || !is_of_guest && self.can_be_at(spot, &frame.function)
        };
        let spots = frames.iter().enumerate().filter_map(|(number, frame)| Some((number, frame, self.frame(frame)?)));
        spots.filter(|(_, frame, spot)| is_own(frame, spot)).map(|(number, _, spot)| (number, spot)).collect()
    }

    /// The spot of a frame: that of its place, or of the definition that it is most likely of.
    pub(super) fn frame(&self, frame: &'l Frame) -> Option<Spot> {
        let place = frame.place.as_ref()?;
        match self.maps.mapped(self, place) {
            Some(Mapped::Source { file, line, map, is_doubtful }) => {
                let spot = Spot { map: Some(map), ..self.at(file, line, place.written_ns) };
                let spot = self.of_this_build(spot, &frame.function);
                return (!is_doubtful || self.has_function(&spot, &frame.function)).then_some(spot);
            }
            Some(Mapped::Foreign) => return None,
            None => {}
        }
        if let Some(origin) = Origin::of(&place.path) {
            return self.of_package(&origin, &frame.function);
        }
        let may_be_built = is_bundled(&place.path);
        let spot = self.spot(place).filter(|spot| !may_be_built || is_bundled(self.base.path(spot.file)));
        match spot {
            Some(spot) if frame.is_built => Some(self.served(spot, &frame.function)),
            Some(spot) => Some(spot),
            None if may_be_built || frame.is_built => self.bundled(place, &frame.function),
            None => None,
        }
    }

    /// Whether a path is one of a listed file that nobody built, by its name.
    pub(super) fn is_source(&self, path: &str) -> bool {
        !is_bundled(path) && self.base.file_at(path).is_some()
    }

    /// The spot of a place that no frame has.
    pub(super) fn placed(&self, place: &'l Place) -> Option<Spot> {
        match self.maps.mapped(self, place) {
            Some(Mapped::Source { file, line, map, is_doubtful: false }) => {
                Some(Spot { map: Some(map), ..self.at(file, line, place.written_ns) })
            }
            Some(_) => None,
            None => self.spot(place),
        }
    }

    /// What a frame means whose place a map gives: the map may be of another build than the one that ran, and then the function that it leads
    /// to is not the one that is named. If the file has that one, it is meant.
    fn of_this_build(&self, spot: Spot, function: &str) -> Spot {
        let served = self.served(spot, function);
        if served.symbol.is_some() { served } else { spot }
    }

    /// Whether a spot is in the function that a frame names.
    fn has_function(&self, spot: &Spot, function: &str) -> bool {
        let names = script_names(function);
        let mut around = std::iter::successors(spot.symbol, |node| self.base.symbol(*node)?.container).take(MAX_NAMESAKES);
        names.last().is_some_and(|name| around.any(|node| self.base.symbol(node).is_some_and(|symbol| symbol.name == *name)))
    }

    /// What a frame means whose file is known and whose line may be one of what was made of it.
    fn served(&self, spot: Spot, function: &str) -> Spot {
        let names = script_names(function);
        let Some(name) = names.last() else { return spot };
        let around = std::iter::successors(spot.symbol, |node| self.base.symbol(*node)?.container);
        let fits = |node: NodeId| self.base.symbol(node).is_some_and(|symbol| symbol.name == *name);
        if around.take(MAX_NAMESAKES).any(fits) { spot } else { self.in_file(spot.file, &names, false) }
    }

    /// What a frame of an installed package means, where the package is one of the repository.
    fn of_package(&self, origin: &Origin<'_>, function: &str) -> Option<Spot> {
        let at = |folder: &str, rest: &str| join(folder, rest).and_then(|path| self.base.file_at(&path));
        match origin {
            Origin::Go { module, rest } => {
                let file = at(self.only_folder(Registry::Go, module)?, rest)?;
                Some(self.in_file(file, &go_names(function), true))
            }
            Origin::Cargo { package, rest } => {
                let file = at(self.only_folder(Registry::Cargo, package)?, rest)?;
                Some(self.in_file(file, &names_of(&function_path(function)), false))
            }
            Origin::Checkout { rest } => {
                // Which repository it is of, only the name of the crate says.
                let file = self.base.file_at(rest).filter(|_| rest.ends_with(RUST))?;
                let path = function_path(function);
                let crates = self.base.published().filter(|package| package.registry == Registry::Cargo);
                let is_own = crates.into_iter().any(|package| {
                    is_below(rest, package.folder) && path.split("::").next() == Some(&package.name.replace('-', "_"))
                });
                is_own.then(|| self.in_file(file, &names_of(&path), false))
            }
            Origin::Npm { package, rest } => {
                let folder = self.only_folder(Registry::Npm, package)?;
                match at(folder, rest) {
                    Some(file) if is_source(self.base, file) => Some(self.in_file(file, &script_names(function), false)),
                    _ => self.by_name(folder, function, false),
                }
            }
            Origin::Python { rest } => {
                let (package, _) = rest.split_once('/')?;
                let file = self.only_ending(rest)?;
                let above = self.base.path(file).strip_suffix(rest)?;
                let is_package = |folder: &str| self.base.file_at(&format!("{folder}{PYTHON_PACKAGE}")).is_some();
                // A folder within a package is imported by a longer path.
                let names: Vec<&str> = function.split('.').filter(|name| !name.starts_with('<')).collect();
                let is_ours = is_package(&format!("{above}{package}/")) && !is_package(above);
                is_ours.then(|| self.in_file(file, &names, false))
            }
        }
    }

    /// What a frame of a bundle means whose package is not known: the repository's own, if the name of the function is not a common one.
    fn bundled(&self, place: &Place, function: &str) -> Option<Spot> {
        let folders = place.path.rsplit_once('/').map_or("", |(folders, _)| folders);
        let packages = self.base.published().filter(|package| package.registry == Registry::Npm && !package.folder.is_empty());
        let is_around = |folder: &str| {
            let mut ends = folders.match_indices(folder).map(|(at, _)| (at, at + folder.len()));
            ends.any(|(start, end)| folders[end..].starts_with('/') && (start == 0 || folders[..start].ends_with('/')))
        };
        let folder = packages.map(|package| package.folder).filter(|folder| is_around(folder)).max_by_key(|folder| folder.len());
        self.by_name(folder.unwrap_or_default(), function, true)
    }

    /// The one definition among the sources below a folder that a function of a bundle can be. Where others may be in the bundle, a name that
    /// many would choose says nothing.
    fn by_name(&self, folder: &str, function: &str, is_mixed: bool) -> Option<Spot> {
        let names = script_names(function);
        let name = names.last()?;
        let is_of_source = |node: &NodeId| {
            let file = self.base.file_of(*node);
            is_below(self.base.path(file), folder) && is_source(self.base, file)
        };
        let namesakes: Vec<NodeId> =
            self.base.symbols_named(name).into_iter().filter(is_of_source).take(MAX_NAMESAKES + 1).collect();
        if namesakes.len() > MAX_NAMESAKES {
            return None;
        }
        let is_compound = name.contains('_') || name.chars().skip(1).any(char::is_uppercase);
        let is_enough = |fitting: usize| fitting == names.len() && (!is_mixed || is_compound || fitting > 1);
        let node = the_one(self.base, namesakes.into_iter(), &names, is_enough)?;
        Some(self.guess(self.base.file_of(node), Some(node)))
    }

    /// The definition of this name in a file, else the file alone. `is_whole` says that the names are all that are around it.
    fn in_file(&self, file: NodeId, names: &[&str], is_whole: bool) -> Spot {
        let definitions = self.base.symbols_of(file).map(NodeId);
        self.guess(file, the_one(self.base, definitions, names, |fitting| !is_whole || fitting == names.len()))
    }

    fn guess(&self, file: NodeId, symbol: Option<NodeId>) -> Spot {
        let line = symbol.and_then(|node| self.base.symbol(node)).map_or(0, |row| row.name_line);
        Spot { file, line, symbol, is_stale: false, may_have_moved: false, is_guess: true, map: None }
    }

    /// The folder of the repository's package of this name, if it is one.
    pub(super) fn only_folder(&self, registry: Registry, name: &str) -> Option<&'l str> {
        let mut folders = self.base.published().filter(|package| package.registry == registry && package.name == name);
        let folder = folders.next()?.folder;
        folders.next().is_none().then_some(folder)
    }
}

/// The definition that a path of names means, if it is one: the more of what is around it is named, the better.
fn the_one(
    base: &FactBase,
    nodes: impl Iterator<Item = NodeId>,
    names: &[&str],
    is_enough: impl Fn(usize) -> bool,
) -> Option<NodeId> {
    let fitting = nodes.filter_map(|node| {
        let row = base.symbol(node)?;
        Some((n_fitting(&row, names).filter(|number| is_enough(*number))?, row))
    });
    let mut fitting: Vec<(usize, SymbolRow<'_>)> = fitting.collect();
    let most = fitting.iter().map(|(number, _)| *number).max()?;
    fitting.retain(|(number, _)| *number == most);
    // Signatures above a definition are of it.
    if fitting.iter().any(|(_, row)| !row.traits.has(Traits::BODILESS)) {
        fitting.retain(|(_, row)| !row.traits.has(Traits::BODILESS));
    }
    <[_; 1]>::try_from(fitting).ok().map(|[(_, row)]| row.node)
}

/// How many names fit a definition, its own and those around it; nothing where they say that it is of something else.
fn n_fitting(row: &SymbolRow<'_>, names: &[&str]) -> Option<usize> {
    let (name, around) = names.split_last()?;
    let own = row.local_id.strip_suffix(row.name)?.trim_end_matches('.');
    if row.name != *name {
        return None;
    }
    let n_own = own.split('.').filter(|part| !part.is_empty()).count();
    let n_around = own.rsplit('.').zip(around.iter().rev()).take_while(|(own, name)| own == *name).count();
    let is_type_named = around.last().is_some_and(|name| name.starts_with(char::is_uppercase));
    let is_other = is_type_named && n_around == 0 || !around.is_empty() && n_around < n_own;
    (!is_other).then_some(n_around + 1)
}

/// Whether a file is one of the sources from which a package is built.
fn is_source(base: &FactBase, file: NodeId) -> bool {
    let (path, flags) = (base.path(file), base.flags(file));
    SCRIPTS.iter().any(|end| path.ends_with(end)) && !is_bundled(path) && !ASIDE.iter().any(|aside| flags.has(*aside))
}

/// The names in `async Foo.bar [as baz]`, `new Foo` and `e.bar`, outermost first; none where it has no name.
fn script_names(function: &str) -> Vec<&str> {
    let written = BEFORE.iter().fold(function.trim(), |rest, before| rest.strip_prefix(before).unwrap_or(rest));
    let written = written.split(BEHIND).next().unwrap_or_default().trim();
    let mut names: Vec<&str> = written.split(['.', '/']).map(|name| name.trim_start_matches('#')).collect();
    if names.last().is_some_and(|last| NAMELESS.contains(last)) {
        names.pop();
        // It is called on an object of a class: that is named so. A variable says nothing.
        if !names.last().is_some_and(|name| name.starts_with(char::is_uppercase)) {
            return Vec::new();
        }
    }
    let is_said = |name: &&str| name.len() > SHORT && !ANYTHING.contains(name);
    let Some((last, around)) = names.split_last() else { return Vec::new() };
    if !is_said(last) || last.contains(['<', '>', ' ']) {
        return Vec::new();
    }
    let mut said: Vec<&str> = around.iter().copied().filter(is_said).collect();
    said.push(last);
    said
}

/// The names in `example.com/relay/route.(*Map[...]).Next.func1`, outermost first, without the package.
fn go_names(function: &str) -> Vec<&str> {
    let name = function.rsplit('/').next().unwrap_or_default();
    let is_made = |part: &str| {
        let number = GO_NAMELESS.iter().fold(part, |rest, start| rest.strip_prefix(start).unwrap_or(rest));
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let parts = name.split('.').skip(1).map(|part| part.split('[').next().unwrap_or_default());
    let parts = parts.map(|part| part.trim_matches(['(', ')', '*', ']'])).filter(|part| !part.is_empty());
    parts.take_while(|part| !is_made(part)).collect()
}

/// The names of a path of Rust, outermost first.
fn names_of(path: &str) -> Vec<&str> {
    path.split("::").map(|part| part.split('<').next().unwrap_or_default()).filter(|part| !part.is_empty()).collect()
}
