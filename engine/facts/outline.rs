//! What a file shows to others, as one hash: as long as it stays, nothing that other files lead to changes with the file.
//!
//! Definitions with their types, imports and supertypes, and every expression that these lead to; not where they stand, nor what the
//! bodies of functions use. Must not know other files.

use super::extract::{FileRecord, flags};
use activate_grammars::FileFacts;
use activate_grammars::facts::{BindingId, Container, Expr, ExprId, ListId, NameId};
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
        let counts = [facts.symbols.len(), facts.owners.len(), facts.fields.len(), facts.supers.len(), facts.imports.len()];
        counts.hash(&mut self.hash);
        for symbol in &facts.symbols {
            self.name(symbol.name);
            (symbol.kind, symbol.container, symbol.visibility as u8, symbol.traits).hash(&mut self.hash);
            self.list(symbol.parameters);
            self.each(&[symbol.declared, symbol.value]);
        }
        for owner in &facts.owners {
            owner.container.hash(&mut self.hash);
            self.each(&[owner.of, owner.implements]);
        }
        for field in &facts.fields {
            (field.container, field.variant).hash(&mut self.hash);
            self.name(field.name);
            self.each(&[field.declared, field.value]);
        }
        for above in &facts.supers {
            (above.container, above.kind).hash(&mut self.hash);
            self.each(&[above.of]);
        }
        for import in &facts.imports {
            (import.container, import.kind, import.exported, import.type_only, import.path.len()).hash(&mut self.hash);
            import.path.iter().for_each(|name| self.name(*name));
            self.maybe_name(import.item);
            self.maybe_name(import.local);
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
                let binding = self.facts.bindings[*id as usize];
                self.name(binding.name);
                self.each(&[binding.declared, binding.value]);
                binding.parameter.map(|parameter| (parameter.of, parameter.place)).hash(&mut self.hash);
            } else {
                return;
            }
        }
    }

    fn parts(&mut self, expr: Expr) {
        std::mem::discriminant(&expr).hash(&mut self.hash);
        match expr {
            Expr::Unknown | Expr::Anonymous => {}
            Expr::Name(name) | Expr::Literal(name) => self.name(name),
            Expr::Local(id) => self.binding(id),
            Expr::Symbol(id) => id.hash(&mut self.hash),
            Expr::This(container) | Expr::ThisType(container) | Expr::Super(container) => self.container(container),
            Expr::Member(of, name) | Expr::Scoped(of, name) | Expr::FieldOf(of, name) | Expr::Keyed(name, of) => {
                self.each(&[of]);
                self.name(name);
            }
            Expr::Call(of, other) | Expr::Map(of, other) => self.each(&[of, other]),
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
    use crate::facts::extract::extract;

    fn of(path: &str, text: &str) -> u128 {
        outline(path, &extract(path, Some(text.as_bytes())))
    }

    #[test]
    fn bodies_and_places_do_not_show_and_everything_that_others_can_use_does() {
        let go = "package a\n\nimport \"fmt\"\n\ntype T struct{ n int }\n\nfunc (t *T) M(x int) error {\n\tfmt.Println(x)\n\treturn nil\n}\n";
        let same = [
            go.replace("Println(x)", "Printf(\"%d\", t.n)"),
            go.replace("\treturn nil\n", "\tvar y T\n\ty.M(2)\n\n\treturn y.M(3)\n"),
            go.replace("func (t", "\n// M does it.\nfunc (t"),
        ];
        let other = [
            go.replace("x int", "x uint"),
            go.replace("error {", "*T {"),
            go.replace("*T) M", "*T) N"),
            go.replace("n int", "m int"),
            go.replace("n int", "n *T"),
            go.replace("\"fmt\"", "\"log\""),
            go.replace("package a", "package b"),
            format!("// Code generated by x. DO NOT EDIT.\n{go}"),
            format!("{go}\nvar v = 1\n"),
        ];
        for text in same {
            assert_eq!(of("a.go", &text), of("a.go", go), "{text}");
        }
        for text in other {
            assert_ne!(of("a.go", &text), of("a.go", go), "{text}");
        }
        assert_ne!(of("b.go", go), of("a.go", go));
        // Where results go unsaid, bodies show.
        let ts = "export function f() { const x = new A(); return x; }\nclass A {}\nclass B {}\n";
        assert_ne!(of("a.ts", ts), of("a.ts", &ts.replace("new A", "new B")));
        assert_eq!(of("a.ts", ts), of("a.ts", &ts.replace("return x", "x.go(); return x")));
    }
}
