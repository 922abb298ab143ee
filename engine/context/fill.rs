//! Fits what a section could say into what it may say: entries in groups, and the order in which they are cut.
//!
//! Every piece was counted, as an upper bound, when it was made; fitting is addition.

mod compress;
mod pack;
mod passages;

pub use compress::{Compression, compress};

use super::list::List;
use super::pieces::{Counter, Entry, Form};
use super::worth::Worth;
use activate_rules::atoms::{Energy, Hops};
use activate_rules::sections::Section;
use index::completeness::Completeness;
use redact::{PacketWriter, Safe};
use tokens::{JOINT, Tokens};

/// Entries under one heading.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says something of its own")]
pub struct Group {
    /// Shown above the entries.
    pub heading: Option<Form>,
    /// Shown below the entries.
    pub footer: Option<Form>,
    /// The entries, in the order of the text.
    pub entries: Vec<Entry>,
    /// How to say that entries were cut.
    pub cut: Cut,
    /// Entries that were cut.
    n_cut: usize,
    /// How many more there are than entries, where no more were made than may have room.
    pub n_unseen: usize,
    /// The lowest score among them.
    lowest: Option<Energy>,
    /// Whether they were cut from the front.
    cut_first: bool,
    /// An upper bound for the note.
    note_tokens: Tokens,
    /// Whether there is no room for the note.
    is_silent: bool,
    /// What it says of itself as a list, below the entries; such a group is shown even without entries.
    list: Option<List>,
    /// Whether there is no room for anything of it.
    is_gone: bool,
    /// How many entries the reader has.
    held: Option<Safe>,
    /// Whether its entries are passages, which stand together where they are of one file.
    pub are_passages: bool,
    /// What it is worth to say that a list has nothing.
    pub(crate) bare: Worth,
    /// An upper bound for the tokens of the fences around all of them.
    pub fences: Tokens,
    /// Its heading, without what explains it; empty where it has none that is fixed.
    title: &'static str,
}

/// How to say that entries were cut: `  +12 more files (lowest 31): activate why PATH`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cut {
    /// Spaces before the note.
    pub indent: &'static str,
    /// What the entries are, as a plural.
    pub noun: &'static str,
    /// How to see them; empty where there is no way.
    pub how: &'static str,
}

/// One step of making a section smaller. Steps are taken in order, and each only as far as needed.
#[derive(Debug, Clone)]
pub enum Step {
    /// Cuts entries of a group, from one end, down to so many.
    Drop(usize, End, usize),
    /// Cuts entries that are more than one hop away, from the end.
    OneHop(usize),
    /// Shows entries in a smaller form, from the end, but not the first so many.
    Shrink(usize, usize),
    /// Shows other entries instead of these: a summary.
    Replace(usize, Vec<Entry>),
    /// Cuts entries from the end, then the note that says so: all that a group has.
    Remove(usize),
    /// Leaves out the note that entries were cut: the entries that are left say more.
    Silence(usize),
    /// Shows this heading instead and no footer.
    Head(usize, Form),
}

impl Step {
    /// The place of the group that it is about.
    const fn group(&mut self) -> &mut usize {
        match self {
            Self::Drop(group, ..)
            | Self::OneHop(group)
            | Self::Shrink(group, _)
            | Self::Replace(group, _)
            | Self::Remove(group)
            | Self::Silence(group)
            | Self::Head(group, _) => group,
        }
    }
}

/// Where entries are cut first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// At the front: the oldest.
    First,
    /// At the end: the least important.
    Last,
}

/// A section before and after it was fitted.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Which section.
    pub section: Section,
    /// Its groups, in the order of the text. Steps name them by place; a group without entries is not shown.
    pub groups: Vec<Group>,
    /// What it gives up first, for sections that matter more, and before its own steps.
    pub compression: Vec<(Compression, Step)>,
    /// How it is made smaller.
    pub steps: Vec<Step>,
    /// An upper bound for what must be said whatever else has no room; the steps come down to it.
    pub least: Tokens,
    /// Whether what is worth most per token is shown first, in the place of steps.
    pub by_worth: bool,
    /// Whether all of it was found beside the task: nobody gave any of it.
    pub is_found: bool,
    /// Who counts the line that says which groups have no room at all; none where that is not said.
    pub names_left_out: Option<Counter>,
    /// That line.
    pub(crate) left_out: Option<Form>,
}

impl Group {
    /// A group under a heading of its own.
    pub fn new(counter: Counter, heading: &'static str, entries: Vec<Entry>, cut: Cut) -> Self {
        let title = heading.split([':', '(']).next().unwrap_or_default().trim_end();
        Self { heading: Some(counter.heading(heading)), title, ..Self::plain(counter, entries, cut) }
    }

