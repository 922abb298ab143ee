//! The values of a packet as its lines have them: printed, and read back one by one.

use super::fold::{Place, UNSET, fold, unfold};
use super::layout::{Field, ROWS, Row};
use super::{History, PENDING, Phase, PhasePacket, TestType, TypeSource};

/// What stands between two files of a list.
const BETWEEN: &str = ", ";
/// Stands for a text or a list that is empty on purpose.
const NONE: &str = UNSET[0];
/// What stands behind the status of a phase that the orchestrator verifies.
const VERIFIED: &str = " (orchestrator-verified: yes)";
const UNVERIFIED: &str = " (orchestrator-verified: no)";
/// What no status may hold, for it would look like one of these.
pub(super) const VERIFIED_MARK: &str = "(orchestrator-verified:";

impl PhasePacket {
    /// The text form with its delimiters and a line feed at the end.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in &ROWS {
            match row {
                Row::Fixed(line, _) => text.push_str(line),
                Row::Value(field) => {
                    text.push_str(field.about().label);
                    text.push(' ');
                    text.push_str(&self.line(*field));
                }
            }
            text.push('\n');
        }
        text
    }

    /// The value of a field as it stands in its line.
    pub(super) fn line(&self, field: Field) -> String {
        let text = |text: &str| fold(text, Place::Field);
        let or = |text: &Option<String>, unset: &str| {
            text.as_deref().map_or_else(|| unset.to_owned(), |text| fold(text, Place::Optional))
        };
        let state = &self.accumulated_state;
        match field {
            Field::TaskId => text(&self.task.task_id),
            Field::SubtaskId => or(&self.task.subtask_id, NONE),
            Field::ParentTitle => text(&self.task.parent_title),
            Field::ParentDescription => text(&self.task.parent_description),
            Field::ParentTestStrategy => or(&self.task.parent_test_strategy, NONE),
            Field::Description => text(&self.feature.description),
            Field::TestType => self.feature.test_type.name().to_owned(),
            Field::TypeSource => self.feature.type_source.name().to_owned(),
            Field::ScopeRestriction => text(&self.feature.scope_restriction),
            Field::ChangedFiles(phase) => files_line(state.changed_files.get(phase).as_deref()),
            Field::PhaseHistory(phase) => {
                let History { status, orchestrator_verified } = state.phase_history.get(phase);
                let verified = orchestrator_verified.map_or("", |is| if is { VERIFIED } else { UNVERIFIED });
                text(status) + verified
            }
            Field::TestCommand => or(&state.test_command, PENDING),
            Field::TestFile => or(&state.test_file, PENDING),
            Field::TestIntent => or(&state.test_intent, PENDING),
        }
    }

    /// Sets a field from the value in its line. Where it is not spelled as [`Self::line`] spells it, the rule that it breaks and what is
    /// expected.
    pub(super) fn set_line(&mut self, field: Field, line: &str) -> Result<(), (&'static str, String)> {
        let or = |unset: &str| if line == unset { Ok(None) } else { unfolded(line, Place::Optional).map(Some) };
        let text = || unfolded(line, Place::Field);
        let state = &mut self.accumulated_state;
        match field {
            Field::TaskId => self.task.task_id = text()?,
            Field::SubtaskId => self.task.subtask_id = or(NONE)?,
            Field::ParentTitle => self.task.parent_title = text()?,
            Field::ParentDescription => self.task.parent_description = text()?,
            Field::ParentTestStrategy => self.task.parent_test_strategy = or(NONE)?,
            Field::Description => self.feature.description = text()?,
            Field::TestType => {
                let found = TestType::ALL.into_iter().find(|one| one.name() == line);
                self.feature.test_type = found.ok_or_else(|| one_of("test-type", &TestType::ALL.map(TestType::name)))?;
            }
            Field::TypeSource => {
                let found = TypeSource::ALL.into_iter().find(|one| one.name() == line);
                self.feature.type_source = found.ok_or_else(|| one_of("type-source", &TypeSource::ALL.map(TypeSource::name)))?;
            }
            Field::ScopeRestriction => self.feature.scope_restriction = text()?,
            Field::ChangedFiles(phase) => *state.changed_files.get_mut(phase) = files(line)?,
            Field::PhaseHistory(phase) => *state.phase_history.get_mut(phase) = history(phase, line)?,
            Field::TestCommand => state.test_command = or(PENDING)?,
            Field::TestFile => state.test_file = or(PENDING)?,
            Field::TestIntent => state.test_intent = or(PENDING)?,
        }
        Ok(())
    }
}

fn one_of(rule: &'static str, names: &[&str]) -> (&'static str, String) {
    (rule, format!("expected one of {}", names.join(", ")))
}

fn unfolded(line: &str, place: Place) -> Result<String, (&'static str, String)> {
    unfold(line, place).ok_or_else(|| {
        let message = "expected line ends as `␊`, and other control characters, spaces at the ends, `␊` and `␛` as `␛{hex}`, \
                       nothing else escaped";
        ("escape", message.to_owned())
    })
}

fn files_line(files: Option<&[String]>) -> String {
    match files {
        None => PENDING.to_owned(),
        Some([]) => NONE.to_owned(),
        Some(files) => files.iter().map(|path| fold(path, Place::List)).collect::<Vec<_>>().join(BETWEEN),
    }
}

fn files(line: &str) -> Result<Option<Vec<String>>, (&'static str, String)> {
    match line {
        PENDING => Ok(None),
        NONE => Ok(Some(Vec::new())),
        line => line.split(BETWEEN).map(|path| unfolded(path, Place::List)).collect::<Result<Vec<_>, _>>().map(Some),
    }
}

fn history(phase: Phase, line: &str) -> Result<History, (&'static str, String)> {
    let (status, orchestrator_verified) = if phase.is_verified() {
        let ended = |end, is| line.strip_suffix(end).map(|status| (status, Some(is)));
        ended(VERIFIED, true).or_else(|| ended(UNVERIFIED, false)).ok_or_else(|| {
            let message = format!("expected the status with `{VERIFIED}` or `{UNVERIFIED}` behind it");
            ("verified", message)
        })?
    } else {
        (line, None)
    };
    Ok(History { status: unfolded(status, Place::Field)?, orchestrator_verified })
}
