//! Texts and regular expressions, and excerpts around what they match.

use std::fmt;
use std::iter;
use std::ops::Range;

use evalcheck_report::view::Excerpt;
use evalcheck_wire::query::{Pattern, QueryError};

/// A compiled regular expression. The engine has none of its own, because a page fetches it only when it is used.
pub trait FindRegex: fmt::Debug {
    /// The first match in a text.
    fn find(&self, text: &str) -> Option<Range<usize>>;

    /// Returns false for a text without a match, and without a part between non-word characters that would be a match by itself.
    /// Returns true if that is unknown.
    fn may_be_in(&self, text: &str) -> bool;
}

/// Compiles a regular expression, which ignores case if requested. The error is for users.
pub type Regexes = fn(pattern: &str, ignores_case: bool) -> Result<Box<dyn FindRegex>, String>;

/// Compiles a regular expression of a query.
pub(super) fn compile(
    pattern: &str,
    ignores_case: bool,
    regexes: Regexes,
) -> Result<Box<dyn FindRegex>, QueryError> {
    regexes(pattern, ignores_case).map_err(|message| QueryError { span: 0..0, message })
}

/// A pattern that is ready to search.
#[derive(Debug)]
pub(super) enum Matcher {
    /// A text.
    Exact(String),
    /// A text in any case, as folded characters.
    Folded(Vec<char>),
    /// A regular expression.
    Regex(Box<dyn FindRegex>),
}

impl Matcher {
    pub(super) fn new(pattern: &Pattern, regexes: Regexes) -> Result<Self, QueryError> {
        Ok(match pattern {
            Pattern::Literal(text) if Pattern::has_case(text) => Self::Exact(text.clone()),
            Pattern::Literal(text) => Self::Folded(text.chars().map(fold).collect()),
            Pattern::Regex { pattern, ignores_case } => {
                Self::Regex(compile(pattern, *ignores_case, regexes)?)
            }
        })
    }

    /// The first match in a text.
    pub(super) fn find(&self, text: &str) -> Option<Range<usize>> {
        match self {
            Self::Exact(wanted) => text.find(wanted.as_str()).map(|at| at..at + wanted.len()),
            Self::Folded(wanted) => find_folded(text, wanted),
            Self::Regex(regex) => regex.find(text),
        }
    }

    /// All matches in a text, except for empty ones; of a regular expression only the first, because an anchor depends on the text before.
    pub(super) fn find_all<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        let mut from = Some(0);
        iter::from_fn(move || {
            let at = from?;
            let Range { start, end } = self.find(&text[at..]).filter(|found| !found.is_empty())?;
            from = (!matches!(self, Self::Regex(_))).then_some(at + end);
            Some(at + start..at + end)
        })
    }

    /// Whether a text matches from its first to its last character.
    pub(super) fn is_whole(&self, text: &str) -> bool {
        self.find(text) == Some(0..text.len())
    }
}

/// The character in lower case. One that is not ASCII never becomes ASCII, so that bytes can be compared first.
pub(super) fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(only), None) if !only.is_ascii() => only,
        _ => c,
    }
}

fn find_folded(text: &str, wanted: &[char]) -> Option<Range<usize>> {
    let Some(first) = wanted.first() else { return Some(0..0) };
    let mut starts = text.char_indices().filter(|(_, c)| fold(*c) == *first);
    starts.find_map(|(start, _)| {
        let mut rest = text[start..].chars();
        let is_match = wanted.iter().all(|wanted| rest.next().is_some_and(|c| fold(c) == *wanted));
        is_match.then(|| start..text.len() - rest.as_str().len())
    })
}

/// Characters that join the characters on both sides. One at a cut would be shown as a hidden character.
pub(crate) const JOINERS: &[char] = &['\u{200c}', '\u{200d}'];

/// A part of a text around a match, of about `most` characters, with white space on one line.
pub(super) fn excerpt(text: &str, found: Range<usize>, most: usize) -> Excerpt {
    let on_one_line = |text: &str| text.replace(['\n', '\r', '\t'], " ");
    let before = &text[..found.start];
    let from = before.char_indices().rev().nth(most / 3).map_or(0, |(at, _)| at);
    let before_shown =
        on_one_line(if from > 0 { before[from..].trim_start_matches(JOINERS) } else { before });
    let rest = &text[found.start..];
    let end = rest.char_indices().nth(most).map_or(rest.len(), |(at, _)| at) + found.start;
    let marked = on_one_line(&text[found.start..found.end.min(end)]);
    let after = &text[found.end.min(end)..end];
    let after = on_one_line(if end < text.len() { after.trim_end_matches(JOINERS) } else { after });
    Excerpt {
        start: before_shown.len(),
        end: before_shown.len() + marked.len(),
        text: [before_shown, marked, after].concat(),
        clipped_before: from > 0,
        clipped_after: end < text.len(),
    }
}