    /// A group without a heading.
    pub fn plain(counter: Counter, entries: Vec<Entry>, cut: Cut) -> Self {
        Self { note_tokens: longest_note(counter, cut, entries.len()), entries, cut, ..Self::default() }
    }

    /// The same group, worth so much even where there is nothing in it.
    #[must_use]
    pub(crate) fn bare(self, bare: Worth) -> Self {
        Self { bare, ..self }
    }

    /// The same group without a note that entries were cut, where that says little.
    #[must_use]
    pub fn quiet(self) -> Self {
        Self { is_silent: true, note_tokens: Tokens(0), ..self }
    }

    /// The same group as a list of entries of this kind, where it is known how complete it is.
    #[must_use]
    pub fn stating(self, counter: Counter, kind: &'static str, completeness: Option<Completeness>) -> Self {
        let list = completeness.map(|completeness| List::new(counter, kind, completeness, self.entries.is_empty()));
        Self { list, ..self }
    }

    /// Cuts entries from the end down to so many.
    pub fn keep(&mut self, most: usize) {
        while self.entries.len() > most {
            self.cut_at(self.entries.len() - 1);
        }
    }

    /// What it says of itself as a list, and how many of its entries were cut.
    pub fn list(&self) -> Option<(&List, usize)> {
        self.list.as_ref().map(|list| (list, self.n_cut))
    }

    /// Leaves out the entries that the reader has, and says how many where that takes no more room than they did. A group of which nothing
    /// else is left says nothing.
    pub fn hold(&mut self, counter: Counter, mut is_held: impl FnMut(&Entry) -> bool) {
        let n_before = self.entries.len();
        let mut saved = Tokens(0);
        self.entries.retain(|entry| {
            let is_held = is_held(entry);
            saved = if is_held { saved + entry.tokens() } else { saved };
            !is_held
        });
        let n_held = n_before - self.entries.len();
        self.is_gone |= self.entries.is_empty() && n_held > 0;
        let line = held(self.cut, n_held);
        self.held = (n_held > 0 && counter.line(line.clone()).tokens() <= saved).then_some(line);
    }

    /// Whether anything of it is shown.
    fn is_shown(&self) -> bool {
        !self.is_gone && (!self.entries.is_empty() || self.has_note() || self.list.is_some())
    }

    /// Leaves out all of it.
    fn give_up(&mut self) {
        let (n_cut, list) = (self.n_cut + self.entries.len(), self.list.take());
        *self = Self { n_cut, list, title: self.title, is_gone: true, ..Self::default() };
    }

    /// Whether it says that entries were cut.
    fn has_note(&self) -> bool {
        self.n_cut > 0 && !self.is_silent
    }

    fn tokens(&self) -> Tokens {
        if !self.is_shown() {
            return Tokens(0);
        }
        let list = self.list.as_ref().map_or(Tokens(0), List::tokens);
        let frame = [&self.heading, &self.footer].into_iter().flatten().map(Form::tokens).sum::<Tokens>() + list;
        let note = if self.has_note() { self.note_tokens } else { Tokens(0) };
        let entries = if self.are_passages {
            passages::tokens(&self.entries) + self.fences
        } else {
            self.entries.iter().map(Entry::tokens).sum()
        };
        frame + note + entries
    }

    /// An upper bound for what stands around its entries, with the note that some were cut.
    fn frame_tokens(&self) -> Tokens {
        let list = self.list.as_ref().map_or(Tokens(0), List::tokens);
        [&self.heading, &self.footer].into_iter().flatten().map(Form::tokens).sum::<Tokens>()
            + list
            + self.note_tokens
            + self.fences
    }

    /// Cuts one entry; the tokens that this saves, not counting the note.
    fn cut_at(&mut self, place: usize) -> Tokens {
        let entry = self.entries.remove(place);
        self.n_cut += 1;
        let scores = self.lowest.into_iter().chain(entry.about.score);
        self.lowest = scores.min();
        entry.tokens()
    }

