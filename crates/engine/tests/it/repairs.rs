//! Properties of repaired datasets: nothing that was right is changed, and nothing becomes valid with another content.
//!
//! Valid datasets of every format are spoiled by mutations of their text and repaired by safe fixes. The contents of the records
//! before and after are read by other readers than ours.

mod datasets;
mod mutation;
mod reading;

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::support::Choices;
use crate::support::suite::rounds;
use datasets::{Dataset, check, dataset};
use evalcheck_engine::fix::Selection;
use evalcheck_engine::fix::in_memory::{Fixed, fix};
use evalcheck_engine::formats::{FORMATS, Format, Layout, Variant};
use evalcheck_report::Report;
use mutation::{Mutation, apply, mutations};
use reading::{Record, Tolerance, distance, is_accepted, read, row};
use serde_json::Value;

/// The number of files that are made, unless `EVALCHECK_REPAIRS` gives another number. `EVALCHECK_REPAIRS_SEED` makes one alone.
/// The quick suite makes as many, but fewer for what is only counted.
fn files() -> u64 {
    let files = std::env::var("EVALCHECK_REPAIRS").map(|files| files.parse().unwrap());
    files.unwrap_or(1_000)
}

/// The maximum number of failures that are shown.
const MOST_SHOWN: usize = 5;

/// A file that was spoiled and repaired.
struct Case {
    seed: u64,
    dataset: Dataset,
    mutations: Vec<Mutation>,
    spoiled: Vec<u8>,
    fixed: Fixed,
}

/// A property that does not hold.
struct Failure {
    property: &'static str,
    record: String,
}

/// The records of one state of a file.
struct State {
    /// The mutations that are in it, as bits.
    mutations: usize,
    records: Vec<Record>,
    report: Report,
}

impl Case {
    fn new(seed: u64, format: &'static Format, variant: &'static Variant, selection: &Selection) -> Self {
        let mut choices = Choices::with_prose(seed);
        let dataset = dataset(format, variant, &mut choices);
        let is_csv = matches!(variant.layout, Layout::Csv(_));
        let mutations = mutations(&dataset.bytes, is_csv, &mut choices);
        let spoiled = apply(&dataset.bytes, &mutations, usize::MAX);
        let fixed = fix(spoiled.clone(), dataset.name, &dataset.options, selection);
        Self { seed, dataset, mutations, spoiled, fixed }
    }

    /// The file with some of the mutations.
    fn state(&self, mutations: usize) -> State {
        let bytes = apply(&self.dataset.bytes, &self.mutations, mutations);
        self.state_of(mutations, &bytes)
    }

    fn state_of(&self, mutations: usize, bytes: &[u8]) -> State {
        let Dataset { variant, name, options, .. } = &self.dataset;
        State { mutations, records: read(bytes, variant), report: check(bytes, name, options) }
    }

    /// The property that does not hold, if there is one.
    fn failure(&self) -> Option<Failure> {
        if self.fixed.bytes == self.spoiled {
            return None;
        }
        let all = (1 << self.mutations.len()) - 1;
        let (original, spoiled) = (self.state(0), self.state(all));
        let fixed = self.state_of(all, &self.fixed.bytes);
        self.untouched(&original, &spoiled, &fixed).or_else(|| {
            if !is_accepted(&fixed.report, self.dataset.format, self.dataset.variant) {
                return None;
            }
            let mut states = vec![spoiled, original];
            states.extend((1..all).map(|mutations| self.state(mutations)));
            self.moved(&states, &fixed).or_else(|| self.lost(&states, &fixed))
        })
    }

    /// Every valid record that no mutation touched is still in the file, in the former order.
    fn untouched(&self, original: &State, spoiled: &State, fixed: &State) -> Option<Failure> {
        let mut after = fixed.records.iter();
        for record in spoiled.records.iter().filter(|record| record.is_valid(&spoiled.report)) {
            let content = &record.content;
            let mut originals = original.records.iter();
            let Some(before) = originals.find(|other| self.is_same(content, &other.content)) else {
                continue;
            };
            if !after.any(|other| self.is_restored(&other.content, content, &before.content)) {
                return Some(Failure {
                    property: "an untouched record changed",
                    record: record.content.to_string(),
                });
            }
        }
        None
    }

