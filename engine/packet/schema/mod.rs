//! Keeps the committed JSON Schemas equal to those of the types.
//!
//! With `UPDATE_SCHEMAS` set the files are written instead, to be reviewed as a diff.

#![expect(clippy::disallowed_methods, reason = "what is expected lies on disk")]

use std::path::Path;

/// Fails unless the file `name` beside this module is the generated `schema`.
pub(crate) fn check(name: &str, schema: &schemars::Schema) {
    let generated = serde_json::to_string_pretty(schema).expect("a schema is JSON") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/packet/schema").join(name);
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::write(&path, &generated).expect("the folder is writable");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == generated, "{name} is not the generated schema: run the tests with UPDATE_SCHEMAS=1");
}
