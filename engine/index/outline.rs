//! What a file shows to others, as one hash: as long as it stays, nothing that other files lead to changes with the file.
//!
//! Definitions with their types, imports and supertypes, and every expression that these lead to; not where they stand, nor what the bodies
//! of functions use.

use super::extract::{FileRecord, flags};
use activate_grammars::FileFacts;
use activate_grammars::facts::{
    Binding, BindingId, Container, Expr, ExprId, Field, Handler, Import, ListId, NameId, Owner, Route, Super, Symbol,
    TypeParameter,
};
use std::hash::{Hash, Hasher};
use xxhash_rust::xxh3::Xxh3;

/// The hash of what a file shows to others. Two contents of one path with one outline are the same to all tables of the resolver.
pub fn outline(path: &str, record: &FileRecord) -> u128 {
    let mut outline = Outline::new(&record.facts);
    path.hash(&mut outline.hash);
    record.manifest.hash(&mut outline.hash);
    (flags(path, record).0, record.secret_path).hash(&mut outline.hash);
    record.facts.limit.map(|limit| limit as u8).hash(&mut outline.hash);
    outline.declarations();
    outline.met();
    outline.web();
    outline.hash.digest128()
}

/// Goes through what is shown. Expressions and bindings are known by the order in which they are met, as their ids tell where in the file
/// something stands.
struct Outline<'a> {
    facts: &'a FileFacts,
    hash: Xxh3,
    exprs: Met,
    bindings: Met,
}

/// What was met, and in which order.
struct Met {
    /// By id, from 1; 0 for what was not met yet.
    numbers: Vec<u32>,
    order: Vec<u32>,
}

impl Met {
    fn new(n: usize) -> Self {
        Self { numbers: vec![0; n], order: Vec::new() }
    }

    fn number(&mut self, id: u32) -> u32 {
        let number = &mut self.numbers[id as usize];
        if *number == 0 {
            self.order.push(id);
            *number = self.order.len() as u32;
        }
        *number
    }
}

impl<'a> Outline<'a> {
    fn new(facts: &'a FileFacts) -> Self {
        let (exprs, bindings) = (Met::new(facts.exprs.len()), Met::new(facts.bindings.len()));
        Self { facts, hash: Xxh3::new(), exprs, bindings }
    }

    fn declarations(&mut self) {
        let facts = self.facts;
        self.maybe_name(facts.package);
        self.maybe_name(facts.test_flag);
        let counts = [facts.symbols.len(), facts.owners.len(), facts.fields.len(), facts.supers.len(), facts.imports.len()];
        counts.hash(&mut self.hash);
        // Whoever adds a field decides here whether it shows.
        for symbol in &facts.symbols {
            let Symbol { name, kind, container, visibility, traits, parameters, declared, value, .. } = symbol;
            self.name(*name);
            (kind, container, *visibility as u8, traits).hash(&mut self.hash);
            self.list(*parameters);
            self.each(&[*declared, *value]);
        }
        facts.fixtures.len().hash(&mut self.hash);
        for (name, of) in &facts.fixtures {
            self.name(*name);
            of.hash(&mut self.hash);
        }
        for Owner { container, of, implements, line: _ } in &facts.owners {
            container.hash(&mut self.hash);
            self.each(&[*of, *implements]);
        }
        for Field { container, name, declared, value, line: _, variant, visibility, alias } in &facts.fields {
            (container, variant, *visibility as u8, alias).hash(&mut self.hash);
            self.name(*name);
            self.each(&[*declared, *value]);
        }
        for Super { container, of, kind, line: _ } in &facts.supers {
            (container, kind).hash(&mut self.hash);
            self.each(&[*of]);
        }
        for Import { container, kind, path, item, local, exported, in_package, type_only, line: _ } in &facts.imports {
            (container, kind, exported, in_package, type_only, path.len()).hash(&mut self.hash);
            for name in path {
                self.name(*name);
            }
            self.maybe_name(*item);
            self.maybe_name(*local);
        }
        let parameters = (0..).zip(&facts.bindings).filter(|(_, binding)| binding.parameter.is_some());
        parameters.for_each(|(id, _)| self.binding(BindingId(id)));
    }

