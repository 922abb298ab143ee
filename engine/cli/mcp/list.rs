//! `ctx_list`: the files of a pack.

use super::page::page;
use super::tool_call::ToolCall;
use super::toolbox::{ProgressFn, Toolbox};
use error::{Error, ErrorKind, Result};
use globset::GlobBuilder;
use redact::{PacketWriter, Safe};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most bytes of a pattern.
const MAX_GLOB: usize = 1_000;

/// What `ctx_list` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    /// The pack
    pack_id: String,
    /// Pattern of paths, such as `src/**/*.rs`; all if left out
    #[serde(default)]
    glob: Option<String>,
    /// `next_cursor` of the last part
    #[serde(default)]
    cursor: Option<String>,
}

/// Files.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Listed {
    files: Vec<ListedFile>,
    text: String,
    n_left: u32,
    next_cursor: Option<String>,
}

/// A file of a pack.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ListedFile {
    #[schemars(with = "String")]
    path: Safe,
    /// Bytes of what may be seen of it now; none where it is gone
    size: Option<u64>,
    /// Of what may be seen of it, when the pack was made
    hash: String,
    /// Places of the pack
    lines: Vec<(u32, u32)>,
}

impl ToolCall for List {
    type Output = Listed;

    fn run(self, toolbox: &Toolbox, progress: ProgressFn<'_>) -> Result<Listed> {
        let pack = toolbox.pack(&self.pack_id)?;
        let refused = |why: String| Error::new(ErrorKind::BadInput, format!("`glob` is not a pattern: {why}"));
        let matcher = match &self.glob {
            Some(glob) if glob.len() > MAX_GLOB => return Err(refused(format!("it has more than {MAX_GLOB} bytes"))),
            Some(glob) => {
                let built = GlobBuilder::new(glob).literal_separator(true).backslash_escape(true).build();
                Some(
                    built
                        .map_err(|error| refused(toolbox.engine().masker().line(&error.to_string()).as_str().to_owned()))?
                        .compile_matcher(),
                )
            }
            None => None,
        };
        let snapshot = toolbox.snapshot(progress)?;
        let mut files: BTreeMap<&str, ListedFile> = BTreeMap::new();
        for place in pack.places.iter().filter(|place| matcher.as_ref().is_none_or(|matcher| matcher.is_match(&place.path))) {
            // The size of what is masked would say how long that is.
            let shown = |file| toolbox.engine().text_if(&snapshot, file, |_| true).ok().flatten();
            let size = || snapshot.base.file_at(&place.path).and_then(shown).map(|text| text.as_str().len() as u64);
            let file = files.entry(&place.path).or_insert_with(|| ListedFile {
                path: snapshot.masker().name(&place.path),
                size: size(),
                hash: place.hash.clone(),
                lines: Vec::new(),
            });
            file.lines.push(place.lines);
        }
        let rows: Vec<(ListedFile, Safe)> =
            files.into_values().map(|file| (file.line(), file)).map(|(line, file)| (file, line)).collect();
        let page = page(rows, self.cursor.as_deref())?;
        let mut writer = PacketWriter::new();
        page.items.iter().for_each(|(_, line)| writer.line(line));
        if page.n_left > 0 {
            writer.line(&Safe::format("{} more files: ask with `next_cursor`", &[&Safe::number(page.n_left as i64)]));
        }
        if page.items.is_empty() {
            writer.line(&Safe::fixed("no file of the pack matches"));
        }
        let files = page.items.into_iter().map(|(file, _)| file).collect();
        Ok(Listed { files, n_left: page.n_left as u32, next_cursor: page.next, text: writer.finish().text })
    }
}

impl ListedFile {
    /// It in words.
    fn line(&self) -> Safe {
        let lines = |lines: &(u32, u32)| Safe::format("{}-{}", &[&Safe::number(lines.0), &Safe::number(lines.1)]);
        let lines: Vec<Safe> = self.lines.iter().map(lines).collect();
        Safe::format("{} {}", &[&self.path, &Safe::join(&lines, ", ")])
    }
}
