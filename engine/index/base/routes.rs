//! Routes that are served, and who asks for them.

use super::{Column, FactBase};
use activate_rules::atoms::NodeId;

/// Numbers in a row: of routes handler, file, line and text; of requests source, line, target and text.
const ROW: usize = 4;

/// A route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteRow<'a> {
    /// What serves it; where a function without a name does, the definition or file that adds the route.
    pub handler: NodeId,
    /// The file that adds it.
    pub file: NodeId,
    /// The line there.
    pub line: u32,
    /// Its method and path: `POST /api/login`; `POST …/login` where nobody knows what stands in front.
    pub text: &'a str,
}

/// A request for a path that is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServedRow<'a> {
    /// What asks.
    pub from: NodeId,
    /// The line in its file.
    pub line: u32,
    /// What serves it.
    pub to: NodeId,
    /// Method and path of the route.
    pub text: &'a str,
}

impl FactBase {
    /// Every route, in the order of handlers.
    pub fn routes(&self) -> impl Iterator<Item = RouteRow<'_>> {
        let (rows, _) = self.u32s(Column::RouteRows).as_chunks::<ROW>();
        rows.iter().map(|[handler, file, line, text]| RouteRow {
            handler: NodeId(*handler),
            file: NodeId(*file),
            line: *line,
            text: self.string(*text),
        })
    }

    /// The routes that a definition serves.
    pub fn routes_of(&self, handler: NodeId) -> impl Iterator<Item = RouteRow<'_>> {
        let (rows, _) = self.u32s(Column::RouteRows).as_chunks::<ROW>();
        let first = rows.partition_point(|[of, ..]| *of < handler.0);
        self.routes().skip(first).take_while(move |row| row.handler == handler)
    }

    /// Every request for a path that is served, in the order of what asks.
    pub fn served(&self) -> impl Iterator<Item = ServedRow<'_>> {
        let (rows, _) = self.u32s(Column::ServedRows).as_chunks::<ROW>();
        rows.iter().map(|[from, line, to, text]| ServedRow {
            from: NodeId(*from),
            line: *line,
            to: NodeId(*to),
            text: self.string(*text),
        })
    }

    /// Method and path of the first request of one node that another serves; at a line, if that is given.
    pub fn served_text(&self, from: NodeId, to: NodeId, line: Option<u32>) -> Option<&str> {
        let (rows, _) = self.u32s(Column::ServedRows).as_chunks::<ROW>();
        let first = rows.partition_point(|[of, ..]| *of < from.0);
        let of_node = rows[first..].iter().take_while(|[of, ..]| *of == from.0);
        let mut found = of_node.filter(|[_, at, target, _]| *target == to.0 && line.is_none_or(|line| line == *at));
        found.next().map(|[.., text]| self.string(*text))
    }
}
