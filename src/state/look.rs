//! What of a checked file is looked at.

use std::ops::{Deref, RangeInclusive};
use std::rc::Rc;

use evalcheck_wire::report::{Finding, Report, Severity};
use evalcheck_wire::view::{Attachment, AttachmentInfo, Part, Record};
use evalcheck_wire::worker::RequestId;
use yew::AttrValue;
use yew::html::ImplicitClone;

use super::lines::{LineCache, Lookup};

/// Lines that are shown before and after the one that is looked at.
const NEIGHBOURS: u64 = 2;

/// Attachments of a sample that are read without being asked for, and how large each may be.
const SHOWN_AT_ONCE: usize = 6;
const SHOWN_UP_TO: u64 = 8 << 20;

/// One of the two lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ListKind {
    /// The findings.
    #[default]
    Findings,
    /// The lines of the file.
    Lines,
}

/// One of the two parts of the detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    /// The finding, the source, the rule.
    Source,
    /// The record as a conversation.
    Sample,
}

/// What is in front where there is room for one pane only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Focus {
    /// The list.
    #[default]
    List,
    /// The detail.
    Detail,
}

/// Which findings are listed.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Filter {
    /// Of this severity; `None` for all.
    pub(crate) severity: Option<Severity>,
    /// Of this code; `None` for all.
    pub(crate) code: Option<AttrValue>,
}

impl ImplicitClone for Filter {}

impl Filter {
    /// True when a finding is listed.
    pub(crate) fn lets(&self, finding: &Finding) -> bool {
        self.severity.is_none_or(|severity| severity == finding.severity)
            && self.code.as_ref().is_none_or(|code| code.as_str() == finding.code)
    }
}

/// The findings that there are to look at.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Findings {
    /// The first ones, while the check runs or after it was broken off.
    Early(Rc<Vec<Finding>>),
    /// Those of the report.
    Reported(Rc<Report>),
}

impl ImplicitClone for Findings {}

impl Deref for Findings {
    type Target = [Finding];

    fn deref(&self) -> &[Finding] {
        match self {
            Self::Early(findings) => findings,
            Self::Reported(report) => &report.findings,
        }
    }
}

/// What was chosen in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selection {
    /// A finding, by its place in the list of all findings.
    Finding(usize),
    /// A line, from 1.
    Line(u64),
}

/// The record that is looked at.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum RecordState {
    /// What was chosen stands in no line.
    #[default]
    Nothing,
    /// It was asked for.
    Asked(RequestId),
    /// It is here.
    Here(Rc<Record>),
    /// The line holds no record.
    Missing,
    /// It can't be had; why.
    Failed(AttrValue),
}

impl ImplicitClone for RecordState {}

/// How the bytes of an attachment can be shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AttachmentBody {
    /// As this text.
    Text(AttrValue),
    /// As a picture at this address, which is one of our own.
    Image(AttrValue),
    /// As a PDF at this address, which is one of our own.
    Pdf(AttrValue),
    /// Not at all.
    Nothing,
}

/// An attachment that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AttachmentView {
    /// Its entry in the archive.
    pub(crate) entry: AttrValue,
    /// What has become of the question.
    pub(crate) state: AttachmentState,
}

/// What has become of the question for an attachment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AttachmentState {
    /// It was asked for.
    Asked(RequestId),
    /// It is here.
    Here(Rc<Attachment>, AttachmentBody),
    /// It can't be had; why.
    Failed(AttrValue),
}

/// What of a checked file is looked at.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Look {
    /// The list in front.
    pub(crate) list: ListKind,
    /// Which findings are listed.
    pub(crate) filter: Filter,
    /// What was chosen.
    pub(crate) selection: Option<Selection>,
    /// Counts the times that the chosen line was asked for, so that asking twice scrolls twice.
    pub(crate) reveals: u32,
    /// Which finding of the record is looked at, where the person chose another one than the list's.
    pub(crate) in_record: Option<usize>,
    /// The pane in front, where there is room for one.
    pub(crate) focus: Focus,
    /// The part of the detail that the person chose.
    pub(crate) tab: Option<Tab>,
    /// The lines that are held.
    pub(crate) lines: Rc<LineCache>,
    /// The record that is looked at.
    pub(crate) record: RecordState,
    /// Its attachments.
    pub(crate) attachments: Rc<Vec<AttachmentView>>,
}

