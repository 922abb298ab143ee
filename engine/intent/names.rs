//! Names written as code, to definitions.
//!
//! Must not know the rest of the text: which of several definitions is meant is decided in [`super::pick`].

use super::How;
use super::bounds::WHOLE;
use super::places::Places;
use activate_grammars::facts::{SymbolKind, Traits};
use activate_grammars::project::{Registry, is_below};
use activate_rules::atoms::NodeId;
use activate_rules::weights::NameWeights;
use index::base::{FactBase, FileFlags};
use std::collections::BTreeMap;

/// Definitions that a name may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// In path order; overloads in one file count once, tests and the like only where nothing else has the name.
    pub(super) nodes: Vec<NodeId>,
    /// How they were found.
    pub(super) how: How,
    /// How much of a full name this is, in thousandths.
    pub(super) strength: u32,
}

/// Finds definitions by name.
pub(super) struct Names<'b> {
    base: &'b FactBase,
    places: &'b Places<'b>,
    weights: &'b NameWeights,
}

/// Segments that say where a path of modules starts, not where it leads.
const ANCHORS: [&str; 6] = ["crate", "self", "super", "this", "Self", "@"];

/// Crates that come with the compiler: nobody's own.
const STANDARD_CRATES: [&str; 5] = ["std", "core", "alloc", "test", "backtrace"];

/// Fewest letters of a name that stands for a longer one that was not found.
const MIN_PREFIX_NAME: usize = 3;

/// The most containers around a definition that are looked at: more than any code nests.
const MAX_CONTAINERS: usize = 64;

/// Kinds of definitions that have members of their own.
const TYPES: [SymbolKind; 3] = [SymbolKind::Type, SymbolKind::Interface, SymbolKind::Alias];

/// Flags of files that seldom hold what a name means.
const SIDE_FLAGS: [u32; 5] =
    [FileFlags::TEST, FileFlags::GENERATED, FileFlags::VENDORED, FileFlags::EXAMPLE, FileFlags::DOCUMENT];

impl<'b> Names<'b> {
    pub(super) fn new(base: &'b FactBase, places: &'b Places<'b>, weights: &'b NameWeights) -> Self {
        Self { base, places, weights }
    }

    /// What a name means: exact, then qualified, then but for case; then what a longer name belongs to.
    pub(super) fn find(&self, written: &str) -> Option<Found> {
        if let Some(found) = self.by_id(written) {
            return Some(found);
        }
        let segments = segments(written);
        let (last, qualifiers) = segments.split_last()?;
        if let Some(found) = self.named(last, qualifiers) {
            return Some(found);
        }
        // `Claims.expires` is a field, `TestLogin/empty` a case: the type or the test is there.
        let (owner, outer) = qualifiers.split_last()?;
        let is_name = owner.len() >= MIN_PREFIX_NAME && owner.chars().any(char::is_uppercase);
        let found = self.named(owner, outer).filter(|found| is_name && found.how != How::CaseInsensitive)?;
        let strength = if self.is_written(last, &found.nodes) { found.strength } else { self.weights.new_member.get() };
        Some(Found { strength, ..found })
    }

    /// Whether a word stands in the file of one of these definitions.
    fn is_written(&self, word: &str, nodes: &[NodeId]) -> bool {
        let Ok(index) = self.base.text() else { return false };
        index.lookup(&word.to_lowercase()).any(|posting| nodes.iter().any(|node| self.base.file_of(*node).0 == posting.doc))
    }

    /// The one definition that a frame of a trace means which gives no place. The first name of its path is a package or crate; all others
    /// must fit, so that frames of libraries mean nothing here.
    pub(super) fn of_frame(&self, written: &str) -> Option<NodeId> {
        let segments = segments(written);
        let (last, qualifiers) = segments.split_last()?;
        let (origin, inner) = qualifiers.split_first()?;
        if STANDARD_CRATES.contains(origin) || self.is_package(origin) {
            return None;
        }
        let fits = |node: &NodeId| {
            let around = self.around(*node);
            inner.iter().all(|wanted| around.iter().any(|name| name == wanted))
        };
        let fitting = self.spelled(last).into_iter().filter(fits).collect();
        let found = self.found(fitting, How::Frame, WHOLE)?;
        <[NodeId; 1]>::try_from(found.nodes).ok().map(|[node]| node)
    }

