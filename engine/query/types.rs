//! What each column and variable of a program is: told by the relations that are given, by numbers and names, and by what is compared.

use super::ast::Place;
use super::facts::Type;
use super::mistake::Mistake;

/// A column or variable whose type is looked for.
pub(super) type Slot = usize;

/// Sets of slots that have one type.
#[derive(Debug, Default)]
pub(super) struct Types {
    /// The slot that a slot is in one set with; the first of a set stands for all.
    parents: Vec<Slot>,
    /// What is known of a set, and why.
    known: Vec<Option<(Type, String)>>,
}

impl Types {
    pub(super) fn add(&mut self) -> Slot {
        self.parents.push(self.parents.len());
        self.known.push(None);
        self.parents.len() - 1
    }

    fn first(&mut self, mut slot: Slot) -> Slot {
        while self.parents[slot] != slot {
            self.parents[slot] = self.parents[self.parents[slot]];
            slot = self.parents[slot];
        }
        slot
    }

    /// Says what a slot is; `why` ends "… is a number".
    pub(super) fn is(&mut self, slot: Slot, of: Type, why: &str, place: Place) -> Result<(), Mistake> {
        let first = self.first(slot);
        match &self.known[first] {
            Some((known, before)) if *known != of => Err(clash(place, (*known, before), (of, why))),
            Some(_) => Ok(()),
            None => {
                self.known[first] = Some((of, why.to_owned()));
                Ok(())
            }
        }
    }

    /// Says that two slots are of one type.
    pub(super) fn are_one(&mut self, one: Slot, other: Slot, place: Place) -> Result<(), Mistake> {
        let (one, other) = (self.first(one), self.first(other));
        if one == other {
            return Ok(());
        }
        let merged = match (self.known[one].take(), self.known[other].take()) {
            (Some((first, why)), Some((second, because))) if first != second => {
                return Err(clash(place, (first, &why), (second, &because)));
            }
            (None, known) | (known, _) => known,
        };
        self.parents[other] = one;
        self.known[one] = merged;
        Ok(())
    }

    /// What a slot is, if anything says so.
    pub(super) fn of(&mut self, slot: Slot) -> Option<Type> {
        let first = self.first(slot);
        self.known[first].as_ref().map(|(of, _)| *of)
    }
}

fn clash(place: Place, (one, why): (Type, &str), (other, because): (Type, &str)) -> Mistake {
    Mistake::new(place, format!("a {} ({why}) is never a {} ({because})", one.word(), other.word()))
}

impl Type {
    /// What it is called in messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Node => "file or symbol",
            Self::Text => "text",
            Self::Name => "name",
            Self::Number => "number",
        }
    }
}
