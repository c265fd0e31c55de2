//! Examples of shared rules in the words of each format: a Quest user should not have to read a record of another system.
//!
//! A rule that applies to several formats is declared with one example. For a format in which that example is not a dataset,
//! a clean dataset of the format is spoiled in every place until the check finds the problem of the rule. The pairs are made by
//! `cargo xtask generate`, and are data for the catalogue (`rules.json`).

use std::collections::BTreeMap;
use std::io::Cursor;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::fix::{Selection, in_memory};
use evalcheck_engine::formats::{Format, Formats};
use evalcheck_engine::rules::{self, Rule, Scope, applies, is_general};
use evalcheck_report::{Applicability, Counts, Severity};
use evalcheck_wire::catalogue::{ExampleContent, RuleExample};
use evalcheck_wire::worker::CheckOptions;

use crate::is_dataset;
use crate::spoil;

/// Examples by the code of the rule and the id of the format.
pub type Examples = BTreeMap<String, BTreeMap<String, RuleExample>>;

/// The longest example, in bytes; one in a list of rules should be read at a glance.
const MOST_BYTES: usize = 1500;

/// The examples of shared rules for each format to which they apply and which does not have the declared example.
pub fn examples(formats: Formats) -> Examples {
    let seeds: Vec<Vec<String>> = formats.iter().map(|format| seeds(format)).collect();
    let mut examples = Examples::new();
    for rule in rules::of(formats).filter(|rule| is_derivable(rule, formats)) {
        for (format, seeds) in formats.iter().zip(&seeds).filter(|(format, _)| applies(rule, format)) {
            if is_example(&declared(rule), rule, format) {
                continue;
            }
            let pairs = seeds.iter().flat_map(|seed| spoil::pairs(seed, rule));
            let mut pairs = pairs.filter(|pair| is_example(pair, rule, format)).peekable();
            let first = pairs.peek().cloned();
            // An example that its fix turns into the valid text is preferred.
            if let Some(pair) = pairs.find(|pair| is_fixed(pair, rule, format)).or(first) {
                examples.entry(rule.code.to_owned()).or_default().insert(format.id.to_owned(), pair);
            }
        }
    }
    examples
}

/// Whether the examples of a rule are datasets, and several formats share the rule.
pub fn is_derivable(rule: &Rule, formats: Formats) -> bool {
    let is_shared = is_general(rule) || formats.iter().filter(|format| applies(rule, format)).count() > 1;
    is_shared && is_dataset(rule.page.invalid)
}

/// The example that a rule is declared with.
pub fn declared(rule: &Rule) -> RuleExample {
    RuleExample { invalid: rule.page.invalid.to_owned(), valid: rule.page.valid.to_owned() }
}

/// Whether the format finds the problem of the rule in the first text, and nothing in the second.
pub fn is_example(pair: &RuleExample, rule: &Rule, format: &Format) -> bool {
    counts(&pair.invalid, format).by_code.contains_key(rule.code)
        && (!is_dataset(&pair.valid) || is_clean(&pair.valid, format))
}

/// Whether the rule has no fix, or its fix turns the first text into the second.
fn is_fixed(pair: &RuleExample, rule: &Rule, format: &Format) -> bool {
    rule.fix.is_none() || fixed(&pair.invalid, rule, format) == pair.valid
}

/// A text with the fixes of a rule applied.
pub fn fixed(text: &str, rule: &Rule, format: &Format) -> String {
    let not_safe = rule.fix.is_some_and(|fix| fix.allows(Applicability::Unsafe));
    let selection = Selection { not_safe, select: vec![rule.code.to_owned()], ..Selection::default() };
    let name = file_name(text, format);
    let fixed = in_memory::fix(text.as_bytes().to_vec(), &name, &options(format), &selection);
    String::from_utf8_lossy(&fixed.bytes).into_owned()
}

/// Whether a text has no errors and no warnings. Warnings of rules that no example can show, because they are about the file around
/// the records, do not count, and neither does the number of records.
pub fn is_clean(text: &str, format: &Format) -> bool {
    let counts = counts(text, format);
    let of_file = |rule: &&Rule| {
        (rule.severity == Severity::Warning || rule.scope == Scope::LeastRecords)
            && !is_dataset(rule.page.invalid)
    };
    let ignored = rules::all().filter(of_file).filter_map(|rule| counts.by_code.get(rule.code));
    counts.errors + counts.warnings == ignored.sum::<u64>()
}

/// The name of a file of the format with this content.
fn file_name(text: &str, format: &Format) -> String {
    let has = |extension| format.detection.extensions.contains(&extension);
    let extension = match text.as_bytes().first() {
        Some(b'{') if !has("jsonl") && has("json") => "json",
        Some(b'[') if has("jsonl") && has("json") => "json",
        Some(b'{' | b'[') => "jsonl",
        _ => "csv",
    };
    format!("example.{extension}")
}

fn options(format: &Format) -> CheckOptions {
    CheckOptions { format: Some(format.id.to_owned()), ..CheckOptions::default() }
}

/// The counts of the findings that the format has in a text.
pub fn counts(text: &str, format: &Format) -> Counts {
    let info = FileInfo { name: file_name(text, format), size: text.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(text), info, options(format));
    check.read_all(text.as_bytes(), 1 << 20);
    check.report().counts
}

/// Clean datasets of a format, the shortest first: the fixed examples of its own rules, and its examples line by line.
fn seeds(format: &Format) -> Vec<String> {
    let own = format.rules.own.iter().flat_map(|group| group.iter()).map(|rule| rule.page.valid.to_owned());
    let texts = format.examples.iter().filter_map(|example| match example.content() {
        ExampleContent::Text(text) => Some(text.trim_end().to_owned()),
        ExampleContent::Bytes(_) => None,
    });
    let lines = texts.clone().flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    let general =
        rules::of(&[]).filter(|rule| rule.severity != Severity::Info).map(|rule| rule.page.valid.to_owned());
    let mut seeds: Vec<String> = own
        .chain(texts)
        .chain(lines)
        .chain(general)
        .filter(|text| is_dataset(text) && text.len() <= MOST_BYTES && is_clean(text, format))
        .collect();
    seeds.sort_by_key(String::len);
    seeds.dedup();
    seeds
}
