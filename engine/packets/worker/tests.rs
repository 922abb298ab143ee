//! From a task and a plan to a packet, and every rule of the checker with a packet that breaks it.

use super::*;
use crate::validate::Violation;
use plan::{ACCEPTANCE, ARCHITECTURE, CONTRACTS, DECISIONS, MODULES, OWNERSHIP, PLAN, SCARS, STATE, SYMBOLS, TEST_MAP};
use serde_json::{Value, json};

const TASK: &str = r#"{"id": "T02", "filesModified": ["src/auth/middleware.ts", "src/auth/middleware.test.ts"],
    "acceptanceCriteria": ["AC-3", "AC-4"], "tddMode": "hard", "riskTier": "high", "wave": 2}"#;

/// What the repository holds.
const TEXTS: [(&str, &str); 2] = [
    ("src/auth/middleware.ts", "import { verifyToken } from '../shared/jwt';\n\nexport const guard = () => verifyToken();\n"),
    ("src/pay/pay.ts", "export const pay = 1;\n"),
];

const FILES: [(&str, &str); 11] = [
    (
        MODULES,
        r#"{"modules": [
        {"id": "auth", "path": "src/auth/", "responsibility": "Who may pass", "exports": ["guard"], "dependsOn": [], "usedBy": ["api"]},
        {"id": "pay", "path": "src/pay/", "responsibility": "Money"}],
        "boundaries": [{"from": "api", "to": "auth", "rule": "by index.ts alone"}, {"from": "api", "to": "pay"}]}"#,
    ),
    (
        CONTRACTS,
        r#"{"contracts": [
        {"id": "auth-session", "endpoint": "POST /api/auth/login", "file": "src/auth/middleware.ts", "requestSchema": {"password": "string"}},
        {"id": "pay", "file": "src/pay/pay.ts"}, {"id": "loose"}], "lastUpdated": ""}"#,
    ),
    (
        SYMBOLS,
        r#"{"symbols": [{"file": "src/shared/jwt.ts", "exports": ["signToken", "verifyToken"]}, {"file": "src/pay/pay.ts", "exports": ["pay"]}]}"#,
    ),
    (
        OWNERSHIP,
        r#"{"files": [{"path": "src/auth/middleware.ts", "imports": ["src/shared/jwt.ts", "src/auth/middleware.test.ts"]},
        {"path": "src/auth/middleware.test.ts", "imports": ["src/auth/middleware.ts"]}]}"#,
    ),
    (
        TEST_MAP,
        r#"{"testMap": [{"sourceFile": "src/auth/middleware.ts", "testFiles": ["src/auth/middleware.test.ts"]},
        {"sourceFile": "src/auth/middleware.test.ts", "testFiles": []}, {"sourceFile": "src/pay/pay.ts", "testFiles": ["src/pay/pay.test.ts"]}]}"#,
    ),
    (ARCHITECTURE, "# Architecture\n"),
    (
        SCARS,
        "# Scars\n\n## Active Prevention Rules\n\n| Rule | Applies To | Constraint |\n|------|-----------|-----------|\n| SCAR-001 | src/auth/ | Verify the call |\n\n## Scar Log\n\nA long story.\n",
    ),
    (
        ACCEPTANCE,
        "# Master\n\nAC-2: Other\n  Given: no\n\nAC-3: Session\n  Given: a request\n  Then: next()\n\nAC-4: Rejection\n  Then: 401\n\n## End\n",
    ),
    (STATE, "# State\n\nCurrent Phase Goal: sign-in\n\n## Blockers\n\nnone\n"),
    (
        PLAN,
        "# Plan\n\n## Boundaries\n\n**DO NOT CHANGE:**\n- src/auth/login.ts — modified by T01, do not touch\n- src/api/routes.ts — will be modified by T03\n\n**DO NOT:**\n- hurry\n",
    ),
    (DECISIONS, "# Log\n\n## D1\nsrc/auth/middleware.ts keeps its name.\n\n## D2\nsrc/pay/pay.ts is old.\n"),
];

/// Facts that know one module, one import and one test.
struct Known;

impl Facts for Known {
    fn module_of(&self, file: &str) -> Option<Json> {
        let (folder, _) = file.rsplit_once('/')?;
        Json::parse(&format!("{{\"id\": \"{folder}\", \"path\": \"{folder}/\"}}")).ok()
    }

