//! Words around declarations that say something of all of them: `export`, `export default`, `const`.

use super::{Entry, Frame, Lower, plain_expr};
use crate::capture::{Form, Role};
use crate::facts::{Container, Expr, ExprId, Import, ImportKind, Symbol, SymbolId, SymbolKind, Traits, Visibility};
use crate::table::Pattern;

impl Lower<'_> {
    /// Turns the variables declared inside into constants.
    pub(super) fn make_constants(&mut self, frame: Frame) {
        let container = self.container();
        for symbol in &mut self.facts.symbols[frame.first_symbol as usize..] {
            if symbol.kind == SymbolKind::Variable && symbol.container == container {
                symbol.kind = SymbolKind::Constant;
            }
        }
    }

    /// Makes what is declared inside known to others.
    pub(super) fn export(&mut self, pattern: &Pattern, frame: Frame) {
        let container = self.container();
        let is_default = pattern.form == Form::ExportDefault;
        let mut found = false;
        for symbol in &mut self.facts.symbols[frame.first_symbol as usize..] {
            let is_named = symbol.name != super::define::NO_NAME && !symbol.traits.has(Traits::NESTED);
            if is_named && symbol.container == container {
                symbol.visibility = Visibility::Public;
                if is_default {
                    symbol.traits.add(Traits::DEFAULT);
                }
                found = true;
            }
        }
        if is_default
            && !found
            && let Some(value) = self.child(pattern, &frame, Role::Value)
        {
            self.export_value(value, frame);
        }
    }

    /// A default export that is a value: another name for something of the file, or a definition without a name.
    fn export_value(&mut self, value: Entry, frame: Frame) {
        let container = self.container();
        let of = plain_expr(value.value);
        let default = self.name("default");
        if let Expr::Name(item) = self.facts.exprs[of.0 as usize] {
            self.facts.imports.push(Import {
                container,
                kind: ImportKind::Item,
                path: Vec::new(),
                item: Some(item),
                local: Some(default),
                exported: true,
                in_package: false,
                type_only: false,
                line: value.row + 1,
            });
            return;
        }
        let is_type = self.table.patterns(value.kind).iter().any(|pattern| pattern.form == Form::DefType);
        let first = frame.first_symbol as usize;
        let reserved = self.facts.symbols[first..].iter().position(|symbol| symbol.bytes.0 == value.start);
        let id = match reserved {
            Some(at) if is_type => first + at,
            _ => self.facts.symbols.len(),
        };
        let (kind, declared) = match self.facts.exprs[of.0 as usize] {
            _ if is_type => (SymbolKind::Type, ExprId::UNKNOWN),
            Expr::Function(_, result) => (SymbolKind::Function, result),
            _ => (SymbolKind::Constant, ExprId::UNKNOWN),
        };
        let has_body = of != ExprId::UNKNOWN && self.last_function.0 == of;
        let text = self.text(&value);
        let last = value.row + text.matches('\n').count() as u32;
        let made = Symbol {
            name: default,
            kind,
            container,
            visibility: Visibility::Public,
            traits: Traits::DEFAULT,
            lines: (value.row + 1, last + 1),
            name_line: value.row + 1,
            bytes: (value.start, value.end),
            body: if has_body { self.last_function.1 } else { value.end },
            doc: (value.start, value.start),
            doc_line: value.row + 1,
            parameters: crate::facts::ListId::default(),
            declared,
            value: if is_type { ExprId::UNKNOWN } else { of },
        };
        if id < self.facts.symbols.len() {
            self.facts.symbols[id] = made;
            return;
        }
        self.facts.symbols.push(made);
        let around = self.open_symbols.last().copied();
        let id = SymbolId(id as u32);
        for site in &mut self.facts.sites[frame.first_site as usize..] {
            if site.from == around {
                site.from = Some(id);
            }
        }
        let is_object = self.facts.exprs[of.0 as usize].is_object();
        let inner = &mut self.facts.symbols[first..id.0 as usize];
        for symbol in inner.iter_mut().filter(|symbol| symbol.container == container) {
            symbol.container = Container::Symbol(id);
            if is_object && symbol.kind == SymbolKind::Method {
                symbol.visibility = Visibility::Public;
                symbol.traits = Traits(symbol.traits.0 & !Traits::NESTED.0 | Traits::INSTANCE.0);
            }
        }
    }
}
