//! What is to be written, found out before anything is.

use super::agents::Scope;
use super::edit::{Fault, applied};
use super::place::Place;
use super::record::{Record, Records};
use super::settings::{Settings, What};
use error::{Error, ErrorKind, Result};

/// The change of one file.
pub(super) struct Plan {
    pub(super) place: Place,
    /// What it holds; nothing where it is not there.
    pub(super) old: Option<String>,
    /// What it will; nothing where it goes.
    pub(super) new: Option<String>,
    /// What is kept of it; nothing where it is turned back.
    record: Option<Record>,
    /// How many folders go with the file.
    n_folders: usize,
}

impl Plan {
    /// Writes it.
    pub(super) fn carry_out(&self, records: &Records) -> Result<()> {
        let path = self.place.path();
        let Some(record) = &self.record else {
            self.write()?;
            return records.forget(&path);
        };
        // Whatever is written can be turned back, also where this ends between the two.
        let earlier = records.find(&path);
        records.keep(record)?;
        let written = self.write();
        if written.is_err() {
            earlier.map_or_else(|| records.forget(&path), |earlier| records.keep(&earlier))?;
        }
        written
    }

    fn write(&self) -> Result<()> {
        match (&self.old, &self.new) {
            (old, Some(new)) => self.place.write(old.as_deref(), new),
            (Some(old), None) => self.place.remove(old, self.n_folders),
            (None, None) => Ok(()),
        }
    }
}

/// A fault of a file, as an error.
fn told(place: &Place) -> impl Fn(Fault) -> Error {
    let path = place.path();
    move |fault| Error::new(ErrorKind::BadInput, format!("`{}`, {fault}; it stays as it is", path.display()))
}

impl Settings<'_> {
    /// The file that is set up: the one that has an entry, else the first that is there, else the first.
    pub(super) fn place(&self, scope: Scope) -> Result<Option<Place>> {
        let places = match self.what {
            What::Server => self.agent.files(scope, self.world),
            What::Hook => self.agent.hooks(scope, self.world).into_iter().collect(),
        };
        if places.len() > 1 {
            let mut there = Vec::new();
            for place in &places {
                if let Some(text) = place.read()? {
                    if self.is_there(&text).map_err(told(place))? {
                        return Ok(Some(place.clone()));
                    }
                    there.push(place.clone());
                }
            }
            if let Some(place) = there.into_iter().next() {
                return Ok(Some(place));
            }
        }
        Ok(places.into_iter().next())
    }

    /// What sets it up; nothing where it is.
    pub(super) fn set_up(&self, place: &Place, records: &Records) -> Result<Option<Plan>> {
        let old = place.read()?;
        let told = told(place);
        if self.is_current(old.as_deref().unwrap_or_default()).map_err(&told)? {
            return Ok(None);
        }
        let path = place.path();
        let mut base = (old.clone().unwrap_or_default(), old.is_some(), place.n_missing());
        let mut kept = None;
        // What an earlier set-up wrote is turned back first, so that this one can be turned back to what was there before both.
        if let Some((record, old)) = records.find(&path).zip(old.as_ref()) {
            if let Some(before) = record.before(old) {
                base = (before, record.existed, record.n_folders);
            } else if self.is_known(old, Some(&record)).map_err(&told)? {
                match self.turned_back(old, &record).map_err(&told)? {
                    Some(before) => base.0 = before,
                    // What the user put into the entry stays, and only the earlier record knows what was there before.
                    None => kept = Some(record),
                }
            }
        }
        let (base, existed, n_folders) = base;
        let edits = self.put(&base).map_err(&told)?;
        let new = applied(&base, &edits).unwrap_or_default();
        let record = kept.unwrap_or_else(|| Record::new(path, existed, n_folders, &new, edits));
        Ok(Some(Plan { place: place.clone(), old, new: Some(new), record: Some(record), n_folders: 0 }))
    }

    /// What takes it back; nothing where there is nothing.
    pub(super) fn undo(&self, place: &Place, records: &Records) -> Result<Option<Plan>> {
        let Some(old) = place.read()? else { return Ok(None) };
        let record = records.find(&place.path());
        let plan = |new, n_folders| Ok(Some(Plan { place: place.clone(), old: Some(old.clone()), new, record: None, n_folders }));
        if let Some((record, before)) = record.as_ref().and_then(|record| Some((record, record.before(&old)?))) {
            return if record.existed { plan(Some(before), 0) } else { plan(None, record.n_folders) };
        }
        let told = told(place);
        if !self.is_known(&old, record.as_ref()).map_err(&told)? {
            return Ok(None);
        }
        plan(Some(self.without(&old, record.as_ref()).map_err(&told)?), 0)
    }

    /// Whether the program that stands there is one that a set-up wrote. A record alone does not say so: it is kept before the write.
    fn is_known(&self, text: &str, record: Option<&Record>) -> std::result::Result<bool, Fault> {
        let program = self.program(text)?.map(|program| serde_json::Value::String(program).to_string());
        let is_written = program.zip(record).is_some_and(|(program, record)| {
            let mut edits = record.edits.iter();
            edits.any(|edit| edit.inserted.contains(&program))
        });
        Ok(is_written || self.is_ours(text)?)
    }

    /// A text that was edited since, without what was written: what that was put in the place of stands there again, else our entry goes.
    fn without(&self, text: &str, record: Option<&Record>) -> std::result::Result<String, Fault> {
        if let Some(record) = record {
            if let Some(made) = self.turned_back(text, record)? {
                return Ok(made);
            }
            if record.replaced() {
                return Err(Fault::at(text, 0, "what was there before cannot be put back by itself here; put it back by hand"));
            }
        }
        let edits = self.take_out(text)?;
        Ok(applied(text, &edits).unwrap_or_else(|| text.to_owned()))
    }

    /// A text that was edited since with what was written turned back, where that stands there once as it was and nothing else changes.
    fn turned_back(&self, text: &str, record: &Record) -> std::result::Result<Option<String>, Fault> {
        let rest = self.rest(text)?;
        let is_back = |made: &String| {
            let is_left = if record.replaced() { self.is_current(made) } else { self.is_there(made) };
            is_left == Ok(false) && self.rest(made).is_ok_and(|made| made == rest)
        };
        let mut found = record.elsewhere(text).filter(is_back);
        Ok(found.next().filter(|_| found.next().is_none()))
    }
}
