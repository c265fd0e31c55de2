//! The paths at which changed records differ.

use std::collections::{BTreeMap, BTreeSet};

use evalcheck_core::order::Order;
use evalcheck_report::selector::{PathStep, push_any, push_index, push_key};
use evalcheck_wire::compare::{ChangedPath, ChangedValue};

use super::observer::RecordText;
use super::values::{Difference, Located, beginning, differ};
use crate::diagnose::Value;

/// The maximum number of paths that are counted by themselves: the first in the order of texts.
const MOST_PATHS: usize = 4_096;

/// The maximum number of listed paths.
const LISTED_PATHS: usize = 500;

/// The maximum number of listed places of a path.
const EXAMPLES: usize = 3;

/// The maximum number of listed paths of a record.
const PATHS_OF_RECORD: usize = 20;

/// The maximum number of characters of a listed value.
const VALUE_CHARS: usize = 200;

/// The maximum number of characters of a key in a path.
const KEY_CHARS: usize = 80;

/// Counts the paths at which records differ. The counts do not depend on the order of records.
#[derive(Debug, Default)]
pub(super) struct Paths {
    counts: BTreeMap<String, Count>,
    /// The number of differences: each path of each record counts once.
    all: u64,
}

/// The count of one path.
#[derive(Debug, Default)]
struct Count {
    records: u64,
    /// The first examples, in their order.
    examples: BTreeSet<ChangedValue>,
}

/// The two versions of a record, the older first.
pub(super) struct Versions<'v> {
    pub(super) texts: [&'v RecordText; 2],
    /// Their values; `None` if one of them cannot be read.
    pub(super) values: Option<[&'v Value<'v>; 2]>,
}

impl Versions<'_> {
    /// A difference of the versions at a path.
    fn changed(&self, path: String, [old, new]: [Option<String>; 2]) -> ChangedValue {
        let [of_old, of_new] = self.texts;
        ChangedValue {
            new_record: of_new.wanted.number.into(),
            new_line: of_new.line,
            old_record: of_old.wanted.number.into(),
            old_line: of_old.line,
            path,
            old,
            new,
        }
    }
}

impl Paths {
    /// Counts the differences of a record. Returns its paths; empty if the values are equal.
    pub(super) fn count(&mut self, record: &Versions<'_>) -> Vec<String> {
        let mut found: BTreeMap<String, Vec<ChangedValue>> = BTreeMap::new();
        if let Some([old, new]) = record.values {
            let located = |value, text: usize| Located { value, bytes: &record.texts[text].bytes };
            let mut each = |difference: Difference<'_, '_, '_>| {
                let examples = found.entry(written(difference.path, true)).or_default();
                if examples.len() < EXAMPLES {
                    let text = |located: Option<Located<'_, '_>>| {
                        located.map(|located| beginning(located.value, VALUE_CHARS))
                    };
                    let values = [text(difference.old), text(difference.new)];
                    examples.push(record.changed(written(difference.path, false), values));
                }
            };
            differ(located(old, 0), located(new, 1), &mut Vec::new(), &mut each);
        } else {
            let text = |text: &RecordText| {
                let end = text.bytes.len().min(VALUE_CHARS * 4 + 4);
                let text = String::from_utf8_lossy(&text.bytes[..end]);
                Some(evalcheck_core::excerpt::clip(&text, VALUE_CHARS))
            };
            let example = record.changed(String::new(), record.texts.map(text));
            found.insert(String::new(), vec![example]);
        }
        let paths = found.keys().take(PATHS_OF_RECORD).cloned().collect();
        for (path, examples) in found {
            self.add(path, examples);
        }
        paths
    }

    fn add(&mut self, path: String, examples: Vec<ChangedValue>) {
        self.all += 1;
        if self.counts.len() >= MOST_PATHS && !self.counts.contains_key(&path) {
            // A path that is not among the first is never among them later.
            if self.counts.last_key_value().is_none_or(|(last, _)| *last < path) {
                return;
            }
            self.counts.pop_last();
        }
        let count = self.counts.entry(path).or_default();
        count.records += 1;
        count.examples.extend(examples);
        while count.examples.len() > EXAMPLES {
            count.examples.pop_last();
        }
    }

    /// The paths, those of most records first, and the number of differences at other paths.
    pub(super) fn to_wire(&self) -> (Vec<ChangedPath>, u64) {
        let changed = |(path, count): (&String, &Count)| ChangedPath {
            path: path.clone(),
            records: count.records,
            examples: count.examples.iter().cloned().collect(),
        };
        let mut paths: Vec<ChangedPath> = self.counts.iter().map(changed).collect();
        paths.order_by_key(|path| std::cmp::Reverse(path.records));
        paths.truncate(LISTED_PATHS);
        let listed: u64 = paths.iter().map(|path| path.records).sum();
        (paths, self.all - listed)
    }
}

