//! Decides whether a line can continue a record that the line before did not end.

use std::ops::Range;

use evalcheck_core::excerpt::clip;
use evalcheck_core::finding::{Finding, Location};
use evalcheck_core::order::Order;
use evalcheck_diagnose::{RecordText, SyntaxProblem};
use evalcheck_json::nesting::Nesting;
use evalcheck_json::tokens::{TokenKind, Tokens, Within};

/// Follows brackets and strings through bytes that may be JSON, or JSON as people write it by hand: with comments,
/// single quotes, trailing commas. Remembers only the first mistake of each kind.
#[derive(Debug, Clone, Default)]
pub struct Brackets {
    nesting: Nesting,
    /// Whether brackets are nested too deeply, or closed by the wrong kind.
    lost: bool,
    /// The last token apart from white space and comments, if that is a bracket, a comma or a colon.
    last: Option<u8>,
    /// The token in which the last line ended.
    within: Within,
    /// Whether strings continue over line breaks.
    follows_strings: bool,
    /// The line on which a second value begins after the first one.
    second_value: Option<u64>,
    /// Whether a value has begun.
    has_begun: bool,
    /// The location of the comma that the last line ended with.
    comma: Option<Location>,
    causes: Vec<Finding>,
}

impl Brackets {
    /// Reads a line. A string that is open at its end counts as closed, unless strings continue over line breaks.
    pub fn feed(&mut self, text: &RecordText<'_>) {
        let goes_on = self.is_in_comment() || self.goes_on_in_string();
        let within = if goes_on { self.within } else { Within::Nothing };
        let mut tokens = Tokens::resume(text.bytes, within);
        let mut comma = None;
        for token in &mut tokens {
            let at = token.span.start;
            let mut last = None;
            match token.kind {
                TokenKind::Space => continue,
                TokenKind::Comment { .. } => {
                    let mark = if text.bytes[at] == b'#' { 1 } else { 2 };
                    self.note(text, at..at + mark, |column| SyntaxProblem::Comment { column });
                    continue;
                }
                TokenKind::String { quote, content, .. } => {
                    self.string(text, at..content.start, quote);
                }
                TokenKind::Punctuation(byte) => {
                    match byte {
                        b'{' | b'[' => {
                            if self.nesting.depth() == 0 && self.has_begun {
                                let line = text.locate(at..at + 1, None).line;
                                self.second_value = self.second_value.or(line);
                            }
                            self.has_begun = true;
                            self.nesting.open(byte == b'[');
                        }
                        b'}' | b']' => {
                            if self.last == Some(b',') {
                                self.note_trailing_comma(text, comma, byte);
                            }
                            self.lost |= !self.nesting.close(byte == b']');
                        }
                        b',' => comma = Some(at),
                        _ => {}
                    }
                    self.lost |= self.nesting.is_too_deep();
                    last = Some(byte);
                }
                TokenKind::Word | TokenKind::Number => self.word(text, token.span, &token.kind),
                TokenKind::Other => {}
            }
            self.last = last;
        }
        self.within = tokens.within();
        if self.last == Some(b',')
            && let Some(at) = comma
        {
            self.comma = Some(text.locate(at..at + 1, None));
        }
    }

    /// Notes the quotes of a string if they are not those of JSON.
    fn string(&mut self, text: &RecordText<'_>, begins: Range<usize>, quote: char) {
        match quote {
            '"' => {}
            '\'' | '`' => {
                let advice = SyntaxProblem::SINGLE_QUOTES_ADVICE.to_owned();
                self.note(text, begins, |column| SyntaxProblem::SingleQuotes { column, advice });
            }
            quote => self.note(text, begins, |column| SyntaxProblem::CurlyQuotes { column, quote }),
        }
    }

    fn word(&mut self, text: &RecordText<'_>, span: Range<usize>, kind: &TokenKind) {
        let found = String::from_utf8_lossy(&text.bytes[span.clone()]);
        let is_key = !self.nesting.is_in_array() && matches!(self.last, Some(b'{' | b','));
        if is_key && *kind == TokenKind::Word {
            let key = clip(&found, 80);
            self.note(text, span, |column| SyntaxProblem::UnquotedKey { column, key });
        } else if let Some(problem) = SyntaxProblem::of_literal(&found) {
            self.note(text, span, problem);
        }
    }

    fn note_trailing_comma(&mut self, text: &RecordText<'_>, comma: Option<usize>, before: u8) {
        let location = match comma {
            Some(at) => Some(text.locate(at..at + 1, None)),
            None => self.comma.take(),
        };
        if let Some(location) = location {
            let column = location.column.unwrap_or(1);
            self.keep(Finding::new(
                SyntaxProblem::TrailingComma { column, before: char::from(before) },
                location,
            ));
        }
    }

    fn note(
        &mut self,
        text: &RecordText<'_>,
        span: Range<usize>,
        problem: impl FnOnce(u64) -> SyntaxProblem,
    ) {
        let location = text.locate(span, None);
        self.keep(Finding::new(problem(location.column.unwrap_or(1)), location));
    }

    /// Keeps a cause if it is the first of its kind.
    fn keep(&mut self, finding: Finding) {
        let rule = finding.problem.rule();
        if !self.causes.iter().any(|other| other.problem.rule() == rule) {
            self.causes.push(finding);
        }
    }

