//! What calls and mentions mean: small repositories in, links out.

use crate::base::FactBase;
use crate::fixture::base;
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;

/// What a symbol calls, and what it only mentions, each with how sure that is.
fn used(base: &FactBase, id: &str) -> Vec<String> {
    let node = base.node_at(id).unwrap_or_else(|| panic!("no node {id}"));
    let local = |node: NodeId| base.symbol(node).map_or_else(|| base.id(node), |row| row.local_id.to_owned());
    let words = [(LinkKind::Calls, "calls"), (LinkKind::References, "mentions")];
    let links = base.links().row(node).filter_map(|(to, link)| {
        let (_, word) = words.iter().find(|(kind, _)| *kind == link.kind())?;
        Some(format!("{word} {}, {}", local(to), link.confidence().name()))
    });
    links.collect()
}

#[test]
fn a_field_is_mentioned_and_a_method_of_the_same_name_is_called() {
    let base = base(
        "\
//- Cargo.toml
[package]
name = \"m\"
//- src/lib.rs
pub struct Args;
impl Args { pub fn first(&self) {} }
pub struct Command { args: Args }
impl Command {
    pub fn args(&self) -> &Command { self }
    fn field(&self) { self.args.first(); }
    fn method(&self) { self.args().field(); }
}
",
    );
    assert_eq!(used(&base, "src/lib.rs#Command.field"), ["calls Args.first, qualified"]);
    assert_eq!(used(&base, "src/lib.rs#Command.method"), ["calls Command.args, exact", "calls Command.field, qualified"]);
}

#[test]
fn type_arguments_of_a_call_say_what_it_gives() {
    let base = base(
        "\
//- a.ts
class Cart { close() {} }
class Box { close() {} }
declare function make<T>(name: string): T;
export function typed() { make<Cart>(\"a\").close(); }
",
    );
    assert_eq!(used(&base, "a.ts#typed"), ["calls Cart.close, qualified", "calls make, exact", "mentions Cart, exact"]);
}
