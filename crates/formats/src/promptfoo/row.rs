//! The rules of a CSV: its columns, and the cells of a row.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use evalcheck_core::suggest;

use super::assertions::{self, Cell, Needs};
use super::rules::{AssertionProblem, blank_item, reason, without_items, without_value};
use crate::checks::{
    Captures, Conclusions, DatasetChecks, Findings, HeaderAnswer, Observes, Record, RecordChecks, Summary,
    Target,
};
use crate::diagnose::{Kind, RecordFix, Value, clip_quoted};
use crate::javascript::trim;
use evalcheck_core::finding::{Path, Step};
use evalcheck_records::csv::written;

evalcheck_core::rules! {
    /// Problems of the columns, of cells that are no assertions, and of the file.
    RowProblem {
        Misspelt { found: String, near: String, effect: &'static str } = "promptfoo/misspelt-column", Warning {
            summary: "A column that looks like one of promptfoo's, and loads as a variable.",
            message: "the column {found} loads as a variable of the prompts{effect}",
            hint: "Did you mean \"{near}\"? Keep the name if a prompt or an assertion uses the variable.",
            fix: Unsafe,
            meaning: "The columns that promptfoo reads itself begin with two underscores and are written as in its documentation. Any other column is a variable. Without a column that begins with __expected no row has an assertion of its own, and each passes whatever the output.",
            invalid: "question,_expected\nCapital of Norway?,contains:Oslo",
            valid: "question,__expected\nCapital of Norway?,contains:Oslo",
        }
        Ignored { found: String, why: &'static str, advice: &'static str } = "promptfoo/ignored-column", Warning {
            summary: "A column that promptfoo ignores.",
            message: "promptfoo ignores the column {found}: {why}",
            hint: "{advice}",
            loss: Key,
            meaning: "Metadata needs a key in the name of the column, and a column of configuration names the assertion and what it configures. promptfoo loads the file without the others.",
            other_words: ["The \"__metadata\" column requires a key, e.g. \"__metadata:category\". This column will be ignored."],
            invalid: "question,__metadata\nCapital of Norway?,geography",
            valid: "question,__metadata:topic\nCapital of Norway?,geography",
        }
        Config { found: String, what: &'static str } = "promptfoo/config-column", Error {
            summary: "A column of configuration that promptfoo refuses.",
            message: "promptfoo refuses the file: {what} in the column {found}",
            hint: "Name it __config:__expected:threshold, or __config:__expectedN:threshold for the assertion with the number N.",
            meaning: "Such a column names an assertion by its column, counted from 1, and what it sets. The threshold is all that can be set.",
            other_words: ["Invalid expected key \"expected\" in __config column", "Invalid config key \"weight\" in __config column"],
            invalid: "question,__expected,__config:__expected:weight\nCapital of Norway?,similar:Oslo,2",
            valid: "question,__expected,__config:__expected:threshold\nCapital of Norway?,similar:Oslo,0.9",
        }
        ConfigCell { found: String } = "promptfoo/config-cell", Error {
            summary: "A cell of a column of configuration that is not a number.",
            message: "promptfoo refuses the file: {found} is not a number",
            hint: "Each row needs a number, also one in which the usual threshold is meant: 0.75, of similar 0.8.",
            meaning: "A column of configuration has a number in each row. An empty cell stops the load, also in a row without the assertion.",
            other_words: ["Invalid numeric value for threshold"],
            invalid: "question,__expected,__config:__expected:threshold\nCapital of Norway?,similar:Oslo,",
            valid: "question,__expected,__config:__expected:threshold\nCapital of Norway?,similar:Oslo,0.8",
        }
        Threshold { found: String } = "promptfoo/threshold-cell", Warning {
            summary: "A threshold that is not a number.",
            message: "{found} is not a number: the test loads without a threshold",
            hint: "Write a number such as 0.5, with a point, or leave the cell empty.",
            loss: Value,
            meaning: "A threshold is the score at which a test with several assertions passes. promptfoo drops one that is not a number without a word, and the test then passes only if all assertions do.",
            invalid: "question,__expected,__threshold\nCapital of Norway?,contains:Oslo,80%",
            valid: "question,__expected,__threshold\nCapital of Norway?,contains:Oslo,0.8",
        }
        Shifted { found: String, number: usize } = "promptfoo/shifted-threshold", Warning {
            summary: "A threshold that goes to another assertion, because a cell is blank.",
            message: "the threshold of {found} loads as that of another assertion of the row, or of none: promptfoo counts only cells that are not blank, and {found} is not number {number} of them",
            hint: "Fill the columns of assertions from the first one on in each row.",
            meaning: "A column of configuration names an assertion by its number. promptfoo counts the assertions that the row has, so that a blank cell moves those after it.",
            invalid: "question,__expected1,__expected2,__config:__expected2:threshold\nCapital of Norway?,,similar:Oslo,0.9",
            valid: "question,__expected1,__expected2,__config:__expected2:threshold\nCapital of Norway?,contains:O,similar:Oslo,0.9",
        }
        FileName { why: String, advice: String } = "promptfoo/file-name", Error {
            summary: "The name of the file does not say how to read it.",
            message: "{why}",
            hint: "{advice}",
            meaning: "promptfoo reads a file by its extension, in lower case: .csv, .json as one document, .jsonl line by line. From a file with another extension it reads no tests without a word, and the evaluation passes with one empty test.",
            invalid: "a file tests.CSV",
            valid: "the same file as tests.csv",
        }
    }
}

