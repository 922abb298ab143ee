//! The slots that are passages of a plan's prose: rules made of scars, what must not change, and modules where no list has them.
//!
//! It copies lines of the plan word for word.

use super::json::{Json, safe};
use super::markdown::{cells, heading, indent, is_label, is_row, is_rule, item, section, sections, table};
use super::owning::{Pattern, covers};
use super::plan::{ARCHITECTURE, PLAN, Plan, SCARS, is_path};
use super::receipt::{SlotDraft, source};
use globset::Glob;
use redact::Safe;

/// The most lines of the rules made of scars.
pub(super) const MAX_SCAR_LINES: usize = 30;
/// The title of the table with these rules.
pub(super) const RULES: &str = "Active Prevention Rules";
/// Lines of it that are no rule: title, head of the table and the line below that.
const HEAD_LINES: usize = 3;
/// What introduces the list of what must stay.
const DO_NOT_CHANGE: &str = "do not change";
/// The most lines of a section that stands for a module.
const MAX_SECTION_LINES: usize = 40;
/// Columns of a table of modules, and the fields that they are.
const COLUMNS: [(&str, &str); 9] = [
    ("module", "id"),
    ("id", "id"),
    ("name", "id"),
    ("path", "path"),
    ("responsibility", "responsibility"),
    ("owns", "owns"),
    ("exports", "exports"),
    ("depends on", "dependsOn"),
    ("used by", "usedBy"),
];
/// What a line about the path of a module begins with.
const PATH_LABELS: [&str; 5] = ["path", "paths", "location", "folder", "directory"];

/// The table of rules made of scars: its title and its lines. At most 30, of which rules that apply to these files stay first.
pub(super) fn scars(plan: &Plan, files: &[&str], receipt: &mut SlotDraft<'_>) -> Vec<String> {
    let rows = rules(plan);
    if rows.is_empty() {
        receipt.note(if plan.has(SCARS) {
            "SCARS.md has no table of active prevention rules"
        } else {
            "the plan has no SCARS.md, and facts know no scars"
        });
        return Vec::new();
    }
    let n_head = HEAD_LINES.min(rows.len() + 1) - 1;
    let (head, rules) = rows.split_at(n_head);
    let room = MAX_SCAR_LINES - HEAD_LINES;
    let mut kept: Vec<usize> = (0..rules.len()).collect();
    if rules.len() > room {
        let applies = |row: &str| cells(row).iter().any(|cell| applies_to(cell, files));
        kept.sort_by_cached_key(|at| (!rules.get(*at).is_some_and(|row| applies(row)), *at));
        kept.truncate(room);
        kept.sort_unstable();
        receipt.cut_lines(rules.len() - room);
        receipt.note("rules that apply to no file of the task were cut first");
    }
    receipt.add(RULES, source::SCARS);
    let kept = kept.into_iter().filter_map(|at| rules.get(at));
    let title = format!("## {RULES}");
    std::iter::once(title).chain(head.iter().chain(kept).map(|row| (*row).to_owned())).collect()
}

/// The lines of the table of rules.
pub(super) fn rules(plan: &Plan) -> Vec<&str> {
    let lines = plan.lines(SCARS);
    let found = section(&lines, RULES).and_then(|section| table(&lines, section.body));
    found.map(|rows| lines[rows].to_vec()).unwrap_or_default()
}

/// Whether a cell of a table names one of the files, a folder around it, or a pattern that fits it; `*` stands for folders too.
fn applies_to(cell: &str, files: &[&str]) -> bool {
    let names = |word: &str| {
        let word = word.trim_matches(['`', ',', ';']);
        if !word.contains(['/', '*', '.']) {
            return false;
        }
        let (pattern, wide) = (Pattern::new(word), Glob::new(word).ok().map(|glob| glob.compile_matcher()));
        files.iter().any(|file| pattern.covers(file).is_some() || wide.as_ref().is_some_and(|glob| glob.is_match(file)))
    };
    cell.split_whitespace().any(names)
}

