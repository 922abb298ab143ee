//! What something outside of the code calls: where programs begin, tests, and what an attribute or decorator gives to somebody.

use crate::desk::Desk;
use activate_grammars::facts::Traits;
use activate_grammars::language_of;
use activate_grammars::scope::ModuleModel;
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use index::base::{FileFlags, SymbolKind, SymbolRow};

/// Who calls what runs when its package is loaded.
const BY_PACKAGE: &str = "whoever loads its package calls {}";

/// Why something outside of the code may call a definition, as a phrase with `{}` for its name.
pub(super) fn entry(desk: &Desk<'_>, node: NodeId) -> Option<String> {
    let symbol = desk.base.symbol(node)?;
    let is_around_tests =
        symbol.traits.has(Traits::LIFECYCLE) && matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
    if symbol.kind == SymbolKind::Test || symbol.traits.has(Traits::TEST) || is_around_tests {
        return Some("a test runner calls {}".to_owned());
    }
    let (_, language) = language_of(desk.base.path(symbol.file))?;
    let is_function = symbol.kind == SymbolKind::Function && symbol.container.is_none() && !symbol.traits.has(Traits::NESTED);
    match (language.scope.modules, symbol.name) {
        (ModuleModel::Folder, "init") if is_function => return Some(BY_PACKAGE.to_owned()),
        (ModuleModel::Folder | ModuleModel::Tree, "main") if is_function => return Some("the system calls {}".to_owned()),
        (ModuleModel::Package, "main") if symbol.kind == SymbolKind::Method => return Some("the system calls {}".to_owned()),
        _ => {}
    }
    handed(desk, node)
}

/// Why a definition runs when the code that it stands in is loaded, as a phrase with `{}` for its name. What is only run as a program is
/// loaded by nobody.
pub(super) fn loaded(desk: &Desk<'_>, node: NodeId) -> Option<String> {
    let base = desk.base;
    let symbol = base.symbol(node)?;
    let (_, language) = language_of(base.path(symbol.file))?;
    let is_run = language.scope.runs_on_import == Some(symbol.name) && symbol.container.is_none();
    if is_run && symbol.kind == SymbolKind::Function {
        return Some(BY_PACKAGE.to_owned());
    }
    if language.scope.modules == ModuleModel::Tree {
        return None;
    }
    let is_loaded = |file: NodeId| {
        base.links().row(file).any(|(_, link)| link.kind() == LinkKind::ImportedBy) && !base.flags(file).has(FileFlags::TEST)
    };
    let is_guarded = |file: NodeId| {
        let (text, line) = (desk.text(file), base.link_line(file, LinkKind::Calls, node));
        text.zip(line).is_some_and(|(text, line)| {
            let inner = indent(text.line(line));
            let mut above = (1..line).rev().take(MAX_LINES as usize).map(|line| text.line(line));
            let around = above.find(|line| !line.trim().is_empty() && indent(line) < inner);
            around.is_some_and(|line| line.starts_with("if __name__"))
        })
    };
    let callers = base.links().row(node).filter(|(_, link)| link.kind() == LinkKind::CalledBy).map(|(from, _)| from);
    let file = callers.filter(|from| base.is_file(*from)).find(|file| is_loaded(*file) && !is_guarded(*file))?;
    Some(format!("whoever loads {} calls {{}}", base.path(file)))
}

/// Why an attribute or decorator may hand a definition to others, as a phrase with `{}` for its name.
pub(super) fn handed(desk: &Desk<'_>, node: NodeId) -> Option<String> {
    let symbol = desk.base.symbol(node)?;
    let (_, language) = language_of(desk.base.path(symbol.file))?;
    let mark = match language.scope.modules {
        ModuleModel::Folder | ModuleModel::Unknown => None,
        ModuleModel::Tree => attribute(desk, &symbol, language.reading.plain_attributes),
        ModuleModel::File | ModuleModel::Package => decorator(desk, &symbol, language.reading.plain_attributes),
    };
    mark.map(|mark| format!("`{mark}` may hand {{}} to others"))
}

/// The attribute that may hand a function or variable to somebody: its own, or one of what stands around it.
fn attribute(desk: &Desk<'_>, symbol: &SymbolRow<'_>, plain: &[&str]) -> Option<String> {
    if !matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Variable) {
        return None;
    }
    let text = desk.text(symbol.file)?;
    let lines = |first: u32, last: u32| (first..=last).map(|line| text.line(line)).collect::<Vec<_>>().join("\n");
    if let Some(mark) = handing(&lines(symbol.first_line(), symbol.name_line.max(symbol.first_line())), plain) {
        return Some(mark);
    }
    // What is around it is indented less.
    let mut inner = indent(text.line(symbol.first_line()));
    let mut line = symbol.first_line();
    for _ in 0..MAX_LINES {
        line = line.checked_sub(1).filter(|line| *line > 0 && inner > 0)?;
        let code = text.line(line).trim();
        if code.is_empty() || indent(text.line(line)) >= inner {
            continue;
        }
        if code.starts_with('}') {
            return None;
        }
        let mut words = code.split(|c: char| !c.is_alphanumeric()).filter(|word| !BEFORE_KEYWORD.contains(word));
        if !matches!(words.next(), Some("impl" | "trait" | "mod")) {
            continue;
        }
        inner = indent(text.line(line));
        let last = line;
        let goes_on = |line: &str| line.starts_with("//") || !(line.is_empty() || line.ends_with(['}', '{', ';']));
        while line > 1 && last - line < MAX_LINES && goes_on(text.line(line - 1).trim()) {
            line -= 1;
        }
        if let Some(mark) = handing(&lines(line, last), plain) {
            return Some(mark);
        }
    }
    None
}

