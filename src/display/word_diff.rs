//! The words that differ between two texts.

use similar::DiffOp;
use similar::algorithms::{Capture, Replace, myers};

/// The maximum number of words of each text that are compared: the time grows with the number of differing words times the number of all
/// words.
const MAX_WORDS: usize = 2_000;

/// A part of one or both texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiffPart<'a> {
    /// A part of both.
    Both(&'a str),
    /// A part of the first text only.
    First(&'a str),
    /// A part of the second text only.
    Second(&'a str),
}

/// The parts of two texts, in order, and whether both are compared to their ends.
pub(crate) fn word_diff<'a>(first: &'a str, second: &'a str) -> (Vec<DiffPart<'a>>, bool) {
    let ends = [word_ends(first), word_ends(second)];
    let [old, new] = [words(first, &ends[0]), words(second, &ends[1])];
    // A part of the first text only comes before the part of the second that replaces it.
    let mut capture = Replace::new(Capture::new());
    let operations = match myers::diff(&mut capture, &old[..], 0..old.len(), &new[..], 0..new.len()) {
        Ok(()) => capture.into_inner().into_ops(),
        Err(never) => match never {},
    };
    let text = |text: &'a str, ends: &[usize], index: usize, length: usize| {
        let end = |index: usize| index.checked_sub(1).and_then(|last| ends.get(last)).copied().unwrap_or(0);
        &text[end(index)..end(index + length)]
    };
    let mut parts = Vec::new();
    for operation in operations {
        match operation {
            DiffOp::Equal { old_index, len, .. } => {
                parts.push(DiffPart::Both(text(first, &ends[0], old_index, len)));
            }
            DiffOp::Delete { old_index, old_len, .. } => {
                parts.push(DiffPart::First(text(first, &ends[0], old_index, old_len)));
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                parts.push(DiffPart::Second(text(second, &ends[1], new_index, new_len)));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                parts.push(DiffPart::First(text(first, &ends[0], old_index, old_len)));
                parts.push(DiffPart::Second(text(second, &ends[1], new_index, new_len)));
            }
        }
    }
    let is_whole = |text: &str, ends: &[usize]| ends.last().copied().unwrap_or(0) == text.len();
    (parts, is_whole(first, &ends[0]) && is_whole(second, &ends[1]))
}

/// The ends of the words of a text: runs of letters and digits, runs of white space, and single other characters. In scripts without
/// spaces, each character is a word.
fn word_ends(text: &str) -> Vec<usize> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before = Class::Other;
    for (at, c) in text.char_indices() {
        let class = Class::of(c);
        if class != before || class == Class::Other {
            if at > 0 {
                ends.push(at);
            }
            if ends.len() == MAX_WORDS {
                return ends;
            }
        }
        before = class;
    }
    if !text.is_empty() {
        ends.push(text.len());
    }
    ends
}

fn words<'a>(text: &'a str, ends: &[usize]) -> Vec<&'a str> {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(ends).map(|(start, end)| &text[start..*end]).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    Other,
}

impl Class {
    fn of(c: char) -> Self {
        if c.is_whitespace() {
            Self::Space
        } else if c.is_alphanumeric() && c < '\u{2e80}' {
            Self::Word
        } else {
            Self::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DiffPart::{Both, First, Second};
    use super::*;

    #[test]
    fn words_that_differ_are_told_apart() {
        let (parts, is_whole) = word_diff("It is 32, surely.", "It was 32.");
        assert!(is_whole);
        let joined = |is_in: fn(&DiffPart<'_>) -> bool| -> String {
            parts
                .iter()
                .filter(|part| is_in(part))
                .map(|(Both(text) | First(text) | Second(text))| *text)
                .collect()
        };
        assert_eq!(joined(|part| !matches!(part, Second(_))), "It is 32, surely.");
        assert_eq!(joined(|part| !matches!(part, First(_))), "It was 32.");
        assert!(parts.contains(&First("is")) && parts.contains(&Second("was")), "{parts:?}");
        assert_eq!(parts[0], Both("It "));
    }

    #[test]
    fn characters_are_words_where_there_are_no_spaces() {
        let (parts, _) = word_diff("答案是四", "答案是五");
        assert_eq!(parts, [Both("答案是"), First("四"), Second("五")]);
    }

    #[test]
    fn equal_and_empty_texts_have_no_differences() {
        assert_eq!(word_diff("a b", "a b"), (vec![Both("a b")], true));
        assert_eq!(word_diff("", ""), (vec![], true));
        assert_eq!(word_diff("", "a"), (vec![Second("a")], true));
    }

    #[test]
    fn long_texts_are_compared_up_to_a_limit() {
        let [a, b] = ["a ", "b "].map(|text| text.repeat(40_000));
        let (parts, is_whole) = word_diff(&a, &b);
        assert!(!is_whole && parts.len() <= 2 * MAX_WORDS, "{}", parts.len());
        assert_eq!(word_ends(&a).len(), MAX_WORDS);
    }
}
