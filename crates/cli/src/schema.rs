//! A format's JSON Schema, as text.

use evalcheck_engine::formats;
use evalcheck_engine::json_schema;

use crate::args::Schema;

/// The schema of the variant that is asked for; an error in words when there is none.
pub(crate) fn text(wanted: &Schema) -> Result<String, String> {
    let format = formats::by_id(&wanted.format).ok_or("there is no such format")?;
    let of_version =
        |version: &str| wanted.version.as_deref().is_none_or(|wanted_version| wanted_version == version);
    let mut variants = format.variants.iter().filter(|variant| of_version(variant.version));
    // A format may be written as CSV as well.
    let schema = variants.find_map(|variant| json_schema::of(format, variant)).ok_or(
        "its records are rows of a CSV, which JSON Schema cannot describe; FORMATS.md lists the columns",
    )?;
    let mut text = serde_json::to_string_pretty(&schema).map_err(|error| error.to_string())?;
    text.push('\n');
    Ok(text)
}
