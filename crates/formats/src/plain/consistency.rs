//! Signs of inconsistency in the statistics of a dataset.

use evalcheck_core::order::Order;
use evalcheck_core::suggest;
use evalcheck_report::overview::JsonType;
use evalcheck_report::text::{count, listed};

use super::problem::PlainProblem;
use crate::statistics::{PathStatistics, Statistics};

/// If more keys of an object are rare, the object is a map, whose keys are data.
const MOST_RARE: usize = 10;

/// The problems of the values at all paths, and of records that are the same.
pub(super) fn problems(statistics: &Statistics) -> Vec<PlainProblem> {
    let Statistics { paths, duplicates } = statistics;
    let mut problems = Vec::new();
    for (index, values) in paths.iter().enumerate() {
        problems.extend(of_types(values));
        problems.extend(of_empty(values));
        problems.extend(of_keys(paths, index));
    }
    if let Some(records) = duplicates.filter(|records| *records > 0) {
        let verb = if records == 1 { "is" } else { "are" };
        problems.push(PlainProblem::Duplicates { records: format!("{} {verb}", count(records, "record")) });
    }
    problems
}

/// The verb of a number: `has` of 1, `have` of 2.
pub(super) const fn has_or_have(number: u64) -> &'static str {
    if number == 1 { "has" } else { "have" }
}

/// Whether these are a few of all: at most a twentieth, or one of at least four.
const fn are_few(these: u64, all: u64) -> bool {
    these > 0 && (these * 20 <= all || these == 1 && all >= 4)
}

/// The problem of values of several types. Elements of an array may be of any.
fn of_types(values: &PathStatistics) -> Option<PlainProblem> {
    values.key.as_ref()?;
    let is_counted = |of: &JsonType| values.types.of(*of) > 0 && *of != JsonType::Null;
    let mut types: Vec<JsonType> = JsonType::ALL.into_iter().filter(is_counted).collect();
    types.order_by_key(|of| std::cmp::Reverse(values.types.of(*of)));
    let [_, .., rarest] = types.as_slice() else { return None };
    let times = |of: &JsonType| format!("{} {}", of.with_article(), count(values.types.of(*of), "time"));
    Some(PlainProblem::MixedTypes {
        path: values.path.clone(),
        types: listed(&types.iter().map(times).collect::<Vec<_>>()),
        line: values.first.of(*rarest),
    })
}

/// The problem of a few values that are empty.
fn of_empty(values: &PathStatistics) -> Option<PlainProblem> {
    values.key.as_ref()?;
    let nulls = values.types.null;
    if !are_few(nulls + values.empty, values.types.total()) {
        return None;
    }
    let first_null = values.first.of(JsonType::Null);
    let lines = [first_null, values.first_empty].into_iter().filter(|line| *line > 0);
    let kinds = [(nulls, "null"), (values.empty, "empty")].into_iter().filter(|(number, _)| *number > 0);
    let kinds: Vec<_> = kinds.map(|(number, kind)| format!("{kind} in {number}")).collect();
    let share = format!("{} of {}", listed(&kinds), count(values.types.total(), "value"));
    Some(PlainProblem::EmptyValue { path: values.path.clone(), share, line: lines.min()? })
}

/// The problems of the keys of an object: some that few objects have, and some that few lack.
fn of_keys(paths: &[PathStatistics], object: usize) -> Vec<PlainProblem> {
    let objects = paths[object].types.object;
    let noun = if paths[object].above.is_none() { "record" } else { "object" };
    let keys: Vec<&PathStatistics> =
        paths.iter().filter(|path| path.above == Some(object) && path.key.is_some()).collect();
    let has = |path: &PathStatistics| path.types.total().min(objects);
    let of_all = |number: u64| format!("{number} of {}", count(objects, noun));
    // Of two keys that stand for one, an object has at most one.
    let meant = |path: &PathStatistics| {
        let others =
            || keys.iter().filter(|other| has(other) > has(path) && has(other) + has(path) <= objects);
        let meant =
            suggest::nearest(path.key.as_deref()?, others().filter_map(|other| other.key.as_deref()))?;
        others().find(|other| other.key.as_deref() == Some(meant)).copied()
    };
    let is_rare = |path: &&&PathStatistics| are_few(has(path), objects);
    let is_map = keys.iter().filter(is_rare).count() > MOST_RARE;
    if is_map {
        return Vec::new();
    }
    let mut problems = Vec::new();
    let meant: Vec<Option<&PathStatistics>> = keys.iter().map(|path| meant(path)).collect();
    let is_meant = |path: &PathStatistics| meant.iter().flatten().any(|meant| meant.path == path.path);
    for (path, meant) in keys.iter().zip(&meant) {
        let line = JsonType::ALL.iter().map(|of| path.first.of(*of)).filter(|line| *line > 0).min();
        let Some(line) = line else { continue };
        let (there, missing) = (has(path), objects - has(path));
        let name = path.path.clone();
        if let Some(meant) = meant {
            let (share, others) = (of_all(there), has(meant));
            let meant = meant.key.clone().unwrap_or_default();
            problems.push(PlainProblem::MisspeltKey { path: name, meant, share, others, line });
        } else if are_few(there, objects) {
            let share = format!("{} {}", of_all(there), has_or_have(there));
            problems.push(PlainProblem::RareKey { path: name, share, line });
        } else if are_few(missing, objects) && !is_meant(path) {
            let share = format!("{} {}", of_all(missing), has_or_have(missing));
            problems.push(PlainProblem::MissingKey { path: name, share });
        }
    }
    problems
}
