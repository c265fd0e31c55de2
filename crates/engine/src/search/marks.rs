//! The matches of a search in the texts of a record, to mark them.

use std::ops::Range;

use evalcheck_formats::preview::add_mark;
use evalcheck_report::view::{Excerpt, Part, Record, TextMark, TextMarkKind};

use super::data::{Data, FoundText};
use super::{SHOWN, Search, Terms, pattern};
use crate::diagnose::{self, Value};

/// The maximum number of marks in a record, because each takes an element.
const MOST: usize = 500;

/// The matches of the terms of a query in a record.
#[derive(Debug)]
pub(crate) struct InRecord<'t> {
    data: &'t Data,
    first: Option<FoundText>,
}

impl Terms {
    /// Their matches in a record, which is this text if it cannot be read.
    pub(crate) fn in_record(&self, root: Option<&Value<'_>>, text: &[u8]) -> InRecord<'_> {
        let found = match root {
            Some(root) => self.data.find(root),
            None => self.data.find_in_text(&String::from_utf8_lossy(text)),
        };
        InRecord { data: &self.data, first: found.and_then(|found| found.first) }
    }
}

impl InRecord<'_> {
    /// The part of a text around what is found in it.
    pub(crate) fn excerpt(&self, text: &str) -> Option<Excerpt> {
        let is_part = |first: &&FoundText| first.text == text && first.span != (0..text.len());
        let first = self.first.as_ref().filter(is_part).map(|first| first.span.clone());
        let span = first.or_else(|| self.data.find_in(text)).filter(|span| !span.is_empty())?;
        Some(pattern::excerpt(text, span, SHOWN))
    }

    /// The first value that is found, its path and the part around the match, if none of the texts of a row shows it.
    pub(crate) fn beside<'c>(
        self,
        mut shown: impl Iterator<Item = &'c Excerpt>,
    ) -> Option<(String, Excerpt)> {
        let first = self.first?;
        let excerpt = first.excerpt(SHOWN);
        // A cell has single spaces, as the excerpt.
        if shown.any(|cell| cell.start < cell.end || cell.text == excerpt.text) {
            return None;
        }
        Some((first.path?, excerpt))
    }
}

impl Search {
    /// Marks what it finds in the texts of a record that is shown as a conversation.
    pub fn mark(&self, record: &mut Record) {
        let parsed = diagnose::parse(record.source.text.as_bytes()).ok();
        let finders = self.terms.data.finders(parsed.as_ref().map(|parsed| &parsed.value));
        let turns = record.sample.iter_mut().flat_map(|sample| &mut sample.turns);
        let mut room = MOST;
        for part in turns.flat_map(|turn| &mut turn.parts) {
            let (Part::Text { text, marks, .. } | Part::Reasoning { text, marks, .. }) = part else {
                continue;
            };
            // A long text is clipped.
            let is_in = |values: &[String]| values.iter().any(|value| value.starts_with(text.as_str()));
            for finder in finders.iter().filter(|finder| finder.values.as_deref().is_none_or(is_in)) {
                for Range { start, end } in finder.matcher.find_all(text).take(room) {
                    room -= 1;
                    add_mark(marks, TextMark { start, end, kind: TextMarkKind::Found });
                }
            }
        }
    }
}