    fn write(&self, writer: &mut PacketWriter) {
        if !self.is_shown() {
            return;
        }
        let note = self.has_note().then(|| note(self.cut, self.n_cut + self.n_unseen, self.lowest));
        if let Some(heading) = &self.heading {
            heading.write(writer);
        }
        if let Some(note) = note.as_ref().filter(|_| self.cut_first) {
            writer.line(note);
        }
        if self.are_passages {
            passages::write(&self.entries, writer);
        } else {
            self.entries.iter().for_each(|entry| entry.write(writer));
        }
        if let Some(note) = note.as_ref().filter(|_| !self.cut_first) {
            writer.line(note);
        }
        if let Some(held) = &self.held {
            writer.line(held);
        }
        if let Some(list) = &self.list {
            list.write(writer, self.n_cut);
        }
        if let Some(footer) = &self.footer {
            footer.write(writer);
        }
    }
}

/// How to ask about a node, where there is one repository.
pub const WHY: &str = "activate why PATH";

/// How many entries the reader has.
fn held(cut: Cut, n_held: usize) -> Safe {
    Safe::format("{}({} more as sent before)", &[&Safe::fixed(cut.indent), &Safe::number(n_held as i64)])
}

fn note(cut: Cut, n_cut: usize, lowest: Option<Energy>) -> Safe {
    let lowest =
        lowest.map_or_else(Safe::default, |score| Safe::format(" (lowest {})", &[&Safe::number(i64::from(score.in_points()))]));
    let how = if cut.how.is_empty() { Safe::default() } else { Safe::format(": {}", &[&Safe::fixed(cut.how)]) };
    let n_cut = Safe::number(n_cut as i64);
    Safe::format("{}+{} more {}{}{}", &[&Safe::fixed(cut.indent), &n_cut, &Safe::fixed(cut.noun), &lowest, &how])
}

/// The tokens of a note that is as long as any can be of so many entries.
fn longest_note(counter: Counter, cut: Cut, n_entries: usize) -> Tokens {
    if n_entries == 0 { Tokens(0) } else { counter.line(note(cut, n_entries.max(100), Some(Energy(999_999)))).tokens() }
}

impl Draft {
    /// A section that is cut from the end of its last group.
    pub fn new(section: Section, groups: Vec<Group>) -> Self {
        Self {
            section,
            groups,
            compression: Vec::new(),
            steps: Vec::new(),
            least: Tokens(0),
            by_worth: false,
            is_found: false,
            names_left_out: None,
            left_out: None,
        }
    }

    /// Puts a group in front of all others that is given up before anything else is.
    pub fn prepend(&mut self, group: Group) {
        let given_up = self.compression.iter_mut().map(|(_, step)| step);
        for place in given_up.chain(&mut self.steps).map(Step::group) {
            *place += 1;
        }
        self.steps.splice(0..0, [Step::Drop(0, End::Last, 0), Step::Silence(0), Step::Remove(0)]);
        self.groups.insert(0, group);
    }

    /// The same section with the name of a repository behind each heading.
    pub fn of_repository(&mut self, counter: Counter, repository: &Safe) {
        let name = |form: &mut Form| *form = counter.form(form.ending_in(&Safe::format(" [{}]", &[repository])));
        for group in &mut self.groups {
            group.heading.iter_mut().for_each(name);
            if group.cut.how == WHY && !group.is_silent {
                group.cut.how = "activate fleet ask --intent … --why REPOSITORY/PATH";
                group.note_tokens = longest_note(counter, group.cut, group.entries.len());
            }
        }
        let steps = self.compression.iter_mut().map(|(_, step)| step).chain(&mut self.steps);
        steps.filter_map(|step| if let Step::Head(_, form) = step { Some(form) } else { None }).for_each(name);
    }

    /// Puts the same section of another repository below: of the two it is given up first.
    pub fn append(&mut self, mut below: Self) {
        let given_up = below.compression.iter_mut().map(|(_, step)| step);
        for place in given_up.chain(&mut below.steps).map(Step::group) {
            *place += self.groups.len();
        }
        self.compression.splice(0..0, below.compression);
        self.steps.splice(0..0, below.steps);
        self.groups.extend(below.groups);
        self.least = self.least + below.least;
        self.is_found &= below.is_found;
        self.names_left_out = self.names_left_out.or(below.names_left_out);
    }

    /// An upper bound for the tokens of the section as it stands; nothing for a section without content.
    pub fn tokens(&self) -> Tokens {
        let groups: Tokens = self.groups.iter().map(Group::tokens).sum();
        let tokens = groups + self.left_out.as_ref().map_or(Tokens(0), Form::tokens);
        if tokens == Tokens(0) { tokens } else { tokens + JOINT }
    }