    /// The definitions with exactly this name, else those with exactly this alias.
    pub(super) fn exactly(&self, name: &str) -> Option<Found> {
        let spelled = self.spelled(name);
        let aliased = if self.is_seldom_meant(&spelled) { self.found(self.aliased(name), How::Alias, WHOLE) } else { None };
        aliased.or_else(|| self.found(spelled, How::Exact, WHOLE))
    }

    /// The definitions that a package of the repository has by exactly this name.
    pub(super) fn of_package(&self, package: &str, name: &str) -> Option<Found> {
        let is_meant =
            |known: &&str| package.strip_prefix(*known).is_some_and(|below| below.is_empty() || below.starts_with('/'));
        let folders = self.base.published().filter(|known| known.registry == Registry::Npm && is_meant(&known.name));
        let folders: Vec<&str> = folders.map(|known| known.folder).collect();
        let is_inside = |file: NodeId| folders.iter().any(|folder| is_below(self.base.path(file), folder));
        if folders.is_empty() {
            return None;
        }
        let aliases = self.base.aliases_named(name).filter(|row| row.name == name && is_inside(row.file));
        let found = self.found(aliases.map(|row| row.of).collect(), How::Alias, WHOLE);
        let is_own = |node: &NodeId| is_inside(*node) && self.base.symbol(*node).is_some_and(|row| row.container.is_none());
        found.or_else(|| self.found(self.spelled(name).into_iter().filter(is_own).collect(), How::Exact, WHOLE))
    }

    /// Whether all of these definitions stand in tests and the like, if there are any.
    fn is_seldom_meant(&self, nodes: &[NodeId]) -> bool {
        nodes.iter().all(|node| is_aside(self.base, *node))
    }

    /// The definitions and files that have exactly this alias, as far as it is not one that tests and the like give.
    fn aliased(&self, name: &str) -> Vec<NodeId> {
        let rows = self.base.aliases_named(name).filter(|row| row.name == name && !is_aside(self.base, row.file));
        rows.map(|row| row.of).collect()
    }

