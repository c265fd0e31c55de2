//! Marks an answer in the text that it was extracted from.

use evalcheck_report::view::{Part, TextMark, TextMarkKind};

/// Marks an answer in the texts of a turn, if it occurs exactly once. Of several occurrences it is unknown which is meant.
pub fn mark_answer(parts: &mut [Part], answer: &str) {
    if answer.is_empty() {
        return;
    }
    let mut found = None;
    for (index, part) in parts.iter().enumerate() {
        let Part::Text { text, .. } = part else { continue };
        for (start, _) in text.match_indices(answer) {
            let end = start + answer.len();
            if is_within_word(text, start) || is_within_word(text, end) {
                continue;
            }
            if found.replace((index, start, end)).is_some() {
                return;
            }
        }
    }
    if let Some((index, start, end)) = found
        && let Some(Part::Text { marks, .. }) = parts.get_mut(index)
    {
        add_mark(marks, TextMark { start, end, kind: TextMarkKind::Answer });
    }
}

/// Adds a mark to the marks of a text, in order. A mark that overlaps another is dropped.
pub fn add_mark(marks: &mut Vec<TextMark>, mark: TextMark) {
    let index = marks.partition_point(|other| other.end <= mark.start);
    if marks.get(index).is_none_or(|next| mark.end <= next.start) {
        marks.insert(index, mark);
    }
}

/// Whether an offset is between two characters of a word or of a number.
fn is_within_word(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    let (mut before, mut after) = (before.chars().rev(), after.chars());
    let (Some(last), Some(first)) = (before.next(), after.next()) else { return false };
    let is_separator = |c: char| matches!(c, '.' | ',');
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    // Scripts from this code point are written without spaces.
    let is_letter = |c: char| c.is_alphanumeric() && c < '\u{2e80}';
    (is_letter(last) && is_letter(first))
        || (last.is_ascii_digit() && is_separator(first) && is_digit(after.next()))
        || (first.is_ascii_digit() && is_separator(last) && is_digit(before.next()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preview::text_part;

    /// The marked part of some texts.
    fn marked(texts: &[&str], answer: &str) -> Vec<String> {
        let mut parts: Vec<Part> = texts.iter().map(|text| text_part(text)).collect();
        mark_answer(&mut parts, answer);
        let of_part = |part: Part| match part {
            Part::Text { text, marks, .. } => marks
                .iter()
                .map(|mark| format!("{}>{}", &text[..mark.start], &text[mark.start..mark.end]))
                .collect(),
            _ => Vec::new(),
        };
        parts.into_iter().flat_map(of_part).collect()
    }

    #[test]
    fn an_answer_that_occurs_once_is_marked() {
        assert_eq!(marked(&["Four pens cost 12 coins."], "12"), ["Four pens cost >12"]);
        assert_eq!(marked(&["4 times 3", "So it is 12."], "12"), ["So it is >12"]);
        assert_eq!(marked(&["答案是B。"], "B"), ["答案是>B"]);
        assert_eq!(marked(&["(B)"], "B"), ["(>B"]);
    }

    #[test]
    fn marks_are_in_order_and_do_not_overlap() {
        let mut parts = [text_part("one two three")];
        for answer in ["three", "one two", "two", "one"] {
            mark_answer(&mut parts, answer);
        }
        let [Part::Text { marks, .. }] = &parts else { unreachable!("it is text") };
        let spans: Vec<_> = marks.iter().map(|mark| (mark.start, mark.end)).collect();
        assert_eq!(spans, [(0, 7), (8, 13)]);
    }

    #[test]
    fn nothing_is_guessed() {
        assert_eq!(marked(&["12 or 12"], "12"), [""; 0]);
        assert_eq!(marked(&["12", "12"], "12"), [""; 0]);
        assert_eq!(marked(&["Bob 112 12.5 3,12 x12"], "12"), [""; 0]);
        assert_eq!(marked(&["Bob"], "B"), [""; 0]);
        assert_eq!(marked(&["Bob"], ""), [""; 0]);
    }
}
