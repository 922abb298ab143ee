//! TypeScript, JavaScript and their JSX.

use super::{Implementations, ImportSyntax, LIBRARY, Language, Source, ancestors, is_field, parts};
use crate::record::{Kind, Run};
use tree_sitter::Node;

pub(super) static LANGUAGE: Language = Language {
    name: "typescript",
    grammar: |path| {
        let takes_jsx = [".tsx", ".jsx", ".js", ".mjs"].iter().any(|ending| path.ends_with(ending));
        if takes_jsx { tree_sitter_typescript::LANGUAGE_TSX } else { tree_sitter_typescript::LANGUAGE_TYPESCRIPT }.into()
    },
    is_test_path,
    kind,
    is_called,
    scope,
    target: |_| ("", LIBRARY, ""),
    names_modules: false,
    widens: |name| {
        let of = ancestors(name).find(|node| !is_text(*node));
        is_text(name) && of.is_some_and(|of| of.kind() == "module")
    },
    is_in_test: |_, _| false,
    is_in_macro: |_| false,
    import: |_, node| is_text(node).then_some(ImportSyntax::Specifier),
    module: |_, _| None,
    renames: None,
    apart: |_| (Vec::new(), Vec::new()),
    run: |_| Run::default(),
    implementations: |_| Implementations::default(),
};

fn is_text(node: Node<'_>) -> bool {
    matches!(node.kind(), "string" | "string_fragment")
}

const TEST_FOLDERS: [&str; 6] = ["__tests__", "__tests_dts__", "test", "tests", "spec", "e2e"];

fn is_test_path(path: &str) -> bool {
    let (mut folders, file) = parts(path);
    let mut words = file.rsplit('.');
    let is_script = words.next().is_some_and(|ending| {
        let ending = ending.strip_prefix(['c', 'm']).unwrap_or(ending);
        matches!(ending, "js" | "jsx" | "ts" | "tsx")
    });
    let says_test = is_script && matches!(words.next(), Some("test" | "spec")) && words.next().is_some();
    says_test || folders.any(|folder| TEST_FOLDERS.contains(&folder))
}

/// Whether a value can be called or constructed: a name with such a value is as good as a declaration.
fn is_function_value(node: Option<Node<'_>>) -> bool {
    node.is_some_and(|node| matches!(node.kind(), "arrow_function" | "function_expression" | "generator_function" | "class"))
}

fn kind(name: Node<'_>) -> Kind {
    let Some(parent) = name.parent() else { return Kind::Local };
    let value = parent.child_by_field_name("value");
    match parent.kind() {
        "function_declaration" | "generator_function_declaration" | "function_signature" => Kind::Function,
        "class_declaration" | "abstract_class_declaration" | "class" => Kind::Class,
        "interface_declaration" | "type_alias_declaration" | "enum_declaration" => Kind::Type,
        "internal_module" | "module" => Kind::Namespace,
        "abstract_method_signature" => Kind::InterfaceMethod,
        // In a class it is an overload of a method, which cannot be anywhere else.
        "method_signature" if parent.parent().is_none_or(|body| body.kind() != "class_body") => Kind::InterfaceMethod,
        "method_definition" | "method_signature" => Kind::Method,
        "public_field_definition" | "pair" if is_function_value(value) => Kind::Method,
        "variable_declarator" if is_field(parent, "name", name) => {
            let place = parent.parent().and_then(|declaration| declaration.parent());
            let is_top = place.is_none_or(|place| matches!(place.kind(), "program" | "export_statement" | "ambient_declaration"));
            match (is_function_value(value), is_top) {
                (true, _) => Kind::Function,
                (false, true) => Kind::Const,
                (false, false) => Kind::Local,
            }
        }
        "public_field_definition" | "pair" | "property_signature" | "enum_body" | "enum_assignment" | "object" => Kind::Field,
        "required_parameter" | "optional_parameter" => {
            let mut cursor = parent.walk();
            let is_field = parent.children(&mut cursor).any(|child| child.kind() == "accessibility_modifier");
            if is_field { Kind::Field } else { Kind::Local }
        }
        _ => Kind::Local,
    }
}

fn is_called(name: Node<'_>) -> bool {
    let mut node = name;
    while let Some(parent) = node.parent() {
        let goes_on = match parent.kind() {
            "member_expression" => is_field(parent, "property", node),
            "non_null_expression" | "parenthesized_expression" | "instantiation_expression" | "await_expression" => {
                parent.named_child(0).is_some_and(|child| child.byte_range() == node.byte_range())
            }
            "call_expression" => return is_field(parent, "function", node),
            "new_expression" => return is_field(parent, "constructor", node),
            "jsx_opening_element" | "jsx_self_closing_element" => return is_field(parent, "name", node),
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
    let gives_name = match node.kind() {
        "function_declaration"
        | "generator_function_declaration"
        | "method_definition"
        | "class_declaration"
        | "abstract_class_declaration"
        | "interface_declaration"
        | "public_field_definition"
        | "type_alias_declaration"
        | "enum_declaration" => true,
        "variable_declarator" => is_function_value(node.child_by_field_name("value")),
        _ => false,
    };
    gives_name.then(|| source.field(node, "name").unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::is_test_path;

    #[test]
    fn files_of_tests_are_known_by_name_or_folder() {
        let tests = ["a/b.test.ts", "b.spec.mjs", "src/__tests__/x.ts", "e2e/run.ts", "x.test.d.cts.spec.tsx"];
        assert!(tests.iter().all(|path| is_test_path(path)), "{tests:?}");
        let none = ["src/testing/x.ts", "src/test.ts", "contest.ts", "a.test.md"];
        assert!(!none.iter().any(|path| is_test_path(path)), "{none:?}");
    }
}