    fn imports_of(&self, file: &str) -> Vec<String> {
        let imports: &[&str] =
            if file == "src/auth/middleware.ts" { &["src/shared/jwt.ts", "src/auth/middleware.test.ts"] } else { &[] };
        imports.iter().map(|path| (*path).to_owned()).collect()
    }

    fn used_of(&self, file: &str, _users: &[&str]) -> Vec<String> {
        if file == "src/shared/jwt.ts" { vec!["verifyToken".to_owned()] } else { Vec::new() }
    }

    fn tests_of(&self, file: &str) -> Vec<String> {
        vec![file.replace(".ts", ".int.test.ts")].into_iter().filter(|_| file == "src/auth/middleware.ts").collect()
    }
}

fn plan_of(names: &[&str]) -> Plan {
    let files = FILES.into_iter().filter(|(name, _)| names.contains(name));
    Plan::new(&Masker::knowing_nothing(), files.map(|(name, text)| (name, text.as_bytes().to_vec()))).unwrap()
}

fn whole() -> Plan {
    plan_of(&plan::NAMES)
}

fn packet_of(task: &Task, plan: &Plan) -> (WorkerPacket, WorkerReceipt) {
    let read = |path: &RepoPath| {
        let text = TEXTS.iter().find(|(name, _)| *name == path.as_str());
        Ok(text.map(|(name, text)| Masker::knowing_nothing().file(name, text.as_bytes())))
    };
    WorkerPacket::new(&Sources {
        masker: &Masker::knowing_nothing(),
        task,
        plan,
        facts: &Known,
        read: &read,
        state_lines: STATE_LINES,
    })
    .unwrap()
}

/// The sources of a slot's entries.
fn sources(receipt: &WorkerReceipt, slot: &str) -> Vec<String> {
    let slot = receipt.slots.iter().find(|known| known.slot == slot).unwrap();
    slot.entries.iter().map(|entry| format!("{} < {}", entry.name, entry.source)).collect()
}

#[test]
fn a_packet_holds_what_the_plan_says_of_the_task_and_nothing_else() {
    let task = Task::parse(&Masker::knowing_nothing(), TASK).unwrap();
    let (packet, receipt) = packet_of(&task, &whole());
    let expected = json!({
        "files": ["src/auth/middleware.ts", "src/auth/middleware.test.ts"],
        "filesContent": {"src/auth/middleware.ts": TEXTS[0].1, "src/auth/middleware.test.ts": ""},
        "architectureSlice": {
            "modules": [{"id": "auth", "path": "src/auth/", "responsibility": "Who may pass", "exports": ["guard"], "dependsOn": [], "usedBy": ["api"]}],
            "boundaries": [{"from": "api", "to": "auth", "rule": "by index.ts alone"}],
        },
        "contractsSlice": {"contracts": [{"id": "auth-session", "endpoint": "POST /api/auth/login", "file": "src/auth/middleware.ts", "requestSchema": {"password": "string"}}]},
        "dependencySymbols": {"src/shared/jwt.ts": ["signToken", "verifyToken"]},
        "testsSlice": ["src/auth/middleware.test.ts"],
        "scarsDigest": "## Active Prevention Rules\n| Rule | Applies To | Constraint |\n|------|-----------|-----------|\n| SCAR-001 | src/auth/ | Verify the call |",
        "acceptanceCriteria": "AC-3: Session\n  Given: a request\n  Then: next()\n\nAC-4: Rejection\n  Then: 401",
        "stateDigest": format!("# State\n\nCurrent Phase Goal: sign-in\n\n## Blockers\n\nnone\n\n## Decisions about these files\n## D1\nsrc/auth/middleware.ts keeps its name.\n\n## Active Prevention Rules\n| Rule | Applies To | Constraint |\n|------|-----------|-----------|\n| SCAR-001 | src/auth/ | Verify the call |\n\n{}", state::NOTE),
        "boundaries": ["src/auth/login.ts — modified by T01, do not touch", "src/api/routes.ts — will be modified by T03"],
        "tddMode": "hard",
        "riskTier": "high",
    });
    assert_eq!(serde_json::from_str::<Value>(&packet.json()).unwrap(), expected);
    let Json::Object(fields) = Json::parse(&packet.json()).unwrap() else { panic!("an object") };
    let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, [&SLOTS[..], &["tddMode", "riskTier"]].concat());
    assert_eq!(
        sources(&receipt, "filesContent"),
        ["src/auth/middleware.ts < repository", "src/auth/middleware.test.ts < repository: no such file yet"]
    );
    assert_eq!(sources(&receipt, "architectureSlice"), ["auth < plan: modules.json", "boundary < plan: modules.json"]);
    assert_eq!(sources(&receipt, "dependencySymbols"), ["src/shared/jwt.ts < plan: symbols.json"]);
    assert!(receipt.json().contains("1 contracts name neither a file nor a module"));
    let given = Given { task: Some(&task), plan: Some(&whole()) };
    for given in [given, Given { plan: None, ..given }, Given::default()] {
        assert_eq!(validate(&Masker::knowing_nothing(), &packet.json(), given), []);
    }
}

