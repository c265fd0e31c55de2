//! How two names of keys or columns relate, word by word.
//!
//! Letters alone do not tell: `incorrect` is one letter from `is_correct`, and means the opposite.

use super::{distance, fold};

/// Words that only say that a key is a truth value.
const AUXILIARIES: &[&str] = &["is", "are", "was", "has", "have"];

/// Words and beginnings of words that turn the meaning round.
const NEGATIONS: &[&str] = &["not", "non", "no", "never", "without"];
const NEGATIVE_PREFIXES: &[&str] = &["in", "un", "non", "dis", "im", "ir", "il", "mis", "not", "anti"];

/// Opposites without a common stem.
const POSITIVE: &[&str] = &["correct", "right", "true", "good", "valid", "passed", "chosen", "accepted"];
const NEGATIVE: &[&str] = &["wrong", "incorrect", "false", "bad", "invalid", "failed", "rejected", "error"];

/// True for names that differ in case, white space, `-`, `_` and look-alike characters only.
///
/// ```
/// use evalcheck_core::suggest::is_same_word;
///
/// assert!(is_same_word("Query ID", "query_id"));
/// assert!(is_same_word("queryId", "query_id"));
/// assert!(!is_same_word("query", "query_id"));
/// ```
pub fn is_same_word(one: &str, other: &str) -> bool {
    letters(one) == letters(other)
}

/// True for a name that is another one with a slip of the keyboard: a letter inside a word that is missing, doubled or
/// swapped with its neighbour. One letter in place of another may be another word: `context` is not a slip of `content`.
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
    let (written, meant) = (words(written), words(meant));
    let mut different = written.iter().zip(&meant).filter(|(one, other)| one != other);
    let (Some((one, other)), None) = (different.next(), different.next()) else { return false };
    written.len() == meant.len() && other.chars().count() >= LEAST && is_one_slip(one, other)
}

/// See [`is_slip`].
fn is_one_slip(written: &str, meant: &str) -> bool {
    let (written, meant): (Vec<char>, Vec<char>) = (written.chars().collect(), meant.chars().collect());
    let same = written.iter().zip(&meant).take_while(|(one, other)| one == other).count();
    // The first letter is where another word begins: `reference` and `preference`.
    let (Some(before), true) = (same.checked_sub(1), same < meant.len()) else { return false };
    let (tail, rest) = (&written[same..], &meant[same..]);
    let is_missing = tail == &rest[1..] && rest.len() > 1;
    let is_doubled = tail.first() == Some(&written[before]) && &tail[1..] == rest;
    let is_swapped =
        matches!((tail, rest), ([a, b, tail @ ..], [c, d, rest @ ..]) if (a, b) == (d, c) && tail == rest);
    is_missing || is_doubled || is_swapped
}

/// True where one name denies what the other says: `incorrect` and `is_correct`, `non_terminal` and `is_terminal`.
///
/// ```
/// use evalcheck_core::suggest::contradict;
///
/// assert!(contradict("incorrect", "is_correct"));
/// assert!(contradict("is_wrong", "is_correct"));
/// assert!(!contradict("isCorrect", "is_correct"));
/// ```
pub fn contradict(one: &str, other: &str) -> bool {
    are_opposite(&words(one), &words(other))
}

/// See [`contradict`].
fn are_opposite(one: &[String], other: &[String]) -> bool {
    let negations =
        |words: &[String]| words.iter().filter(|word| NEGATIONS.contains(&word.as_str())).count() % 2;
    let has = |words: &[String], of: &[&str]| words.iter().any(|word| of.contains(&word.as_str()));
    let opposes = |one: &[String], other: &[String]| {
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

/// A name that is compared with several others.
pub(super) struct Name {
    letters: String,
    words: Vec<String>,
}

impl Name {
    pub(super) fn new(name: &str) -> Self {
        Self { letters: letters(name), words: words(name) }
    }

    /// True for a name that may be meant for another: each of its words is nearly the other's, and none says the opposite. A
    /// further word is a qualifier, which makes it another thing: `max_score` is not meant for `score`.
    pub(super) fn resembles(&self, meant: &Self) -> bool {
        if self.letters == meant.letters {
            return true;
        }
        let is_like = if self.words.len() == meant.words.len() {
            self.words.iter().zip(&meant.words).all(|(one, other)| is_near(one, other))
        } else {
            // Words written as one, with a slip.
            distance(&self.letters, &meant.letters, 1).is_some()
        };
        is_like && !are_opposite(&self.words, &meant.words)
    }
}

/// True for words that differ in a letter or, of long ones, in a third of their letters, but in no more than three.
fn is_near(one: &str, other: &str) -> bool {
    let shorter = one.chars().count().min(other.chars().count());
    let most = (shorter / 3).clamp(1, 3);
    one == other || (shorter > 1 && distance(one, other, most).is_some())
}

/// The words of a name in lower case, without auxiliaries beside others: `isCorrect` has the word `correct`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.trim().chars() {
        if c.is_whitespace() || matches!(c, '_' | '-' | '.') {
            words.push(String::new());
        } else {
            if was_lower && c.is_uppercase() {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.push(c);
            }
        }
        was_lower = c.is_lowercase();
    }
    let mut words: Vec<String> =
        words.iter().map(|word| fold(word)).filter(|word| !word.is_empty()).collect();
    if words.len() > 1 && AUXILIARIES.contains(&words[0].as_str()) {
        words.remove(0);
    }
    words
}

/// The letters of a name, in lower case.
fn letters(name: &str) -> String {
    fold(name).chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_' | '.')).collect()
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
            assert!(!Name::new(one).resembles(&Name::new(other)), "{one}");
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
            assert!(!Name::new(written).resembles(&Name::new(meant)), "{written}");
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
            assert!(Name::new(written).resembles(&Name::new(meant)), "{written}");
        }
    }
}