/// A path as text; in a pattern, its indices are `*`.
pub(super) fn written(path: &[PathStep<'_>], is_pattern: bool) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            PathStep::Key(key) => push_key(&mut text, &evalcheck_core::excerpt::clip(key, KEY_CHARS)),
            PathStep::Index(_) if is_pattern => push_any(&mut text),
            PathStep::Index(index) => push_index(&mut text, *index),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::matching::Wanted;
    use crate::diagnose;

    fn text(number: u32, json: &str) -> RecordText {
        RecordText {
            wanted: Wanted { number, pair: 0 },
            line: u64::from(number) + 1,
            bytes: json.as_bytes().to_vec(),
        }
    }

    /// The paths at which two records differ, with the places.
    fn paths(old: &str, new: &str) -> (Vec<String>, Vec<ChangedPath>) {
        let texts = [text(4, old), text(7, new)];
        let parsed = [diagnose::parse(&texts[0].bytes), diagnose::parse(&texts[1].bytes)];
        let values = if let [Ok(old), Ok(new)] = &parsed { Some([&old.value, &new.value]) } else { None };
        let mut paths = Paths::default();
        let found = paths.count(&Versions { texts: [&texts[0], &texts[1]], values });
        (found, paths.to_wire().0)
    }

    #[test]
    fn notation_is_no_difference() {
        for (old, new) in [
            (r#"{"a":1,"b":"\u0041"}"#, r#"{ "b": "A", "a": 1.0 }"#),
            (r#"{"a":1,"a":2}"#, r#"{"a":2}"#),
            ("[1e2,null]", "[100, null ]"),
        ] {
            assert_eq!(paths(old, new), (vec![], vec![]), "{old} {new}");
        }
    }

    #[test]
    fn places_and_values_are_listed() {
        let old = r#"{"turns":[{"text":"a"},{"text":"b"},{"text":"c"}],"gone":[1],"kept":0}"#;
        let new = r#"{"turns":[{"text":"a"},{"text":"x"},{"text":"y"}],"kept":0,"more":{"k":true}}"#;
        let (found, all) = paths(old, new);
        assert_eq!(found, ["gone", "more", "turns.*.text"]);
        let shown = |path: &ChangedPath| {
            let examples = path.examples.iter();
            examples
                .map(|value| (value.path.clone(), value.old.clone(), value.new.clone()))
                .collect::<Vec<_>>()
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(shown(&all[0]), [("gone".to_owned(), some("[1]"), None)]);
        assert_eq!(shown(&all[1]), [("more".to_owned(), None, some(r#"{"k":true}"#))]);
        assert_eq!(
            shown(&all[2]),
            [
                ("turns.1.text".to_owned(), some("\"b\""), some("\"x\"")),
                ("turns.2.text".to_owned(), some("\"c\""), some("\"y\""))
            ]
        );
        let ChangedValue { new_record, new_line, old_record, old_line, .. } = all[0].examples[0];
        assert_eq!((old_record, old_line, new_record, new_line), (4, 5, 7, 8));
    }

    #[test]
    fn an_element_that_is_inserted_changes_no_other() {
        let (_, all) = paths("[[1,2,3]]", "[[1,9,2,3]]");
        assert_eq!(all.len(), 1);
        assert_eq!((&*all[0].examples[0].path, &all[0].examples[0].old), ("0.1", &None));
        let (_, all) = paths("[1,1]", "[1]");
        assert_eq!((&*all[0].examples[0].path, &all[0].examples[0].new), ("1", &None));
    }

    #[test]
    fn what_is_not_json_differs_as_a_whole() {
        let (found, all) = paths("{\"a\":1", r#"{"a":1}"#);
        assert_eq!(found, [""]);
        assert_eq!(all[0].examples[0].old.as_deref(), Some("{\"a\":1"));
    }

    #[test]
    fn which_paths_are_counted_does_not_depend_on_the_order() {
        let example = || paths("1", "2").1.remove(0).examples;
        let names: Vec<String> =
            (0..MOST_PATHS + 100).map(|number| format!("{:05}", number * 7919 % 10_007)).collect();
        let (mut forwards, mut backwards) = (Paths::default(), Paths::default());
        for (one, other) in names.iter().zip(names.iter().rev()) {
            forwards.add(one.clone(), example());
            backwards.add(other.clone(), example());
        }
        assert_eq!(forwards.to_wire(), backwards.to_wire());
        assert_eq!(forwards.to_wire().1, (names.len() - LISTED_PATHS) as u64);
    }
}
