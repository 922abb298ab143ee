//! `read` and `ctx_read`: lines of a file as they are now, or not at all where they are not those of a pack.

use super::page::MAX_CHARS;
use super::tool_call::ToolCall;
use super::toolbox::{ProgressFn, Toolbox, path, trust};
use error::{Error, ErrorKind, Result};
use packets::answer::{StoredPack, hash};
use redact::{DATA_NOTICE, LongLines, PacketWriter, Redacted, Safe};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Characters of an answer that are left to what stands around the lines, and to their escapes in JSON.
const FRAME_CHARS: usize = 1_000;

/// What `read` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Read {
    /// Path from the repository root
    pub(super) path: String,
    /// `first:last`, from 1; all if left out
    #[serde(default)]
    pub(super) lines: Option<String>,
    /// Refuse if the file is not what it was in this pack
    #[serde(default)]
    pub(super) pack_id: Option<String>,
}

/// What `ctx_read` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadPack {
    /// The pack
    pack_id: String,
    /// A path of the pack
    path: String,
    /// First line, from 1
    #[serde(default)]
    start_line: Option<u32>,
    /// Last line
    #[serde(default)]
    end_line: Option<u32>,
}

/// Lines of a file.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Excerpt {
    #[schemars(with = "String")]
    path: Safe,
    /// First and last line given
    lines: (u32, u32),
    // Lines of the file.
    n_lines: u32,
    hash: String,
    /// `lines` of the next part
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    text: String,
}

impl ToolCall for Read {
    type Output = Excerpt;

    fn run(self, toolbox: &Toolbox, progress: ProgressFn<'_>) -> Result<Excerpt> {
        let pack = self.pack_id.as_deref().map(|id| toolbox.pack(id)).transpose()?;
        let lines = self.lines.as_deref().map(range).transpose()?;
        read(toolbox, progress, pack.as_ref(), &self.path, lines.unwrap_or((1, u32::MAX)))
    }
}

impl ToolCall for ReadPack {
    type Output = Excerpt;

    fn run(self, toolbox: &Toolbox, progress: ProgressFn<'_>) -> Result<Excerpt> {
        let pack = toolbox.pack(&self.pack_id)?;
        let (first, last) = (self.start_line.unwrap_or(1), self.end_line.unwrap_or(u32::MAX));
        if first == 0 || last < first {
            let message = "`start_line` and `end_line` are counted from 1, the first not behind the last";
            return Err(Error::new(ErrorKind::BadInput, message));
        }
        read(toolbox, progress, Some(&pack), &self.path, (first, last))
    }
}

/// Lines as an argument gives them.
fn range(lines: &str) -> Result<(u32, u32)> {
    let (first, last) = lines.split_once([':', '-']).unwrap_or((lines, lines));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last => Ok((first, last)),
        _ => Err(Error::new(
            ErrorKind::BadInput,
            "`lines` is not a range of lines: write `first:last`, counted from 1, such as `10:80`",
        )),
    }
}

fn read(
    toolbox: &Toolbox,
    progress: ProgressFn<'_>,
    pack: Option<&StoredPack>,
    named: &str,
    (first, last): (u32, u32),
) -> Result<Excerpt> {
    let path = path("path", named)?;
    let kept = pack.map(|pack| kept(toolbox, pack, path.as_str())).transpose()?;
    let snapshot = toolbox.snapshot(progress)?;
    let masker = snapshot.masker();
    let refused = |kind, why: &str| Error::new(kind, format!("`path`: `{}` {why}", masker.name(path.as_str())));
    let text = toolbox.engine().text_at(&snapshot, masker, &path);
    let file = snapshot.base.file_at(path.as_str());
    let (text, file) = match (text?, file) {
        (Some(text), Some(file)) => (text, file),
        _ if kept.is_some() => return Err(refused(ErrorKind::Changed, "is not a file any more; ask `context` for a new pack")),
        _ => return Err(refused(ErrorKind::BadInput, "does not exist; paths are from the root of the repository")),
    };
    let now = hash(&text);
    if kept.is_some_and(|kept| *kept != now) {
        let why =
            "changed since the pack was made, so these lines may be others: read it without `pack_id`, or ask `context` again";
        return Err(refused(ErrorKind::Changed, why));
    }
    let n_lines = text.n_lines();
    if first > n_lines.max(1) {
        return Err(refused(ErrorKind::BadInput, &format!("has {n_lines} lines: there is no line {first}")));
    }
    let end = fitting(&text, first, last.min(n_lines));
    let code = if end < first { Safe::default() } else { Safe::numbered(&text, first..=end, LongLines::Cut, 1) };
    let next = (end < last.min(n_lines)).then(|| format!("{}:{}", end + 1, last.min(n_lines)));
    let shown = masker.name(path.as_str());
    let mut writer = PacketWriter::new();
    let place = [&shown, &Safe::number(first), &Safe::number(end), &Safe::number(n_lines)];
    writer.line(&Safe::format("{} lines {} to {} of {}", &place));
    writer.line(&Safe::fixed(DATA_NOTICE));
    writer.fenced(trust(&snapshot, file), &code);
    if let Some(next) = &next {
        writer.line(&Safe::format("more: ask with lines {}", &[&masker.name(next)]));
    }
    Ok(Excerpt { path: shown, lines: (first, end), n_lines, hash: now, next, text: writer.finish().text })
}

/// The hash that a pack knows a file by.
fn kept<'p>(toolbox: &Toolbox, pack: &'p StoredPack, path: &str) -> Result<&'p String> {
    pack.places.iter().find(|place| place.path == path).map(|place| &place.hash).ok_or_else(|| {
        let message = format!(
            "`path`: pack {} has no file `{}`; `ctx_list` names those that it has, and `read` without `pack_id` reads any",
            pack.pack_id,
            toolbox.engine().masker().name(path)
        );
        Error::new(ErrorKind::BadInput, message)
    })
}

/// The last line of those that an answer has room for, at least one.
fn fitting(text: &Redacted, first: u32, last: u32) -> u32 {
    let mut room = MAX_CHARS - FRAME_CHARS;
    for line in first..=last {
        let code = Safe::numbered(text, line..=line, LongLines::Cut, 1);
        // As JSON writes it.
        let size = serde_json::to_string(code.as_str()).map_or(0, |json| json.chars().count());
        if size > room && line > first {
            return line - 1;
        }
        room = room.saturating_sub(size);
    }
    last
}
