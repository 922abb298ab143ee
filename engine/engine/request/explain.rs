//! Why something is active or is not, and what depends on a change: for people and for whoever draws it.
//!
//! Must not decide anything: it reads what was derived.

use super::Activation;
use activate_rules::atoms::NodeId;
use context::activation;
use error::Result;
use index::base::Dependence;
use index::completeness::Subject;
use index::snapshot::UNREAD;

impl Activation<'_> {
    /// Why a target is active: `path`, `path#Container.name`, `path:line` or a name. Lines for people.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](error::ErrorKind::BadInput) if the target means nothing here.
    pub fn why(&self, target: &str) -> Result<Vec<String>> {
        self.why_within(target, "")
    }

    /// The same, where others have to do with it as well: `within` says in front of who uses it what was looked at.
    ///
    /// # Errors
    ///
    /// As [`Activation::why`].
    pub fn why_within(&self, target: &str, within: &str) -> Result<Vec<String>> {
        let node = self.target(target)?;
        let lines = activation::why(&self.snapshot.base, &self.found, node);
        Ok(self.masked(if lines.is_empty() { lines } else { self.with_summary(lines, node, within) }))
    }

    /// The derivation of a node's score step by step, for whoever draws it. The lines of the steps are masked.
    pub fn proof(&self, node: NodeId) -> Vec<activation::Proof> {
        let mut proof = activation::proof(&self.snapshot.base, &self.found, node);
        for step in &mut proof {
            step.lines = self.masked(std::mem::take(&mut step.lines));
        }
        proof
    }

    /// What the rank of a node is made of, and what speaks for its passages. Masked lines for people.
    pub fn standing(&self, node: NodeId) -> Vec<String> {
        self.masked(activation::standing(&self.snapshot.base, &self.found, node))
    }

    /// What depends on the change that is reviewed, directly or through others; nothing where none is.
    pub fn affected(&self) -> Vec<(NodeId, Dependence)> {
        let Some(review) = &self.review else { return Vec::new() };
        context::affected_by(&self.snapshot.base, &self.found.intent, review).all()
    }

    /// Why a target is not among what is active, or not higher: how far energy got and what stopped it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](error::ErrorKind::BadInput) if the target means nothing here.
    pub fn why_not(&self, target: &str) -> Result<Vec<String>> {
        let node = self.target(target)?;
        let base = &self.snapshot.base;
        let has_file = base.is_file(node) || base.is_symbol(node);
        let is_unread = self.snapshot.partial.is_some() && has_file && base.hash(base.file_of(node)) == UNREAD;
        let unread =
            || format!("{} is not read yet, so nothing is known of its links: `activate index` reads all files", base.id(node));
        let lines = is_unread.then(unread).into_iter().chain(activation::why_not(base, &self.found, node)).collect();
        Ok(self.masked(self.with_summary(lines, node, "")))
    }

    /// Why one of two targets stands before the other, with how each ranks. Lines for people.
    ///
    /// # Errors
    ///
    /// That a target means nothing.
    pub fn why_over(&self, one: &str, other: &str) -> Result<Vec<String>> {
        let (one, other) = (self.target(one)?, self.target(other)?);
        Ok(self.masked(activation::why_over(&self.snapshot.base, &self.found, one, other)))
    }

    fn masked(&self, lines: Vec<String>) -> Vec<String> {
        lines.into_iter().map(|line| self.safe_name(&line)).collect()
    }

    /// Adds who uses a node and what it uses, as far as that is known: what explains a score rests on links alone.
    fn with_summary(&self, mut lines: Vec<String>, node: NodeId, within: &str) -> Vec<String> {
        let subject = Subject::new(&self.snapshot.base, &[node], &self.snapshot.unseen);
        lines.extend(subject.iter().flat_map(|subject| subject.summary(within)));
        lines
    }
}
