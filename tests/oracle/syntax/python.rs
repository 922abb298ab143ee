//! Python.

use super::{
    Implementations, ImportSyntax, LIBRARY, Language, Place, Source, ancestors, first_line, is_field, parts, place, walk,
};
use crate::record::{Kind, Run};
use tree_sitter::Node;

pub(super) static LANGUAGE: Language = Language {
    name: "python",
    grammar: |_| tree_sitter_python::LANGUAGE.into(),
    is_test_path,
    kind,
    is_called,
    scope,
    target: |_| ("", LIBRARY, ""),
    names_modules: false,
    widens: |_| false,
    is_in_test: |_, _| false,
    is_in_macro: |_| false,
    import,
    module,
    renames: Some(renames),
    apart: |source| (Vec::new(), parameters_of_tests(source)),
    run,
    implementations: |_| Implementations::default(),
};

fn is_test_path(path: &str) -> bool {
    let (mut folders, file) = parts(path);
    let stem = file.strip_suffix(".py").unwrap_or(file);
    let says_test = stem.starts_with("test_") || stem.ends_with("_test") || matches!(stem, "test" | "tests" | "conftest");
    says_test || folders.any(|folder| matches!(folder, "test" | "tests" | "testing"))
}

/// The parameters of functions of tests: pytest gives them what fixtures give, of which the checker knows nothing.
fn parameters_of_tests(source: &Source) -> Vec<Place> {
    if !is_test_path(&source.path) {
        return Vec::new();
    }
    walk(source.root()).filter(|node| node.kind() == "parameters").map(place).collect()
}

/// Functions of a module, and methods of a class, that runners call around tests.
const AROUND_MODULES: [&str; 6] =
    ["setUpModule", "tearDownModule", "setup_module", "teardown_module", "setup_function", "teardown_function"];
const AROUND_CLASSES: [&str; 11] = [
    "setUp",
    "tearDown",
    "setUpClass",
    "tearDownClass",
    "setUpTestData",
    "asyncSetUp",
    "asyncTearDown",
    "setup_method",
    "teardown_method",
    "setup_class",
    "teardown_class",
];

/// The tests of a file by their names, and what is called around them by name and place, or as a fixture that nobody asks for.
fn run(source: &Source) -> Run {
    let mut run = Run::default();
    for function in walk(source.root()).filter(|node| node.kind() == "function_definition") {
        let Some(node) = function.child_by_field_name("name") else { continue };
        let (name, of_class) = (source.text_of(node), holder(function).map(|holder| holder.kind() == "class_definition"));
        let named: &[&str] = match of_class {
            None => &AROUND_MODULES,
            Some(true) => &AROUND_CLASSES,
            Some(false) => &[],
        };
        let above = function.parent().filter(|parent| parent.kind() == "decorated_definition");
        let above: String = above
            .into_iter()
            .flat_map(|parent| walk(parent).filter(|node| node.kind() == "decorator"))
            .flat_map(|node| source.text_of(node).split_whitespace())
            .collect();
        let found = (first_line(node), name.to_owned());
        if named.contains(&name) || above.contains("fixture(") && above.contains("autouse=True") {
            run.around.push(found);
        } else if is_test_path(&source.path) && !above.contains("fixture") && name.starts_with("test") {
            run.tests.push(found);
        }
    }
    run
}

/// The innermost definition around a node, itself left out.
fn holder(node: Node<'_>) -> Option<Node<'_>> {
    ancestors(node).skip(1).find(|around| matches!(around.kind(), "function_definition" | "class_definition" | "lambda"))
}

fn kind(name: Node<'_>) -> Kind {
    let Some(parent) = name.parent() else { return Kind::Local };
    let around = holder(parent).map(|around| around.kind());
    let is_inside = ancestors(parent).skip(1).any(|node| node.kind() == "function_definition");
    let made = match parent.kind() {
        "function_definition" if is_field(parent, "name", name) => match around {
            Some("class_definition") => Kind::Method,
            _ => Kind::Function,
        },
        "class_definition" if is_field(parent, "name", name) => Kind::Class,
        "attribute" => return Kind::Field,
        "type" if parent.parent().is_some_and(|of| of.kind() == "type_alias_statement") => Kind::Type,
        "assignment" | "pattern_list" | "tuple_pattern" | "named_expression" | "as_pattern_target" | "for_statement" => {
            match around {
                Some("class_definition") => return Kind::Field,
                Some(_) => return Kind::Local,
                None => Kind::Const,
            }
        }
        _ => return Kind::Local,
    };
    if is_inside { made.nested() } else { made }
}

fn is_called(name: Node<'_>) -> bool {
    let mut node = name;
    while let Some(parent) = node.parent() {
        let goes_on = match parent.kind() {
            "attribute" => is_field(parent, "attribute", node),
            "parenthesized_expression" => true,
            "call" => return is_field(parent, "function", node),
            kind => return kind == "decorator",
        };
        if !goes_on {
            return false;
        }
        node = parent;
    }
    false
}

fn scope(source: &Source, node: Node<'_>) -> Option<String> {
    let gives_name = matches!(node.kind(), "function_definition" | "class_definition");
    gives_name.then(|| source.field(node, "name").unwrap_or_default().to_owned())
}

fn statement(node: Node<'_>) -> Option<Node<'_>> {
    ancestors(node).take(5).find(|around| matches!(around.kind(), "import_statement" | "import_from_statement"))
}

fn import(_: &Source, node: Node<'_>) -> Option<ImportSyntax> {
    let statement = statement(node)?;
    let of = statement.child_by_field_name("module_name");
    let is_module = of.is_none_or(|of| of.byte_range().start <= node.start_byte() && node.end_byte() <= of.end_byte());
    Some(if is_module { ImportSyntax::Specifier } else { ImportSyntax::Use(None) })
}

fn renames(source: &Source) -> Vec<String> {
    let imports = walk(source.root()).filter(|node| node.kind() == "aliased_import");
    imports.filter_map(|import| source.field(import, "alias")).map(str::to_owned).collect()
}

/// The module that a name of an import may name, by what is written: with the dots of a relative one in front.
fn module(source: &Source, node: Node<'_>) -> Option<String> {
    let statement = statement(node)?;
    let text = |node: Node<'_>| source.text_of(node).split_whitespace().collect::<String>();
    let renamed =
        ancestors(node).take(3).find_map(|around| around.child_by_field_name("alias").and(around.child_by_field_name("name")));
    let name = renamed.or_else(|| ancestors(node).take(3).find(|around| around.kind() == "dotted_name")).unwrap_or(node);
    let Some(of) = statement.child_by_field_name("module_name") else { return Some(text(name)) };
    if of.byte_range().start <= node.start_byte() && node.end_byte() <= of.end_byte() {
        return Some(text(of));
    }
    let of = text(of);
    Some(if of.ends_with('.') { of + &text(name) } else { format!("{of}.{}", text(name)) })
}
