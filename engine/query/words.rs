//! The texts and names that values stand for.

use super::facts::Value;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Texts by number. Whoever hands out rows puts the texts of these here.
#[derive(Debug, Default)]
pub struct Words(RefCell<Known>);

#[derive(Debug, Default)]
struct Known {
    by_text: FxHashMap<Rc<str>, Value>,
    texts: Vec<Rc<str>>,
    n_bytes: usize,
}

impl Words {
    /// The number of a text.
    pub fn id(&self, text: &str) -> Value {
        let mut known = self.0.borrow_mut();
        if let Some(id) = known.by_text.get(text) {
            return *id;
        }
        let (id, text): (Value, Rc<str>) = (known.texts.len() as Value, text.into());
        known.n_bytes += 2 * size_of::<usize>() * 4 + text.len();
        known.texts.push(Rc::clone(&text));
        known.by_text.insert(text, id);
        id
    }

    /// The text of a number; empty for one that was not given.
    pub fn text(&self, id: Value) -> Rc<str> {
        self.0.borrow().texts.get(id as usize).cloned().unwrap_or_default()
    }

    /// Bytes that they take, about.
    pub(super) fn n_bytes(&self) -> usize {
        self.0.borrow().n_bytes
    }
}