/// Whether a heading is the path of another file.
pub(super) fn names_other(line: &str, files: &[&str]) -> bool {
    let title = heading(line).map(|(_, title)| title.trim_matches('`'));
    title.is_some_and(|title| is_path(title) && !files.contains(&title))
}

/// Whether a line begins or ends code.
pub(super) fn is_fence(line: &str) -> bool {
    line.starts_with("```")
}

/// Lines of prose without code under the path of a file that is none of these: what a file holds has its place, and others have none.
pub(super) fn without_others(lines: Vec<String>, files: &[&str], receipt: &mut SlotDraft<'_>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut is_inside = false;
    for line in lines {
        if is_inside {
            is_inside = !is_fence(&line);
        } else if is_fence(&line) && kept.last().is_some_and(|last| names_other(last, files)) {
            is_inside = true;
            receipt.note("code of a file that is not one of the task's is left out");
        } else {
            kept.push(line);
            continue;
        }
        receipt.cut_lines(1);
    }
    kept
}

/// The list of what must not change, word for word.
pub(super) fn boundaries(plan: &Plan) -> Vec<String> {
    let lines = plan.lines(PLAN);
    let Some(section) = section(&lines, DO_NOT_CHANGE) else { return Vec::new() };
    let body = &lines[section.body];
    let mut found: Vec<String> = Vec::new();
    let mut depth = None;
    let mut is_grouped = false;
    for line in body {
        if is_label(line) {
            // What follows under another label is another list, unless this one has labels of its own.
            if !is_grouped && !found.is_empty() {
                break;
            }
            is_grouped = true;
        }
        match item(line) {
            Some(text) if depth.is_none_or(|depth| indent(line) <= depth) => {
                depth = Some(indent(line));
                found.push(text.to_owned());
            }
            // What is indented goes on with the item above.
            _ if depth.is_some_and(|depth| indent(line) > depth) && !line.trim().is_empty() => {
                if let Some(last) = found.last_mut() {
                    last.push('\n');
                    last.push_str(line.trim());
                }
            }
            _ => {}
        }
    }
    if found.is_empty() {
        // No list: each line, or each row of a table, is an item.
        let head = body.iter().position(|line| is_rule(line)).map_or(0, |at| at + 1);
        let is_item =
            |line: &&&str| !line.trim().is_empty() && heading(line).is_none() && !is_label(line) && line.trim() != "---";
        let text = |line: &&str| if is_row(line) { cells(line).join(" | ") } else { line.trim().to_owned() };
        found.extend(body.iter().skip(head).filter(is_item).map(text));
    }
    found
}

/// The list of what must not change, with what a planner should know of it.
pub(super) fn boundary_slot(plan: &Plan, files: &[&str], receipt: &mut SlotDraft<'_>) -> Vec<Safe> {
    let found = boundaries(plan);
    if found.is_empty() {
        receipt.note(if plan.has(PLAN) {
            "PLAN.md has no list under DO NOT CHANGE"
        } else {
            "the plan has no PLAN.md, and facts know no boundaries"
        });
    }
    for (number, text) in found.iter().enumerate() {
        receipt.add(&format!("DO NOT CHANGE {}", number + 1), source::PLAN);
        let named = |file: &&&str| text.split_whitespace().any(|word| word.trim_matches(['`', ',', ':', ';']) == **file);
        if let Some(file) = files.iter().find(named) {
            receipt.note(format!("a boundary names `{file}`, which the task may write: the plan says both"));
        }
    }
    found.iter().map(|text| safe(receipt.masker, text)).collect()
}

/// The module that owns a file, where only ARCHITECTURE.md has it: a row of a table with paths, or a section that says its path.
pub(super) fn module_of(plan: &Plan, file: &str) -> Option<Json> {
    let lines = plan.lines(ARCHITECTURE);
    let found = rows_of(&lines, file).into_iter().chain(sections_of(&lines, file));
    found.max_by_key(|(how_well, _)| *how_well).map(|(_, module)| module)
}

