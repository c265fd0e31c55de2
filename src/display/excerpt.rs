//! The text of a record around the selected finding.
//!
//! A record can be many megabytes on one line, so only a part around the mark is loaded. The text next to the mark is shown first, the rest
//! of that part on request.

use std::ops::Range;

use evalcheck_report::view::{Mark, Source};

use super::format_number::bytes;
use super::isolate::ends_quoted;

/// Bytes of text shown on either side of the mark, before the user asks for more.
pub(crate) const CONTEXT: usize = 800;

/// Bytes of text on either side of the mark for a single row, which clips the excess: 60 characters of a script with three bytes each.
pub(crate) const ROW_CONTEXT: usize = 180;

/// A part of the text of a record, split at the marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Excerpt<'a> {
    /// The omitted bytes before it.
    pub(crate) before: Omitted,
    /// The text.
    pub(crate) segments: Vec<Segment<'a>>,
    /// The omitted bytes after it.
    pub(crate) after: Omitted,
}

/// The number of bytes of a record that are omitted on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Omitted {
    /// The loaded ones, which can be shown.
    pub(crate) loaded: u64,
    /// All of them.
    pub(crate) all: u64,
}

impl Omitted {
    fn new(loaded: usize, others: u64) -> Self {
        let loaded = loaded as u64;
        Self { loaded, all: loaded + others }
    }

    /// Describes them; `place` names the side. Empty if nothing is omitted.
    pub(crate) fn in_words(self, place: &str) -> String {
        let Self { loaded, all } = self;
        match (loaded, all - loaded) {
            (0, 0) => String::new(),
            (0, _) => format!("… {} {place}, not shown", bytes(all)),
            (_, 0) => format!("… {} {place}, show all", bytes(all)),
            _ => format!("… {} {place}, show {} of it", bytes(all), bytes(loaded)),
        }
    }
}

/// A run of text with the same mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment<'a> {
    /// The text. It is empty for a selected mark between two characters.
    pub(crate) text: &'a str,
    /// Its byte offset in [`Source::text`].
    pub(crate) start: usize,
    /// Its mark.
    pub(crate) mark: SegmentMark,
    /// Whether it begins within a string.
    pub(crate) is_quoted: bool,
}

/// The mark of a run of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SegmentMark {
    /// No mark.
    None,
    /// The selected finding.
    Selected,
    /// Another finding of the record, by its index in [`Source::marks`].
    Other(usize),
}

/// Takes the selected mark and `context` bytes on either side. Other marks do not split the selected one.
pub(crate) fn excerpt(source: &Source, selected: Option<usize>, context: usize) -> Excerpt<'_> {
    let text = source.text.as_str();
    let marks = byte_ranges(text, &source.marks);
    let selected_range = selected.and_then(|at| marks.get(at).cloned().flatten());

    let center = selected_range.clone().unwrap_or(0..0);
    let start = floor_boundary(text, center.start.saturating_sub(context));
    // A mark over a whole long record would include all of it.
    let end = floor_boundary(text, center.end.min(center.start + 2 * context).saturating_add(context));

    let mut cuts: Vec<(Range<usize>, SegmentMark)> = Vec::new();
    if let Some(range) = selected_range {
        cuts.push((range, SegmentMark::Selected));
    }
    for (at, range) in marks.into_iter().enumerate() {
        let Some(range) = range.filter(|range| Some(at) != selected && !range.is_empty()) else { continue };
        let overlaps = |cut: &(Range<usize>, SegmentMark)| {
            range.start < cut.0.end.max(cut.0.start + 1) && cut.0.start < range.end
        };
        if !cuts.iter().any(overlaps) {
            // Inserted in order, because a sort of the standard library takes 10 kB of wasm.
            let index = cuts.partition_point(|cut| cut.0.start <= range.start);
            cuts.insert(index, (range, SegmentMark::Other(at)));
        }
    }

    let mut segments = Vec::with_capacity(cuts.len() * 2 + 1);
    let mut is_quoted = ends_quoted(&text[..start], false);
    let mut push = |range: Range<usize>, mark| {
        let start = range.start;
        let text = &text[range];
        segments.push(Segment { text, start, mark, is_quoted });
        is_quoted = ends_quoted(text, is_quoted);
    };
    let mut at = start;
    for (range, mark) in cuts {
        let range = range.start.clamp(start, end)..range.end.clamp(start, end);
        if range.is_empty() && mark != SegmentMark::Selected {
            continue;
        }
        if at < range.start {
            push(at..range.start, SegmentMark::None);
        }
        at = range.end;
        push(range, mark);
    }
    if at < end {
        push(at..end, SegmentMark::None);
    }
    let after = Omitted::new(text.len() - end, source.after);
    Excerpt { before: Omitted::new(start, source.before), segments, after }
}

/// Bytes before a match that a row shows.
const BEFORE: usize = 24;

/// The byte at which a row begins to show a text with a match: the start of a word shortly before the match.
pub(crate) fn begin_near(text: &str, found: usize) -> usize {
    let near = floor_boundary(text, found.saturating_sub(BEFORE));
    let before = text.get(near..found).filter(|_| near > 0).unwrap_or_default();
    near + before.find(' ').map_or(0, |space| space + 1)
}

