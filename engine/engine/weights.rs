//! Weights as people write them: JSON that names those which are to be others.

use activate_rules::weights::Weights;
use error::{Error, ErrorKind, Result};
use serde_json::Value;

/// What weights look like.
const EXAMPLE: &str = r#"{"gate": 25000, "links": {"calls": 750}}"#;

/// The weights of a JSON text; those that it does not name are as they are by default.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] for a name or a value that does not exist, with the place in the text.
pub fn read_weights(json: &str) -> Result<Weights> {
    let refused = |why: &str| Error::new(ErrorKind::BadInput, format!("the weights cannot be used: {why}"));
    // A list would be taken for the weights in their order, which is nobody's business but the code's.
    if !json.trim_start().starts_with('{') {
        return Err(refused(&format!("expected weights by name, such as {EXAMPLE} at line 1 column 1")));
    }
    let weights = serde_json::from_str(json).map_err(|error| refused(&error.to_string()))?;
    let list = serde_json::from_str::<Value>(json).ok().and_then(|value| list_in(&value));
    list.map_or(Ok(weights), |name| Err(refused(&format!("`{name}` is a list; expected weights by name, such as {EXAMPLE}"))))
}

/// The name of the first weight that holds a list. Weights that parsed are two levels deep, so the recursion is too.
fn list_in(weights: &Value) -> Option<String> {
    let fields = weights.as_object()?;
    fields.iter().find_map(|(name, value)| {
        if value.is_array() { Some(name.clone()) } else { list_in(value).map(|inner| format!("{name}.{inner}")) }
    })
}
