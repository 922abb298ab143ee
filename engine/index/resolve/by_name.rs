//! Languages of which only definitions are known: a call means the one definition that has its name, and is never sure of it.

use super::index::{Index, MAX_DEFINITIONS};
use super::sites::Meaning;
use super::{FileId, Name, Sym};
use activate_grammars::facts::{Expr, Site, SiteKind, SymbolKind, Traits};
use activate_grammars::{LANGUAGES, Level};
use activate_rules::links::Confidence;

impl Index<'_> {
    /// The language whose definitions the names of a file mean, if nothing else says what they mean.
    pub(super) fn by_name_in(&self, file: FileId) -> Option<usize> {
        let own = self.files[file.0 as usize].language?;
        let language = LANGUAGES[own];
        let shared = language.scope.shares_names_of.and_then(|name| LANGUAGES.iter().position(|other| other.name == name));
        (language.level() == Level::ByName).then_some(shared.unwrap_or(own))
    }
}

/// What a call means: the only definition of its name, or the only one beside declarations without a body. Overloads and what is declared in
/// several pieces at one place are one.
pub(super) fn meaning(index: &Index<'_>, file: FileId, language: usize, site: &Site) -> Meaning {
    let (name, is_member) = match index.facts(file).exprs[site.expr.0 as usize] {
        Expr::Name(name) | Expr::Scoped(_, name) => (name, false),
        Expr::Member(_, name) => (name, true),
        Expr::Local(_) => return Meaning::Local,
        _ => return Meaning::Unresolved,
    };
    let name = index.name(file, name);
    // What the repository does not define, others do.
    let Some(all) = index.by_name.get(&(language, name)) else { return Meaning::Foreign };
    if all.len() > MAX_DEFINITIONS || is_member && is_common(index, file, name) {
        return Meaning::Unresolved;
    }
    let is_wanted = |sym: &&Sym| may_be(index.glance(**sym).1.kind, site.kind, is_member);
    let wanted: Vec<Sym> = all.iter().filter(is_wanted).copied().collect();
    let has_body = |sym: &Sym| !index.glance(*sym).1.traits.has(Traits::BODILESS);
    let with_body: Vec<Sym> = wanted.iter().copied().filter(has_body).collect();
    let found = if with_body.is_empty() { wanted } else { with_body };
    if found.is_empty() || !found.windows(2).all(|pair| is_one(index, pair[0], pair[1])) {
        return Meaning::Unresolved;
    }
    Meaning::Symbols(found.into_iter().map(|sym| (sym, Confidence::Unique)).collect())
}

/// Whether a call can mean a definition of a kind.
fn may_be(kind: SymbolKind, site: SiteKind, is_member: bool) -> bool {
    match kind {
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro => site != SiteKind::New,
        SymbolKind::Type | SymbolKind::Alias => !is_member || site == SiteKind::New,
        _ => false,
    }
}

/// Whether so many types outside of the repository have a method of this name that the name alone says nothing.
fn is_common(index: &Index<'_>, file: FileId, name: Name) -> bool {
    index.rules(file).is_some_and(|rules| rules.common_methods.contains(&index.names.text(name)))
}

/// Whether two definitions of one name stand in one place: the same file and the same container.
fn is_one(index: &Index<'_>, left: Sym, right: Sym) -> bool {
    let ((left_file, left_symbol), (right_file, right_symbol)) = (index.glance(left), index.glance(right));
    left_file == right_file && left_symbol.container == right_symbol.container && left_symbol.kind == right_symbol.kind
}