/// The byte range of a mark; `None` if it is outside of the text.
pub(crate) fn byte_range(text: &str, mark: &Mark) -> Option<Range<usize>> {
    byte_ranges(text, &[Some(*mark)]).pop().flatten()
}

/// Converts marks from UTF-16 units to bytes; `None` for a mark outside of the text.
fn byte_ranges(text: &str, marks: &[Option<Mark>]) -> Vec<Option<Range<usize>>> {
    let mut offsets: Vec<u64> = Vec::new();
    for offset in marks.iter().flatten().flat_map(|mark| [mark.start_utf16, mark.end_utf16]) {
        if let Err(index) = offsets.binary_search(&offset) {
            offsets.insert(index, offset);
        }
    }

    let mut found = Vec::with_capacity(offsets.len());
    let mut needed = offsets.iter().copied().peekable();
    let mut utf16 = 0_u64;
    for (at, c) in text.char_indices().chain([(text.len(), '\0')]) {
        while needed.next_if(|offset| *offset <= utf16).is_some() {
            found.push(at);
        }
        if needed.peek().is_none() {
            break;
        }
        utf16 += c.len_utf16() as u64;
    }

    let byte = |offset: u64| offsets.binary_search(&offset).ok().and_then(|at| found.get(at).copied());
    marks
        .iter()
        .map(|mark| {
            let mark = mark.as_ref()?;
            let (start, end) = (byte(mark.start_utf16)?, byte(mark.end_utf16)?);
            (start <= end).then_some(start..end)
        })
        .collect()
}

/// The nearest character boundary at or before a byte.
pub(super) fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str, marks: &[(u64, u64)]) -> Source {
        Source {
            editable: None,
            text: text.to_owned(),
            before: 0,
            after: 0,
            marks: marks
                .iter()
                .map(|&(start_utf16, end_utf16)| Some(Mark { start_utf16, end_utf16 }))
                .collect(),
        }
    }

    fn shown<'a>(excerpt: &Excerpt<'a>) -> Vec<(&'a str, SegmentMark)> {
        excerpt.segments.iter().map(|segment| (segment.text, segment.mark)).collect()
    }

    #[test]
    fn a_mark_counts_utf16_units() {
        let source = source("😀ü\"tool\"", &[(3, 9)]);
        let excerpt = excerpt(&source, Some(0), 100);
        assert_eq!(shown(&excerpt), [("😀ü", SegmentMark::None), ("\"tool\"", SegmentMark::Selected)]);
    }

    #[test]
    fn other_marks_do_not_split_the_selected_one() {
        let source = source("abcdefghij", &[(2, 6), (3, 4), (7, 9)]);
        let excerpt = excerpt(&source, Some(0), 100);
        assert_eq!(
            shown(&excerpt),
            [
                ("ab", SegmentMark::None),
                ("cdef", SegmentMark::Selected),
                ("g", SegmentMark::None),
                ("hi", SegmentMark::Other(2)),
                ("j", SegmentMark::None)
            ]
        );
    }

    #[test]
    fn a_mark_between_two_characters_is_kept() {
        let source = source("{}", &[(1, 1)]);
        let excerpt = excerpt(&source, Some(0), 100);
        assert_eq!(
            shown(&excerpt),
            [("{", SegmentMark::None), ("", SegmentMark::Selected), ("}", SegmentMark::None)]
        );
    }

    #[test]
    fn a_long_record_is_cut_at_character_boundaries() {
        let text = "ü".repeat(10_000);
        let source = source(&text, &[(5_000, 5_001)]);
        let excerpt = excerpt(&source, Some(0), 101);
        assert_eq!(excerpt.before, Omitted { loaded: 9_898, all: 9_898 });
        let length: usize = excerpt.segments.iter().map(|segment| segment.text.len()).sum();
        assert_eq!(excerpt.before.loaded + length as u64 + excerpt.after.loaded, text.len() as u64);
    }

    #[test]
    fn a_mark_outside_of_a_clipped_text_is_ignored() {
        let source = source("short", &[(100, 200)]);
        let excerpt = excerpt(&source, Some(0), 100);
        assert_eq!(shown(&excerpt), [("short", SegmentMark::None)]);
    }

    #[test]
    fn a_row_begins_with_a_word_shortly_before_a_match() {
        assert_eq!(begin_near("a long way to the capital of France", 29), 7, "at \"way\"");
        assert_eq!(begin_near("near the beginning", 9), 0);
        assert_eq!(begin_near(&"語".repeat(40), 60), 36);
    }

    #[test]
    fn what_is_omitted_is_said_in_words() {
        let words = |loaded, others| Omitted::new(loaded, others).in_words("before");
        assert_eq!(words(0, 0), "");
        assert_eq!(words(5_000, 0), "… 5 kB before, show all");
        assert_eq!(words(64_000, 9_936_000), "… 10 MB before, show 64 kB of it");
        assert_eq!(words(0, 10_000_000), "… 10 MB before, not shown");
    }

    #[test]
    fn bytes_around_a_part_are_counted() {
        let part = Source { before: 10_000, after: 20_000, ..source(&"x".repeat(5_000), &[(2_000, 2_010)]) };
        let excerpt = excerpt(&part, Some(0), 100);
        assert_eq!(excerpt.before, Omitted { loaded: 1_900, all: 11_900 });
        assert_eq!(excerpt.after, Omitted { loaded: 2_890, all: 22_890 });
    }
}
