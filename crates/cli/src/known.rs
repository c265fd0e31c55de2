//! The formats, versions and codes of rules that users may name.

use std::path::Path;

use evalcheck_engine::formats::{self, FORMATS, Format};
use evalcheck_engine::rules;
use evalcheck_engine::suggest::nearest;
use evalcheck_wire::options::{AUTO, Declaration, Kind, Options};
use evalcheck_wire::user_schema::MOST_BYTES;
use serde_json::{Value, json};

use crate::encoding;
use crate::texts::{describe, read_text};

/// The value of `--select` that selects no rule.
const NO_RULE: &str = "none";

/// Fails when the named format does not have the named version or options.
pub(crate) fn check_format(options: &Options) -> Result<(), String> {
    check_version(options)?;
    let Some(format) = options.format.as_deref().and_then(formats::by_id) else { return Ok(()) };
    let (id, names) = (format.id, || format.options.iter().map(|option| option.name));
    match options.option.iter().flatten().find(|name| names().all(|known| known != *name)) {
        None => Ok(()),
        Some(_) if names().next().is_none() => Err(format!("{id} has no options")),
        Some(name) => {
            Err(format!("{id} has no option {name}; it has {}", names().collect::<Vec<_>>().join(", ")))
        }
    }
}

/// Fails when the named format does not have the named version.
pub(crate) fn check_version(options: &Options) -> Result<(), String> {
    let Some(version) = options.format_version.as_deref() else { return Ok(()) };
    let id = options.format.as_deref().unwrap_or_default();
    match formats::by_id(id).map(Format::versions) {
        None => Err("a version needs a format".to_owned()),
        Some(versions) if versions.is_empty() => Err(format!("{id} has no versions")),
        Some(versions) if !versions.contains(&version) => {
            Err(format!("{id} has no version {version}; it has {}", versions.join(", ")))
        }
        Some(_) => Ok(()),
    }
}

/// The ids of all formats.
pub(crate) fn ids() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.id)
}

/// `auto` and the ids of all formats.
pub(crate) fn formats() -> impl Iterator<Item = &'static str> {
    std::iter::once(AUTO).chain(ids())
}

/// The names of the options of all formats.
pub(crate) fn options() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().flat_map(|format| format.options).map(|option| option.name)
}

/// Sets an option from JSON. Files are read from a folder.
///
/// # Errors
/// The value is of another type, or nothing has its name: a message for the user, without the name of the option.
pub(crate) fn set(
    options: &mut Options,
    option: &Declaration,
    value: &Value,
    folder: &Path,
) -> Result<(), String> {
    let (expected, _) = option.kind.expected();
    let read = (option.kind == Kind::Schema).then(|| schema_files(value, folder)).transpose()?;
    let value = read.as_ref().unwrap_or(value);
    options.set(option.name, value).map_err(|_| format!("expected {expected}, not {value}"))?;
    let texts = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    texts.iter().filter_map(Value::as_str).try_for_each(|text| check(option.kind, text))
}

/// The files of a schema: one, or a list. Each is a path, or a schema itself.
fn schema_files(given: &Value, folder: &Path) -> Result<Value, String> {
    let given = given.as_array().map_or(std::slice::from_ref(given), Vec::as_slice);
    let file = |file: &Value| match file {
        Value::String(path) => schema_file(path, folder),
        Value::Object(_) => Ok(json!({ "name": "schema", "text": format!("{file:#}") })),
        other => Err(format!("expected a path or a schema, not {other}")),
    };
    given.iter().map(file).collect::<Result<Vec<_>, _>>().map(Value::from)
}

/// Reads a file of a schema.
///
/// # Errors
/// Why it cannot be read, with its path.
pub(crate) fn schema_file(path: &str, folder: &Path) -> Result<Value, String> {
    let text = read_text(&folder.join(path), MOST_BYTES >> 20)
        .map_err(|error| format!("{path}: {}", describe(&error)))?;
    Ok(json!({ "name": path, "text": text }))
}

/// Fails when a text is not a value of this kind.
pub(crate) fn check(kind: Kind, text: &str) -> Result<(), String> {
    match kind {
        Kind::Format => known_format(text),
        Kind::Codes => known_code(text),
        Kind::Encoding => encoding::parse(text).map(drop),
        Kind::FormatOptions => known_option(text),
        Kind::Version | Kind::Entry | Kind::Schema | Kind::Number | Kind::Flag => Ok(()),
    }
}

/// Fails when no format has an id.
fn known_format(id: &str) -> Result<(), String> {
    if formats().any(|known| known == id) {
        return Ok(());
    }
    let hint = match nearest(id, formats()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("there are {}", formats().collect::<Vec<_>>().join(", ")),
    };
    Err(format!("no format has the id \"{id}\"; {hint}"))
}

/// Fails when no format has an option.
fn known_option(name: &str) -> Result<(), String> {
    if options().any(|known| known == name) {
        return Ok(());
    }
    Err(format!(
        "no format has the option \"{name}\"; there are {}",
        options().collect::<Vec<_>>().join(", ")
    ))
}

/// Fails where no rule has a code or category.
pub(crate) fn known_code(text: &str) -> Result<(), String> {
    let category = |code: &'static str| code.split('/').next().unwrap_or(code);
    let known = || rules::all().flat_map(|rule| [rule.code, category(rule.code)]).chain([NO_RULE]);
    if known().any(|code| code == text) {
        return Ok(());
    }
    let hint = nearest(text, known()).map(|near| format!("did you mean \"{near}\"? "));
    Err(format!(
        "no rule has the code or category \"{text}\"; {}`evalcheck explain` lists all",
        hint.unwrap_or_default()
    ))
}
