//! The formats, versions and codes of rules that users may name.

use evalcheck_engine::formats::{self, FORMATS, Format};
use evalcheck_engine::rules;
use evalcheck_engine::suggest::nearest;

/// The value of `--format` that detects the format from the content.
pub(crate) const AUTO: &str = "auto";

/// The value of `--select` that selects no rule.
const NO_RULE: &str = "none";

/// Fails when a format does not have a version.
pub(crate) fn check_version(format: Option<&str>, version: Option<&str>) -> Result<(), String> {
    let Some(version) = version else { return Ok(()) };
    match format.and_then(formats::by_id).map(Format::versions) {
        None => Err("a version needs a format".to_owned()),
        Some(versions) if versions.is_empty() => {
            Err(format!("{} has no versions", format.unwrap_or_default()))
        }
        Some(versions) if !versions.contains(&version) => Err(format!(
            "{} has no version {version}; it has {}",
            format.unwrap_or_default(),
            versions.join(", ")
        )),
        Some(_) => Ok(()),
    }
}

/// The ids of all formats.
pub(crate) fn ids() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.id)
}

/// Advice for an id that no format has: the nearest of these ids, or all of them.
pub(crate) fn known_ids<'i, I: Iterator<Item = &'i str>>(wanted: &str, ids: impl Fn() -> I) -> String {
    match nearest(wanted, ids()) {
        Some(known) => format!("did you mean \"{known}\"?"),
        None => format!("there are {}", ids().collect::<Vec<_>>().join(", ")),
    }
}

/// `auto` and the ids of all formats.
pub(crate) fn formats() -> impl Iterator<Item = &'static str> {
    std::iter::once(AUTO).chain(ids())
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