    /// What was met on the way, and what that leads to.
    fn met(&mut self) {
        let (mut n_exprs, mut n_bindings) = (0, 0);
        loop {
            if let Some(id) = self.exprs.order.get(n_exprs) {
                n_exprs += 1;
                self.parts(self.facts.exprs[*id as usize]);
            } else if let Some(id) = self.bindings.order.get(n_bindings) {
                n_bindings += 1;
                let Binding { name, declared, value, narrowed: _, parameter } = self.facts.bindings[*id as usize];
                self.name(name);
                self.each(&[declared, value]);
                parameter.map(|TypeParameter { of, place }| (of, place)).hash(&mut self.hash);
            } else {
                return;
            }
        }
    }

    /// Routes and requests, with their lines. What a route names is found with the sites of the file, so that these show as well.
    fn web(&mut self) {
        let Some(web) = self.facts.web.as_deref() else { return };
        let is_named = |route: &Route| matches!(route.handler, Handler::Named { .. });
        let names_others = !web.mounts.is_empty() || web.routes.iter().any(is_named);
        let bytes = if names_others { postcard::to_allocvec(self.facts) } else { postcard::to_allocvec(web) };
        debug_assert!(bytes.is_ok(), "facts are lists of known length");
        bytes.unwrap_or_default().hash(&mut self.hash);
    }

    fn parts(&mut self, expr: Expr) {
        std::mem::discriminant(&expr).hash(&mut self.hash);
        match expr {
            Expr::Unknown | Expr::Anonymous => {}
            Expr::Name(name) | Expr::Literal(name) => self.name(name),
            Expr::Given(name, by) => {
                self.name(name);
                by.hash(&mut self.hash);
            }
            Expr::Local(id) => self.binding(id),
            Expr::Symbol(id) => id.hash(&mut self.hash),
            Expr::This(container) | Expr::ThisType(container) | Expr::Super(container) => self.container(container),
            Expr::Member(of, name) | Expr::Scoped(of, name) | Expr::FieldOf(of, name) | Expr::Keyed(name, of) => {
                self.each(&[of]);
                self.name(name);
            }
            Expr::Call(of, other) | Expr::Expanded(of, other) | Expr::Map(of, other) | Expr::Sum(of, other) => {
                self.each(&[of, other]);
            }
            Expr::Instance(of)
            | Expr::Index(of)
            | Expr::Element(of)
            | Expr::Key(of)
            | Expr::Deref(of)
            | Expr::Await(of)
            | Expr::Try(of)
            | Expr::Rest(of)
            | Expr::Pointer(of)
            | Expr::Many(of) => self.each(&[of]),
            Expr::Nth(of, n) | Expr::Argument(of, n) | Expr::Parameter(of, n) => {
                self.each(&[of]);
                n.hash(&mut self.hash);
            }
            Expr::Payload(of, variant, n) => {
                self.each(&[of, variant]);
                n.hash(&mut self.hash);
            }
            Expr::Function(list, of) | Expr::Apply(of, list) => {
                self.each(&[of]);
                self.list(list);
            }
            Expr::Object(list) | Expr::Tuple(list) | Expr::Union(list) => self.list(list),
        }
    }

    fn each(&mut self, exprs: &[ExprId]) {
        for expr in exprs {
            // Where nothing is written is not where something unknown is.
            let number = if *expr == ExprId::UNKNOWN { 0 } else { self.exprs.number(expr.0) };
            self.hash.write_u32(number);
        }
    }

    fn list(&mut self, list: ListId) {
        self.hash.write_u32(list.len);
        let facts = self.facts;
        self.each(&facts.lists[list.start as usize..(list.start + list.len) as usize]);
    }

    fn binding(&mut self, id: BindingId) {
        let number = self.bindings.number(id.0);
        self.hash.write_u32(number);
    }

    fn container(&mut self, container: Container) {
        container.hash(&mut self.hash);
    }

    fn name(&mut self, name: NameId) {
        self.facts.names.get(name).hash(&mut self.hash);
    }

    fn maybe_name(&mut self, name: Option<NameId>) {
        name.map(|name| self.facts.names.get(name)).hash(&mut self.hash);
    }
}

#[cfg(test)]
mod tests {
    use super::outline;
    use crate::extract::extract;

