//! What a page shows, as data: every text in it is masked.
//!
//! Must not know markup, nor the engine: one collects it, another draws it.

use context::{Energy, Tier};
use redact::Safe;

/// A page.
#[derive(Debug, Clone, Default)]
pub(super) struct View {
    /// What was asked, in one line.
    pub(super) task: Safe,
    /// What else is to be known at a glance.
    pub(super) facts: Vec<Safe>,
    /// What is active, best first, and what led there.
    pub(super) nodes: Vec<Node>,
    /// What is not in the picture, and why.
    pub(super) left_out: Vec<Safe>,
    /// What the packet holds.
    pub(super) budget: BudgetView,
    /// What is reviewed.
    pub(super) change: Option<ChangeView>,
    /// The folders of the repository.
    pub(super) modules: Vec<Module>,
    /// What the answer does not know.
    pub(super) problems: Vec<Safe>,
}

/// A file or definition.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// What it is called within its file; of a file its name with its folder.
    pub(super) name: Safe,
    /// What it is in one word.
    pub(super) kind: &'static str,
    /// Its path, with lines where it is a definition.
    pub(super) place: Safe,
    /// Its score.
    pub(super) score: Energy,
    /// How much it matters.
    pub(super) tier: Tier,
    /// What it is to the task.
    pub(super) role: &'static str,
    /// Why it is active, as a phrase.
    pub(super) reason: Safe,
    /// Where its energy comes from.
    pub(super) parent: Option<usize>,
    /// By which rule.
    pub(super) rule: &'static str,
    /// The file and line of that.
    pub(super) site: Option<Safe>,
    /// The lines of its proof behind those of its parent's proof.
    pub(super) proof: Vec<ProofLine>,
    /// Whether the proof stands by itself, since its parent's own score has another one.
    pub(super) is_whole: bool,
    /// What its place in the list is made of.
    pub(super) standing: Vec<Safe>,
    /// Its code.
    pub(super) code: Option<Code>,
    /// Its links to others of the page.
    pub(super) links: Vec<LinkTo>,
    /// Whether it is drawn: what only stands in a hot file is listed.
    pub(super) is_drawn: bool,
}

/// A line of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProofLine {
    /// What it says.
    pub(super) text: Safe,
    /// Whether it says what the step above rests on.
    pub(super) is_ground: bool,
}

/// Lines of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Code {
    /// The number of the first line.
    pub(super) first: u32,
    /// The lines.
    pub(super) text: Safe,
    /// How many more lines there are.
    pub(super) n_more: u32,
}

/// A link to another node.
#[derive(Debug, Clone)]
pub(super) struct LinkTo {
    /// Its kind.
    pub(super) rule: &'static str,
    /// The other node.
    pub(super) to: usize,
    /// File and line.
    pub(super) site: Option<Safe>,
}

/// What the packet holds.
#[derive(Debug, Clone, Default)]
pub(super) struct BudgetView {
    /// The most tokens.
    pub(super) total: u32,
    /// Those that it has.
    pub(super) used: u32,
    /// Its sections.
    pub(super) sections: Vec<SectionView>,
    /// Larger packets, each with what it would have and how many entries.
    pub(super) larger: Vec<(u32, u32, usize)>,
}

/// A section.
#[derive(Debug, Clone, Default)]
pub(super) struct SectionView {
    /// Its name.
    pub(super) name: &'static str,
    /// Tokens of its text.
    pub(super) tokens: u32,
    /// The most that it might have.
    pub(super) budget: u32,
    /// What it says.
    pub(super) items: Vec<ItemView>,
    /// What did not fit.
    pub(super) cut: Vec<ItemView>,
    /// How many further entries did not fit.
    pub(super) n_more: usize,
}

/// Something a section says, or does not.
#[derive(Debug, Clone)]
pub(super) struct ItemView {
    /// Its place or name.
    pub(super) name: Safe,
    /// What it is.
    pub(super) kind: &'static str,
    /// Tokens of its text; none of what is cut.
    pub(super) tokens: u32,
    /// Why it is there.
    pub(super) reason: Safe,
    /// Whether a smaller form stands for it.
    pub(super) is_smaller: bool,
    /// What stopped it.
    pub(super) limit: Option<&'static str>,
    /// The least budget that was tried at which it is shown.
    pub(super) enters: Option<u32>,
    /// The node it shows.
    pub(super) node: Option<usize>,
}

/// A change under review.
#[derive(Debug, Clone, Default)]
pub(super) struct ChangeView {
    /// What is compared.
    pub(super) name: Safe,
    /// Lines added and removed.
    pub(super) lines: (u32, u32),
    /// Its files: path, what happens to it, lines added and removed.
    pub(super) files: Vec<(Safe, &'static str, u32, u32)>,
    /// Definitions that go and are used all the same.
    pub(super) broken: Vec<Safe>,
    /// What depends on it, by the number of steps.
    pub(super) levels: Vec<Level>,
    /// Tests to run: the command and why.
    pub(super) commands: Vec<(Safe, Safe)>,
    /// What usually changes along and did not.
    pub(super) missing: Vec<Safe>,
}

/// What is so many steps away from a change.
#[derive(Debug, Clone, Default)]
pub(super) struct Level {
    /// How many.
    pub(super) depth: usize,
    /// What is there.
    pub(super) rows: Vec<Dependent>,
    /// How many more there are.
    pub(super) n_more: usize,
}

/// What depends on a change.
#[derive(Debug, Clone)]
pub(super) struct Dependent {
    /// What it is called.
    pub(super) name: Safe,
    /// Path and line where it uses what changes.
    pub(super) place: Safe,
    /// How it does.
    pub(super) how: &'static str,
    /// What it uses.
    pub(super) of: Safe,
    /// How sure that is.
    pub(super) confidence: &'static str,
    /// Whether it is a test.
    pub(super) is_test: bool,
    /// Its node on this page.
    pub(super) node: Option<usize>,
}

/// A folder with what stands below it and in no other module.
#[derive(Debug, Clone, Default)]
pub(super) struct Module {
    /// Its path.
    pub(super) path: Safe,
    /// How many files, definitions and lines there are.
    pub(super) n_files: u32,
    pub(super) n_symbols: u32,
    pub(super) n_lines: u32,
    /// How many files and definitions of it are active.
    pub(super) n_active: u32,
    /// The best score in it.
    pub(super) best: Energy,
    /// Modules that it uses, and that use it, each with the number of links, most first.
    pub(super) uses: Vec<(usize, u32)>,
    pub(super) used_by: Vec<(usize, u32)>,
    /// Its best nodes on this page.
    pub(super) nodes: Vec<usize>,
}