    /// Whether two records are the same; the header of a table may have been touched.
    fn is_same(&self, one: &Value, other: &Value) -> bool {
        match self.dataset.variant.layout {
            Layout::Csv(_) => row(one).map(|(_, cell)| cell).eq(row(other).map(|(_, cell)| cell)),
            _ => one == other,
        }
    }

    /// Whether a record is as it was when it was spoiled; the columns of a table may be named as before.
    fn is_restored(&self, fixed: &Value, spoiled: &Value, original: &Value) -> bool {
        let is_named = |((name, _), ((spoiled, _), (original, _)))| name == spoiled || name == original;
        match self.dataset.variant.layout {
            Layout::Csv(_) => {
                self.is_same(fixed, spoiled) && row(fixed).zip(row(spoiled).zip(row(original))).all(is_named)
            }
            _ => fixed == spoiled,
        }
    }

    /// Every valid record has its content in some state of the file, in which some mutations are undone.
    fn moved(&self, states: &[State], fixed: &State) -> Option<Failure> {
        let says_it = |record: &Record, tolerant: bool| {
            states.iter().any(|state| {
                let characters = if tolerant { self.characters(state) } else { 0 };
                state.records.iter().any(|other| Self::distance(record, other, state, characters).is_some())
            })
        };
        let mut valid = fixed.records.iter().filter(|record| record.is_valid(&fixed.report));
        let record = valid.find(|record| !says_it(record, false) && !says_it(record, true))?;
        Some(Failure { property: "content moved", record: record.content.to_string() })
    }

    /// A file without errors has the records of such a state, all of them and no others.
    fn lost(&self, states: &[State], fixed: &State) -> Option<Failure> {
        if fixed.report.counts.errors > 0 {
            return None;
        }
        let is_it = |state: &State| {
            let mut most = self.characters(state);
            state.records.len() == fixed.records.len()
                && fixed.records.iter().zip(&state.records).all(|(record, other)| {
                    let distance = Self::distance(record, other, state, most);
                    most -= distance.unwrap_or(0);
                    distance.is_some()
                })
        };
        let property = "a record is lost or invented";
        (!states.iter().any(is_it)).then(|| Failure { property, record: String::new() })
    }

    /// The number of characters in which a record differs from one of a state; `None` if it has another content, or if the content
    /// of the other one is not certain. A mutation may have put a value where another type is expected.
    fn distance(record: &Record, other: &Record, state: &State, characters: usize) -> Option<usize> {
        let tolerance = Tolerance { characters, types: state.mutations != 0 };
        let is_read = other.is_read(&state.report);
        is_read.then(|| distance(&record.content, &other.content, tolerance)).flatten()
    }

    /// The number of characters of a state that may differ: those of the mutations that are not in it.
    fn characters(&self, state: &State) -> usize {
        let missing = self.mutations.iter().enumerate();
        missing
            .filter(|(index, _)| state.mutations & (1 << index) == 0)
            .map(|(_, mutation)| mutation.characters)
            .sum()
    }

    fn shown(&self, failure: &Failure, rules: &str) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut out = String::new();
        let Dataset { name, options, bytes, .. } = &self.dataset;
        let _ = writeln!(out, "== seed {}, {name}, {options:?}: {}", self.seed, failure.property);
        let _ = writeln!(out, "-- mutations: {:?}", self.mutations);
        let _ = writeln!(out, "-- fixes: {:?}; without {rules} it holds", self.fixed.codes);
        let _ = writeln!(out, "-- record: {}", failure.record);
        let _ = writeln!(out, "-- original\n{}", text(bytes));
        let _ = writeln!(out, "-- spoiled\n{}", text(&self.spoiled));
        let _ = writeln!(out, "-- fixed\n{}", text(&self.fixed.bytes));
        out
    }
}