    /// The definitions with this name but for case and separators.
    pub(super) fn but_for_case(&self, name: &str) -> Option<Found> {
        let joined: String = name.chars().filter(|c| !matches!(c, '_' | '-')).collect();
        let mut nodes = self.base.symbols_named(name);
        for other in [joined.clone(), snake(name)] {
            nodes.extend(self.base.symbols_named(&other));
        }
        if self.is_seldom_meant(&nodes) {
            for other in [name, &joined, &snake(name)] {
                let rows = self.base.aliases_named(other).filter(|row| !is_aside(self.base, row.file));
                nodes.extend(rows.map(|row| row.of));
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        self.found(nodes, How::CaseInsensitive, self.weights.but_for_case.get())
    }

    /// `path#Container.name`, where the path may be short.
    pub(super) fn by_id(&self, written: &str) -> Option<Found> {
        let (path, local) = written.split_once('#')?;
        let files = self.places.find(path);
        let ids = files.iter().filter_map(|file| self.base.node_at(&format!("{}#{local}", self.base.path(*file))));
        self.found(ids.collect(), How::Qualified, WHOLE)
    }

    fn named(&self, name: &str, qualifiers: &[&str]) -> Option<Found> {
        let Some(innermost) = qualifiers.last() else {
            return self.exactly(name).or_else(|| self.but_for_case(name));
        };
        // A qualifier may ask for a test or a local, so that all definitions are tried before these are left out.
        let fitting = self.qualified(self.spelled(name), qualifiers);
        if let Some(found) = self.found(fitting, How::Qualified, WHOLE) {
            return Some(found);
        }
        let aliased = self.qualified(self.aliased(name), qualifiers);
        if let Some(found) = self.found(aliased, How::Alias, WHOLE) {
            return Some(found);
        }
        // What qualifies may be a variable, of which nothing is known; a type has no members but its own, and a package from outside has its
        // own definitions.
        let is_type = self.is_type(innermost);
        let loose = |found: Found| Found { strength: found.strength.min(self.weights.unknown_qualifier.get()), ..found };
        let is_open = !is_type && self.weights.unknown_qualifier.get() > 0;
        let exactly = self.exactly(name).filter(|_| is_open).map(loose);
        // Neither the qualifier nor the letters are those of `Repo` in `jekeller.repo`.
        let found = exactly.or_else(|| {
            let found = self.but_for_case(name)?;
            let nodes = self.qualified(found.nodes, qualifiers);
            (!nodes.is_empty()).then_some(Found { nodes, ..found })
        });
        found.filter(|_| !self.is_package(innermost))
    }

    /// Whether the repository's own code has a type of this name.
    fn is_type(&self, name: &str) -> bool {
        let is_type = |node: &NodeId| {
            let symbol = self.base.symbol(*node);
            symbol.is_some_and(|symbol| TYPES.contains(&symbol.kind)) && !is_aside(self.base, *node)
        };
        self.spelled(name).iter().chain(&self.aliased(name)).any(is_type)
    }

    /// Every definition with exactly this name, in tests and the like too.
    fn spelled(&self, name: &str) -> Vec<NodeId> {
        let mut nodes = self.base.symbols_named(name);
        nodes.retain(|node| self.base.symbol(*node).is_some_and(|symbol| symbol.name == name));
        nodes
    }

    /// Those whose type, module, file or folder the innermost qualifier names; of them those that fit most of the others.
    fn qualified(&self, nodes: Vec<NodeId>, qualifiers: &[&str]) -> Vec<NodeId> {
        let Some((innermost, outer)) = qualifiers.split_last() else {
            return nodes;
        };
        let aliased: Vec<(&str, Vec<NodeId>)> = qualifiers.iter().map(|wanted| (*wanted, self.aliased(wanted))).collect();
        let scored = nodes.into_iter().filter_map(|node| {
            let (around, holders) = (self.around(node), self.holders(node));
            let is_alias_of =
                |holder: &NodeId, wanted: &str| aliased.iter().any(|(alias, nodes)| *alias == wanted && nodes.contains(holder));
            let fits = |wanted: &str| {
                around.iter().any(|name| name.eq_ignore_ascii_case(wanted))
                    || holders.iter().any(|holder| is_alias_of(holder, wanted))
            };
            fits(innermost).then(|| (node, outer.iter().filter(|wanted| fits(wanted)).count()))
        });
        let scored: Vec<(NodeId, usize)> = scored.collect();
        // A type of exactly that name is meant before a file or folder that is called alike.
        let is_of = |node: &NodeId| {
            let symbol = self.base.symbol(*node);
            let containers =
                symbol.as_ref().and_then(|symbol| symbol.local_id.rsplit_once('.')).map(|(containers, _)| containers);
            containers.and_then(|containers| containers.rsplit('.').next()) == Some(innermost)
        };
        let direct: Vec<(NodeId, usize)> = scored.iter().copied().filter(|(node, _)| is_of(node)).collect();
        let scored = if direct.is_empty() { scored } else { direct };
        let best = scored.iter().map(|(_, n_fitting)| *n_fitting).max();
        scored.into_iter().filter(|(_, n_fitting)| Some(*n_fitting) == best).map(|(node, _)| node).collect()
    }

    /// What holds a symbol: its containers and its file.
    fn holders(&self, node: NodeId) -> Vec<NodeId> {
        let container = |node: &NodeId| self.base.symbol(*node)?.container;
        let containers = std::iter::successors(container(&node), container).take(MAX_CONTAINERS);
        containers.chain([self.base.file_of(node)]).collect()
    }

    /// Names of all that is around a symbol: containers, file, folders.
    fn around(&self, node: NodeId) -> Vec<&'b str> {
        let Some(symbol) = self.base.symbol(node) else { return Vec::new() };
        let containers = symbol.local_id.rsplit_once('.').map_or("", |(containers, _)| containers).split('.');
        let path = self.base.path(node);
        let folders =
            path.split('/').map(|name| name.split_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem }));
        containers.chain(folders).filter(|name| !name.is_empty()).collect()
    }

    /// Whether a name is a package from outside: what it qualifies is not ours.
    fn is_package(&self, name: &str) -> bool {
        let packages = (self.base.n_files() + self.base.n_symbols())..self.base.n_nodes();
        packages.map(NodeId).any(|node| self.base.package(node).rsplit(['/', ':']).next() == Some(name))
    }

    /// Definitions without doubles, those of tests and the like only where there is nothing else.
    fn found(&self, nodes: Vec<NodeId>, how: How, strength: u32) -> Option<Found> {
        let mut one_each: BTreeMap<(NodeId, &str, Option<NodeId>), NodeId> = BTreeMap::new();
        let is_bodiless = |node: NodeId| self.base.symbol(node).is_none_or(|symbol| symbol.traits.has(Traits::BODILESS));
        for node in nodes {
            let Some(symbol) = self.base.symbol(node) else { continue };
            let kept = one_each.entry((symbol.file, symbol.name, symbol.container)).or_insert(node);
            if is_bodiless(*kept) && !is_bodiless(node) {
                *kept = node;
            }
        }
        let mut nodes: Vec<NodeId> = one_each.into_values().collect();
        nodes.sort_unstable();
        let all = nodes.clone();
        nodes.retain(|node| !self.base.declares_one_of(*node, &all));
        // What a name seldom means counts only where there is nothing else: a local of the code before the title of a test.
        let distance = |node: &NodeId| u8::from(is_aside(self.base, *node)) + u8::from(is_outside(self.base, *node));
        let nearest = nodes.iter().map(distance).min();
        nodes.retain(|node| Some(distance(node)) == nearest);
        (!nodes.is_empty()).then_some(Found { nodes, how, strength })
    }
}

