//! Compares two names of keys or columns, word by word.
//!
//! Letters alone are not enough: `incorrect` is one letter from `is_correct`, and means the opposite.

use std::borrow::Cow;

use super::{classify, distance, fold, may_be_within};

/// Words that only show that a key is a truth value.
const AUXILIARIES: &[&str] = &["is", "are", "was", "has", "have"];

/// Words and beginnings of words that negate the meaning.
const NEGATIONS: &[&str] = &["not", "non", "no", "never", "without"];
const NEGATIVE_PREFIXES: &[&str] = &["in", "un", "non", "dis", "im", "ir", "il", "mis", "not", "anti"];

/// Opposites without a common stem.
const POSITIVE: &[&str] = &["correct", "right", "true", "good", "valid", "passed", "chosen", "accepted"];
const NEGATIVE: &[&str] = &["wrong", "incorrect", "false", "bad", "invalid", "failed", "rejected", "error"];

/// Whether two names differ only in case, white space, `-`, `_` and look-alike characters.
///
/// ```
/// use evalcheck_core::suggest::is_same_word;
///
/// assert!(is_same_word("Query ID", "query_id"));
/// assert!(is_same_word("queryId", "query_id"));
/// assert!(!is_same_word("query", "query_id"));
/// ```
pub fn is_same_word(one: &str, other: &str) -> bool {
    Name::new(one).letters().eq(Name::new(other).letters())
}

/// Whether a name is another one with a typing slip: a letter inside a word that is missing, doubled or swapped with its neighbour.
/// A replaced letter may make another word: `context` is not a slip of `content`.
///
/// ```
/// use evalcheck_core::suggest::is_slip;
///
/// assert!(is_slip("mesages", "messages"));
/// assert!(is_slip("expected_anwsers", "expected_answers"));
/// assert!(!is_slip("context", "content"));
/// assert!(!is_slip("old_messages", "messages"));
/// ```
pub fn is_slip(written: &str, meant: &str) -> bool {
    const LEAST: usize = 5;
    let (written, meant) = (Name::new(written), Name::new(meant));
    let (written, meant) = (written.words(), meant.words());
    let mut different = written.clone().zip(meant.clone()).filter(|(one, other)| one != other);
    let (Some((one, other)), None) = (different.next(), different.next()) else { return false };
    written.count() == meant.count() && other.chars().count() >= LEAST && is_one_slip(&one, &other)
}

/// See [`is_slip`].
fn is_one_slip(written: &str, meant: &str) -> bool {
    let (written, meant): (Vec<char>, Vec<char>) = (written.chars().collect(), meant.chars().collect());
    let same = written.iter().zip(&meant).take_while(|(one, other)| one == other).count();
    // Another first letter may make another word: `reference` and `preference`.
    let (Some(before), true) = (same.checked_sub(1), same < meant.len()) else { return false };
    let (tail, rest) = (&written[same..], &meant[same..]);
    let is_missing = tail == &rest[1..] && rest.len() > 1;
    let is_doubled = tail.first() == Some(&written[before]) && &tail[1..] == rest;
    let is_swapped =
        matches!((tail, rest), ([a, b, tail @ ..], [c, d, rest @ ..]) if (a, b) == (d, c) && tail == rest);
    is_missing || is_doubled || is_swapped
}

/// Whether one name negates the other: `incorrect` and `is_correct`, `non_terminal` and `is_terminal`.
///
/// ```
/// use evalcheck_core::suggest::contradict;
///
/// assert!(contradict("incorrect", "is_correct"));
/// assert!(contradict("is_wrong", "is_correct"));
/// assert!(!contradict("isCorrect", "is_correct"));
/// ```
pub fn contradict(one: &str, other: &str) -> bool {
    let (one, other) = (Name::new(one), Name::new(other));
    are_opposite(&one.words().collect::<Vec<_>>(), &other.words().collect::<Vec<_>>())
}