#[test]
fn what_the_plan_lacks_is_derived_and_what_can_be_neither_is_empty_with_a_note() {
    let task = Task::parse(&Masker::knowing_nothing(), TASK).unwrap();
    let (packet, receipt) = packet_of(&task, &Plan::default());
    assert_eq!(
        serde_json::to_value(&packet.architecture_slice).unwrap(),
        json!({"modules": [{"id": "src/auth", "path": "src/auth/"}]})
    );
    assert_eq!(sources(&receipt, "architectureSlice"), ["src/auth < derived: packages"]);
    assert_eq!(sources(&receipt, "dependencySymbols"), ["src/shared/jwt.ts < derived: uses"]);
    assert_eq!(sources(&receipt, "testsSlice"), ["src/auth/middleware.int.test.ts < derived: tests"]);
    let empty = [&packet.scars_digest, &packet.acceptance_criteria].iter().all(|text| text.is_empty());
    assert!(empty && packet.boundaries.is_empty());
    assert_eq!(packet.state_digest.as_str(), state::NOTE);
    for slot in ["contractsSlice", "scarsDigest", "acceptanceCriteria", "stateDigest", "boundaries"] {
        let slot = receipt.slots.iter().find(|known| known.slot == slot).unwrap();
        assert!(slot.notes[0].as_str().starts_with("the plan has no "), "{:?}", slot.notes);
    }
    assert_eq!(
        validate(&Masker::knowing_nothing(), &packet.json(), Given { task: Some(&task), plan: Some(&Plan::default()) }),
        []
    );
}

#[test]
fn every_part_of_a_plan_may_be_missing() {
    let task = Task::parse(&Masker::knowing_nothing(), TASK).unwrap();
    for missing in plan::NAMES {
        let names: Vec<&str> = plan::NAMES.into_iter().filter(|name| *name != missing).collect();
        let plan = plan_of(&names);
        let (packet, _) = packet_of(&task, &plan);
        assert_eq!(
            validate(&Masker::knowing_nothing(), &packet.json(), Given { task: Some(&task), plan: Some(&plan) }),
            [],
            "without {missing}"
        );
    }
}

#[test]
fn what_a_plan_holds_of_other_files_stays_out() {
    let task = Task::parse(&Masker::knowing_nothing(), TASK).unwrap();
    let code = "export const pay = 1;\nexport default pay;\n";
    let prose = format!(
        "# State\n\n## src/pay/pay.ts\n```ts\n{code}```\n\n## AC-3: Session\n### `src/pay/pay.ts`\n```\n{code}```\nThen: next()\n"
    );
    let modules = json!([{"id": "auth", "path": "src/auth/", "source": code, "src/pay/pay.ts": code, "responsibility": "line\n".repeat(99)}]);
    let files = [(STATE, prose.clone()), (ACCEPTANCE, prose), (MODULES, modules.to_string())];
    let plan = Plan::new(&Masker::knowing_nothing(), files.map(|(name, text)| (name, text.into_bytes()))).unwrap();
    let (packet, receipt) = packet_of(&task, &plan);
    assert!(!packet.json().contains("export default pay"));
    assert!(packet.acceptance_criteria.as_str().ends_with("Then: next()"), "{}", packet.acceptance_criteria);
    let n_cut: Vec<u32> = receipt.slots.iter().map(|slot| slot.n_lines_cut).collect();
    assert_eq!(n_cut, [0, 0, 43, 0, 0, 0, 0, 4, 8, 0]);
    assert_eq!(validate(&Masker::knowing_nothing(), &packet.json(), Given { task: Some(&task), plan: Some(&plan) }), []);
}