/// Whether a node stands in tests, examples or code of others, or is a local of a function: seldom what a name means.
pub(super) fn is_aside(base: &FactBase, node: NodeId) -> bool {
    is_outside(base, node) || base.symbol(node).is_some_and(|symbol| symbol.traits.has(Traits::NESTED))
}

/// Whether a node stands in tests, examples or code of others, be it a local or not.
fn is_outside(base: &FactBase, node: NodeId) -> bool {
    let flags = base.flags(base.file_of(node));
    let is_of_test = base.symbol(node).is_some_and(|symbol| {
        symbol.kind == SymbolKind::Test || symbol.traits.has(Traits::TEST) || symbol.traits.has(Traits::TEST_CODE)
    });
    is_of_test || SIDE_FLAGS.iter().any(|flag| flags.has(*flag))
}

/// The parts of a written name, without anchors, arguments and generics: `(*KeySet).Close` gives `KeySet` and `Close`.
fn segments(written: &str) -> Vec<&str> {
    let outside = |part: &'_ str| part.split('<').next().unwrap_or_default().len();
    let parts = written.split(['.', '#', '/', ':', '\\']).map(|part| &part[..outside(part)]);
    let parts = parts.map(|part| part.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))));
    parts.filter(|part| !part.is_empty() && !ANCHORS.contains(part)).collect()
}

/// The name at the end of a written path of names.
pub(super) fn last_segment(written: &str) -> &str {
    segments(written).last().copied().unwrap_or(written)
}

