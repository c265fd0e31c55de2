//! The words that differ between two texts.

use std::ops::Range;

use evalcheck_report::order::Order as _;
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

/// The fewest words of two texts that are said to have nothing in common.
const FEWEST_UNLIKE: usize = 4;

/// The differences between two texts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Diff<'a> {
    /// The parts of both, in order.
    pub(crate) parts: Vec<DiffPart<'a>>,
    /// Whether both are compared to their ends.
    pub(crate) is_whole: bool,
    /// Whether they are whole, have several words, and no paragraph of one is like a paragraph of the other.
    pub(crate) is_unlike: bool,
}

/// The differences between two texts. Paragraphs that are alike are compared word by word. Of others, the words in common mean nothing:
/// they are parts of one text as a whole.
pub(crate) fn word_diff<'a>(first: &'a str, second: &'a str) -> Diff<'a> {
    let [old, new] = [first, second].map(Units::paragraphs);
    let words = |of: &Units<'a>| of.all().into_iter().map(sorted_words).collect::<Vec<_>>();
    let (old_words, new_words) = (words(&old), words(&new));
    let old_texts = old.all();
    // A paragraph that is like one of the first text has its text as the key by which they are equal.
    let key = |(text, words): (&'a str, &Vec<&str>)| {
        let known = old_texts.iter().zip(&old_words);
        let alike = known.filter(|(known, of_known)| **known == text || are_alike(of_known, words));
        alike.max_by_key(|(_, of_known)| common(of_known, words)).map_or(text, |(known, _)| *known)
    };
    let keys: Vec<&str> = new.all().into_iter().zip(&new_words).map(key).collect();
    let mut parts = Vec::new();
    let mut has_like = false;
    for operation in operations(&old_texts, &keys) {
        let (of_old, of_new) = (operation.old_range(), operation.new_range());
        if let DiffOp::Equal { .. } = operation {
            has_like = true;
            for (of_old, of_new) in of_old.zip(of_new) {
                push_words(old.get(of_old..of_old + 1), new.get(of_new..of_new + 1), &mut parts);
            }
        } else {
            push(old.get(of_old), new.get(of_new), &mut parts);
        }
    }
    let is_whole = old.text.len() == first.len() && new.text.len() == second.len();
    let count = |of: &[Vec<&str>]| of.iter().map(Vec::len).sum::<usize>();
    let are_texts = count(&old_words).min(count(&new_words)) >= FEWEST_UNLIKE;
    Diff { parts, is_whole, is_unlike: is_whole && are_texts && !has_like }
}

/// A text and the ends of its units, one after another.
struct Units<'a> {
    text: &'a str,
    ends: Vec<usize>,
}

impl<'a> Units<'a> {
    /// The words of a text, as many as are compared.
    fn words(text: &'a str) -> Self {
        let ends = word_ends(text);
        Self { text: &text[..ends.last().copied().unwrap_or(0)], ends }
    }

    /// The paragraphs of these words, each with the empty lines after it.
    fn paragraphs(text: &'a str) -> Self {
        let words = Self::words(text);
        let is_end = |word: &&str| word.matches('\n').count() > 1;
        let ends = words.all().into_iter().zip(&words.ends).filter(|(word, _)| is_end(word));
        let mut ends: Vec<usize> = ends.map(|(_, end)| *end).collect();
        if ends.last() != words.ends.last() {
            ends.extend(words.ends.last());
        }
        Self { ends, ..words }
    }

    fn get(&self, units: Range<usize>) -> &'a str {
        let start = |unit: usize| unit.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start(units.start)..start(units.end)]
    }

    fn all(&self) -> Vec<&'a str> {
        (0..self.ends.len()).map(|unit| self.get(unit..unit + 1)).collect()
    }
}

/// The words of a paragraph without spaces and punctuation, sorted.
fn sorted_words(text: &str) -> Vec<&str> {
    let mut words = Units::words(text).all();
    words.retain(|word| word.starts_with(char::is_alphanumeric));
    words.order();
    words
}

/// Whether two paragraphs have at least half of their words in common.
fn are_alike(one: &[&str], other: &[&str]) -> bool {
    let common = common(one, other);
    common > 0 && common * 4 >= one.len() + other.len()
}

