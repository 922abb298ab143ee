//! What types have above them, as a line, and the members that a name may mean there: found once for each type and name.

use super::bare::Bare;
use super::index::{Index, Member};
use super::lookup::MAX_SUPERS;
use super::{Name, Sym};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, PoisonError, RwLock};

/// The most types above one that are put into an order, before those far away are left out.
const MAX_WALKED: usize = 16 * MAX_SUPERS;

/// Lines of supertypes that have been asked for, by the type below.
#[derive(Debug, Default)]
pub(super) struct Lines(RwLock<FxHashMap<Sym, Line>>);

#[derive(Debug, Clone)]
struct Line {
    types: Arc<[Sym]>,
    /// Whether one of them has supertypes that are none of the repository, or more than are looked through.
    has_outside: bool,
}

/// The types around a name that have members of it, innermost first, with these members.
type Around = Rc<[(Sym, Vec<Member>)]>;

thread_local! {
    /// What names mean around types, by the innermost, while the sites of a file are resolved.
    static AROUND: RefCell<Option<FxHashMap<(Sym, Name), Around>>> = const { RefCell::new(None) };
}

/// What `work` gives, which uses no other thread: it looks for each name around a type once.
pub(super) fn once_around<T>(work: impl FnOnce() -> T) -> T {
    AROUND.set(Some(FxHashMap::default()));
    let _end = Remembering;
    work()
}

/// While it is there, what names mean is remembered.
struct Remembering;

impl Drop for Remembering {
    fn drop(&mut self) {
        AROUND.set(None);
    }
}

impl Index<'_> {
    /// A type and its supertypes in the repository, in the order in which members are looked for where that is a line: each before those
    /// above it, in the order written, and what several have above them behind all of these.
    pub(super) fn line_of_supers(&self, of: Sym) -> Arc<[Sym]> {
        self.line(of).types
    }

    /// Whether there may be more types above a type than its line has.
    pub(super) fn is_line_cut(&self, of: Sym) -> bool {
        self.line(of).types.len() >= MAX_SUPERS
    }

    /// Whether a type or one above it has supertypes that are none of the repository, as far as is known.
    pub(super) fn has_supers_outside(&self, of: Sym) -> bool {
        self.line(of).has_outside
    }

    fn line(&self, of: Sym) -> Line {
        if !self.supers.contains_key(&of) {
            return Line { types: Arc::from([of]), has_outside: self.supers_outside.contains_key(&of) };
        }
        let known = self.lines.0.read().unwrap_or_else(PoisonError::into_inner).get(&of).cloned();
        known.unwrap_or_else(|| {
            let above = self.with_supers(of);
            let has_outside = above.len() > MAX_SUPERS || above.iter().any(|sym| self.supers_outside.contains_key(sym));
            let line = Line { types: self.make_line(of), has_outside };
            self.lines.0.write().unwrap_or_else(PoisonError::into_inner).insert(of, line.clone());
            line
        })
    }

    /// Puts a type behind all that is above it, each once, and turns that round.
    fn make_line(&self, of: Sym) -> Arc<[Sym]> {
        let above = |sym: Sym| self.supers.get(&sym).into_iter().flatten().map(|above| above.target);
        let mut line = Vec::new();
        let mut seen = FxHashSet::from_iter([of]);
        // Who extends itself, by whatever way, ends there.
        let mut open = vec![(of, above(of))];
        while let Some((sym, left)) = open.last_mut() {
            match left.next_back() {
                Some(target) if seen.len() < MAX_WALKED && seen.insert(target) => open.push((target, above(target))),
                Some(_) => {}
                None => {
                    line.push(*sym);
                    open.pop();
                }
            }
        }
        line.reverse();
        line.truncate(MAX_SUPERS);
        line.into()
    }

    /// The types around a name that have members of it, themselves or above them, innermost first, with these members.
    pub(super) fn members_around(&self, bare: Bare, around: &[Sym]) -> Around {
        let find = || -> Around {
            let each = around.iter().map(|of| (*of, self.all_members(*of, bare.name)));
            each.filter(|(_, members)| !members.is_empty()).collect()
        };
        let Some(key) = around.first().map(|innermost| (*innermost, bare.name)) else { return Rc::from([]) };
        let known = AROUND.with_borrow(|all| all.as_ref().and_then(|all| all.get(&key).cloned()));
        known.unwrap_or_else(|| {
            let found = find();
            AROUND.with_borrow_mut(|all| all.as_mut().map(|all| all.insert(key, Rc::clone(&found))));
            found
        })
    }
}
