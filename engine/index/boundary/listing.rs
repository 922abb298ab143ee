//! A boundary as text, for tests and for whoever looks at one.

use super::{Boundary, ModuleId, Place, Side, Term, TermId};
use crate::base::FactBase;
use std::fmt::Write;

/// The most characters of a term that are shown.
const MAX_SHOWN: usize = 400;

impl Boundary {
    /// All facts, a line each: `call a.go:12 <example.org/pkg>.New().Do`.
    pub fn listing(&self, base: &FactBase) -> String {
        let mut lines = Vec::new();
        for package in &self.packages {
            let version = package.version.as_deref().unwrap_or("-");
            lines.push(format!("package {} {} {version} in {:?}", package.registry.word(), package.name, package.folder));
        }
        for need in &self.needs {
            let local = if need.is_local { ", of this repository" } else { "" };
            let (folder, registry, line) = (&need.folder, need.registry.word(), need.line);
            lines.push(format!("need {registry} {} {:?} in {folder:?}:{line}{local}", need.name, need.requirement));
        }
        for module in &self.modules {
            let name = if module.name.is_empty() { "-" } else { &module.name };
            lines.push(format!("module {} {name} is {}", module.registry.word(), base.path(module.file)));
        }
        for member in &self.members {
            lines.push(format!("member {}.{} is {}", self.place(base, member.of), member.name, self.term(base, member.to)));
        }
        for glob in &self.globs {
            lines.push(format!("glob {}.* is {}.*", self.module(base, glob.of), self.term(base, glob.to)));
        }
        for of in &self.types {
            let part = of.part.map_or_else(String::new, |part| format!("#{part}"));
            lines.push(format!("type {}{part} is {}", base.id(of.of), self.term(base, of.to)));
        }
        for above in &self.supers {
            lines.push(format!("super {} is {}", base.id(above.of), self.term(base, above.to)));
        }
        for one in &self.uses {
            let around = base.symbol(one.from).map_or("", |symbol| symbol.local_id);
            let term = self.term(base, one.term);
            let (word, path) = (one.kind.word(), base.path(one.from));
            let choice = if one.site == 0 { String::new() } else { format!(", of site {} by rank {}", one.site, one.rank) };
            lines.push(format!("{word} {path}:{} in {around:?}: {term}{choice}", one.line));
        }
        for request in &self.requests {
            lines.push(format!("request {}:{} asks {}", base.id(request.from), request.line, request.text));
        }
        for procedure in &self.procedures {
            let word = match procedure.side {
                Side::Declared => "declared in",
                Side::Asked => "asked by",
                Side::Served => "served by",
            };
            lines.push(format!("procedure {} {word} {}:{}", procedure.name, base.id(procedure.node), procedure.line));
        }
        lines.join("\n")
    }

    /// A term as text.
    pub fn term(&self, base: &FactBase, id: TermId) -> String {
        let (mut front, mut behind) = (String::new(), Vec::new());
        let mut at = id;
        // From the outside to the inside; what is behind a part is written after it.
        while let Some(term) = self.terms.get(at.0 as usize) {
            let (inner, text) = match term {
                Term::Outside(registry, name) => {
                    let _ = write!(front, "<{} {name}>", registry.word());
                    break;
                }
                Term::Own(place) => {
                    front.push_str(&self.place(base, *place));
                    break;
                }
                Term::Member(inner, name) => (inner, format!(".{name}")),
                Term::Result(inner) => (inner, "()".to_owned()),
                Term::Instance(inner) => (inner, "{}".to_owned()),
                Term::Part(inner, n) => (inner, format!("#{n}")),
                Term::Many(inner) => (inner, "[]".to_owned()),
                Term::Element(inner) => (inner, "[_]".to_owned()),
            };
            behind.push(text);
            at = *inner;
        }
        let text: String = std::iter::once(front).chain(behind.into_iter().rev()).collect();
        text.chars().take(MAX_SHOWN).collect()
    }

    fn place(&self, base: &FactBase, place: Place) -> String {
        match place {
            Place::Module(module) => self.module(base, module),
            Place::Symbol(node) => base.id(node),
        }
    }

    fn module(&self, base: &FactBase, module: ModuleId) -> String {
        let at = self.modules.partition_point(|known| known.of < module);
        let known = self.modules.get(at).filter(|known| known.of == module);
        known.map_or_else(|| "?".to_owned(), |known| format!("[{}]", base.path(known.file)))
    }
}
