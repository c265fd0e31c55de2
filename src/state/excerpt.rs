//! The text of a record around the finding that is looked at.
//!
//! A record can be a mebibyte on one line. What is shown first is the neighbourhood of the mark; the rest is asked
//! for by the person.

use std::ops::Range;

use evalcheck_wire::view::{Mark, Source};

/// Bytes of text that are shown on either side of the mark before the person asks for all of it.
pub(crate) const CONTEXT: usize = 800;

/// A part of the text of a record, cut at the marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Excerpt<'a> {
    /// Bytes of text that were left out before.
    pub(crate) before: usize,
    /// The text, in order.
    pub(crate) segments: Vec<Segment<'a>>,
    /// Bytes of text that were left out after.
    pub(crate) after: usize,
}

/// A run of the text under one mark, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment<'a> {
    /// The text; may be empty under the chosen mark, which then stands between two characters.
    pub(crate) text: &'a str,
    /// The mark over it.
    pub(crate) under: Under,
}

/// The mark over a run of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Under {
    /// No mark.
    Nothing,
    /// The finding that is looked at.
    Chosen,
    /// Another finding of the record, by its place in [`Source::marks`].
    Other(usize),
}

/// Cuts the text round the chosen mark, `context` bytes to either side. The chosen mark is never cut by others.
pub(crate) fn excerpt(source: &Source, chosen: Option<usize>, context: usize) -> Excerpt<'_> {
    let text = source.text.as_str();
    let marks = byte_ranges(text, &source.marks);
    let chosen_range = chosen.and_then(|at| marks.get(at).cloned().flatten());

    let centre = chosen_range.clone().unwrap_or(0..0);
    let start = floor_boundary(text, centre.start.saturating_sub(context));
    // A mark over the whole of a long record would pull all of it in.
    let end = floor_boundary(text, centre.end.min(centre.start + 2 * context).saturating_add(context));

    let mut cuts: Vec<(Range<usize>, Under)> = Vec::new();
    if let Some(range) = chosen_range {
        cuts.push((range, Under::Chosen));
    }
    for (at, range) in marks.into_iter().enumerate() {
        let Some(range) = range.filter(|range| Some(at) != chosen && !range.is_empty()) else { continue };
        let overlaps = |cut: &(Range<usize>, Under)| {
            range.start < cut.0.end.max(cut.0.start + 1) && cut.0.start < range.end
        };
        if !cuts.iter().any(overlaps) {
            // In order at once, as the offsets below: a sort of the library's is 10 kB of wasm.
            let place = cuts.partition_point(|cut| cut.0.start <= range.start);
            cuts.insert(place, (range, Under::Other(at)));
        }
    }

    let mut segments = Vec::with_capacity(cuts.len() * 2 + 1);
    let mut at = start;
    for (range, under) in cuts {
        let range = range.start.clamp(start, end)..range.end.clamp(start, end);
        if range.is_empty() && under != Under::Chosen {
            continue;
        }
        if at < range.start {
            segments.push(Segment { text: &text[at..range.start], under: Under::Nothing });
        }
        at = range.end;
        segments.push(Segment { text: &text[range], under });
    }
    if at < end {
        segments.push(Segment { text: &text[at..end], under: Under::Nothing });
    }
    Excerpt { before: start, segments, after: text.len() - end }
}

/// Where marks that count UTF-16 units stand in UTF-8 text; `None` for what lies outside of it.
fn byte_ranges(text: &str, marks: &[Option<Mark>]) -> Vec<Option<Range<usize>>> {
    let mut offsets: Vec<u64> = Vec::new();
    for offset in marks.iter().flatten().flat_map(|mark| [mark.start_utf16, mark.end_utf16]) {
        if let Err(place) = offsets.binary_search(&offset) {
            offsets.insert(place, offset);
        }
    }

    let mut found = Vec::with_capacity(offsets.len());
    let mut wanted = offsets.iter().copied().peekable();
    let mut utf16 = 0_u64;
    for (at, c) in text.char_indices().chain([(text.len(), '\0')]) {
        while wanted.next_if(|offset| *offset <= utf16).is_some() {
            found.push(at);
        }
        if wanted.peek().is_none() {
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
fn floor_boundary(text: &str, at: usize) -> usize {
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
            text: text.to_owned(),
            clipped: false,
            marks: marks
                .iter()
                .map(|&(start_utf16, end_utf16)| Some(Mark { start_utf16, end_utf16 }))
                .collect(),
        }
    }

    fn shown<'a>(excerpt: &Excerpt<'a>) -> Vec<(&'a str, Under)> {
        excerpt.segments.iter().map(|segment| (segment.text, segment.under)).collect()
    }

    #[test]
    fn a_mark_counts_utf16_units() {
        let source = source("😀ü\"tool\"", &[(3, 9)]);
        let excerpt = excerpt(&source, Some(0), 100);
        assert_eq!(shown(&excerpt), [("😀ü", Under::Nothing), ("\"tool\"", Under::Chosen)]);
    }

    #[test]
    fn other_marks_are_shown_where_they_do_not_cut_the_chosen_one() {
        let source = source("abcdefghij", &[(2, 6), (3, 4), (7, 9)]);
        let excerpt = excerpt(&source, Some(0), 100);
        assert_eq!(
            shown(&excerpt),
            [
                ("ab", Under::Nothing),
                ("cdef", Under::Chosen),
                ("g", Under::Nothing),
                ("hi", Under::Other(2)),
                ("j", Under::Nothing)
            ]
        );
    }

    #[test]
    fn a_mark_between_two_characters_stays() {
        let source = source("{}", &[(1, 1)]);
        let excerpt = excerpt(&source, Some(0), 100);
        assert_eq!(shown(&excerpt), [("{", Under::Nothing), ("", Under::Chosen), ("}", Under::Nothing)]);
    }

    #[test]
    fn a_long_record_is_cut_round_the_mark_at_characters() {
        let text = "ü".repeat(10_000);
        let source = source(&text, &[(5_000, 5_001)]);
        let excerpt = excerpt(&source, Some(0), 101);
        assert_eq!(excerpt.before, 9_898);
        let length: usize = excerpt.segments.iter().map(|segment| segment.text.len()).sum();
        assert_eq!(excerpt.before + length + excerpt.after, text.len());
    }

    #[test]
    fn a_mark_outside_of_a_clipped_text_marks_nothing() {
        let source = source("short", &[(100, 200)]);
        let excerpt = excerpt(&source, Some(0), 100);
        assert_eq!(shown(&excerpt), [("short", Under::Nothing)]);
    }
}