/// The name with `_` before every inner capital, in small letters.
fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    let mut before = '_';
    for letter in name.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            snake.push('_');
        }
        snake.extend(if letter == '-' { '_' } else { letter }.to_lowercase());
        before = letter;
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;
    use index::fixture::base;

    #[test]
    fn names_are_found_in_every_spelling() {
        let base = base(
            "//- auth/login.go\npackage auth\nimport \"fmt\"\ntype KeySet struct{}\nfunc (k *KeySet) Close() { fmt.Println() }\nfunc ValidateToken() {}\n\
             //- store/disk.go\npackage store\ntype Disk struct{}\nfunc (d *Disk) Close() {}\nfunc Println() {}\n\
             //- store/disk_test.go\npackage store\nfunc ValidateToken() {}\nfunc TestDisk() {}\n\
             //- worker/job.go\npackage worker\ntype Job struct{}\nfunc (j *Job) parse_line() {}\nfunc twice() {}\nfunc twice() {}\n",
        );
        let places = Places::new(&base);
        let weights = NameWeights::default();
        let names = Names::new(&base, &places, &weights);
        let find = |written: &str| {
            let found = names.find(written);
            let ids = |found: Found| {
                format!("{:?} {}", found.how, found.nodes.iter().map(|node| base.id(*node)).collect::<Vec<_>>().join(" "))
            };
            found.map_or("none".to_owned(), ids)
        };
        let expected = [
            ("ValidateToken", "Exact auth/login.go#ValidateToken"),
            ("validateToken", "CaseInsensitive auth/login.go#ValidateToken"),
            ("validate_token", "CaseInsensitive auth/login.go#ValidateToken"),
            ("auth.ValidateToken", "Qualified auth/login.go#ValidateToken"),
            ("store.ValidateToken", "Qualified store/disk_test.go#ValidateToken"),
            ("(*KeySet).Close", "Qualified auth/login.go#KeySet.Close"),
            ("x.com/repo/store.(*Disk).Close", "Qualified store/disk.go#Disk.Close"),
            ("Close", "Exact auth/login.go#KeySet.Close store/disk.go#Disk.Close"),
            ("closer.Close", "Exact auth/login.go#KeySet.Close store/disk.go#Disk.Close"),
            ("fmt.Println", "none"),
            ("TestDisk/empty_row", "Exact store/disk_test.go#TestDisk"),
            ("Job::parse_line", "Qualified worker/job.go#Job.parse_line"),
            ("crate::job::Job::parseLine", "CaseInsensitive worker/job.go#Job.parse_line"),
            ("Job.name", "Exact worker/job.go#Job"),
            ("disk.go#Disk.Close", "Qualified store/disk.go#Disk.Close"),
            ("KeySet.Println", "Exact auth/login.go#KeySet"),
            ("nothing.there", "none"),
            ("::", "none"),
        ];
        for (written, ids) in expected {
            assert_eq!(find(written), ids, "{written}");
        }
        let strength = |written: &str| names.find(written).map(|found| found.strength);
        assert_eq!(["KeySet.Close", "KeySet.open", "keys.ValidateToken"].map(strength), [Some(1000), Some(800), Some(800)]);
        assert_eq!(names.find("twice").map(|found| found.nodes.len()), Some(1));
    }
    #[test]
    fn an_alias_means_what_has_another_name_where_it_is_defined() {
        let base = base(
            "//- src/index.ts\nexport { guard as AuthGuard, both as load } from \"./guard\";\nexport { default as Store } from \"./store\";\n\
             export * as tools from \"./helpers\";\nexport { gone as Lost } from \"./guard\";\nexport { Loader } from \"outside\";\n\
             //- src/guard.ts\nexport class guard { wrap() {} }\nexport function both(a: string): void;\nexport function both(a: number): void {}\n\
             //- src/store.ts\nexport default class {\n  open() {}\n}\n\
             //- src/helpers.ts\nimport { guard } from \"./guard\";\nfunction inner() {}\nexport function move() {}\nexport { inner as outer, guard as Second };\n\
             //- src/other.ts\nexport function load() {}\nexport function wrap() {}\n\
             //- src/a.test.ts\nexport { move as Moved } from \"./helpers\";\n\
             //- rs/lib.rs\nmod book;\npub use book::Book as SessionBook;\nuse book::Book as Hidden;\n\
             //- rs/book.rs\npub struct Book;\nimpl Book { pub fn login(&self) {} }\n\
             //- Cargo.toml\n[package]\nname = \"rs\"\n[lib]\npath = \"rs/lib.rs\"\n",
        );
        let places = Places::new(&base);
        let weights = NameWeights::default();
        let names = Names::new(&base, &places, &weights);
        let cases = [
            ("AuthGuard", "Alias src/guard.ts#guard"),
            ("authGuard", "CaseInsensitive src/guard.ts#guard"),
            ("auth_guard", "CaseInsensitive src/guard.ts#guard"),
            ("AuthGuard.wrap", "Qualified src/guard.ts#guard.wrap"),
            ("AuthGuard.missing", "Alias src/guard.ts#guard"),
            ("tools.move", "Qualified src/helpers.ts#move"),
            ("tools", "none"),
            ("outer", "Alias src/helpers.ts#inner"),
            ("Second", "Alias src/guard.ts#guard"),
            ("Store", "Alias src/store.ts#default"),
            ("SessionBook", "Alias rs/book.rs#Book"),
            ("SessionBook::login", "Qualified rs/book.rs#Book.login"),
            // A definition of that name comes first; what is not found, not ours, not passed on or said in tests alone gives no name.
            ("load", "Exact src/other.ts#load"),
            ("Lost", "none"),
            ("Loader", "none"),
            ("Hidden", "none"),
            ("Moved", "none"),
        ];
        for (written, ids) in cases {
            let found = names.find(written).map(|found| {
                format!("{:?} {}", found.how, found.nodes.iter().map(|node| base.id(*node)).collect::<Vec<_>>().join(" "))
            });
            assert_eq!(found.as_deref().unwrap_or("none"), ids, "{written}");
        }
    }
}
