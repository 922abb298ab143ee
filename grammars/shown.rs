//! Expressions in one line, for tests: the same notation in all languages.

use crate::facts::{Container, Expr, ExprId, FileFacts, ListId, NameId};

/// Deeper parts of an expression are written `..`.
const SHOWN_DEPTH: usize = 8;

/// An expression in one line; of a binding its type behind `:` and its value behind `=`, as far as they are known.
pub(crate) fn show(facts: &FileFacts, id: ExprId) -> String {
    show_within(facts, id, SHOWN_DEPTH)
}

fn show_within(facts: &FileFacts, id: ExprId, depth: usize) -> String {
    let Some(depth) = depth.checked_sub(1) else { return "..".to_owned() };
    let of = |id| show_within(facts, id, depth);
    let name = |id: NameId| facts.names.get(id);
    let many = |list: ListId, between: &str| {
        let members = &facts.lists[list.start as usize..(list.start + list.len) as usize];
        members.iter().map(|member| of(*member)).collect::<Vec<_>>().join(between)
    };
    let held = |word: &str, holder| format!("{word}({})", container_within(facts, holder, depth));
    match facts.exprs[id.0 as usize] {
        Expr::Unknown => "?".to_owned(),
        Expr::Name(id) => name(id).to_owned(),
        Expr::Literal(id) => format!("'{}", name(id)),
        Expr::Given(id, _) => format!("given {}", name(id)),
        Expr::Local(id) => {
            let binding = facts.bindings[id.0 as usize];
            let part = |sign: &str, id| if id == ExprId::UNKNOWN { String::new() } else { format!("{sign}{}", of(id)) };
            format!("<{}{}{}>", name(binding.name), part(": ", binding.declared), part(" = ", binding.value))
        }
        Expr::Symbol(id) => format!("@{}", name(facts.symbols[id.0 as usize].name)),
        Expr::This(holder) => held("this", holder),
        Expr::ThisType(holder) => held("This", holder),
        Expr::Super(holder) => held("super", holder),
        Expr::Member(base, id) => format!("{}.{}", of(base), name(id)),
        Expr::FieldOf(base, id) => format!("{}/{}", of(base), name(id)),
        Expr::Scoped(base, id) => format!("{}::{}", of(base), name(id)),
        Expr::Call(callee, _) => format!("{}()", of(callee)),
        Expr::Expanded(callee, first) => format!("{}!({})", of(callee), of(first)),
        Expr::Argument(callee, n) => format!("{}({n})", of(callee)),
        Expr::Parameter(base, n) => format!("{}${n}", of(base)),
        Expr::Instance(base) => format!("new {}", of(base)),
        Expr::Payload(base, variant, n) => format!("{}~{}#{n}", of(base), of(variant)),
        Expr::Nth(base, n) => format!("{}#{n}", of(base)),
        Expr::Element(base) => format!("{}[*]", of(base)),
        Expr::Key(base) => format!("{}[key]", of(base)),
        Expr::Index(base) => format!("{}[]", of(base)),
        Expr::Deref(base) | Expr::Pointer(base) => format!("&{}", of(base)),
        Expr::Await(base) => format!("{}.await", of(base)),
        Expr::Try(base) => format!("{}?", of(base)),
        Expr::Rest(base) => format!("...{}", of(base)),
        Expr::Many(base) => format!("[{}]", of(base)),
        Expr::Map(key, value) => format!("[{}: {}]", of(key), of(value)),
        Expr::Function(list, result) => format!("({}) => {}", many(list, ", "), of(result)),
        Expr::Object(list) => format!("{{{}}}", many(list, ", ")),
        Expr::Keyed(id, value) => format!("{}: {}", name(id), of(value)),
        Expr::Apply(base, list) => format!("{}<{}>", of(base), many(list, ", ")),
        Expr::Union(list) => format!("({})", many(list, " | ")),
        Expr::Tuple(list) => format!("({})", many(list, ", ")),
        Expr::Sum(one, other) => format!("{} + {}", of(one), of(other)),
        Expr::Anonymous => "{}".to_owned(),
    }
}

/// What holds a definition: `file`, a symbol by its name, or the type of a block and the trait that it implements.
pub(crate) fn container(facts: &FileFacts, holder: Container) -> String {
    container_within(facts, holder, SHOWN_DEPTH)
}

fn container_within(facts: &FileFacts, holder: Container, depth: usize) -> String {
    match holder {
        Container::File => "file".to_owned(),
        Container::Symbol(id) => facts.names.get(facts.symbols[id.0 as usize].name).to_owned(),
        Container::Owner(at) => {
            let owner = facts.owners[at as usize];
            let of = |id| show_within(facts, id, depth);
            match owner.implements {
                ExprId::UNKNOWN => of(owner.of),
                of_trait => format!("{} as {}", of(owner.of), of(of_trait)),
            }
        }
    }
}