#[test]
fn a_secret_of_file_or_plan_is_in_neither_packet_nor_receipt() {
    let token = format!("ghp_{}", "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8");
    let task = Task::parse(&Masker::knowing_nothing(), TASK).unwrap();
    let files = FILES.map(|(name, text)| {
        let text = if text.starts_with('#') {
            format!("{text}\n- {token}\n| {token} |\n")
        } else {
            text.replace("Who may pass", &token).replace("by index.ts alone", &token)
        };
        (name, text.replace("do not touch", &token).replace("Verify the call", &token).replace("a request", &token).into_bytes())
    });
    let read = |_: &RepoPath| Ok(Some(Masker::knowing_nothing().file("a.ts", format!("const k = \"{token}\";\n").as_bytes())));
    let plan = Plan::new(&Masker::knowing_nothing(), files).unwrap();
    let sources = Sources {
        masker: &Masker::knowing_nothing(),
        task: &task,
        plan: &plan,
        facts: &Known,
        read: &read,
        state_lines: STATE_LINES,
    };
    let (packet, receipt) = WorkerPacket::new(&sources).unwrap();
    assert!(!packet.json().contains(&token) && !receipt.json().contains(&token));
    assert!(receipt.redactions.values().sum::<u32>() >= 7, "{:?}", receipt.redactions);
    assert!(receipt.json().contains("masks in the place of secrets"));
    assert_eq!(validate(&Masker::knowing_nothing(), &packet.json(), Given { task: Some(&task), plan: Some(&plan) }), []);
}

/// A packet with one change, and the rules that it breaks: `place` are names of fields with `>` between them, `change` is JSON that takes
/// the place of what is there, `-` that takes it away, or a text `old=>new` that is replaced in a string.
fn broken(place: &str, change: &str, given: &str) -> Vec<Violation> {
    let (task, plan) = (Task::parse(&Masker::knowing_nothing(), TASK).unwrap(), whole());
    let mut packet: Value = serde_json::from_str(&packet_of(&task, &plan).0.json()).unwrap();
    let (above, name) = place.rsplit_once('>').unwrap_or(("", place));
    let pointer = |names: &str| {
        names.split('>').filter(|name| !name.is_empty()).fold(String::new(), |at, name| at + "/" + &name.replace('/', "~1"))
    };
    let around = packet.pointer_mut(&pointer(above)).unwrap();
    let old = match around {
        Value::Object(fields) if change == "-" => fields.remove(name).unwrap(),
        Value::Object(fields) => fields.get(name).cloned().unwrap_or_default(),
        _ => around[name.parse::<usize>().unwrap()].clone(),
    };
    let new = match change.split_once("=>") {
        Some((from, to)) => json!(old.as_str().unwrap().replacen(from, to, 1)),
        None if change == "-" => Value::Null,
        None => serde_json::from_str(change).unwrap(),
    };
    match around {
        Value::Object(fields) if change != "-" => drop(fields.insert(name.to_owned(), new)),
        Value::Array(items) => items[name.parse::<usize>().unwrap()] = new,
        _ => {}
    }
    let task = Some(&task).filter(|_| given.contains("task"));
    validate(
        &Masker::knowing_nothing(),
        &packet.to_string(),
        Given { task, plan: Some(&plan).filter(|_| given.contains("plan")) },
    )
}

