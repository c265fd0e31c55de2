//! Text that has no effect where it is shown.

use std::borrow::Cow;
use std::fmt::Write;

use super::needs_escape;

/// Makes the text of a line inert, for terminals and for the agents of build servers. Agents look for `::` at the beginning of a line,
/// after white space, and for `##[`, `##vso[` and `##teamcity[` anywhere in it: the last character of these is escaped. A line may arrive
/// in pieces.
///
/// ```
/// use evalcheck_report::text::Inert;
///
/// let mut line = Inert::default();
/// assert_eq!(line.text("a ##"), "a ##");
/// assert_eq!(line.text("[error]"), "\\u{005b}error]");
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Inert(State);

/// The end of the line so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// Nothing but white space.
    #[default]
    Start,
    /// White space and a colon.
    Colon,
    Hash,
    Hashes,
    /// `##` and letters.
    Word,
    Other,
}

impl Inert {
    /// Starts in the middle of a line.
    pub const fn within() -> Self {
        Self(State::Other)
    }

    /// Returns true if the next character completes a command. A line break begins a line.
    pub fn acts(&mut self, c: char) -> bool {
        let before = self.0;
        let acts = matches!((before, c), (State::Colon, ':') | (State::Hashes | State::Word, '['));
        self.0 = match (before, c) {
            _ if acts => State::Other,
            (_, '\n') => State::Start,
            (State::Hash | State::Hashes, '#') => State::Hashes,
            (_, '#') => State::Hash,
            (State::Start, ':') => State::Colon,
            (State::Start, c) if c.is_whitespace() => State::Start,
            (State::Hashes | State::Word, c) if c.is_ascii_alphabetic() => State::Word,
            _ => State::Other,
        };
        acts
    }

    /// The next piece of a line, escaped, including the characters of [`needs_escape`].
    pub fn text<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        self.escaped(text, |_| true)
    }

    /// As [`Inert::text`], but keeps joiners, which the caller has checked, see [`is_joiner`](super::is_joiner).
    pub fn joined<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        self.escaped(text, |c| !matches!(c, '\u{200c}' | '\u{200d}'))
    }

    fn escaped<'t>(&mut self, text: &'t str, may_escape: impl Fn(char) -> bool) -> Cow<'t, str> {
        let mut out = String::new();
        // The bytes that are in `out`; 0 before the first escape.
        let mut copied = 0;
        for (at, c) in text.char_indices() {
            let is_escaped = needs_escape(c) && may_escape(c);
            if is_escaped {
                self.0 = State::Other;
            }
            if is_escaped || self.acts(c) {
                out.push_str(&text[copied..at]);
                let _ = write!(out, "\\u{{{:04x}}}", u32::from(c));
                copied = at + c.len_utf8();
            }
        }
        if copied == 0 {
            return Cow::Borrowed(text);
        }
        out.push_str(&text[copied..]);
        Cow::Owned(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::one_line;

    #[test]
    fn what_acts_is_escaped_and_nothing_else() {
        for (text, shown) in [
            ("::error::x", ":\\u{003a}error::x"),
            (" \u{a0} ::x", " \u{a0} :\\u{003a}x"),
            ("###[x", "###\\u{005b}x"),
            ("##TeamCity[x", "##TeamCity\\u{005b}x"),
            ("##a##b[", "##a##b\\u{005b}"),
            ("a::b", "a::b"),
            (": :", ": :"),
            ("## [x]", "## [x]"),
            ("#[x]", "#[x]"),
            ("##a b[", "##a b["),
            ("##a1[", "##a1["),
            ("##\u{0}[x", "##\\u{0000}[x"),
            ("\u{9b}31m\u{7}", "\\u{009b}31m\\u{0007}"),
            ("", ""),
        ] {
            assert_eq!(one_line(text), shown);
            assert_eq!(one_line(shown), shown, "what was escaped stays as it is");
        }
    }

    #[test]
    fn a_line_may_come_in_pieces() {
        let text = "  ::x ##vso[a]##[b]##c[";
        for cut in 0..text.len() {
            let mut line = Inert::default();
            let shown = [line.text(&text[..cut]), line.text(&text[cut..])].concat();
            assert_eq!(shown, one_line(text), "{cut}");
        }
    }
}