/// All formats with their variants.
fn variants() -> Vec<(&'static Format, &'static Variant)> {
    FORMATS.iter().flat_map(|format| format.variants.iter().map(move |variant| (*format, variant))).collect()
}

/// The rules without whose fixes the property holds.
fn blamed(case: &Case, remake: &dyn Fn(&Selection) -> Case) -> String {
    let mut codes = case.fixed.codes.clone();
    codes.sort();
    codes.dedup();
    let is_to_blame = |code: &&String| {
        let selection = Selection { ignore: vec![(*code).clone()], ..Selection::default() };
        remake(&selection).failure().is_none()
    };
    let blamed: Vec<_> = codes.iter().filter(is_to_blame).map(String::as_str).collect();
    if blamed.is_empty() { codes.join(" and ") } else { blamed.join(" or ") }
}

#[test]
fn repaired_datasets_say_what_was_said() {
    let files = files();
    let only = std::env::var("EVALCHECK_REPAIRS_SEED").map(|seed| seed.parse::<u64>().unwrap());
    let seeds = only.map_or(0..files, |seed| seed..seed + 1);
    let variants = variants();
    let (mut repaired, mut without_errors) = (0, 0);
    let mut failures = BTreeMap::<String, usize>::new();
    for seed in seeds {
        let (format, variant) = variants[usize::try_from(seed).unwrap() % variants.len()];
        let make = |selection: &Selection| Case::new(seed, format, variant, selection);
        let case = make(&Selection::default());
        repaired += usize::from(case.fixed.fixes > 0);
        without_errors += usize::from(case.fixed.fixes > 0 && case.fixed.report.counts.errors == 0);
        if let Some(failure) = case.failure() {
            let rules = blamed(&case, &make);
            let of_rules = failures.entry(format!("{rules}: {}", failure.property)).or_default();
            *of_rules += 1;
            if *of_rules <= MOST_SHOWN {
                println!("{}", case.shown(&failure, &rules));
            }
        }
    }
    println!("{files} files, {repaired} repaired, {without_errors} of them without errors then");
    for (what, count) in &failures {
        println!("{count:>5} {what}");
    }
    let all: usize = failures.values().sum();
    assert!(all == 0, "{all} of {files} files say something else: {failures:#?}");
    assert!(files < 100 || repaired as u64 * 10 > files, "{repaired} of {files} files were repaired");
}

/// The outcomes of files with unsafe fixes of a rule.
#[derive(Default)]
struct Outcomes {
    files: usize,
    /// The file has the content that it had before it was spoiled.
    restored: usize,
    /// It has no errors, and another content.
    others: usize,
}

/// An unsafe fix guesses. The number of right guesses is reported by rule, and must not be 0 in all.
#[test]
fn unsafe_fixes_are_counted_by_what_they_guess() {
    let mut outcomes = BTreeMap::<String, Outcomes>::new();
    for (seed, (format, variant)) in (0..files() / rounds(10, 1)).zip(variants().into_iter().cycle()) {
        // Fixes of the dataset before it was spoiled are not applied.
        let (_, before) = datasets::valid(format, variant, &mut Choices::with_prose(seed));
        let ignore = before.findings.iter().filter(|finding| finding.fix.is_some());
        let ignore: Vec<String> = ignore.map(|finding| finding.code.clone()).collect();
        let selection = |not_safe| Selection { not_safe, ignore: ignore.clone(), ..Selection::default() };
        let case = Case::new(seed, format, variant, &selection(true));
        let safe = Case::new(seed, format, variant, &selection(false)).fixed;
        let mut codes = case.fixed.codes.clone();
        codes.retain(|code| !safe.codes.contains(code));
        codes.sort();
        codes.dedup();
        let contents =
            |records: &[Record]| records.iter().map(|record| record.content.clone()).collect::<Vec<_>>();
        let is_restored = contents(&case.state(0).records) == contents(&read(&case.fixed.bytes, variant));
        for code in codes {
            let of_rule = outcomes.entry(code).or_default();
            of_rule.files += 1;
            of_rule.restored += usize::from(is_restored);
            of_rule.others += usize::from(!is_restored && case.fixed.report.counts.errors == 0);
        }
    }
    println!("files with unsafe fixes of a rule, of those: as before, valid and other than before");
    for (code, Outcomes { files, restored, others }) in &outcomes {
        println!("{files:>6} {restored:>6} {others:>6} {code}");
    }
    let restored: usize = outcomes.values().map(|of_rule| of_rule.restored).sum();
    assert!(restored > 0, "no unsafe fix brings back what was spoiled");
}