impl Look {
    /// The line that is looked at.
    pub(crate) fn line(&self, findings: &[Finding]) -> Option<u64> {
        match self.selection? {
            Selection::Finding(at) => findings.get(at)?.line,
            Selection::Line(line) => Some(line),
        }
    }

    /// The part of the detail that is shown: the one the person chose, else the source where something was found and
    /// the sample where nothing was.
    pub(crate) fn tab(&self) -> Tab {
        self.tab.unwrap_or(match self.selection {
            Some(Selection::Line(line)) if !self.has_findings(line) && !self.has_no_sample() => Tab::Sample,
            _ => Tab::Source,
        })
    }

    /// True for a header and for whatever else is no conversation.
    fn has_no_sample(&self) -> bool {
        matches!(&self.record, RecordState::Here(record) if record.sample.is_none())
    }

    fn has_findings(&self, line: u64) -> bool {
        let marked = matches!(self.lines.get(line), Lookup::Here(line) if line.severity.is_some());
        marked || matches!(&self.record, RecordState::Here(record) if !record.findings.is_empty())
    }

    /// The place among the record's findings of the one that is looked at.
    pub(crate) fn chosen_in_record(&self, findings: &[Finding]) -> Option<usize> {
        let RecordState::Here(record) = &self.record else { return None };
        if let Some(at) = self.in_record.filter(|at| *at < record.findings.len()) {
            return Some(at);
        }
        match self.selection? {
            Selection::Line(_) => (!record.findings.is_empty()).then_some(0),
            Selection::Finding(at) => {
                let wanted = findings.get(at)?;
                let same = |finding: &Finding| {
                    finding.code == wanted.code
                        && finding.path == wanted.path
                        && finding.byte_start == wanted.byte_start
                };
                record.findings.iter().position(same)
            }
        }
    }

    /// The lines round one that is looked at.
    pub(crate) fn neighbours(&self, line: u64) -> RangeInclusive<u64> {
        line.saturating_sub(NEIGHBOURS).max(1)..=(line + NEIGHBOURS).min(self.lines.total().max(line))
    }

    /// The entries that are read at once for the sample that is shown.
    pub(crate) fn entries_to_show(&self) -> Vec<AttrValue> {
        let RecordState::Here(record) = &self.record else { return Vec::new() };
        let mut entries: Vec<AttrValue> = Vec::new();
        for info in
            record.sample.iter().flat_map(|sample| &sample.turns).flat_map(|turn| attachments(&turn.parts))
        {
            if info.size <= SHOWN_UP_TO && !entries.iter().any(|entry| entry.as_str() == info.entry) {
                entries.push(AttrValue::from(info.entry.clone()));
            }
        }
        entries.truncate(SHOWN_AT_ONCE);
        entries
    }

    /// True while a question has no answer yet.
    pub(crate) fn is_waiting(&self) -> bool {
        self.lines.open() > 0
            || matches!(self.record, RecordState::Asked(_))
            || self.attachments.iter().any(|view| matches!(view.state, AttachmentState::Asked(_)))
    }

    /// No question will be answered any more.
    pub(crate) fn fail_all(&mut self, why: &AttrValue) {
        Rc::make_mut(&mut self.lines).fail_all();
        if matches!(self.record, RecordState::Asked(_)) {
            self.record = RecordState::Failed(why.clone());
        }
        for view in Rc::make_mut(&mut self.attachments) {
            if matches!(view.state, AttachmentState::Asked(_)) {
                view.state = AttachmentState::Failed(why.clone());
            }
        }
    }

    /// A question could not be answered.
    pub(crate) fn fail(&mut self, request: RequestId, why: &AttrValue) {
        if self.record == RecordState::Asked(request) {
            self.record = RecordState::Failed(why.clone());
        } else if !Rc::make_mut(&mut self.lines).fail(request) {
            self.set_attachment(request, AttachmentState::Failed(why.clone()));
        }
    }

    /// An attachment was answered.
    pub(crate) fn set_attachment(&mut self, request: RequestId, state: AttachmentState) {
        let asked = |view: &&mut AttachmentView| view.state == AttachmentState::Asked(request);
        if let Some(view) = Rc::make_mut(&mut self.attachments).iter_mut().find(asked) {
            view.state = state;
        }
    }
}

/// The attachments that parts of a turn refer to and that are in the archive.
fn attachments(parts: &[Part]) -> impl Iterator<Item = &AttachmentInfo> {
    parts.iter().filter_map(|part| match part {
        Part::File { attachment, .. } => attachment.as_ref(),
        _ => None,
    })
}
