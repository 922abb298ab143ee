//! Settings that people changed between a set-up and the next one, or before it is undone.

use super::super::settings::What;
use super::{Bench, text};
use std::fs;

const SECOND: &str = "/opt/two/activate";

#[test]
fn a_hook_keeps_its_arguments() {
    let file = |commands: &[&str]| {
        let hooks: Vec<String> = commands
            .iter()
            .map(|command| format!("{{\"hooks\": [{{\"type\": \"command\", \"command\": {command:?}}}]}}"))
            .collect();
        format!("{{\"hooks\": {{\"UserPromptSubmit\": [{}]}}}}\n", hooks.join(", "))
    };
    for (old, new) in [
        ("/opt/one/activate hook --budget 1000", "/opt/two/activate hook --budget 1000"),
        ("  activate  hook\t--budget 1000 || true ", "/opt/two/activate hook\t--budget 1000 || true"),
        ("'/home/o'\\''neil x/activate' hook -v", "/opt/two/activate hook -v"),
        ("\"/opt/my tools/activate\" hook -v", "/opt/two/activate hook -v"),
        ("/opt/one/activate-context hook", "/opt/two/activate hook"),
    ] {
        let bench = Bench::new(SECOND);
        let settings = bench.settings("claude-code", What::Hook);
        let (place, path) = Bench::file(&settings, &file(&["stamp", old]));
        bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
        assert_eq!(text(&path), file(&["stamp", new]));
        assert!(settings.set_up(&place, &bench.records).expect("a plan").is_none());
        bench.carry_out(settings.undo(&place, &bench.records).expect("a plan"));
        assert_eq!(text(&path), file(&["stamp", old]));
        // By its whole path it is ours, also where nobody knows any more what was written.
        fs::write(&path, file(&["stamp", new])).expect("written");
        bench.carry_out(settings.undo(&place, &bench.records).expect("a plan"));
        assert_eq!(text(&path), file(&["stamp"]));
    }
    for other in
        ["stamp hook", "activate hooks", "activate -v hook", "'activate hook", "activate 'hook'x", "activatehook", "'' hook"]
    {
        let bench = Bench::new(SECOND);
        assert!(!bench.settings("claude-code", What::Hook).is_there(&file(&[other])).expect("readable"), "{other}");
    }
}
