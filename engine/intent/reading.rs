//! Places and names of a text, in that order: places pick among names.

use super::bounds::{MAX_CANDIDATES, MAX_FOLDERS, MAX_SHARED, MAX_UNKNOWN, WHOLE, part, rarity};
use super::found_places::FoundPlaces;
use super::mentions::{Form, Mention, Mentions, Pasted};
use super::names::{Found, Names, is_aside, last_segment};
use super::nearest::{nearest, nearest_paths};
use super::pick::Setting;
use super::places::Places;
use super::scripts;
use super::shapes::{is_code, is_rooted};
use super::{Ambiguity, How, Target, Unknown};
use activate_rules::atoms::{NodeId, Thousandths};
use activate_rules::weights::ReadingWeights;
use index::base::{FactBase, FileFlags, Traits};
use index::text::{Form as WordForm, TextIndex, for_each_word, query_terms};
use rustc_hash::FxHashSet;
use signals::place::{is_installed, looks_like_path};
use std::collections::BTreeMap;

/// Shortest word that may name a definition of a file that the text names, in bytes.
const MIN_WORD: usize = 3;

/// How many lines above a definition a line may be to mean it: as long as comments above definitions get.
const LINES_ABOVE: u32 = 60;

/// What places and names have given so far.
pub(super) struct Reading<'r, 'b> {
    base: &'b FactBase,
    places: &'r Places<'b>,
    names: &'r Names<'b>,
    index: Option<TextIndex<'b>>,
    pub(super) targets: Vec<Target>,
    pub(super) ambiguous: Vec<Ambiguity>,
    pub(super) unknown: Vec<Unknown>,
    pub(super) setting: Setting,
    /// Lines that files do not have.
    pub(super) stale: Vec<String>,
    /// Definitions whose names stand in a report of failures, how strongly they are meant, and the names.
    pub(super) suspects: Vec<(NodeId, u32, String)>,
    n_frames: u32,
    weights: &'r ReadingWeights,
}

impl<'r, 'b> Reading<'r, 'b> {
    pub(super) fn new(base: &'b FactBase, places: &'r Places<'b>, names: &'r Names<'b>, weights: &'r ReadingWeights) -> Self {
        let (targets, ambiguous, unknown, stale) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self {
            base,
            places,
            names,
            index: base.text().ok(),
            targets,
            ambiguous,
            unknown,
            setting: Setting::default(),
            stale,
            suspects: Vec::new(),
            n_frames: 0,
            weights,
        }
    }

    pub(super) fn read(&mut self, mentions: &Mentions) {
        for_each_word(mentions.prose.as_bytes(), |word, _| {
            self.setting.words.insert(word.to_owned());
        });
        for scope in &mentions.scopes {
            self.add_folder(scope, true);
        }
        // Places first: they pick among names.
        let mut named: Vec<&Mention> =
            mentions.found.iter().filter(|mention| !self.read_place(mention, mentions.has_trace())).collect();
        named.retain(|mention| !self.is_word(mention, mentions));
        if !mentions.has_trace() {
            self.add_words_of_named_files(&mentions.prose);
        }
        let found: Vec<(&Mention, Found)> = named.iter().filter_map(|mention| Some((*mention, self.find(mention)?))).collect();
        let alone = found.iter().filter(|(_, found)| found.nodes.len() == 1);
        self.setting.kin = alone.map(|(_, found)| self.base.file_of(found.nodes[0])).collect();
        for (mention, found) in &found {
            // A report quotes what it met: only the tests it names are surely meant.
            if mentions.pasted == Pasted::Report && !is_aside(self.base, found.nodes[0]) {
                self.add_suspects(&mention.text, found);
            } else {
                // Code uses what it imports beside much else, however short the text is.
                let is_used = matches!(mention.form, Form::Imported { .. });
                let weight = if mentions.is_long || is_used { mention.weight } else { WHOLE };
                let is_said = !mentions.is_long || mention.weight >= self.weights.blocks.title.get();
                let is_spelled_out = is_used || mention.form == Form::Code && (is_said || found.how == How::Qualified);
                self.add_name(&mention.text, found, weight, is_spelled_out);
            }
        }
        // Logs are full of names of exceptions and libraries.
        for mention in named.into_iter().filter(|_| !mentions.has_trace()) {
            let is_found = found.iter().any(|(other, _)| *other == mention);
            if !is_found && mention.form == Form::Code {
                self.add_unknown(&mention.text);
            }
        }
    }

