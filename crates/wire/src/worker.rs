//! The messages between the page and the worker.
//!
//! A message is one of these enums in the binary form of Borsh, with its name beside it. A `File` or a buffer is transferred with it: the
//! page posts `{ name, command, file? }`, the worker posts `{ name, event, buffer? }`. Both are of one build, so the form needs no
//! versions. Reading it takes a fifth of the code of reading JSON, and is faster. The page gives every check a number; an answer with an
//! older number is stale and is dropped.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;
use strum::IntoStaticStr;

use crate::{
    catalogue::Catalogue,
    fix::Change,
    question::{Advance, Answer, Question},
};
use evalcheck_report::overview::Overview;
use evalcheck_report::{Finding, Report};

pub use crate::ids::{CheckId, RequestId};
pub use crate::options::CheckOptions;

/// The check that knows the changes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct History {
    /// The check.
    pub check: CheckId,
    /// Whether the file is the one before the last change, not the one that this check read.
    pub is_before: bool,
}

/// A command of the page to the worker.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Command {
    /// Checks the file transferred with this message. Answers: [`Event::Progress`] several times, then one [`Event::Report`] or
    /// [`Event::Cancelled`]. A new check ends earlier ones.
    Check {
        /// The number of the check.
        id: CheckId,
        /// How to check.
        options: CheckOptions,
        /// The check that is shown meanwhile: it answers requests until the first request about the new check. All others are ended.
        shown: Option<CheckId>,
        /// The check that knows the changes of this file, if there is one.
        history: Option<History>,
    },
    /// Changes the file transferred with this message, and checks the result. A file that is added to it is transferred as `other`.
    /// Answers: [`Event::Progress`] several times, then one [`Event::Fixed`] with the new file, and its [`Event::Report`]; else
    /// [`Event::NotFixed`]. The check that is shown keeps answering requests, until the first one about the new check.
    Fix {
        /// The number of the new check.
        id: CheckId,
        /// How to check.
        options: CheckOptions,
        /// The change.
        change: Change,
        /// The check of this file that is shown meanwhile. If its report lists all findings, they are not searched again.
        shown: Option<CheckId>,
    },
    /// Checks the file transferred with this message, and writes a file of its records with errors, each as a line of JSON with its
    /// findings. Does not affect the checks. Answer: [`Event::Exported`] or [`Event::NotExported`].
    InvalidRecords {
        /// The number of the request.
        id: CheckId,
        /// How to check.
        options: CheckOptions,
    },
    /// Compares the file transferred with this message with its earlier version, which is transferred as `other`. Does not affect the
    /// checks. Answer: [`Event::Exported`] or [`Event::NotExported`].
    Diff {
        /// The number of the request.
        id: CheckId,
    },
    /// Packs the file transferred with this message into a ZIP, after earlier files for this number. Does not affect the checks;
    /// [`Command::Cancel`] discards the files. Answer: [`Event::Packed`] or [`Event::NotExported`].
    Pack {
        /// The number of the ZIP.
        id: CheckId,
        /// The path of the file in the ZIP.
        path: String,
    },
    /// Completes the ZIP, which has all its files. Answer: [`Event::Exported`] or [`Event::NotExported`].
    FinishPack {
        /// The number of the ZIP.
        id: CheckId,
    },
    /// Stops the check; the part that was checked can still be viewed. Answer: [`Event::Cancelled`].
    Cancel {
        /// The number of the check.
        id: CheckId,
    },
    /// Writes the report as an HTML page. Answer: [`Event::Exported`] or [`Event::NotExported`] with the number of the file.
    SaveReport {
        /// The number of the check.
        id: CheckId,
        /// The number of the file.
        file: CheckId,
        /// Whether the page contains parts of the dataset.
        quotes_data: bool,
        /// The statistics in the page.
        overview: Option<Box<Overview>>,
    },
    /// Asks a question about a check. Answer: [`Event::Answer`], always; if the question takes long, [`Event::Advance`] several times
    /// before. A file that the question is about is transferred with this message.
    Ask {
        /// The number of the check.
        check: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The question.
        question: Question,
    },
    /// Stops a question that takes long: it has no answer then. A comparison is forgotten; what a search has found stays until the next
    /// search.
    Stop {
        /// The number of the request.
        request: RequestId,
    },
    /// Asks whether the worker responds. Answer: [`Event::Pong`].
    Ping,
    /// Checks the file transferred with this message after the files of earlier commands of this kind, and then ends other checks. The page
    /// posts several files of a batch in advance. [`Command::Check`], [`Command::Fix`] and [`Command::Cancel`] discard the waiting files.
    /// Answers: as to [`Command::Check`]; then, if there are findings, an [`Event::Answer`] with the groups of all findings, whose request
    /// is the number of the check.
    CheckNext {
        /// The number of the check.
        id: CheckId,
        /// How to check.
        options: CheckOptions,
    },
}