    /// The entries that are shown.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.groups.iter().flat_map(|group| &group.entries)
    }

    /// What its groups say of themselves as lists, each with how many of its entries were cut.
    pub fn lists(&self) -> impl Iterator<Item = (&List, usize)> {
        self.groups.iter().filter_map(Group::list)
    }

    /// How many entries were cut.
    pub fn n_cut(&self) -> usize {
        self.groups.iter().map(|group| group.n_cut).sum()
    }

    /// Appends the section to a text.
    pub fn write(&self, writer: &mut PacketWriter) {
        for group in &self.groups {
            group.write(writer);
        }
        if let Some(line) = &self.left_out {
            line.write(writer);
        }
    }

    /// Gives entries their turns, where what is worth most comes first.
    pub fn order(&mut self) {
        if self.by_worth {
            pack::order(self);
        }
    }

    /// Makes the section fit into `granted` tokens: by its steps, then by cutting groups from the last to the first. What does not fit even
    /// as a note is not shown at all.
    pub fn fit(&mut self, granted: Tokens) {
        if self.by_worth {
            pack::fit(self, granted);
            // What follows would cut from the end, whatever it is worth.
            debug_assert!(self.tokens() <= granted, "{} of {granted}", self.tokens());
        }
        let given_up = std::mem::take(&mut self.compression).into_iter().map(|(_, step)| step);
        for step in given_up.chain(std::mem::take(&mut self.steps)) {
            if self.tokens() <= granted {
                return;
            }
            self.take(step, granted);
        }
        for place in (0..self.groups.len()).rev() {
            self.remove(place, granted);
        }
    }

    /// Cuts the last entry of the last group that has one; nothing is left to cut if the answer is no.
    pub fn cut_last(&mut self) -> bool {
        let Some(group) = self.groups.iter_mut().rev().find(|group| group.is_shown()) else {
            return false;
        };
        if group.entries.is_empty() {
            group.give_up();
        } else {
            group.cut_at(group.entries.len() - 1);
        }
        true
    }

    fn take(&mut self, step: Step, granted: Tokens) {
        match step {
            Step::Drop(group, end, keep) => self.drop_entries(group, end, keep, granted),
            Step::OneHop(group) => self.drop_far(group, granted),
            Step::Shrink(group, keep) => self.shrink(group, keep, granted),
            Step::Replace(group, entries) => {
                if let Some(group) = self.groups.get_mut(group) {
                    group.entries = entries;
                }
            }
            Step::Remove(group) => self.remove(group, granted),
            Step::Silence(group) => {
                if let Some(group) = self.groups.get_mut(group) {
                    group.is_silent = true;
                }
            }
            Step::Head(group, heading) => {
                if let Some(group) = self.groups.get_mut(group) {
                    (group.heading, group.footer) = (Some(heading), None);
                }
            }
        }
    }

    /// The tokens over `granted`.
    fn excess(&self, granted: Tokens) -> u32 {
        self.tokens().0.saturating_sub(granted.0)
    }

    fn drop_entries(&mut self, place: usize, end: End, keep: usize, granted: Tokens) {
        let mut excess = self.excess(granted);
        let Some(group) = self.groups.get_mut(place) else { return };
        while excess > 0 && group.entries.len() > keep {
            if group.n_cut == 0 {
                excess += if group.is_silent { 0 } else { group.note_tokens.0 };
                group.cut_first = end == End::First;
            }
            let at = if end == End::First { 0 } else { group.entries.len() - 1 };
            excess = excess.saturating_sub(group.cut_at(at).0);
        }
        // What was found beside the task is not worth a note without it.
        if self.is_found && self.groups[place].entries.is_empty() {
            self.groups[place].give_up();
        }
    }

    fn remove(&mut self, place: usize, granted: Tokens) {
        self.drop_entries(place, End::Last, 0, granted);
        if self.tokens() > granted {
            self.groups[place].give_up();
        }
    }

    fn drop_far(&mut self, place: usize, granted: Tokens) {
        let mut excess = self.excess(granted);
        let Some(group) = self.groups.get_mut(place) else { return };
        for at in (0..group.entries.len()).rev() {
            if excess == 0 {
                break;
            }
            if group.entries[at].about.hops > Hops::ONE {
                excess += if group.n_cut == 0 { group.note_tokens.0 } else { 0 };
                excess = excess.saturating_sub(group.cut_at(at).0);
            }
        }
    }

    fn shrink(&mut self, place: usize, keep: usize, granted: Tokens) {
        let mut excess = self.excess(granted);
        let Some(group) = self.groups.get_mut(place) else { return };
        for entry in group.entries.iter_mut().skip(keep).rev() {
            while excess > 0 {
                let Some(saved) = entry.shrink() else { break };
                excess = excess.saturating_sub(saved.0);
            }
        }
    }
}