/// Rows of tables with a column for paths that own a file.
fn rows_of(lines: &[&str], file: &str) -> Vec<(usize, Json)> {
    let mut found = Vec::new();
    for (at, _) in lines.iter().enumerate().filter(|(_, line)| is_rule(line)) {
        let Some(head) = at.checked_sub(1).and_then(|at| lines.get(at)) else { continue };
        // The head is the first line of its table.
        if at.checked_sub(2).and_then(|at| lines.get(at)).is_some_and(|line| is_row(line)) {
            continue;
        }
        let columns: Vec<String> = cells(head).iter().map(|cell| cell.to_lowercase()).collect();
        let Some(path) = columns.iter().position(|column| column == "path") else { continue };
        for row in lines.iter().skip(at + 1).take_while(|line| is_row(line)) {
            let cells: Vec<&str> = cells(row).into_iter().map(|cell| cell.trim_matches('`')).collect();
            let how_well = cells.get(path).and_then(|path| covers(path, file));
            let field = |(column, cell): (&String, &&str)| {
                let (_, name) = COLUMNS.iter().find(|(known, _)| known == column)?;
                Some(((*name).to_owned(), Json::Text((*cell).to_owned())))
            };
            let fields: Vec<(String, Json)> = columns.iter().zip(&cells).filter_map(field).collect();
            found.extend(how_well.map(|how_well| (how_well, Json::Object(fields))));
        }
    }
    found
}

/// Sections that own a file: by a path in their title, or a line below it that says their path.
fn sections_of(lines: &[&str], file: &str) -> Vec<(usize, Json)> {
    let mut found = Vec::new();
    for section in sections(lines).into_iter().filter(|section| heading(lines[section.heading]).is_some()) {
        let own = lines[section.body.clone()].iter().take_while(|line| heading(line).is_none());
        let own: Vec<&str> = own.copied().collect();
        let said = own.iter().filter_map(|line| path_said(line));
        let titled = section.title.split_whitespace().filter(|word| word.contains('/'));
        let paths =
            titled.chain(said).map(|path| path.trim_matches(['`', '(', ')', ',', '*'])).filter(|path| path.contains(['/', '.']));
        let Some((how_well, path)) = paths.filter_map(|path| Some((covers(path, file)?, path))).max() else { continue };
        let text: Vec<&str> = own.iter().take(MAX_SECTION_LINES).copied().collect();
        let text = text.join("\n");
        let fields = [("id", section.title), ("path", path), ("section", text.trim())];
        let fields = fields.map(|(name, text)| (name.to_owned(), Json::Text(text.to_owned())));
        found.push((how_well, Json::Object(fields.to_vec())));
    }
    found
}

