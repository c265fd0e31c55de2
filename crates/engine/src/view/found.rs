//! Records that are no lines, read again from the nearest mark.

use std::io::{self, Read, Seek};
use std::ops::ControlFlow;

use evalcheck_wire::view::{Record, Sample};

use super::Viewed;
use super::sample::Shown;
use crate::archive::Archive;
use crate::explain::{self, PathBuilder, Value};
use crate::finding::{Finding, Step};
use crate::formats::Layout;
use crate::records::Records;
use crate::records::csv::{Rows, row};
use crate::records::document::Document;
use crate::records::marks::{Watch, Watched};
use crate::session::Session;

/// A reader that looks for a record.
enum Reader {
    Rows(Box<Rows>),
    Document(Box<Document>),
}

impl Reader {
    fn read(&mut self, bytes: &[u8]) {
        let records: &mut dyn Records = match self {
            Self::Rows(rows) => &mut **rows,
            Self::Document(document) => &mut **document,
        };
        records.space(bytes.len()).copy_from_slice(bytes);
        records.advance(bytes.len());
    }

    fn is_done(&self) -> bool {
        let watch = match self {
            Self::Rows(rows) => rows.watched(),
            Self::Document(document) => document.watched(),
        };
        watch.is_some_and(|watch| watch.done)
    }

    /// Every byte was read: the last record may end here.
    fn finish(&mut self) {
        match self {
            Self::Rows(rows) => rows.finish(),
            Self::Document(document) => document.finish(),
        }
    }

    fn into_watched(self) -> Option<Watch> {
        match self {
            Self::Rows(rows) => rows.into_watched(),
            Self::Document(document) => document.into_watched(),
        }
    }
}

/// Looks for the first record that has a part on a line. `None` where records are lines, or there is none.
pub(super) fn find<R: Read + Seek>(viewed: &mut Viewed<'_, R>, line: u64) -> io::Result<Option<Watch>> {
    let session = viewed.session;
    let Some(&mark) = session.marks.before(line) else { return Ok(None) };
    let looking = session.for_looking();
    let watch = Watch::new(line);
    let mut reader = match session.variant.layout {
        Layout::Csv(columns) => Reader::Rows(Box::new(Rows::resume(looking, columns, mark, watch))),
        Layout::Json(lists) => Reader::Document(Box::new(Document::resume(looking, lists, mark, watch))),
        Layout::Jsonl | Layout::JsonlWithHeader(_) => return Ok(None),
    };
    let flow = viewed.read_from(mark.origin.offset, |bytes| {
        reader.read(bytes);
        if reader.is_done() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if flow.is_continue() {
        reader.finish();
    }
    Ok(reader.into_watched())
}

/// The record in full.
pub(super) fn record(found: &Watched, session: &Session, archive: Option<&Archive>) -> Record {
    let origin = found.mark.origin;
    let kept: Vec<Finding> = session.findings_of(origin.record).cloned().collect();
    // Of a record without an end only the check knows why it has none.
    let mut findings = if found.is_partial && !kept.is_empty() { Vec::new() } else { judge(found, session) };
    super::merge(&mut findings, kept);
    Record {
        line: origin.line,
        findings: findings.iter().map(Finding::to_wire).collect(),
        source: super::source(&found.bytes, true, origin.offset, &findings),
        sample: sample(found, session, archive),
    }
}

fn judge(found: &Watched, session: &Session) -> Vec<Finding> {
    let origin = found.mark.origin;
    match (&session.table, &session.variant.layout) {
        (Some(table), _) => session.look_at_row(&found.bytes, origin, table),
        (None, Layout::Json(lists)) => {
            let list = found.mark.list;
            let key = lists.get(list).map_or("", |list| list.key);
            let index = usize::try_from(found.mark.index).unwrap_or(usize::MAX);
            let base = PathBuilder::from(vec![Step::Key(key.into()), Step::Index(index)]);
            session.look(&found.bytes, origin, &base, list)
        }
        _ => Vec::new(),
    }
}

/// Calls `each` with the record as a value, when it can be read.
fn with_value<T>(
    found: &Watched,
    session: &Session,
    each: impl FnOnce(&Value<'_>) -> Option<T>,
) -> Option<T> {
    match &session.table {
        Some(table) => {
            let parsed = row::read(&found.bytes, table, found.mark.origin.line).parsed?;
            each(&parsed.value)
        }
        None => each(&explain::parse(&found.bytes).ok()?.value),
    }
}

fn sample(found: &Watched, session: &Session, archive: Option<&Archive>) -> Option<Sample> {
    with_value(found, session, |root| {
        let attachments = session.attachments.as_ref();
        (session.format.sample)(&Shown { root, bytes: &found.bytes, attachments, archive })
    })
}