impl Command {
    /// Whether it needs the module for schemas of the user's own.
    pub fn needs_schemas(&self) -> bool {
        match self {
            Self::Check { options, .. }
            | Self::Fix { options, .. }
            | Self::InvalidRecords { options, .. }
            | Self::CheckNext { options, .. } => !options.schema.is_empty(),
            _ => false,
        }
    }
}

/// A message of the worker to the page.
#[derive(Debug, PartialEq, BorshSerialize, BorshDeserialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Event {
    /// The engine is loaded. Sent once, before anything else.
    Ready {
        /// All formats and rules.
        catalogue: Catalogue,
    },
    /// The progress of the check, several times a second.
    Progress {
        /// The number of the check.
        id: CheckId,
        /// The progress.
        progress: Progress,
        /// Findings since the last message, while fewer than a screenful were sent: the first ones can be shown before the file is read
        /// to its end.
        first_findings: Vec<Finding>,
    },
    /// The first findings of a report that follows; several messages if there are many. Thousands of findings at once would block the
    /// page.
    Findings {
        /// The number of the check.
        id: CheckId,
        /// The findings after those of the last message.
        findings: Vec<Finding>,
    },
    /// The file was checked before and has only grown since, according to its first and last bytes. This many bytes from its beginning
    /// are not read again, except lines with findings. Comes before [`Event::Report`], if at all.
    Known {
        /// The number of the check.
        id: CheckId,
        /// The number of bytes.
        bytes: u64,
    },
    /// The check is done.
    Report {
        /// The number of the check.
        id: CheckId,
        /// The report, with those findings that no [`Event::Findings`] had.
        report: Report,
        /// The number of the first error among all findings; an error about a line if there is one.
        first_error: Option<u64>,
        /// Milliseconds from the command to the report.
        elapsed_ms: f64,
    },
    /// The file is changed, and is checked again: a fix can make another one possible.
    Pass {
        /// The number of the new check.
        id: CheckId,
        /// How often the file was changed.
        number: u32,
    },
    /// The changed file is transferred with this message; its report comes next. Answer to [`Command::Fix`].
    Fixed {
        /// The number of the check.
        id: CheckId,
        /// The number of fixes applied, or of records removed.
        fixes: u64,
    },
    /// The fixes could not be applied.
    NotFixed {
        /// The number of the check.
        id: CheckId,
        /// The reason, for the user.
        why: String,
    },
    /// A file was packed. Answer to [`Command::Pack`].
    Packed {
        /// The number of the ZIP.
        id: CheckId,
    },
    /// The requested file is transferred with this message. Answer to [`Command::InvalidRecords`], [`Command::Diff`],
    /// [`Command::FinishPack`] and [`Command::SaveReport`].
    Exported {
        /// The number of the request.
        id: CheckId,
    },
    /// The requested file could not be made.
    NotExported {
        /// The number of the request.
        id: CheckId,
        /// The reason, for the user.
        why: String,
    },
    /// The user stopped the check; the report covers the part that was read, with `checked: false`.
    Cancelled {
        /// The number of the check.
        id: CheckId,
        /// The report up to that point; its findings as in [`Event::Report`].
        report: Report,
        /// As in [`Event::Report`].
        first_error: Option<u64>,
        /// Milliseconds from the command.
        elapsed_ms: f64,
    },
    /// The progress of a question that takes long, several times a second.
    Advance {
        /// The number of the request.
        request: RequestId,
        /// The progress.
        advance: Advance,
    },
    /// The answer to a question.
    Answer {
        /// The number of the request.
        request: RequestId,
        /// The answer, or the reason why there is none, for the user: the file may have changed, or no longer exist.
        result: Result<Answer, String>,
    },
    /// Answer to [`Command::Ping`].
    Pong,
    /// The engine panicked, and this worker cannot be used any more. The page starts a new one. An engine that panicked sends nothing:
    /// `watch.js` posts `{ name: "died", id, message, bytes, line }`.
    Died {
        /// The check that was running.
        id: Option<CheckId>,
        /// A description of the panic, for a bug report.
        message: String,
        /// The dataset was checked up to this byte.
        checked_bytes: u64,
        /// The line that was being read.
        line: u64,
    },
}

/// A message between the page and the worker.
pub trait Message: BorshSerialize + BorshDeserialize {
    /// The name of the command or event, such as `finish_pack`, or of the question or answer in it, for code that reads no messages.
    fn name(&self) -> &'static str;

    /// The bytes that are posted.
    fn write(&self) -> Vec<u8> {
        // Writing to memory does not fail, and every value can be serialized: times are finite.
        borsh::to_vec(self).unwrap_or_default()
    }

    /// Reads the output of [`Message::write`]; `None` for anything else.
    fn read(bytes: &[u8]) -> Option<Self> {
        borsh::from_slice(bytes).ok()
    }
}

