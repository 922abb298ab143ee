//! Tokens of a macro, read as far as they show paths, members and calls.
//!
//! A macro's arguments are not parsed by the grammar. Most of them are ordinary expressions, and a call in `assert_eq!(f(x), 1)` is a call:
//! names joined by `.` and `::` and followed by parentheses are read as such. Everything else ends the expression.

use super::{Frame, Lower, Value, plain_expr};
use crate::facts::{Expr, ExprId, SiteKind};

impl Lower<'_> {
    pub(super) fn tokens(&mut self, frame: Frame) -> Value {
        let children = self.children(&frame).to_vec();
        let mut current: Option<ExprId> = None;
        let mut end = children.first().map_or(0, |entry| entry.start);
        for entry in children {
            let gap = self.source[end.min(entry.start) as usize..entry.start as usize].trim();
            end = entry.end;
            let text = self.text(&entry);
            let is_tree = text.starts_with(['(', '[', '{']);
            let name = plain_expr(entry.value);
            current = match (gap, current) {
                // A call, an index or a literal directly behind what came before.
                ("" | "?", Some(expr)) if is_tree => self.token_tree(expr, text),
                ("!", Some(expr)) if is_tree => {
                    self.retag(expr, SiteKind::Macro);
                    None
                }
                ("::<" | ">", Some(expr)) if !is_tree => Some(expr),
                (">", Some(expr)) => self.token_tree(expr, text),
                ("." | "?." | ".." | "::", Some(base)) if gap != ".." && name != ExprId::UNKNOWN => {
                    self.kill_expr(name);
                    let member = self.name(text);
                    let made = if gap == "::" { Expr::Scoped(base, member) } else { Expr::Member(base, member) };
                    let expr = self.add_expr(made);
                    self.add_site(expr, entry.row, SiteKind::Mention);
                    Some(expr)
                }
                ("." | "?.", None) if name != ExprId::UNKNOWN => {
                    // A member of something that was not understood.
                    self.kill_expr(name);
                    None
                }
                _ if name != ExprId::UNKNOWN => Some(name),
                _ => None,
            };
        }
        Value::None
    }

    fn token_tree(&mut self, before: ExprId, text: &str) -> Option<ExprId> {
        let made = match text.as_bytes().first() {
            Some(b'(') => {
                self.retag(before, SiteKind::Call);
                Expr::Call(before, ExprId::UNKNOWN)
            }
            Some(b'[') => Expr::Index(before),
            _ => return None,
        };
        Some(self.add_expr(made))
    }
}