/// See [`contradict`].
fn are_opposite(one: &[Cow<'_, str>], other: &[Cow<'_, str>]) -> bool {
    let negations =
        |words: &[Cow<'_, str>]| words.iter().filter(|word| NEGATIONS.contains(&&***word)).count() % 2;
    let has = |words: &[Cow<'_, str>], of: &[&str]| words.iter().any(|word| of.contains(&&**word));
    let opposes = |one: &[Cow<'_, str>], other: &[Cow<'_, str>]| {
        let denies = |word: &str, said: &str| {
            let stems = NEGATIVE_PREFIXES.iter().filter_map(|prefix| word.strip_prefix(prefix));
            stems
                .filter(|stem| stem.len() > 3)
                .any(|stem| stem == said || (is_near(stem, said) && !is_near(word, said)))
        };
        one.iter().any(|word| other.iter().any(|said| denies(word, said)))
            || (has(one, NEGATIVE) && has(other, POSITIVE))
    };
    negations(one) != negations(other) || opposes(one, other) || opposes(other, one)
}

/// Whether a name may be meant as another: each of its words is near the other's, and none means the opposite. A further word is a
/// qualifier and changes the meaning: `max_score` is not meant as `score`.
///
/// Most names are not alike. That is decided without allocation, because a flood of wrong records compares as many names.
///
/// ```
/// use evalcheck_core::suggest::resembles;
///
/// assert!(resembles("mesages", "messages"));
/// assert!(!resembles("max_score", "score"));
/// ```
pub fn resembles(name: &str, meant: &str) -> bool {
    const LONG: usize = 100;
    if name.len() > LONG || meant.len() > LONG {
        return false;
    }
    let (own, other) = (Name::new(name), Name::new(meant));
    if own.letters().eq(other.letters()) {
        return !name.is_empty();
    }
    let (mut words, mut others) = (own.words(), other.words());
    let is_like = loop {
        match (words.next(), others.next()) {
            (Some(word), Some(meant)) if is_near(&word, &meant) => {}
            (None, None) => break true,
            (word, meant) => {
                let has_as_many = || word.is_some() == meant.is_some() && words.count() == others.count();
                // Several words are written as one, with a slip.
                break own.is_one_edit_from(&other) && !has_as_many();
            }
        }
    };
    is_like && !contradict(name, meant)
}

/// Whether two words differ in at most one letter. Long words may differ in a third of their letters, but in three at most.
fn is_near(one: &str, other: &str) -> bool {
    let shorter = one.chars().count().min(other.chars().count());
    let most = (shorter / 3).clamp(1, 3);
    one == other || (shorter > 1 && distance(one, other, most).is_some())
}

/// A name that is compared with others. Most names are used as they are, without a copy.
struct Name<'n> {
    written: &'n str,
    folded: Cow<'n, str>,
}

impl<'n> Name<'n> {
    fn new(written: &'n str) -> Self {
        Self { written, folded: fold(written) }
    }

    /// Its letters, in lower case.
    fn letters(&self) -> impl Iterator<Item = char> + Clone {
        self.folded.chars().filter(|c| !is_separator(*c))
    }

    /// Its words in lower case, without an auxiliary before other words: `isCorrect` has the word `correct`.
    fn words(&self) -> impl Iterator<Item = Cow<'n, str>> + Clone + use<'n> {
        let is_folded = self.folded == self.written;
        let words = Written(self.written).map(move |word| if is_folded { word.into() } else { fold(word) });
        let words = words.filter(|word| !word.is_empty());
        let mut first = words.clone();
        let is_auxiliary = first.next().is_some_and(|word| AUXILIARIES.contains(&&*word));
        words.skip(usize::from(is_auxiliary && first.next().is_some()))
    }

    /// Whether the letters of both are at most one edit apart.
    fn is_one_edit_from(&self, other: &Self) -> bool {
        let written = |name: &Self| name.letters().collect::<String>();
        may_be_within(classify(self.letters()), classify(other.letters()), 1)
            && distance(&written(self), &written(other), 1).is_some()
    }
}

/// The words of a name, as they are written.
#[derive(Clone)]
struct Written<'n>(&'n str);

impl<'n> Iterator for Written<'n> {
    type Item = &'n str;

    fn next(&mut self) -> Option<&'n str> {
        let name = self.0.trim_start_matches(is_separator);
        let mut was_lower = false;
        let begins_next = |c: char| {
            let begins = is_separator(c) || (was_lower && c.is_uppercase());
            was_lower = c.is_lowercase();
            begins
        };
        let (word, rest) = name.split_at(name.find(begins_next).unwrap_or(name.len()));
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '_' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_a_letter_missing_doubled_or_swapped() {
        for (written, meant) in [
            ("mesages", "messages"),
            ("messsages", "messages"),
            ("messagse", "messages"),
            ("contet", "content"),
            ("expected_answrs", "expected_answers"),
        ] {
            assert!(is_slip(written, meant), "{written}");
        }
        for (written, meant) in [
            ("context", "content"),
            ("content", "content"),
            ("preference", "reference"),
            ("rule", "role"),
            ("form", "from"),
            ("old_messages", "messages"),
            ("incorrect", "is_correct"),
            ("input", "output"),
            ("message", "messages"),
            ("query_type", "query_text"),
        ] {
            assert!(!is_slip(written, meant), "{written}");
        }
    }

    #[test]
    fn names_that_say_the_opposite_contradict() {
        for (one, other) in [
            ("incorrect", "is_correct"),
            ("is_incorrect", "is_correct"),
            ("incorect", "is_correct"),
            ("is_wrong", "is_correct"),
            ("not_correct", "is_correct"),
            ("non_terminal", "is_terminal"),
            ("nonTerminal", "isTerminal"),
            ("unscored", "scored"),
            ("rejected", "chosen"),
            ("invalid", "valid"),
        ] {
            assert!(contradict(one, other) && contradict(other, one), "{one}");
            assert!(!resembles(one, other), "{one}");
        }
        for (one, other) in [
            ("isCorrect", "is_correct"),
            ("incorrect", "is_incorrect"),
            ("input", "inputs"),
            ("index", "idx"),
            ("instruction", "instructions"),
            ("non_terminal", "is_non_terminal"),
            ("interaction", "interactions"),
        ] {
            assert!(!contradict(one, other), "{one}");
        }
    }

    #[test]
    fn a_qualifier_makes_it_another_name() {
        for (written, meant) in [
            ("old_messages", "messages"),
            ("max_score", "score"),
            ("query_type", "query_text"),
            ("output", "input"),
            ("incorrect", "is_correct"),
            ("user_query_id", "query_id"),
        ] {
            assert!(!resembles(written, meant), "{written}");
        }
        for (written, meant) in [
            ("Messages", "messages"),
            ("mesages", "messages"),
            ("message", "messages"),
            ("context", "content"),
            ("relevant_docs_ids", "relevant_doc_ids"),
            ("is_corect", "is_correct"),
            ("querytext", "query_text"),
            ("qurytext", "query_text"),
            ("promt", "prompt"),
        ] {
            assert!(resembles(written, meant), "{written}");
        }
    }
}
