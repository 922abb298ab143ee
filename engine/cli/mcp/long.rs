//! A line that is too long to be kept: its id is read past all else, so that whoever asked is told.

use rmcp::model::RequestId;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

/// What stands before a text of Windows.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// How much of a line is looked through for its id; the rest is skipped.
const MAX_LOOKED_AT: u64 = 16 << 20;
/// The longest id that is repeated.
const MAX_ID: usize = 256;

/// A line of which some was read already, up to its end.
struct UpToFeed<'r, R> {
    rest: &'r mut R,
    is_over: bool,
}

impl<R: BufRead> Read for UpToFeed<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.is_over {
            return Ok(0);
        }
        let there = self.rest.fill_buf()?;
        let some = &there[..there.len().min(into.len())];
        let feed = some.iter().position(|byte| *byte == b'\n');
        let n_taken = feed.unwrap_or(some.len());
        into[..n_taken].copy_from_slice(&some[..n_taken]);
        self.is_over = feed.is_some() || there.is_empty();
        self.rest.consume(n_taken + usize::from(feed.is_some()));
        Ok(n_taken)
    }
}

/// A message, of which only the id counts.
#[derive(Deserialize)]
struct Outline {
    id: Id,
}

struct Id(RequestId);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(IdVisitor)
    }
}

struct IdVisitor;

impl Visitor<'_> for IdVisitor {
    type Value = Id;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a text or a whole number")
    }

    fn visit_i64<E: Error>(self, id: i64) -> Result<Id, E> {
        Ok(Id(RequestId::Number(id)))
    }

    fn visit_u64<E: Error>(self, id: u64) -> Result<Id, E> {
        i64::try_from(id).map(|id| Id(RequestId::Number(id))).map_err(E::custom)
    }

    fn visit_str<E: Error>(self, id: &str) -> Result<Id, E> {
        if id.len() > MAX_ID { Err(E::custom("it is too long")) } else { Ok(Id(RequestId::String(id.into()))) }
    }
}

/// Reads a line to its end and gives the id of the message, where it is one. `start` is what was read of it.
pub(super) fn id_of(start: &[u8], rest: &mut impl BufRead) -> io::Result<Option<RequestId>> {
    let start = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start);
    let mut line = UpToFeed { rest, is_over: false };
    let all = BufReader::new(start.chain(&mut line).take(MAX_LOOKED_AT));
    let outline = serde_json::from_reader::<_, Outline>(all).ok();
    if !line.is_over {
        line.rest.skip_until(b'\n')?;
    }
    Ok(outline.map(|outline| outline.id.0))
}
