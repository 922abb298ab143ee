//! Rust.

use super::{
    Block, Implementations, ImportSyntax, LIBRARY, Language, Place, Source, ancestors, first_line, is_field, parts, place, walk,
};
use crate::record::{Kind, Run};
use tree_sitter::Node;

pub(super) static LANGUAGE: Language = Language {
    name: "rust",
    grammar: |_| tree_sitter_rust::LANGUAGE.into(),
    is_test_path: |path| {
        let (mut folders, file) = parts(path);
        let is_test = |folder: &str| matches!(folder, "tests" | "benches") || folder.starts_with("tests-");
        matches!(file, "test.rs" | "tests.rs") || folders.any(is_test)
    },
    kind,
    is_called,
    scope,
    target,
    names_modules: true,
    widens: |_| false,
    is_in_test,
    is_in_macro: |name| ancestors(name).any(|node| node.kind() == "token_tree"),
    import,
    module: |_, _| None,
    renames: None,
    apart,
    run: |_| Run::default(),
    implementations,
};

/// By cargo's layout: the first folder that holds targets says of which kind, what follows it says which. The program beside a library
/// counts as the library: without one, the other files are its own.
fn target(path: &str) -> (&str, &str, &str) {
    let mut at = 0;
    for part in path.split('/') {
        let (package, rest) = path.split_at(at);
        at += part.len() + 1;
        let below = rest.get(part.len() + 1..).unwrap_or_default();
        let kind = match part {
            "tests" | "benches" | "examples" | "build.rs" => part,
            "src" if below.starts_with("bin/") => "bin",
            "src" => LIBRARY,
            _ => continue,
        };
        let name = match kind {
            "bin" => below.get("bin/".len()..).unwrap_or_default(),
            "tests" | "benches" | "examples" => below,
            _ => "",
        };
        return (package, kind, name.split('/').next().unwrap_or_default().trim_end_matches(".rs"));
    }
    (path, "", "")
}

fn kind(name: Node<'_>) -> Kind {
    let Some(parent) = name.parent() else { return Kind::Local };
    match parent.kind() {
        "function_item" | "function_signature_item" => {
            match parent.parent().and_then(|list| list.parent()).map(|node| node.kind()) {
                Some("impl_item") => Kind::Method,
                Some("trait_item") => Kind::InterfaceMethod,
                _ => Kind::Function,
            }
        }
        "struct_item" | "enum_item" | "union_item" | "trait_item" | "type_item" | "associated_type" => Kind::Type,
        "const_item" | "static_item" => Kind::Const,
        "mod_item" => Kind::Module,
        "macro_definition" => Kind::Macro,
        "enum_variant" | "field_declaration" => Kind::Field,
        "token_tree" => Kind::Made,
        _ => Kind::Local,
    }
}

fn is_called(name: Node<'_>) -> bool {
    let mut node = name;
    while let Some(parent) = node.parent() {
        let goes_on = match parent.kind() {
            "scoped_identifier" => is_field(parent, "name", node),
            "field_expression" => is_field(parent, "field", node),
            "generic_function" => is_field(parent, "function", node),
            "call_expression" => return is_field(parent, "function", node),
            "macro_invocation" => return is_field(parent, "macro", node),
            "token_tree" => return is_called_in_tokens(node),
            _ => return false,
        };
        if !goes_on {
            return false;
        }
        node = parent;
    }
    false
}

/// Among the tokens of a macro call there are no expressions: a name before parentheses is called, and so is one before `!` and any
/// brackets. The tokens of attributes and of macro definitions are not code of this place.
fn is_called_in_tokens(name: Node<'_>) -> bool {
    let opens = |next: Option<Node<'_>>, with: &[&str]| {
        let first = next.filter(|next| next.kind() == "token_tree").and_then(|tree| tree.child(0));
        first.is_some_and(|first| with.contains(&first.kind()))
    };
    let is_call = match name.next_sibling() {
        Some(mark) if mark.kind() == "!" => opens(mark.next_sibling(), &["(", "[", "{"]),
        next => opens(next, &["("]),
    };
    is_call && !ancestors(name).any(|node| is_no_code(node))
}

fn is_no_code(node: Node<'_>) -> bool {
    match node.kind() {
        "attribute_item" | "inner_attribute_item" | "macro_definition" => true,
        "token_tree" => {
            let before = node.prev_sibling().filter(|_| node.child(0).is_some_and(|first| first.kind() == "["));
            let before = before.and_then(|mark| if mark.kind() == "!" { mark.prev_sibling() } else { Some(mark) });
            before.is_some_and(|mark| mark.kind() == "#")
        }
        _ => false,
    }
}