/// The use that promptfoo makes of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role<'n> {
    Variable,
    Expected,
    /// A key of the test.
    Field(&'static str),
    /// A key of its options.
    Option(&'static str),
    Metric,
    Threshold,
    Metadata {
        key: &'n str,
        is_list: bool,
    },
    /// The threshold of the assertion with this number, from 0, and the name of its column.
    Config {
        target: usize,
        column: &'n str,
    },
    /// A column of configuration that is refused, and what is wrong in it.
    Refused(&'static str),
    /// A column that is ignored: why, and what to do.
    Ignored {
        why: &'static str,
        advice: &'static str,
    },
}

impl<'n> Role<'n> {
    /// The role of a column with this name.
    pub(super) fn of(name: &'n str) -> Self {
        let name = trim(name);
        if name.starts_with("__expected") {
            return Self::Expected;
        }
        if let Some(key) = name.strip_prefix("__metadata:") {
            let list = key.strip_suffix("[]");
            return Self::Metadata { key: list.unwrap_or(key), is_list: list.is_some() };
        }
        if let Some(parts) = name.strip_prefix("__config:") {
            return Self::of_config(parts);
        }
        match name {
            "__prefix" => Self::Option("prefix"),
            "__suffix" => Self::Option("suffix"),
            "__description" => Self::Field("description"),
            "__providerOutput" => Self::Field("providerOutput"),
            "__metric" => Self::Metric,
            "__threshold" => Self::Threshold,
            "__metadata" => Self::Ignored {
                why: "its name has no key, and from the second row on it loads as a variable",
                advice: "Name the key, as in __metadata:topic.",
            },
            "__proto__" => {
                Self::Ignored { why: "JavaScript has no variable of this name", advice: "Rename the column." }
            }
            _ => Self::Variable,
        }
    }

    fn of_config(parts: &'n str) -> Self {
        let mut all = parts.split(':');
        let (Some(column), Some(key), None) = (all.next(), all.next(), all.next()) else {
            return Self::Ignored {
                why: "its name has not three parts",
                advice: "Name it __config:__expected:threshold, or __config:__expectedN:threshold for the assertion with the number N.",
            };
        };
        let number =
            column.strip_prefix("__expected").filter(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        let target = match number {
            Some("") => Some(0),
            Some(digits) => digits.parse().unwrap_or(usize::MAX).checked_sub(1),
            None => None,
        };
        match target {
            None => Self::Refused("no assertion has the name"),
            Some(_) if key != "threshold" => Self::Refused("only a threshold can be set"),
            Some(target) => Self::Config { target, column },
        }
    }
}

/// The checks of a row. Under a header they know the columns.
#[derive(Debug, Default)]
pub(super) struct Row {
    names: Vec<String>,
}

impl RecordChecks for Row {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        let Some(row) = captures.row else { return false };
        let mut cells = row.cells.iter().zip(&self.names);
        row.cells.len() == self.names.len()
            && cells.all(|(cell, name)| match Role::of(name) {
                Role::Expected => is_plain(trim(&cell.text(captures.record))),
                Role::Threshold => {
                    let text = cell.text(captures.record);
                    trim(&text).is_empty() || assertions::number(&text).is_some()
                }
                Role::Config { .. } | Role::Refused(_) => false,
                _ => true,
            })
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        let Kind::Object(members) = &record.root.kind else { return };
        // The columns of assertions, and which of their cells are filled.
        let mut expected = Vec::new();
        for member in members {
            let (name, text) = (trim(&member.key), member.value.as_str().unwrap_or_default());
            let target = || record.at(&member.value);
            match Role::of(name) {
                Role::Expected => {
                    expected.push((name, !trim(text).is_empty()));
                    if let Some((problem, fix)) = problem(text) {
                        out.report_fixed(problem, target(), fix.map(|fix| fix.of(&member.value)));
                    }
                }
                Role::Threshold if !trim(text).is_empty() && assertions::number(text).is_none() => {
                    out.report(RowProblem::Threshold { found: clip_quoted(text) }, target());
                }
                Role::Config { .. } if assertions::number(text).is_none() => {
                    let found =
                        if trim(text).is_empty() { "an empty cell".to_owned() } else { clip_quoted(text) };
                    out.report(RowProblem::ConfigCell { found }, target());
                }
                _ => {}
            }
        }
        let filled: Vec<usize> = (0..expected.len()).filter(|at| expected[*at].1).collect();
        let places: BTreeMap<&str, usize> =
            expected.iter().zip(0..).map(|((name, _), at)| (*name, at)).collect();
        for member in members {
            let Role::Config { target, column } = Role::of(&member.key) else { continue };
            let named = places.get(column).copied();
            let Some(meant) = named.or_else(|| Some(target).filter(|at| *at < expected.len())) else {
                continue;
            };
            let taken = filled.get(target).copied();
            if taken != Some(meant) && (taken.is_some() || expected[meant].1) {
                let found = clip_quoted(expected[meant].0);
                out.report(RowProblem::Shifted { found, number: target + 1 }, record.at(&member.value));
            }
        }
    }
}

/// A text in place of a cell.
struct CellFix {
    title: &'static str,
    is_safe: bool,
    text: String,
}

impl CellFix {
    fn of(self, cell: &Value<'_>) -> RecordFix {
        let fix = if self.is_safe { RecordFix::safe(self.title) } else { RecordFix::not_safe(self.title) };
        fix.replace(cell.span.clone(), written(&self.text, b','))
    }
}

/// Whether a cell of assertions, without white space around it, has no problem. False if unsure.
fn is_plain(text: &str) -> bool {
    let Some(cell) = Cell::read(text) else { return !assertions::may_be_meant(text) };
    let has_number = cell.number.is_some();
    let is_complete = match cell.of.needs {
        Needs::List => cell.value.is_some_and(|value| {
            !value.contains(['"', '[']) && value.bytes().any(|byte| byte.is_ascii_alphanumeric())
        }),
        Needs::Limit => has_number,
        Needs::Filled => cell.value.is_some_and(|value| !value.is_empty()),
        Needs::Value => cell.value.is_some(),
        Needs::Nothing => true,
    };
    // What follows `similar:` may begin with a metric.
    is_complete && (!has_number || cell.of.threshold.is_some()) && cell.of.name != "similar"
}

/// The problem of a cell of assertions, and its fix.
fn problem(cell: &str) -> Option<(AssertionProblem, Option<CellFix>)> {
    let text = trim(cell);
    if text.is_empty() {
        return None;
    }
    let Some(cell) = Cell::read(text) else {
        let meant = assertions::meant(text)?;
        let (advice, fix) = match meant.cell {
            Some((text, is_safe)) => {
                let title = if is_safe {
                    "Write the assertion as promptfoo reads it"
                } else {
                    "Write the assertion as promptfoo reads it, which guesses that one is meant"
                };
                (format!("Did you mean {}?", clip_quoted(&text)), Some(CellFix { title, is_safe, text }))
            }
            None if assertions::type_of(&meant.name).is_some() => (
                format!("What follows {} is a colon, or a number in parentheses and a colon.", meant.name),
                None,
            ),
            None => ("Only JSON and YAML have this type: write the test there.".to_owned(), None),
        };
        return Some((AssertionProblem::Literal { name: meant.name, advice }, fix));
    };
    let name = || cell.name.to_owned();
    let items = cell.items().unwrap_or(Ok(Vec::new()));
    if let Err(error) = &items {
        return Some((AssertionProblem::BrokenList { name: name(), why: reason(*error) }, None));
    }
    let needs_value = matches!(cell.of.needs, Needs::Value | Needs::Filled | Needs::List);
    if let Some(number) =
        cell.number.filter(|_| cell.value.is_some() || !needs_value).filter(|_| cell.of.threshold.is_none())
    {
        let text = text.replacen(&format!("({number})"), "", 1);
        let fix = CellFix { title: "Delete the number, which loses it", is_safe: false, text };
        return Some((AssertionProblem::LostNumber { name: name(), number: number.to_owned() }, Some(fix)));
    }
    let value = cell.value.unwrap_or_default();
    let no_value = |effect| Some((AssertionProblem::NoValue { name: name(), effect }, None));
    match cell.of.needs {
        Needs::Limit if cell.number.is_none() => {
            let instead = format!("{}({value})", cell.name);
            let is_number = Cell::read(&instead).is_some_and(|cell| cell.number.is_some());
            if is_number {
                let fix =
                    CellFix { title: "Write the limit in parentheses", is_safe: true, text: instead.clone() };
                let problem =
                    AssertionProblem::LimitAsValue { name: name(), value: clip_quoted(value), instead };
                return Some((problem, Some(fix)));
            }
            let advice = "Write the limit in parentheses, as in latency(1000).";
            let effect = match cell.of.name {
                "latency" => "its limit is then 0.75 milliseconds",
                _ => "its limit is then 0.75",
            };
            Some((AssertionProblem::NoLimit { name: name(), effect, advice }, None))
        }
        Needs::Value if cell.value.is_none() => no_value(without_value(cell.of)),
        Needs::Filled | Needs::List if value.is_empty() => no_value("the test ends in an error"),
        Needs::Value if cell.of.name == "similar" => {
            let (metric, _) = value.split_once(':')?;
            let metric = ["cosine", "dot", "euclidean"].into_iter().find(|known| *known == metric)?;
            let is_usual = metric == "cosine";
            let (advice, fix) = if is_usual {
                let text = text.replacen("cosine:", "", 1);
                let title = "Delete the metric, which is the usual one";
                (
                    "Write similar: without the metric, which is the cosine.",
                    Some(CellFix { title, is_safe: true, text }),
                )
            } else {
                ("Write the test in JSON or YAML, which have the type with its metric.", None)
            };
            let problem = AssertionProblem::Metric {
                name: name(),
                metric: metric.to_owned(),
                value: clip_quoted(value),
                advice,
            };
            Some((problem, fix))
        }
        Needs::List => match items {
            Ok(items) if items.is_empty() => no_value(without_items(cell.name)),
            Ok(items) if items.iter().any(|item| item.is_empty()) => Some((blank_item(cell.name)?, None)),
            Ok(_) if trim(value).starts_with('[') && trim(value).ends_with(']') => {
                Some((AssertionProblem::Brackets { name: name() }, None))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The checks of a file as a whole. It remembers nothing of the records.
#[derive(Debug)]
pub(super) struct Dataset {
    /// The extension that promptfoo needs to read such a file.
    pub(super) extension: &'static str,
}

impl DatasetChecks for Dataset {
    fn header(&mut self, line: Option<&Record<'_>>, out: &mut Findings<'_>) -> HeaderAnswer {
        let Some(Kind::Object(members)) = line.map(|record| &record.root.kind) else {
            return HeaderAnswer::default();
        };
        let names: Vec<String> = members.iter().map(|member| member.key.clone().into_owned()).collect();
        let assertions = names.iter().filter(|name| Role::of(name) == Role::Expected).count();
        let own: BTreeSet<&str> = names.iter().map(|name| trim(name)).collect();
        for member in members {
            let name = &*member.key;
            let path = Path(vec![Step::Key(name.into())]);
            let mut report = |problem: RowProblem, fix: Option<RecordFix>| {
                out.report_fixed(problem, Target { span: member.key_span.clone(), path: path.clone() }, fix);
            };
            let found = clip_quoted(name);
            match Role::of(name) {
                Role::Variable => {
                    if let Some(near) = misspelt(trim(name), assertions > 0) {
                        let fix = renamed(&member.key_span, &near, &own);
                        let is_expected = near.starts_with("__expected") && assertions == 0;
                        let effect = if is_expected { ", and no row has an assertion from it" } else { "" };
                        report(RowProblem::Misspelt { found, near, effect }, fix);
                    }
                }
                Role::Refused(what) => report(RowProblem::Config { found, what }, None),
                Role::Ignored { why, advice } => report(RowProblem::Ignored { found, why, advice }, None),
                Role::Config { target, .. } if target >= assertions => {
                    let why = "no row has an assertion with this number";
                    let advice =
                        "Correct the number, which counts from 1 the columns that begin with __expected.";
                    report(RowProblem::Ignored { found, why, advice }, None);
                }
                _ => {}
            }
        }
        HeaderAnswer { checks: Some(Rc::new(Row { names })), ..HeaderAnswer::default() }
    }

    fn observes(&self) -> Observes {
        Observes::Nothing
    }

    fn finish(&mut self, summary: &Summary<'_>, out: &mut Conclusions<'_>) {
        let Some(name) = summary.file_name else { return };
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let extension =
            base.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or("", |(_, extension)| extension);
        if extension == self.extension || matches!(extension, "yaml" | "yml") {
            return;
        }
        let (found, wanted) = (clip_quoted(base), self.extension);
        let how = match extension {
            "csv" => Some("a table"),
            "json" => Some("one JSON document"),
            "jsonl" => Some("a test on each line"),
            _ => None,
        };
        let why = match how {
            Some(how) => format!(
                "promptfoo reads {found} as {how} because of its name, and the content is something else"
            ),
            None => format!("promptfoo reads no tests from {found} because of its name, and says nothing"),
        };
        let advice = format!("Rename the file so that it ends in .{wanted}, in lower case.");
        out.report(RowProblem::FileName { why, advice });
    }
}

/// The column of promptfoo's that a variable may be meant as.
fn misspelt(name: &str, has_assertions: bool) -> Option<String> {
    const OWN: [&str; 7] = [
        "__expected",
        "__prefix",
        "__suffix",
        "__description",
        "__providerOutput",
        "__metric",
        "__threshold",
    ];
    let is_own = |own: &&str| name.starts_with(&own[1..]);
    if !name.starts_with("__") && OWN.iter().chain(&["__metadata:", "__config:"]).any(is_own) {
        return Some(format!("_{name}"));
    }
    if name == "expected" && !has_assertions {
        return Some("__expected".to_owned());
    }
    let bare = name.strip_prefix("__")?;
    let letters = bare.trim_end_matches(|c: char| c.is_ascii_digit());
    let near = suggest::nearest(letters, OWN.into_iter().map(|own| &own[2..]))?;
    let number = if near == "expected" { &bare[letters.len()..] } else { "" };
    Some(format!("__{near}{number}"))
}

/// The fix of the name of a column, which makes it no variable.
fn renamed(span: &Range<usize>, near: &str, names: &BTreeSet<&str>) -> Option<RecordFix> {
    let is_free = !names.contains(near) && !near.contains(['"', ',', '\n', '\r']);
    let title =
        format!("Rename the column to \"{near}\", which guesses that no prompt uses it as a variable");
    is_free.then(|| RecordFix::not_safe(title).replace(span.clone(), near))
}
