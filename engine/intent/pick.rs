//! Which of several definitions or files a text means, judged by all else that it says.

use activate_rules::atoms::NodeId;
use index::base::FactBase;
use index::text::for_each_word;
use rustc_hash::FxHashSet;

/// What a text says besides the name in question.
#[derive(Debug, Default)]
pub(super) struct Setting {
    /// Files that it names.
    pub(super) files: Vec<NodeId>,
    /// Folders that it names, by path or as a scope; each with its slash.
    pub(super) folders: Vec<String>,
    /// Files of other names that have one definition only.
    pub(super) kin: Vec<NodeId>,
    /// All its words.
    pub(super) words: FxHashSet<String>,
}

impl Setting {
    /// The candidates that the text points at: those in a file it names, else in a folder it names, else beside its other names, else
    /// those of which it says most words. All of them where it says nothing.
    pub(super) fn pick(&self, base: &FactBase, candidates: &[NodeId]) -> Vec<NodeId> {
        let in_file = |node: &NodeId| self.files.contains(&base.file_of(*node));
        let in_folder = |node: &NodeId| self.folders.iter().any(|folder| base.path(*node).starts_with(folder.as_str()));
        let beside_kin = |node: &NodeId| self.kin.contains(&base.file_of(*node));
        let mut left = candidates.to_vec();
        for is_picked in [&in_file as &dyn Fn(&NodeId) -> bool, &in_folder, &beside_kin] {
            let picked: Vec<NodeId> = left.iter().copied().filter(is_picked).collect();
            if !picked.is_empty() {
                left = picked;
            }
        }
        if left.len() < 2 {
            return left;
        }
        let said: Vec<usize> = left.iter().map(|node| self.n_words_around(base, *node)).collect();
        let most = said.iter().copied().max().unwrap_or_default();
        left.into_iter().zip(said).filter(|(_, n_words)| *n_words == most).map(|(node, _)| node).collect()
    }

    /// How many words of a node's path and containers the text has, words of its own name aside.
    fn n_words_around(&self, base: &FactBase, node: NodeId) -> usize {
        let (own, containers) = base
            .symbol(node)
            .map_or(("", ""), |symbol| (symbol.name, symbol.local_id.rsplit_once('.').map_or("", |(containers, _)| containers)));
        let mut own_words = FxHashSet::default();
        for_each_word(own.as_bytes(), |word, _| {
            own_words.insert(word.to_owned());
        });
        let mut said = FxHashSet::default();
        for text in [base.path(node), containers] {
            for_each_word(text.as_bytes(), |word, _| {
                if self.words.contains(word) && !own_words.contains(word) {
                    said.insert(word.to_owned());
                }
            });
        }
        said.len()
    }
}
