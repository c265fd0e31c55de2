//! A key that is missing in an object and stands, by its name or another, in an object around it: one finding that says to move
//! it, instead of two that contradict each other.

use evalcheck_core::excerpt::clip;
use evalcheck_core::finding::{Path, Step};

use super::advice::{Advice, are_synonyms};
use super::check::fits;
use super::fix::{self, RecordFix};
use super::value::{Kind, Value};
use super::{RecordFinding, RecordFindings, SchemaProblem};
use crate::schema::Schema;

/// Findings of each kind among which pairs are looked for. A record with more is not one whose keys are a level off.
const MOST: usize = 16;

/// Joins such findings of a record, those from number `from` on. Their paths begin with `base` steps.
pub(super) fn join(
    root: &Value<'_>,
    base: usize,
    record: &[u8],
    from: usize,
    found: &mut RecordFindings<'_>,
) {
    let missing: Vec<_> = indices(found, from, |finding| added_key(finding).is_some());
    if missing.is_empty() {
        return;
    }
    let unknown: Vec<_> = indices(found, from, |finding| {
        matches!(
            finding.problem.downcast_ref(),
            Some(SchemaProblem::UnknownKey { .. } | SchemaProblem::ForbiddenKey { .. })
        )
    });
    let mut moved = Vec::new();
    for &index in &missing {
        let Some((path, key, schema)) = added_key(&found[index]) else { continue };
        // Where several objects lack the key, nothing says which one it belongs to.
        let lacks_it = |index: &&usize| added_key(&found[**index]).is_some_and(|(_, other, _)| other == key);
        if missing.iter().filter(lacks_it).count() > 1 {
            continue;
        }
        let holder = unknown.iter().copied().filter(|holder| !moved.contains(holder)).find_map(|holder| {
            let (name, value) = held(root, base, found[holder].path.as_ref()?, path)?;
            ((name == key || are_synonyms(key, name)) && fits(value, schema)).then_some((holder, name))
        });
        if let Some((holder, name)) = holder {
            let inside = path.0.iter().rev().nth(1).map_or_else(String::new, |step| match step {
                Step::Key(inside) => format!(" into \"{}\"", clip(inside, 80)),
                Step::Index(_) => " into the object".to_owned(),
            });
            let shown = clip(name, 80);
            let advice = Advice::Text(if name == key {
                format!("Move \"{shown}\"{inside}.")
            } else {
                format!("If \"{shown}\" holds it, move it{inside}, and rename it to \"{key}\".")
            });
            let fix = moved_down(root, base, found[holder].path.as_ref(), path, key, record);
            found[index].problem = SchemaProblem::MissingKey { advice }.into();
            found[index].fix = fix.filter(|_| !record.is_empty()).map(Box::new);
            moved.push(holder);
        }
    }
    if moved.is_empty() {
        return;
    }
    found.remove(&moved);
}

/// The first findings that are meant.
fn indices(found: &[RecordFinding], from: usize, is_meant: impl Fn(&RecordFinding) -> bool) -> Vec<usize> {
    found
        .iter()
        .enumerate()
        .skip(from)
        .filter(|(_, finding)| is_meant(finding))
        .map(|(index, _)| index)
        .take(MOST)
        .collect()
}

/// The key that is only to be added, as nothing in its own object holds its content.
fn added_key(finding: &RecordFinding) -> Option<(&Path, &'static str, &'static Schema)> {
    match finding.problem.downcast_ref()? {
        SchemaProblem::MissingKey { advice: Advice::Add { key, schema } } => {
            Some((finding.path.as_ref()?, *key, *schema))
        }
        _ => None,
    }
}

/// The key at a path and its value, when its object is around the object of the missing key.
fn held<'v, 'a>(
    root: &'v Value<'a>,
    base: usize,
    path: &'v Path,
    missing: &Path,
) -> Option<(&'v str, &'v Value<'a>)> {
    let (last, around) = path.0.split_last()?;
    let Step::Key(name) = last else { return None };
    let is_around = around.len() + 1 < missing.0.len() && missing.0.starts_with(around);
    let value = at(root, path.0.get(base..).filter(|_| is_around)?)?;
    Some((name, value))
}

/// The value at a path.
fn at<'v, 'a>(root: &'v Value<'a>, path: &[Step]) -> Option<&'v Value<'a>> {
    path.iter().try_fold(root, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.as_array()?.get(*index),
    })
}

/// Moves the key at a path into the object of the missing one, under that name.
fn moved_down(
    root: &Value<'_>,
    base: usize,
    from: Option<&Path>,
    to: &Path,
    key: &str,
    record: &[u8],
) -> Option<RecordFix> {
    let (Step::Key(name), around) = from?.0.get(base..)?.split_last()? else { return None };
    let Kind::Object(outer) = &at(root, around)?.kind else { return None };
    let index = outer.iter().rposition(|member| member.key == **name)?;
    let Kind::Object(inner) = &at(root, to.0.get(base..)?.split_last()?.1)?.kind else { return None };
    let value = std::str::from_utf8(record.get(outer[index].value.span.clone())?).ok()?;
    let (place, text) = fix::members::insertion(inner, &format!("\"{key}\": {value}"))?;
    let title = format!("Move \"{}\" into the object where it belongs", clip(name, 80));
    let fix = RecordFix::safe_if(**name == *key, title);
    Some(fix.replace(fix::members::with_comma(outer, index), "").replace(place, text))
}