    /// The other syntax errors: the first of each kind, in the order of the bytes.
    pub fn take_causes(&mut self) -> Vec<Finding> {
        let mut causes = std::mem::take(&mut self.causes);
        causes.order_by_key(|finding| finding.location.bytes.as_ref().map(|bytes| bytes.start));
        causes
    }

    /// The line on which a second value begins after the first one.
    pub fn second_value(&self) -> Option<u64> {
        self.second_value
    }

    /// Whether every bracket is closed, or brackets do not match.
    pub fn done(&self) -> bool {
        self.is_closed() || self.lost
    }

    /// Whether every bracket is closed by its own kind, and no string is open.
    pub fn is_closed(&self) -> bool {
        self.nesting.depth() == 0 && !self.lost && !self.goes_on_in_string()
    }

    /// Treats the string that is open at the end of the line as one with a line break in it. Returns false if none is open.
    pub fn follow_string(&mut self) -> bool {
        self.follows_strings = self.is_in_string();
        self.follows_strings
    }

    /// Whether strings continue over line breaks.
    pub fn follows_strings(&self) -> bool {
        self.follows_strings
    }

    /// Whether the last line ended within a string, whether or not strings continue over line breaks.
    pub fn is_in_string(&self) -> bool {
        matches!(self.within, Within::String(_))
    }

    fn goes_on_in_string(&self) -> bool {
        self.follows_strings && self.is_in_string()
    }

    fn is_in_comment(&self) -> bool {
        self.within == Within::BlockComment
    }

    /// Whether the last line ended where something must follow: after an opening bracket, a comma or a colon, or within a comment between
    /// brackets.
    pub fn wants_more(&self) -> bool {
        let is_cut = self.is_in_comment() || matches!(self.last, Some(b'{' | b'[' | b',' | b':'));
        !self.done() && !self.is_in_string() && is_cut
    }

    /// Whether JSON, or JSON as people write it, may continue with this line.
    pub fn may_go_on_with(&self, line: &[u8]) -> bool {
        let mut tokens = Tokens::new(line).filter(|token| token.kind != TokenKind::Space);
        let Some(next) = tokens.next().map(|token| token.kind) else { return false };
        let is_key = matches!(next, TokenKind::String { .. } | TokenKind::Word);
        let closes_object = next == TokenKind::Punctuation(b'}');
        match self.last {
            _ if self.is_in_comment() || self.goes_on_in_string() => true,
            _ if matches!(next, TokenKind::Comment { .. }) => true,
            Some(b'{') => closes_object || is_key,
            Some(b',') if !self.nesting.is_in_array() => closes_object || is_key,
            Some(b',' | b'[' | b':') => !matches!(next, TokenKind::Punctuation(b',' | b':')),
            _ => matches!(next, TokenKind::Punctuation(b',' | b'}' | b']' | b':')),
        }
    }
}

#[cfg(test)]
mod tests {
    use evalcheck_diagnose::RecordStart;

    use super::*;

    fn after(text: &str) -> Brackets {
        let mut brackets = Brackets::default();
        for (line, text) in (1..).zip(text.split('\n')) {
            let start = RecordStart { line, column: 1, ..RecordStart::default() };
            brackets.feed(&RecordText::new(text.as_bytes(), start));
        }
        brackets
    }

    #[test]
    fn a_new_record_is_no_continuation_of_a_whole_value() {
        assert!(!after(r#"{"input":{"messages":[]}"#).may_go_on_with(b"{"));
        assert!(after(r#"{"input":{"messages":[]}"#).may_go_on_with(b"}"));
        assert!(!after("{").may_go_on_with(b"{"));
        assert!(after(r#"{"messages": ["#).may_go_on_with(b"{"));
        assert!(!after(r#"{"a": 1,"#).may_go_on_with(b"{"));
    }

    #[test]
    fn brackets_in_strings_and_comments_do_not_count() {
        assert!(after(r#"{"a":"}\"}"}"#).done());
        assert!(!after(r#"{"a":"}""#).done());
        assert!(!after("{ // don't } \"\n 'a}': [ /* ] \n } */").done());
        assert!(after("{ // don't } \"\n 'a}': [ /* ] \n } */ ]}").done());
    }

    #[test]
    fn a_million_levels_are_survived() {
        assert!(after(&"[".repeat(1_000_000)).done());
    }

    #[test]
    fn the_first_of_each_cause_is_noted_where_it_stands() {
        let text = "{ // one\n  'a': None, // two\n  b: [1, 2e5,\n  ],\n \"c\": NaN,\n}";
        let causes: Vec<_> = after(text)
            .take_causes()
            .iter()
            .map(|f| (f.location.line.unwrap(), f.location.column.unwrap(), f.problem.rule().code))
            .collect();
        let mut sorted = causes.clone();
        sorted.sort_unstable();
        assert_eq!(
            sorted,
            [
                (1, 3, "json/comment"),
                (2, 3, "json/single-quotes"),
                (2, 8, "json/python-literal"),
                (3, 3, "json/unquoted-key"),
                (3, 13, "json/trailing-comma"),
                (5, 7, "json/nan"),
            ]
        );
    }
}
