//! The JSON Schema of a format as text.

use evalcheck_engine::formats;
use evalcheck_engine::json_schema;

use crate::args::{CONFIG, Schema};
use crate::config;

/// The schema of the requested version.
///
/// # Errors
/// A message if the format has no JSON Schema.
pub(crate) fn text(options: &Schema) -> Result<String, String> {
    let name = options.format.as_deref().unwrap_or_default();
    if name == CONFIG {
        return Ok(config::schema());
    }
    let format = formats::by_id(name).ok_or("no such format")?;
    let is_requested =
        |version: &str| options.version.as_deref().is_none_or(|requested| requested == version);
    // A variant that is a CSV has no JSON Schema.
    let schema = format
        .variants
        .iter()
        .filter(|variant| is_requested(variant.version))
        .find_map(|variant| json_schema::of(format, variant))
        .ok_or("JSON Schema cannot describe the rows of a CSV; FORMATS.md lists the columns")?;
    let mut text = serde_json::to_string_pretty(&schema).map_err(|error| error.to_string())?;
    text.push('\n');
    Ok(text)
}