#[test]
fn every_rule_refuses_a_broken_packet_by_its_name() {
    let long = |line: &str, n: usize| serde_json::to_string(&line.repeat(n)).unwrap();
    let (rows, criteria, state) = (long("| a |\n", 31), long("AC-3: x\n", 51), format!("# State=>{}", "x\n".repeat(150)));
    let (paragraphs, no_note) = (long("line\n", 61), format!("{}=>", state::NOTE));
    let many: String = serde_json::to_string(&(0..101).map(|n| format!("t/{n}.ts")).collect::<Vec<_>>()).unwrap();
    let module = "architectureSlice>modules>0";
    let field = |name: &str| format!("{module}>{name}");
    // Rule, what is given besides the packet, place, change.
    let table = [
        ("ten-slots", "", "extra", "1"),
        ("ten-slots", "", "testsSlice", "-"),
        ("ten-slots", "", "boundaries", r#""none""#),
        ("ten-slots", "", "architectureSlice", "[]"),
        ("files-equal-task", "task", "files", r#"["src/auth/middleware.ts"]"#),
        ("files-equal-task", "task", "files", r#"["src/auth/middleware.test.ts", "src/auth/middleware.ts"]"#),
        ("files-equal-task", "", "files>0", r#""../x""#),
        ("files-equal-task", "", "files>1", r#""src/auth/middleware.ts""#),
        ("files-equal-task", "", "files", "[]"),
        ("files-content-complete", "", "filesContent>src/auth/middleware.test.ts", "-"),
        ("files-content-complete", "", "filesContent>src/auth/middleware.ts", "null"),
        ("architecture-owns-files", "", module, r#"{"id": "pay", "path": "src/pay/"}"#),
        ("architecture-owns-files", "", module, r#"{"id": "auth"}"#),
        ("architecture-owns-files", "plan", "architectureSlice>modules", "[]"),
        ("architecture-owns-files", "plan", &field("id"), r#""pay""#),
        ("contracts-overlap-files", "", "contractsSlice>contracts>0>file", r#""src/pay/pay.ts""#),
        ("contracts-overlap-files", "task plan", "contractsSlice>contracts>0", r#"{"id": "loose"}"#),
        ("contracts-overlap-files", "task plan", "contractsSlice>contracts", "[]"),
        ("dependency-symbols-not-owned", "", "dependencySymbols>src/auth/middleware.ts", r#"["guard"]"#),
        ("dependency-symbols-not-owned", "", "dependencySymbols>src/shared/jwt.ts", r#"["function sign() {}"]"#),
        ("dependency-symbols-not-owned", "", "dependencySymbols>src/shared/jwt.ts", "[]"),
        ("dependency-symbols-not-owned", "plan", "dependencySymbols>src/shared/jwt.ts", r#"["inventToken"]"#),
        ("dependency-symbols-not-owned", "plan", "dependencySymbols", "{}"),
        ("dependency-symbols-not-owned", "plan", "dependencySymbols>src/pay/pay.ts", r#"["pay"]"#),
        ("tests-of-files", "", "testsSlice>0", r#""/etc/passwd""#),
        ("tests-of-files", "plan", "testsSlice", r#"["src/auth/middleware.test.ts", "src/pay/pay.test.ts"]"#),
        ("tests-of-files", "plan", "testsSlice", "[]"),
        ("scars-table-only", "", "scarsDigest", r#""Active Prevention Rules\n| a |\n\nA long story.""#),
        ("scars-table-only", "", "scarsDigest", &rows),
        ("scars-table-only", "plan", "scarsDigest", r#""""#),
        ("scars-table-only", "plan", "scarsDigest", "SCAR-001=>SCAR-009"),
        ("acceptance-of-task", "task", "acceptanceCriteria", "AC-3=>AC-2"),
        ("acceptance-of-task", "", "acceptanceCriteria", &criteria),
        ("acceptance-of-task", "task plan", "acceptanceCriteria", "\n\nAC-4: Rejection\n  Then: 401=>"),
        ("acceptance-of-task", "task plan", "acceptanceCriteria", "a request=>something else"),
        ("state-digest-limit", "", "stateDigest", &state),
        ("state-digest-limit", "", "stateDigest", &no_note),
        ("state-digest-limit", "", "stateDigest", "| SCAR-001=>| SCAR-002"),
        ("state-digest-limit", "plan", "stateDigest", "sign-in=>sign-out"),
        ("boundaries-verbatim", "plan", "boundaries>0", ", do not touch=>"),
        ("boundaries-verbatim", "plan", "boundaries", "[]"),
        ("tdd-and-risk-present", "", "tddMode", "-"),
        ("tdd-and-risk-present", "", "riskTier", r#""none""#),
        ("tdd-and-risk-present", "task", "riskTier", r#""low""#),
        ("no-repository-context", "", &field("responsibility"), &paragraphs),
        ("no-repository-context", "", "testsSlice", &many),
        ("no-other-files", "", "filesContent>src/pay/pay.ts", r#""export const pay = 1;\n""#),
        ("no-other-files", "task", "files>1", r#""src/pay/pay.ts""#),
        ("no-other-files", "", "stateDigest", "# State=>## src/pay/pay.ts\n```\nexport\n```\n"),
        ("no-other-files", "", &field("src/pay/pay.ts"), r#""export const pay = 1;\nexport default pay;\n""#),
    ];
    for (rule, given, place, change) in table {
        let violations = broken(place, change, given);
        let names: Vec<&str> = violations.iter().map(|violation| violation.rule).collect();
        assert!(names.contains(&rule), "{place} {change}: {rule} is not among {violations:?}");
        assert!(names.is_sorted_by_key(|name| validate::RULES.iter().position(|rule| rule == name)));
    }
    assert!(validate::RULES.iter().all(|rule| table.iter().any(|(name, ..)| name == rule)), "every rule has a row");
}

#[test]
fn tests_of_a_file_that_the_map_lacks_are_those_that_facts_can_give() {
    let task = Task::parse(&Masker::knowing_nothing(), TASK).unwrap();
    let map = r#"{"testMap": [{"sourceFile": "src/auth/middleware.test.ts", "testFiles": ["qa/login.robot"]}]}"#;
    let plan = Plan::new(&Masker::knowing_nothing(), [(TEST_MAP, map.as_bytes().to_vec())]).unwrap();
    let (packet, receipt) = packet_of(&task, &plan);
    let tests = ["src/auth/middleware.int.test.ts < derived: tests", "qa/login.robot < plan: test_map.json"];
    assert_eq!(sources(&receipt, "testsSlice"), tests);
    let given = Given { task: Some(&task), plan: Some(&plan) };
    let masker = Masker::knowing_nothing();
    assert_eq!(validate(&masker, &packet.json(), given), []);
    assert_eq!(against_receipt(&masker, &packet.json(), &receipt.json(), given), []);
    // What stands there besides, and the rules that break without the receipt and with it.
    for (test, by_itself, by_receipt) in [
        ("src/pay/pay.ts", &["tests-of-files", "no-other-files"][..], &["tests-of-files"][..]),
        ("docs/notes.md", &["tests-of-files", "no-other-files"], &["tests-of-files"]),
        ("internal/pay/pay_test.go", &["tests-of-files"], &["tests-of-files"]),
        ("qa/pay.robot", &["tests-of-files", "no-other-files"], &["tests-of-files"]),
        // It may well run the file: only the receipt tells.
        ("src/pay/pay.test.ts", &[], &["tests-of-files"]),
        ("src/auth/middleware.test.ts", &[], &["tests-of-files"]),
    ] {
        let mut changed: Value = serde_json::from_str(&packet.json()).unwrap();
        changed["testsSlice"].as_array_mut().unwrap().push(json!(test));
        let names = |found: Vec<Violation>| found.iter().map(|violation| violation.rule).collect::<Vec<_>>();
        assert_eq!(names(validate(&masker, &changed.to_string(), given)), by_itself, "{test}");
        assert_eq!(names(against_receipt(&masker, &changed.to_string(), &receipt.json(), given)), by_receipt, "{test}");
    }
    // A receipt that says of another packet, or another source, than what is there.
    for (old, new, rule) in [
        ("qa/login.robot", "qa/logout.robot", "tests-of-files"),
        ("\"plan: test_map.json\"", "\"derived: tests\"", "tests-of-files"),
        ("\"derived: tests\"", "\"plan: test_map.json\"", "tests-of-files"),
        ("src/shared/jwt.ts", "src/shared/jwk.ts", "dependency-symbols-not-owned"),
        ("src/auth/middleware.ts", "src/auth/other.ts", "files-equal-task"),
    ] {
        let other = receipt.json().replacen(old, new, 1);
        let found = against_receipt(&masker, &packet.json(), &other, given);
        assert!(other != receipt.json() && found.iter().any(|violation| violation.rule == rule), "{old}: {found:?}");
    }
    // Every file has its tests in the map: nothing is derived.
    let (whole_packet, whole_receipt) = packet_of(&task, &whole());
    let given = Given { task: Some(&task), plan: Some(&whole()) };
    assert_eq!(against_receipt(&masker, &whole_packet.json(), &whole_receipt.json(), given), []);
}

#[test]
fn a_receipt_of_many_entries_is_held_against_the_packet_in_its_own_order() {
    let masker = Masker::knowing_nothing();
    let task = Task::parse(&masker, TASK).unwrap();
    let (packet, receipt) = packet_of(&task, &whole());
    // Each of these against each test of the map would be 400,000,000 comparisons.
    let n = 20_000;
    let test = |number: usize| format!("qa/{number}.robot");
    let map = json!({"testMap": {"src/auth/middleware.ts": (0..n).map(test).collect::<Vec<_>>()}});
    let plan = Plan::new(&masker, [(TEST_MAP, map.to_string().into_bytes())]).unwrap();
    let mut receipt: Value = serde_json::from_str(&receipt.json()).unwrap();
    let slot = receipt["slots"].as_array_mut().unwrap().iter_mut().find(|slot| slot["slot"] == "testsSlice").unwrap();
    let entry = |number: usize| json!({"name": test(number), "source": "plan: test_map.json"});
    slot["entries"] = (1..=n).rev().map(entry).collect();
    let found = against_receipt(&masker, &packet.json(), &receipt.to_string(), Given { task: Some(&task), plan: Some(&plan) });
    let told: Vec<&str> = found.iter().map(|violation| violation.message.as_str()).collect();
    assert_eq!(told.len(), n + 2);
    assert_eq!(told[0], "the receipt does not say where `src/auth/middleware.test.ts` is from");
    assert_eq!((told[1], told[n]), ("`qa/20000.robot` of the receipt is missing", "`qa/1.robot` of the receipt is missing"));
    assert_eq!(found[n + 1].place, "testsSlice: qa/20000.robot");
}

#[test]
fn a_test_that_cannot_be_told_from_other_files_is_left_out() {
    struct Far;
    impl Facts for Far {
        fn module_of(&self, _: &str) -> Option<Json> {
            None
        }
        fn imports_of(&self, _: &str) -> Vec<String> {
            Vec::new()
        }
        fn used_of(&self, _: &str, _: &[&str]) -> Vec<String> {
            Vec::new()
        }
        fn tests_of(&self, _: &str) -> Vec<String> {
            ["src/pay/pay.ts", "lib/pay/pay.test.ts", "src/auth/middleware.ts"].map(str::to_owned).into()
        }
    }
    let task = Task::parse(&Masker::knowing_nothing(), &TASK.replace(", \"src/auth/middleware.test.ts\"", "")).unwrap();
    let (masker, plan) = (Masker::knowing_nothing(), Plan::default());
    let read = |_: &RepoPath| Ok(None);
    let sources = Sources { masker: &masker, task: &task, plan: &plan, facts: &Far, read: &read, state_lines: STATE_LINES };
    let (packet, receipt) = WorkerPacket::new(&sources).unwrap();
    let shown: Vec<&str> = packet.tests_slice.iter().map(Safe::as_str).collect();
    assert_eq!(shown, ["lib/pay/pay.test.ts", "src/auth/middleware.ts"]);
    assert!(receipt.json().contains("`src/pay/pay.ts` runs `src/auth/middleware.ts` and is left out"), "{}", receipt.json());
    assert_eq!(validate(&masker, &packet.json(), Given { task: Some(&task), plan: Some(&plan) }), []);
}

#[test]
fn whatever_is_checked_gives_an_answer_and_shows_no_secret() {
    let token = format!("ghp_{}", "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8");
    let given = Given::default();
    for text in ["", "{", "null", "[]", "{}", "\u{feff}{}", &"[".repeat(9_999), &format!("{{\"files\": \"{token}\"}}")] {
        let violations = validate(&Masker::knowing_nothing(), text, given);
        assert!(!violations.is_empty() && violations[0].rule == "ten-slots", "{text}");
    }
    let violations = broken("files", &json!([format!("../{token}"), "a\u{1b}[2J"]).to_string(), "task plan");
    let shown = format!("{violations:?}");
    assert!(!shown.contains(&token) && !shown.contains('\u{1b}'), "{shown}");
    assert!(
        is_worker(&packet_of(&Task::parse(&Masker::knowing_nothing(), TASK).unwrap(), &whole()).0.json())
            && !is_worker("{\"files\": []}")
    );
}