impl Message for Command {
    fn name(&self) -> &'static str {
        match self {
            Self::Ask { question: Question::Page { list, .. }, .. } => list.into(),
            Self::Ask { question, .. } => question.into(),
            command => command.into(),
        }
    }
}

impl Message for Event {
    fn name(&self) -> &'static str {
        match self {
            Self::Answer { result: Ok(answer), .. } => answer.into(),
            event => event.into(),
        }
    }
}

/// Joins the findings that arrive in several messages into one report.
#[derive(Debug, Default)]
pub struct Assembly {
    id: CheckId,
    findings: Vec<Finding>,
}

impl Assembly {
    /// Takes an event of the worker, and returns it when it is complete.
    #[must_use]
    pub fn take(&mut self, mut event: Event) -> Option<Event> {
        match &mut event {
            Event::Findings { id, findings } => {
                if *id != self.id {
                    self.findings.clear();
                }
                self.id = *id;
                self.findings.append(findings);
                return None;
            }
            Event::Report { id, report, .. } | Event::Cancelled { id, report, .. } => {
                let mut first = std::mem::take(&mut self.findings);
                if *id == self.id {
                    first.append(&mut report.findings);
                    report.findings = first;
                }
            }
            _ => {}
        }
        Some(event)
    }
}

/// The progress of a check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Progress {
    /// Bytes read of the file.
    pub bytes: u64,
    /// The number of bytes to read.
    pub total_bytes: u64,
    /// Records checked.
    pub records: u64,
    /// Lines read.
    pub lines: u64,
    /// Errors found.
    pub errors: u64,
    /// Warnings found.
    pub warnings: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::List;

    const REPORT: &str = r#"{
      "report": "evalcheck/1",
      "tool": { "name": "evalcheck", "version": "1" },
      "file": { "name": "a.jsonl", "size": 1 },
      "format": { "id": "x", "version": "", "detected": true, "confidence": 1, "reason": "", "others": [] },
      "valid": false,
      "checked": true,
      "counts": {
        "lines": 9, "records": 9, "valid": 0, "invalid": 9, "blank": 0, "header": 0,
        "errors": 9, "warnings": 0, "infos": 0, "by_code": {}
      },
      "truncated": false,
      "notes": [],
      "findings": []
    }"#;

    fn findings_of(line: u32) -> Vec<Finding> {
        serde_json::from_str(&format!(
            r#"[{{"code":"json/syntax","severity":"error","line":{line},"message":"no"}}]"#
        ))
        .unwrap()
    }

    fn findings(id: CheckId, line: u32) -> Event {
        Event::Findings { id, findings: findings_of(line) }
    }

    fn report(id: CheckId, line: u32) -> Event {
        let report = Report { findings: findings_of(line), ..serde_json::from_str(REPORT).unwrap() };
        Event::Report { id, report, first_error: Some(0), elapsed_ms: 1.5 }
    }

    fn lines(event: Option<Event>) -> Vec<Option<u64>> {
        match event {
            Some(Event::Report { report, .. }) => {
                report.findings.iter().map(|finding| finding.line).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_message_is_read_as_it_was_written() {
        let event = report(3, 7);
        assert_eq!(Event::read(&event.write()).as_ref(), Some(&event));
        assert_eq!(event.name(), "report");
        let question = Question::Page { list: List::Lines, from: u64::MAX, count: 4 };
        let command = Command::Ask { check: 1, request: 2, question };
        assert_eq!(command.name(), "lines");
        assert_eq!(Command::read(&command.write()), Some(command));
        assert_eq!(Command::FinishPack { id: 1 }.name(), "finish_pack");
    }

    #[test]
    fn bytes_that_are_no_message_are_not_read() {
        let mut written = report(3, 7).write();
        assert_eq!(Event::read(&written[..written.len() - 1]), None);
        written.push(0);
        assert_eq!(Event::read(&written), None);
        assert_eq!(Command::read(b"{}"), None);
    }

    #[test]
    fn findings_that_came_before_their_report_are_put_in_front() {
        let mut assembly = Assembly::default();
        assert_eq!(assembly.take(findings(3, 1)), None);
        assert_eq!(assembly.take(findings(3, 2)), None);
        assert_eq!(assembly.take(Event::Pong), Some(Event::Pong));
        assert_eq!(lines(assembly.take(report(3, 5))), [Some(1), Some(2), Some(5)]);
        assert_eq!(lines(assembly.take(report(3, 7))), [Some(7)]);
    }

    #[test]
    fn findings_of_another_job_are_no_part_of_a_report() {
        let mut assembly = Assembly::default();
        assert_eq!(assembly.take(findings(3, 1)), None);
        assert_eq!(assembly.take(findings(4, 2)), None);
        assert_eq!(lines(assembly.take(report(4, 3))), [Some(2), Some(3)]);
        assert_eq!(assembly.take(findings(4, 4)), None);
        assert_eq!(lines(assembly.take(report(5, 6))), [Some(6)]);
    }
}