    fn of(path: &str, text: &str) -> u128 {
        outline(path, &extract(path, Some(text.as_bytes())))
    }

    const GO: &str = "package a\n\nimport \"fmt\"\n\ntype T struct{ n int }\n\nfunc (t *T) M(x int) error {\n\tfmt.Println(x)\n\treturn nil\n}\n";
    const RUST: &str = "use crate::b::C;\n\npub trait Shape: Base { fn area(&self) -> u32; }\n\npub enum Kind { One(u8), Two }\n\n\
                        impl Shape for Kind {\n    fn area(&self) -> u32 { 1 }\n}\n\nfn first<T: Base, U>(t: T) -> Vec<U> { go(t) }\n";
    const TS: &str = "import { A, type D } from \"./a\";\n\nexport class B extends A implements D {\n  private x: number = 1;\n  \
                      static go(): A { return make(); }\n}\n\nfunction f() { const x = new A(); return x; }\nexport { f };\n";

    /// Path, text, and what stands for what in it.
    type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

    #[test]
    fn bodies_and_places_do_not_show() {
        let cases: [Case; 3] = [
            ("a.go", GO, &[("Println(x)", "Printf(\"%d\", t.n)"), ("\treturn nil\n", "\tvar y T\n\n\treturn y.M(3)\n")]),
            (
                "a.rs",
                RUST,
                &[("{ 1 }", "{ let k = Kind::Two; k.area() }"), ("go(t)", "t.go()"), ("pub enum", "/// Two.\n\npub enum")],
            ),
            (
                "a.ts",
                TS,
                &[("return x", "x.go(); return x"), ("make()", "B.go()"), ("\n\nexport class", "\n// B.\nexport class")],
            ),
        ];
        for (path, text, changes) in cases {
            for (one, other) in changes {
                assert!(text.contains(one), "{one}");
                assert_eq!(of(path, text), of(path, &text.replace(one, other)), "{one} to {other}");
            }
        }
    }

    #[test]
    fn everything_that_others_can_use_shows() {
        let cases: [Case; 3] = [
            (
                "a.go",
                GO,
                &[
                    ("x int", "x uint"),
                    ("error {", "*T {"),
                    ("*T) M", "*T) N"),
                    ("*T) M", "T) M"),
                    ("n int", "m int"),
                    ("n int", "n *T"),
                    ("n int", "fmt.Stringer"),
                    ("\"fmt\"", "\"log\""),
                    ("\"fmt\"", ". \"fmt\""),
                    ("package a", "package b"),
                    ("package a", "// Code generated by x. DO NOT EDIT.\n\npackage a"),
                    ("type T", "var v = 1\n\ntype T"),
                ],
            ),
            (
                "a.rs",
                RUST,
                &[
                    ("use crate", "pub use crate"),
                    ("b::C", "b::C as D"),
                    ("b::C", "b::*"),
                    ("pub trait", "trait"),
                    (": Base {", ": Other {"),
                    ("One(u8)", "One(u16)"),
                    ("impl Shape for", "impl Base for"),
                    ("impl Shape for Kind", "impl Kind"),
                    ("T: Base", "T: Other"),
                    ("T: Base, U", "U, T: Base"),
                    ("fn first", "async fn first"),
                    ("fn first", "#[cfg(test)]\nfn first"),
                ],
            ),
            (
                "a.ts",
                TS,
                &[
                    ("type D", "D"),
                    ("A, type", "A as E, type"),
                    ("extends A implements D", "implements A, D"),
                    ("export class", "class"),
                    ("static go", "go"),
                    ("new A()", "new B()"),
                    ("export { f }", "export { f as g }"),
                    ("export { f };", ""),
                    ("export class", "export default class"),
                ],
            ),
        ];
        for (path, text, changes) in cases {
            for (one, other) in changes {
                assert!(text.contains(one), "{one}");
                assert_ne!(of(path, text), of(path, &text.replace(one, other)), "{one} to {other}");
            }
        }
        assert_ne!(of("b.go", GO), of("a.go", GO));
        assert_ne!(of("go.mod", "module a\n"), of("go.mod", "module b\n"));
        assert_ne!(of("a.txt", "a"), of("a.txt", "\0"));
    }
}