    /// Whether a mention is a plain word that names nothing: it still speaks as a word. Most files have the project's own name, and among many
    /// sentences a capital says little, or quotes around a word outside of the title: `List`, `enabled`.
    fn is_word(&self, mention: &Mention, mentions: &Mentions) -> bool {
        let is_capitalised = mention.form == Form::Capitalised;
        if matches!(mention.form, Form::Imported { .. })
            || mentions.is_one_word
            || !is_capitalised && mention.form != Form::Quoted && is_code(&mention.text)
        {
            return false;
        }
        mentions.is_long && (is_capitalised || mention.weight < WHOLE) || self.is_everywhere(&mention.text)
    }

    /// Whether most files have a word, whatever its case.
    fn is_everywhere(&self, word: &str) -> bool {
        let n_docs = |index: &TextIndex<'_>| {
            rarity(index.document_frequency(&word.to_lowercase()), index.n_docs()) < self.weights.words.everywhere.get()
        };
        self.index.as_ref().is_some_and(n_docs)
    }

    /// Reads what failures say: their places are located already and pick among the names of their messages.
    pub(super) fn read_report(&mut self, mentions: &Mentions, failed: &[NodeId]) {
        self.setting.files.extend(failed.iter().map(|node| self.base.file_of(*node)));
        for_each_word(mentions.prose.as_bytes(), |word, _| {
            self.setting.words.insert(word.to_owned());
        });
        for mention in &mentions.found {
            if let Some(found) = self.find(mention).filter(|found| !is_aside(self.base, found.nodes[0])) {
                self.add_suspects(&mention.text, &found);
            }
        }
    }

    /// Reads a mention as a place; whether it was one, if only one that cannot be found. Beside a trace that may be anyone's.
    fn read_place(&mut self, mention: &Mention, has_trace: bool) -> bool {
        match &mention.form {
            Form::Place { path, line } => {
                let is_found = self.add_files(&mention.text, path, Some(*line), How::PathLine, WHOLE);
                if !is_found && !has_trace && self.places.knows_extension(path) {
                    self.add_unknown(path);
                }
                true
            }
            Form::Frame { path, line } => {
                self.n_frames += u32::from(self.add_files(&mention.text, path, Some(*line), How::Frame, self.frame_share()));
                true
            }
            Form::Function => {
                if let Some(node) = self.names.of_frame(&mention.text) {
                    let (text, confidence) = (mention.text.clone(), self.weights.names.picked);
                    let share = Thousandths::new(self.frame_share());
                    self.add_target(Target { node, text, how: How::Frame, confidence, share, line: None, is_spelled_out: true });
                    self.setting.files.push(self.base.file_of(node));
                    self.n_frames += 1;
                }
                true
            }
            Form::Code if is_rooted(&mention.text) => {
                // A route, or a path of some machine: no name of code stands in it.
                let text = &mention.text;
                let is_file = !self.places.find_rooted(text).is_empty();
                let is_found =
                    if is_file { self.add_files(text, text, None, How::Path, WHOLE) } else { self.add_rooted_folder(text) };
                if !is_found && !has_trace && self.places.knows_extension(text) && !is_installed(text) {
                    self.add_unknown(text);
                }
                true
            }
            Form::Code if looks_like_path(&mention.text) && !mention.text.contains('#') => {
                self.add_files(&mention.text, &mention.text, None, How::Path, WHOLE)
                    || mention.text.contains(['/', '\\']) && self.add_folder(&mention.text, false)
            }
            Form::Code | Form::Imported { .. } | Form::Capitalised | Form::Quoted => false,
        }
    }

    /// The share of the next frame: the innermost comes first.
    fn frame_share(&self) -> u32 {
        let weights = &self.weights.names;
        WHOLE.saturating_sub(self.n_frames.saturating_mul(weights.frame_step.get())).max(weights.frame_least.get())
    }

    /// Adds the files that a path means, with the symbol at the line; whether there is any.
    fn add_files(&mut self, text: &str, path: &str, line: Option<u32>, how: How, share: u32) -> bool {
        let all = self.places.find(path);
        let is_example = |file: &NodeId| self.base.flags(*file).has(FileFlags::EXAMPLE);
        if line.is_some() && all.len() > 1 && all.iter().all(is_example) {
            // Programs have such files, and whoever reports a line of one means his own.
            return true;
        }
        let files = if all.len() > 1 { self.setting.pick(self.base, &all) } else { all.clone() };
        if files.len() > MAX_SHARED || files.len() > 1 {
            self.add_ambiguity(path, &files);
        }
        if files.is_empty() || files.len() > MAX_SHARED {
            return !all.is_empty();
        }
        let confidence = self.confidence(files.len(), all.len());
        let share = share / files.len() as u32;
        for file in &files {
            self.setting.files.push(*file);
            let line = line.filter(|line| *line <= self.base.n_lines(*file).max(1));
            if line.is_none() && how != How::Path {
                let (path, n_lines) = (self.base.path(*file), self.base.n_lines(*file));
                self.stale.push(format!("{text} names a line that {path} does not have: it has {n_lines} lines."));
            }
            // A line between definitions is mostly one of the comment above the next.
            let around = line
                .and_then(|line| self.base.symbol_at(*file, line).or_else(|| self.base.symbol_below(*file, line, LINES_ABOVE)));
            for node in around.into_iter().chain([*file]) {
                self.add_target(Target {
                    node,
                    text: text.to_owned(),
                    how,
                    confidence,
                    share: Thousandths::new(share),
                    line,
                    is_spelled_out: true,
                });
            }
        }
        true
    }

    /// Adds the folder that a path from some root names, if it has folders of its own: `/users`, an address of a server, has none.
    fn add_rooted_folder(&mut self, written: &str) -> bool {
        written.trim_matches(['/', '~']).contains('/') && self.add_folder(written, false)
    }

    /// Adds the folders that a path or scope names; whether there is any.
    fn add_folder(&mut self, written: &str, is_scope: bool) -> bool {
        let folders = self.places.folders(written);
        let is_found = !folders.is_empty();
        for folder in folders {
            if self.setting.folders.len() < MAX_FOLDERS && !self.setting.folders.contains(&folder) {
                self.setting.folders.push(folder);
            }
        }
        if !is_found && is_scope {
            // A scope may be a file: `fix(config)` in a repository with one config.ts.
            let files = self.places.find(written);
            if files.len() <= MAX_SHARED {
                self.setting.folders.extend(files.iter().map(|file| self.base.path(*file).to_owned()));
            }
        }
        is_found
    }

    /// Adds the definitions of files that the text names whose names are words of it, letter by letter: "compress in src/compress.ts".
    fn add_words_of_named_files(&mut self, prose: &str) {
        let is_place = |target: &&Target| matches!(target.how, How::Path | How::PathLine);
        let places: Vec<&str> = self.targets.iter().filter(is_place).map(|target| target.text.as_str()).collect();
        if places.is_empty() {
            return;
        }
        let prose = FoundPlaces::new(&places).removed_from(prose);
        let searched: FxHashSet<String> = query_terms(&prose).into_iter().map(|term| term.text).collect();
        let is_searched = |word: &&str| word.len() >= MIN_WORD && searched.contains(&word.to_lowercase());
        let pieces = scripts::words(&prose).flat_map(|word| word.split(|c: char| !c.is_alphanumeric() && c != '_'));
        let words: FxHashSet<&str> = pieces.filter(is_searched).collect();
        let mut named: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
        let files = self.setting.files.iter().take(MAX_SHARED);
        for node in files.flat_map(|file| self.base.symbols_of(*file)).map(NodeId) {
            let symbol = self.base.symbol(node).filter(|symbol| !symbol.traits.has(Traits::NESTED));
            if let Some(symbol) = symbol.filter(|symbol| words.contains(symbol.name)) {
                named.entry(symbol.name).or_default().push(node);
            }
        }
        for (name, nodes) in named {
            self.add_name(name, &Found { nodes, how: How::Exact, strength: WHOLE }, WHOLE, true);
        }
    }

    fn find(&self, mention: &Mention) -> Option<Found> {
        match mention.form {
            Form::Code => self.names.find(&mention.text),
            Form::Imported { ref package } => self.names.of_package(package, &mention.text),
            Form::Capitalised => self.names.exactly(&mention.text),
            // Quotes stand around plain words too: many definitions of that name are no reason to ask which is meant.
            Form::Quoted => {
                let is_meant = |found: &Found| found.nodes.len() <= MAX_SHARED && !is_aside(self.base, found.nodes[0]);
                self.names.exactly(&mention.text).filter(is_meant)
            }
            Form::Place { .. } | Form::Frame { .. } | Form::Function => None,
        }
    }

    /// Adds the definitions of a name; `weight` is what the block counts that has it.
    fn add_name(&mut self, name: &str, found: &Found, weight: u32, is_spelled_out: bool) {
        let all = &found.nodes;
        let picked = if all.len() > 1 { self.setting.pick(self.base, all) } else { all.clone() };
        if picked.len() > 1 || all.len() > picked.len() {
            let mut candidates = picked.clone();
            candidates.extend(all.iter().filter(|node| !picked.contains(node)));
            self.add_ambiguity(name, &candidates);
        }
        // Of more definitions than can share, only picked ones count.
        if all.len() > MAX_SHARED && picked.len() == all.len() || picked.len() > MAX_SHARED {
            return;
        }
        let is_inside =
            |node: &NodeId| self.setting.folders.iter().any(|folder| self.base.path(*node).starts_with(folder.as_str()));
        let is_out = !self.setting.folders.is_empty() && !picked.iter().any(is_inside);
        let strength = if is_out { part(found.strength, self.weights.names.out_of_scope.get()) } else { found.strength };
        let share = Thousandths::new(part(strength, weight) / picked.len() as u32);
        let confidence = Thousandths::new(part(self.confidence(picked.len(), all.len()).get(), strength));
        for node in picked {
            self.add_target(Target {
                node,
                text: name.to_owned(),
                how: found.how,
                confidence,
                share,
                line: None,
                is_spelled_out: is_spelled_out && found.how != How::CaseInsensitive,
            });
        }
    }

    /// How sure it is that one of `n_picked` among `n` is meant.
    fn confidence(&self, n_picked: usize, n: usize) -> Thousandths {
        let whole = if n_picked < n { self.weights.names.picked.get() } else { WHOLE };
        Thousandths::new(whole / n_picked.max(1) as u32)
    }

    /// Adds what a report of failures says of the definitions with a name.
    fn add_suspects(&mut self, name: &str, found: &Found) {
        if found.nodes.len() <= MAX_SHARED {
            let strength = found.strength / found.nodes.len() as u32;
            self.suspects.extend(found.nodes.iter().map(|node| (*node, strength, name.to_owned())));
        }
    }

    /// Adds a target; of several mentions of one node the one with the greatest share stays. It is spelled out if any mention does so.
    fn add_target(&mut self, target: Target) {
        match self.targets.iter_mut().find(|known| known.node == target.node) {
            Some(known) => {
                let is_spelled_out = known.is_spelled_out || target.is_spelled_out;
                if known.share < target.share {
                    *known = target;
                }
                known.is_spelled_out = is_spelled_out;
            }
            None => self.targets.push(target),
        }
    }

    fn add_ambiguity(&mut self, name: &str, candidates: &[NodeId]) {
        if !self.ambiguous.iter().any(|known| known.name == name) {
            let listed = candidates.iter().take(MAX_CANDIDATES).copied().collect();
            self.ambiguous.push(Ambiguity { name: name.to_owned(), candidates: listed, n_all: candidates.len() });
        }
    }

    /// Adds a name or path that nothing has, not even as a word; names of what is outside say nothing about the repository.
    fn add_unknown(&mut self, name: &str) {
        let Some(index) = &self.index else { return };
        let mut is_word = false;
        for_each_word(name.as_bytes(), |word, form| {
            is_word |= (form != WordForm::Part) && index.document_frequency(word) > 0;
        });
        let is_path = name.contains(['/', '\\']);
        let is_foreign_path = is_path && !self.places.knows_extension(name);
        if (is_word && !is_path) || is_foreign_path || self.unknown.len() >= MAX_UNKNOWN {
            return;
        }
        let is_file = is_path || looks_like_path(name) && self.places.knows_extension(name);
        let nearest = if is_file { nearest_paths(self.base, index, name) } else { nearest(self.base, index, last_segment(name)) };
        self.unknown.push(Unknown { name: name.to_owned(), nearest });
    }
}
