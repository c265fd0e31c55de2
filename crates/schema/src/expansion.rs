//! Bounds the schemas that one value is held against: references in references can double them with every line of the schema.

use std::collections::BTreeMap;

use evalcheck_wire::user_schema::{SchemaError, SchemaPlace};
use serde_json::Value;

use crate::files::{Files, error, walk};

/// The most schemas for one value.
const MOST: u64 = 100_000;

/// Fails if a schema refers to itself for the same value, or expands to too many.
pub(crate) fn check(files: &Files) -> Result<(), SchemaError> {
    let mut references = Vec::new();
    for (file, value) in files.values().enumerate() {
        walk(value, &mut String::new(), &mut |pointer, value| {
            if value.get("$ref").is_some_and(Value::is_string) {
                references.push(SchemaPlace { file, pointer: pointer.to_owned() });
            }
        });
    }
    let mut sizes = BTreeMap::new();
    references.into_iter().try_for_each(|at| size(files, &at, &mut sizes).map(drop))
}

/// The number of schemas that a value is held against by a schema. `None` in `sizes` while it is counted.
fn size(
    files: &Files,
    at: &SchemaPlace,
    sizes: &mut BTreeMap<(usize, String), Option<u64>>,
) -> Result<u64, SchemaError> {
    let key = (at.file, at.pointer.clone());
    let wrong = |message: &str, hint: &str| Err(error(at.file, at.pointer.clone(), message, hint));
    match sizes.get(&key) {
        Some(Some(size)) => return Ok(*size),
        Some(None) => {
            return wrong(
                "it refers to itself without end for the same value",
                "Refer to it from a property or an element, or leave the reference out.",
            );
        }
        None => {}
    }
    sizes.insert(key.clone(), None);
    let mut sum = 1_u64;
    for next in files.about_same_value(at) {
        sum = sum.saturating_add(size(files, &next, sizes)?);
    }
    sizes.insert(key, Some(sum));
    if sum > MOST {
        return wrong(
            &format!("its references expand to more than {MOST} schemas for one value"),
            "Say what several alternatives share only once.",
        );
    }
    Ok(sum)
}