/// How many words two paragraphs have in common.
fn common(one: &[&str], other: &[&str]) -> usize {
    let mut others = other.iter().peekable();
    let is_common = |word: &&&str| {
        while others.next_if(|other| other < word).is_some() {}
        others.next_if_eq(word).is_some()
    };
    one.iter().filter(is_common).count()
}

fn operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    // A part of the first text only comes before the part of the second that replaces it.
    let mut capture = Replace::new(Capture::new());
    match myers::diff(&mut capture, old, 0..old.len(), new, 0..new.len()) {
        Ok(()) => capture.into_inner().into_ops(),
        Err(never) => match never {},
    }
}

fn push_words<'a>(first: &'a str, second: &'a str, parts: &mut Vec<DiffPart<'a>>) {
    let [old, new] = [first, second].map(Units::words);
    for operation in operations(&old.all(), &new.all()) {
        let (of_old, of_new) = (old.get(operation.old_range()), new.get(operation.new_range()));
        if let DiffOp::Equal { .. } = operation {
            parts.push(DiffPart::Both(of_old));
        } else {
            push(of_old, of_new, parts);
        }
    }
}

fn push<'a>(old: &'a str, new: &'a str, parts: &mut Vec<DiffPart<'a>>) {
    let of_each = [DiffPart::First(old), DiffPart::Second(new)].into_iter().zip([old, new]);
    parts.extend(of_each.filter(|(_, text)| !text.is_empty()).map(|(part, _)| part));
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
        let Diff { parts, is_whole, is_unlike } = word_diff("It is 32, surely.", "It was 32.");
        assert!(is_whole && !is_unlike);
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
        assert_eq!(word_diff("答案是四", "答案是五").parts, [Both("答案是"), First("四"), Second("五")]);
    }

    #[test]
    fn equal_and_empty_texts_have_no_differences() {
        assert_eq!(word_diff("a b", "a b").parts, [Both("a b")]);
        assert_eq!(word_diff("", ""), Diff { parts: vec![], is_whole: true, is_unlike: false });
        assert_eq!(word_diff("", "a").parts, [Second("a")]);
        assert_eq!(word_diff("a", "").parts, [First("a")]);
    }

    #[test]
    fn a_paragraph_without_a_counterpart_is_one_part() {
        let [same, other, third] = [
            "The sum of two and two is four.\n\n",
            "A whale is the largest of animals.\n\n",
            "So it is, in fact.",
        ];
        let old = format!("{same}{third}");
        assert_eq!(
            word_diff(&old, &format!("{same}{other}{third}")).parts,
            [Both(same), Second(other), Both(third)]
        );
        let replaced = format!("{same}The capital of France is Paris.");
        assert_eq!(
            word_diff(&old, &replaced).parts,
            [Both(same), First(third), Second("The capital of France is Paris.")]
        );
        let new = format!("{}{third}", same.replace("four", "five"));
        let changed = word_diff(&old, &new);
        assert_eq!(changed.parts[1..3], [First("four"), Second("five")]);
        assert!(!changed.is_unlike);
    }

    #[test]
    fn texts_without_a_like_paragraph_have_nothing_in_common() {
        let (whale, sum) = ("A whale is the largest of all animals.", "The sum of two and two is four.");
        let diff = word_diff(whale, sum);
        assert_eq!(diff, Diff { parts: vec![First(whale), Second(sum)], is_whole: true, is_unlike: true });
        assert!(!word_diff("cat", "dog").is_unlike, "these are words");
        assert!(!word_diff(whale, "").is_unlike);
        assert!(!word_diff(&format!("{whale}\n \n{sum}"), sum).is_unlike);
        let [many, others] = [whale, sum].map(|text| text.repeat(400));
        assert!(!word_diff(&many, &others).is_unlike, "only their beginnings are known");
    }

    #[test]
    fn long_texts_are_compared_up_to_a_limit() {
        let [a, b] = ["a ", "b "].map(|text| text.repeat(40_000));
        let Diff { parts, is_whole, .. } = word_diff(&a, &b);
        assert!(!is_whole && parts.len() <= 2 * MAX_WORDS, "{}", parts.len());
        assert_eq!(word_ends(&a).len(), MAX_WORDS);
    }
}
