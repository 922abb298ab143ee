//! What something outside of the code calls: where programs begin, tests, and what an attribute or decorator gives to somebody.

use crate::desk::Desk;
use activate_grammars::facts::Traits;
use activate_grammars::language_of;
use activate_grammars::scope::ModuleModel;
use activate_rules::atoms::NodeId;
use index::base::{SymbolKind, SymbolRow};

/// Attributes of Rust that hand a function to nobody: they change how it is compiled or what is said of it.
#[rustfmt::skip]
const PLAIN_ATTRIBUTES: [&str; 27] = [
    "allow", "async_trait", "automatically_derived", "bench", "cfg", "cfg_attr", "cold", "deny", "deprecated", "doc", "expect", "forbid", "ignore",
    "inline", "instrument", "macro_use", "must_use", "non_exhaustive", "optimize", "pin_project", "repr", "rustfmt", "should_panic", "target_feature",
    "test", "track_caller", "warn",
];

/// Why something outside of the code may call a definition, as a phrase with `{}` for its name.
pub(super) fn entry(desk: &Desk<'_>, node: NodeId) -> Option<String> {
    let symbol = desk.base.symbol(node)?;
    if symbol.kind == SymbolKind::Test || symbol.traits.has(Traits::TEST) {
        return Some("a test runner calls {}".to_owned());
    }
    let (_, language) = language_of(desk.base.path(symbol.file))?;
    let is_function = symbol.kind == SymbolKind::Function && symbol.container.is_none() && !symbol.traits.has(Traits::NESTED);
    match (language.scope.modules, symbol.name) {
        (ModuleModel::Folder, "init") if is_function => return Some("whoever loads its package calls {}".to_owned()),
        (ModuleModel::Folder | ModuleModel::Tree, "main") if is_function => return Some("the system calls {}".to_owned()),
        _ => {}
    }
    let mark = match language.scope.modules {
        ModuleModel::Folder => None,
        ModuleModel::Tree => attribute(desk, &symbol),
        ModuleModel::File => decorator(desk, &symbol),
    };
    mark.map(|mark| format!("`{mark}` may hand {{}} to others"))
}

/// The attribute that may hand a function or variable to somebody.
fn attribute(desk: &Desk<'_>, symbol: &SymbolRow<'_>) -> Option<String> {
    if !matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Variable) {
        return None;
    }
    above(desk, symbol).into_iter().find_map(|line| {
        let inside = line.trim_start().strip_prefix("#[")?;
        let inside = inside.strip_prefix("unsafe(").unwrap_or(inside);
        let path: String = inside.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':')).collect();
        let last = path.rsplit("::").next().unwrap_or_default();
        let first = path.split("::").next().unwrap_or_default();
        (!path.is_empty() && !PLAIN_ATTRIBUTES.contains(&last) && first != "rustfmt").then(|| format!("#[{path}]"))
    })
}

/// The decorator that may hand a class, method or member to somebody.
fn decorator(desk: &Desk<'_>, symbol: &SymbolRow<'_>) -> Option<String> {
    above(desk, symbol).into_iter().find_map(|line| {
        let inside = line.trim_start().strip_prefix('@')?;
        let path: String = inside.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$')).collect();
        (!path.is_empty()).then(|| format!("@{path}"))
    })
}

/// The lines from the first of a definition to the one of its name.
fn above(desk: &Desk<'_>, symbol: &SymbolRow<'_>) -> Vec<String> {
    let Some(text) = desk.text(symbol.file) else { return Vec::new() };
    (symbol.first_line()..=symbol.name_line.max(symbol.first_line())).map(|line| text.line(line).to_owned()).collect()
}