/// The most lines that are looked at above a definition for what stands around it.
const MAX_LINES: u32 = 2_000;

/// Words that may stand in front of `impl`, `trait` and `mod`.
const BEFORE_KEYWORD: [&str; 8] = ["", "crate", "default", "in", "pub", "self", "super", "unsafe"];

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The first of the attributes in these lines that may hand something to somebody. One that cannot be read may.
fn handing(lines: &str, plain: &[&str]) -> Option<String> {
    let code = code_of(lines, &['"']);
    let mut rest = code.as_str();
    while let Some(at) = rest.find("#[") {
        rest = &rest[at + 2..];
        let path = path_of(rest);
        let last = path.rsplit("::").next().unwrap_or_default();
        if last != "cfg_attr" {
            if may_hand(path, plain) {
                return Some(mark(path));
            }
            continue;
        }
        // What stands behind the condition, up to the end; of its texts and lists nothing.
        let mut depth = 0_u32;
        let (mut starts, mut end) = (Vec::new(), rest.len());
        for (at, byte) in rest.bytes().enumerate() {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' if depth <= 1 => {
                    end = at;
                    break;
                }
                b')' | b']' | b'}' => depth -= 1,
                b',' if depth == 1 => starts.push(at + 1),
                _ => {}
            }
        }
        let inner = starts.iter().map(|start| &rest[*start..end]).filter(|inner| !inner.trim().is_empty());
        if let Some(path) = inner.map(path_of).find(|path| may_hand(path, plain)) {
            return Some(mark(path));
        }
        rest = &rest[end..];
    }
    None
}

/// The path of an attribute from its start.
fn path_of(inside: &str) -> &str {
    let inside = inside.trim_start();
    let is_other = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':'));
    let of = |inside: &'_ str| inside.find(is_other).unwrap_or(inside.len());
    let inside = match inside.strip_prefix("unsafe").map(str::trim_start).and_then(|inside| inside.strip_prefix('(')) {
        Some(inside) => inside.trim_start(),
        None => inside,
    };
    &inside[..of(inside)]
}

fn may_hand(path: &str, plain: &[&str]) -> bool {
    let last = path.rsplit("::").next().unwrap_or_default();
    !plain.contains(&last) && path.split("::").next() != Some("rustfmt")
}

fn mark(path: &str) -> String {
    format!("#[{}]", if path.is_empty() { "…" } else { path })
}

/// The decorator that may hand a class, method or member to somebody: its own, or one of a class around it.
fn decorator(desk: &Desk<'_>, symbol: &SymbolRow<'_>, plain: &[&str]) -> Option<String> {
    let text = desk.text(symbol.file)?;
    let mut next = Some(*symbol);
    while let Some(symbol) = next {
        let name_line = symbol.name_line.max(symbol.first_line());
        let mut head: String = (symbol.first_line()..name_line).flat_map(|line| [text.line(line), "\n"]).collect();
        let line = text.line(name_line);
        // Behind the name stand its parameters, with their own.
        let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let names = line.match_indices(symbol.name).map(|(at, _)| at);
        let is_whole = |at: &usize| {
            !line[..*at].ends_with(|c| is_letter(c) || matches!(c, '@' | '.'))
                && !line[at + symbol.name.len()..].starts_with(is_letter)
        };
        head.push_str(&line[..names.into_iter().find(is_whole).unwrap_or(line.len())]);
        let code = code_of(&head, &['"', '\'', '`']);
        let paths = code.split('@').skip(1).map(|inside| inside.split(|c| !is_letter(c) && c != '.').next().unwrap_or_default());
        // `@interface` begins a type of Java, and is no annotation.
        let is_handing = |path: &&str| !path.rsplit('.').next().is_some_and(|last| last == "interface" || plain.contains(&last));
        if let Some(path) = paths.into_iter().find(is_handing) {
            return Some(format!("@{}", if path.is_empty() { "(…)" } else { path }));
        }
        next = symbol.container.and_then(|container| desk.base.symbol(container)).filter(|around| around.file == symbol.file);
    }
    None
}

/// Code without what its comments and texts hold.
fn code_of(text: &str, quotes: &[char]) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("'\"'") {
            3
        } else if quotes.contains(&first) {
            let mut is_escaped = false;
            let end = rest.char_indices().skip(1).find(|(_, c)| {
                let is_end = *c == first && !is_escaped;
                is_escaped = *c == '\\' && !is_escaped;
                is_end
            });
            end.map_or(rest.len(), |(at, _)| at + 1)
        } else {
            code.push(first);
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    code
}