/// The path in a line such as `- **Path:** src/auth/`.
fn path_said(line: &str) -> Option<&str> {
    let plain = item(line).unwrap_or(line).trim();
    let (label, rest) = plain.split_once(':')?;
    let label = label.trim_matches('*').to_lowercase();
    PATH_LABELS.contains(&label.as_str()).then(|| rest.trim_start_matches('*').split_whitespace().next())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use redact::Masker;

    fn plan(name: &'static str, text: &str) -> Plan {
        Plan::new(&Masker::knowing_nothing(), [(name, text.as_bytes().to_vec())]).unwrap()
    }

    fn table_of(n_rules: usize) -> String {
        let rule = |n| format!("| SCAR-{n:03} | {} | keep |\n", if n % 10 == 9 { "*/middleware*" } else { "src/pay/" });
        let rows: String = (0..n_rules).map(rule).collect();
        format!(
            "# Scars\n\n## Active Prevention Rules\n\n> prose\n\n| Rule | Applies To | Constraint |\n|---|---|---|\n{rows}\n## Scar Log\n| a |\n"
        )
    }

    #[test]
    fn of_scars_only_the_table_of_rules_is_taken() {
        let nothing = Masker::knowing_nothing();
        let mut receipt = SlotDraft::of(&nothing, "scarsDigest");
        let lines = scars(&plan(SCARS, &table_of(2)), &[], &mut receipt);
        let expected = ["## Active Prevention Rules", "| Rule | Applies To | Constraint |", "|---|---|---|"];
        assert_eq!(lines[..3], expected);
        assert_eq!(lines[3..], ["| SCAR-000 | src/pay/ | keep |", "| SCAR-001 | src/pay/ | keep |"]);
        assert!(scars(&plan(SCARS, "## Active Prevention Rules\nnone\n"), &[], &mut receipt).is_empty());
    }

    #[test]
    fn of_too_many_rules_those_that_apply_stay() {
        let nothing = Masker::knowing_nothing();
        let mut receipt = SlotDraft::of(&nothing, "scarsDigest");
        let lines = scars(&plan(SCARS, &table_of(60)), &["src/auth/middleware.ts"], &mut receipt);
        assert_eq!((lines.len(), receipt.receipt.n_lines_cut), (MAX_SCAR_LINES, 33));
        assert!(
            (0..6)
                .all(|n| lines.iter().any(|line| line.contains(&format!("SCAR-{n}09")) || line.contains(&format!("SCAR-0{n}9"))))
        );
        assert!(lines[3..].is_sorted());
    }

    #[test]
    fn boundaries_are_taken_word_for_word() {
        let list = "- `a.ts` — keep: T01\n  until it is done\n  - and its test\n- b  c.ts\n\n**DO NOT:**\n- no item\n";
        let expected = ["`a.ts` — keep: T01\nuntil it is done\n- and its test", "b  c.ts"];
        for head in [
            "## Boundaries\n\n**DO NOT CHANGE:**\n",
            "## DO NOT CHANGE\n\n",
            "Do not change:\n",
            "## Boundaries\n### DO NOT CHANGE (hard)\n",
        ] {
            assert_eq!(boundaries(&plan(PLAN, &format!("{head}{list}\n## Next\n- x\n"))), expected, "{head}");
        }
        assert_eq!(boundaries(&plan(PLAN, "## DO NOT CHANGE\n\na.ts — x\nb.ts\n\n---\n\n## Next\n")), ["a.ts — x", "b.ts"]);
        let groups = "## DO NOT CHANGE\n**Files:**\n- a\n\n**Modules:**\n- b\n";
        assert_eq!(boundaries(&plan(PLAN, groups)), ["a", "b"]);
        assert!(boundaries(&plan(PLAN, "# Plan\n")).is_empty());
    }

    #[test]
    fn a_module_of_prose_is_a_row_or_a_section() {
        let rows = "| Module | Path | Responsibility | Owns | Depends On |\n|---|---|---|---|---|\n| auth | src/auth/ | who may pass | x | — |\n| pay | src/pay/ | money | y | auth |\n";
        let text = |text: &str, file: &str| {
            module_of(&plan(ARCHITECTURE, text), file).map(|module| serde_json::to_string(&module).unwrap())
        };
        let auth = r#"{"id":"auth","path":"src/auth/","responsibility":"who may pass","owns":"x","dependsOn":"—"}"#;
        assert_eq!(text(rows, "src/auth/login.ts").as_deref(), Some(auth));
        let prose = "## Auth\n\n- **Path:** `src/auth/`\n\nDecides.\n\n## Pay (src/pay/)\nUses `src/auth/`.\n";
        let auth = r#"{"id":"Auth","path":"src/auth/","section":"- **Path:** `src/auth/`\n\nDecides."}"#;
        assert_eq!(text(prose, "src/auth/login.ts").as_deref(), Some(auth));
        assert_eq!(text(prose, "src/other.ts"), None);
    }
}