/// Rules with a safe fix of something that a system loads, and that nearly everybody wants to be different.
const OF_VALID_DATASETS: &[&str] = &[
    "deepeval/converted-number",
    "evret/blank-entry",
    "evret/deprecated-relevant-docs",
    "evret/repeated-entry",
];

#[test]
fn what_is_valid_is_hardly_repaired() {
    let selection = Selection::default();
    let mut codes = BTreeMap::<String, usize>::new();
    for (seed, (format, variant)) in (0..files() / rounds(4, 1)).zip(variants().into_iter().cycle()) {
        let (_, report) = datasets::valid(format, variant, &mut Choices::with_prose(seed));
        for finding in report.findings.iter().filter(|finding| selection.fix_of(finding).is_some()) {
            *codes.entry(finding.code.clone()).or_default() += 1;
        }
    }
    println!("{codes:?}");
    codes.retain(|code, _| !OF_VALID_DATASETS.contains(&code.as_str()));
    assert!(codes.is_empty(), "safe fixes of valid datasets: {codes:?}");
}

#[test]
fn what_moved_is_told_from_what_was_spoiled() {
    let within = |one: &str, other: &str, tolerance| {
        let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        distance(&value(one), &value(other), tolerance)
    };
    let distance =
        |one: &str, other: &str, characters| within(one, other, Tolerance { characters, types: false });
    assert_eq!(distance(r#"["abc", "d"]"#, r#"["abc", "d"]"#, 0), Some(0));
    assert_eq!(distance(r#"["abc", "d"]"#, r#"["abxc", "d"]"#, 1), Some(1));
    assert_eq!(distance(r#"["abc", "d"]"#, r#"["ac", ""]"#, 1), None, "two characters of two texts");
    assert_eq!(distance(r#"["a", ""]"#, r#"["", "a"]"#, 1), None, "a cell that moved");
    assert_eq!(distance(r#"["a"]"#, r#"["a", ""]"#, 9), None, "a cell that is new");
    assert_eq!(distance(r#"{"a": "x"}"#, r#"{"ab": "x"}"#, 1), Some(1), "a key");
    assert_eq!(distance(r#"{"a": "x"}"#, r#"{"b": "y"}"#, 1), None);
    assert_eq!(distance(r#"{"a": "1"}"#, r#"{"a": 1}"#, 1), None, "another type");
    let types = Tolerance { characters: 0, types: true };
    assert_eq!(within(r#"{"a": "1"}"#, r#"{"a": 1, "b": null}"#, types), Some(0), "the same in quotes");
    assert_eq!(within(r#"{"a": ["1"]}"#, r#"{"a": 1}"#, types), Some(0), "the same in a list");
    assert_eq!(within(r#"{"a": "2"}"#, r#"{"a": 1}"#, types), None);
    assert_eq!(within(r#"{"a": 1}"#, r#"{"a": "1"}"#, types), Some(0), "the same without quotes");
    assert_eq!(within(r#"{"a": ["b", "c"]}"#, r#"{"a": ["b", "", "c"]}"#, types), Some(0), "a blank entry");
    assert_eq!(within(r#"{"a": ["b"]}"#, r#"{"a": ["b", "c"]}"#, types), None, "an entry");
}