fn scope(source: &Source, node: Node<'_>) -> Option<String> {
    match node.kind() {
        "impl_item" => {
            let of = source.field(node, "type")?.split('<').next()?;
            Some(of.rsplit("::").next()?.to_owned())
        }
        "function_item"
        | "function_signature_item"
        | "trait_item"
        | "struct_item"
        | "enum_item"
        | "union_item"
        | "mod_item"
        | "const_item"
        | "static_item"
        | "type_item"
        | "macro_definition" => source.field(node, "name").map(str::to_owned),
        _ => None,
    }
}

fn is_in_test(source: &Source, name: Node<'_>) -> bool {
    ancestors(name).any(|node| match node.kind() {
        "mod_item" => matches!(source.field(node, "name"), Some("test" | "tests")),
        "function_item" => marks(node).any(|mark| {
            let mut words = source.text_of(mark).split(|c: char| !c.is_alphanumeric() && c != '_');
            mark.kind() == "attribute_item" && words.any(|word| word == "test")
        }),
        _ => false,
    })
}

/// The attributes and comments directly before a node.
fn marks(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(node.prev_sibling(), tree_sitter::Node::prev_sibling).take_while(|mark| is_mark(*mark))
}

fn is_mark(node: Node<'_>) -> bool {
    matches!(node.kind(), "attribute_item" | "line_comment" | "block_comment")
}

fn import(_: &Source, name: Node<'_>) -> Option<ImportSyntax> {
    let declaration =
        ancestors(name).find(|node| matches!(node.kind(), "use_declaration" | "mod_item" | "block" | "impl_item"))?;
    if declaration.kind() == "mod_item" {
        return is_field(declaration, "name", name).then_some(ImportSyntax::Mod);
    }
    if declaration.kind() != "use_declaration" {
        return None;
    }
    let holds = |path: Node<'_>| (path.start_byte()..path.end_byte()).contains(&name.start_byte());
    let around = ancestors(name).take_while(|node| node.kind() != "use_declaration");
    let paths = around.filter(|node| matches!(node.kind(), "scoped_identifier" | "scoped_use_list"));
    let (inside, before): (Vec<_>, Vec<_>) =
        paths.filter_map(|node| node.child_by_field_name("path")).partition(|path| holds(*path));
    let owner = before.first().map(|path| place(path.child_by_field_name("name").unwrap_or(*path)));
    Some(if inside.is_empty() { ImportSyntax::Use(owner) } else { ImportSyntax::Segment(owner) })
}

fn apart(source: &Source) -> (Vec<Place>, Vec<Place>) {
    let (mut optional, mut made) = (Vec::new(), Vec::new());
    for node in walk(source.root()) {
        match node.kind() {
            "macro_definition" => made.push(place(node)),
            "attribute_item" if source.text_of(node).starts_with("#[cfg(") => {
                let mut next = std::iter::successors(node.next_named_sibling(), tree_sitter::Node::next_named_sibling);
                optional.extend(next.find(|node| !is_mark(*node)).map(place));
            }
            "inner_attribute_item" if source.text_of(node).starts_with("#![cfg(") => optional.extend(node.parent().map(place)),
            _ => {}
        }
    }
    (optional, made)
}

fn implementations(source: &Source) -> Implementations {
    let mut found = Implementations::default();
    for node in walk(source.root()) {
        match node.kind() {
            "trait_item" => {
                found.traits.extend(node.child_by_field_name("name").map(|name| (first_line(name), methods(source, node))));
            }
            "impl_item" => found.blocks.extend(node.child_by_field_name("trait").map(|of_trait| Block {
                of_trait: place(type_name(of_trait)),
                for_type: node.child_by_field_name("type").map(|of| place(type_name(of))),
                methods: methods(source, node),
            })),
            _ => {}
        }
    }
    found
}

/// The methods that stand in the body of a trait or of a block of code, with the lines of their names.
fn methods(source: &Source, node: Node<'_>) -> Vec<(String, u32)> {
    let Some(body) = node.child_by_field_name("body") else { return Vec::new() };
    let mut cursor = body.walk();
    let items =
        body.named_children(&mut cursor).filter(|item| matches!(item.kind(), "function_item" | "function_signature_item"));
    let names = items.filter_map(|item| item.child_by_field_name("name"));
    names.map(|name| (source.text_of(name).to_owned(), first_line(name))).collect()
}

/// The name of a type without its path and arguments.
fn type_name(node: Node<'_>) -> Node<'_> {
    match node.kind() {
        "generic_type" | "reference_type" => node.child_by_field_name("type").map_or(node, type_name),
        "scoped_type_identifier" => node.child_by_field_name("name").unwrap_or(node),
        _ => node,
    }
}
