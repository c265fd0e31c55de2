//! The checks of a file as a whole: its columns and its name.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::ops::Range;
use std::path;
use std::rc::Rc;

use evalcheck_core::suggest;

use super::row::{Role, Row, RowProblem};
use crate::checks::{Conclusions, DatasetChecks, Findings, HeaderAnswer, Observes, Record, Summary, Target};
use crate::diagnose::{Kind, RecordFix, clip_quoted};
use crate::javascript::trim;
use evalcheck_core::finding::{Path, Step};

/// The checks of a file as a whole. It remembers nothing of the records.
#[derive(Debug)]
pub(super) struct Dataset {
    /// The extension that promptfoo needs to read such a file.
    pub(super) extension: &'static str,
}

impl Dataset {
    /// Whether promptfoo reads the tests from a file with this extension.
    fn is_read_by(&self, extension: &str) -> bool {
        extension == self.extension || matches!(extension, "yaml" | "yml")
    }
}

fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn extension(base: &str) -> &str {
    path::Path::new(base).extension().and_then(OsStr::to_str).unwrap_or_default()
}

impl DatasetChecks for Dataset {
    fn header(&mut self, line: Option<&Record<'_>>, out: &mut Findings<'_>) -> HeaderAnswer {
        let Some(Kind::Object(members)) = line.map(|record| &record.root.kind) else {
            return HeaderAnswer::default();
        };
        let names: Vec<String> = members.iter().map(|member| member.key.clone().into_owned()).collect();
        let assertions = names.iter().filter(|name| Role::of(name) == Role::Expected).count();
        let mut own: BTreeSet<String> = names.iter().map(|name| trim(name).to_owned()).collect();
        let mut is_refused = false;
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
                        own.insert(near.clone());
                        let is_expected = near.starts_with("__expected") && assertions == 0;
                        let effect = if is_expected { ", and no row has an assertion from it" } else { "" };
                        report(RowProblem::Misspelt { found, near, effect }, fix);
                    }
                }
                Role::Refused(what) => {
                    is_refused = true;
                    report(RowProblem::Config { found, what }, None);
                }
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
        HeaderAnswer { checks: Some(Rc::new(Row { names })), is_refused, ..HeaderAnswer::default() }
    }

    fn observes(&self) -> Observes {
        Observes::Nothing
    }

    fn begin(&mut self, file_name: Option<&str>, _: &[u8]) -> bool {
        file_name.is_some_and(|name| !self.is_read_by(extension(base_name(name))))
    }

    fn finish(&mut self, summary: &Summary<'_>, out: &mut Conclusions<'_>) {
        let Some(base) = summary.file_name.map(base_name) else { return };
        let extension = extension(base);
        if self.is_read_by(extension) {
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
fn renamed(span: &Range<usize>, near: &str, names: &BTreeSet<String>) -> Option<RecordFix> {
    let is_free = !names.contains(near) && !near.contains(['"', ',', '\n', '\r']);
    let title =
        format!("Rename the column to \"{near}\", which guesses that no prompt uses it as a variable");
    is_free.then(|| RecordFix::not_safe(title).replace(span.clone(), near))
}
