//! Whether a line can be the continuation of a record that the line before did not end.

use memchr::memmem;

use evalcheck_core::excerpt::clip;
use evalcheck_core::finding::{Finding, Location};
use evalcheck_json::diagnose::SyntaxProblem;
use evalcheck_json::diagnose::{self, RecordText};
use evalcheck_json::scan::MAX_DEPTH;

/// Follows brackets and strings through bytes that may be JSON, or JSON as people write it by hand: with comments,
/// single quotes, trailing commas. The first of each kind of such things is noted; nothing else is remembered.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Brackets {
    /// One bit a level: set for an array. The innermost is bit 0.
    arrays: u128,
    depth: usize,
    /// The last byte that is not white space, outside of strings and comments; `"` stands for a string.
    last: u8,
    /// Nested deeper than the bits reach, or closed by the wrong kind.
    lost: bool,
    /// A `/*` was not closed yet.
    in_comment: bool,
    /// The last line ended within a string.
    in_string: bool,
    /// Strings go on over line breaks.
    follows_strings: bool,
    /// Where the comma stands that the last line ended with.
    comma: Option<Location>,
    causes: Vec<Finding>,
}

impl Brackets {
    /// Reads a line. A string that is open at its end is taken as closed, unless strings are followed.
    pub fn feed(&mut self, text: &RecordText<'_>) {
        let line = text.bytes;
        let mut comma = None;
        let mut at = 0;
        if self.goes_on_in_string() {
            at = diagnose::string_end(line, 0, b'"') + 1;
        }
        self.in_string = at > line.len();
        while let Some(&byte) = line.get(at) {
            if self.in_comment {
                let Some(end) = memmem::find(&line[at..], b"*/") else { break };
                self.in_comment = false;
                at += end + 2;
                continue;
            }
            let mut next = at + 1;
            match byte {
                b' ' | b'\t' | b'\r' => {
                    at = next;
                    continue;
                }
                b'/' if matches!(line.get(next), Some(b'/' | b'*')) => {
                    self.note(text, at..at + 2, |column| SyntaxProblem::Comment { column });
                    if line[next] == b'/' {
                        break;
                    }
                    self.in_comment = true;
                    at += 2;
                    continue;
                }
                b'#' => {
                    self.note(text, at..next, |column| SyntaxProblem::Comment { column });
                    break;
                }
                b'"' | b'\'' => {
                    if byte == b'\'' {
                        self.note(text, at..next, |column| SyntaxProblem::SingleQuotes { column });
                    }
                    next = diagnose::string_end(line, next, byte) + 1;
                    self.in_string = next > line.len();
                }
                b'{' | b'[' => self.open(byte == b'['),
                b'}' | b']' => {
                    if self.last == b',' {
                        self.note_trailing_comma(text, comma, byte);
                    }
                    self.close(byte == b']');
                }
                b',' => comma = Some(at),
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                    let length = line[at..].iter().take_while(|b| is_word(**b)).count();
                    next = at + length;
                    self.word(text, at..next);
                }
                // A number, whose exponent is no word.
                _ if is_word(byte) => {
                    next = at + line[at..].iter().take_while(|b| is_word(**b) || **b == b'.').count();
                }
                _ => {}
            }
            self.last = if byte == b'\'' { b'"' } else { byte };
            at = next;
        }
        if self.last == b','
            && let Some(at) = comma
        {
            self.comma = Some(text.locate(at..at + 1, None));
        }
    }

    fn open(&mut self, array: bool) {
        self.lost |= self.depth == MAX_DEPTH;
        self.arrays = self.arrays << 1 | u128::from(array);
        self.depth += 1;
    }

    fn close(&mut self, array: bool) {
        self.lost |= self.depth == 0 || (self.arrays & 1 == 1) != array;
        self.arrays >>= 1;
        self.depth = self.depth.saturating_sub(1);
    }

    fn in_array(&self) -> bool {
        self.arrays & 1 == 1
    }

    fn word(&mut self, text: &RecordText<'_>, span: std::ops::Range<usize>) {
        let found = String::from_utf8_lossy(&text.bytes[span.clone()]).into_owned();
        if !self.in_array() && matches!(self.last, b'{' | b',') {
            let key = clip(&found, 80);
            return self.note(text, span, |column| SyntaxProblem::UnquotedKey { column, key });
        }
        let wanted = match found.as_str() {
            "None" => "null",
            "True" => "true",
            "False" => "false",
            "NaN" | "nan" | "Infinity" | "inf" => {
                return self.note(text, span, |column| SyntaxProblem::NotANumber { column, found });
            }
            _ => return,
        };
        self.note(text, span, |column| SyntaxProblem::PythonLiteral { column, found, wanted });
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
        span: std::ops::Range<usize>,
        problem: impl FnOnce(u64) -> SyntaxProblem,
    ) {
        let location = text.locate(span, None);
        self.keep(Finding::new(problem(location.column.unwrap_or(1)), location));
    }

    /// Keeps a cause when it is the first of its kind.
    fn keep(&mut self, finding: Finding) {
        let rule = finding.problem.rule();
        if !self.causes.iter().any(|other| other.problem.rule() == rule) {
            self.causes.push(finding);
        }
    }

    /// What else keeps the bytes from being JSON: the first of each kind, in the order of the bytes.
    pub fn take_causes(&mut self) -> Vec<Finding> {
        let mut causes = std::mem::take(&mut self.causes);
        causes.sort_by_key(|finding| finding.location.bytes.as_ref().map(|bytes| bytes.start));
        causes
    }

    /// Every bracket is closed, or they do not match.
    pub fn done(&self) -> bool {
        self.is_closed() || self.lost
    }

    /// Every bracket is closed by its own kind, and no string is open.
    pub fn is_closed(&self) -> bool {
        self.depth == 0 && !self.lost && !self.goes_on_in_string()
    }

    /// Takes the string that is open at the end of the line for one with a line break in it. False when none is open.
    pub fn follow_string(&mut self) -> bool {
        self.follows_strings = self.in_string;
        self.in_string
    }

    /// Strings go on over line breaks.
    pub fn follows_strings(&self) -> bool {
        self.follows_strings
    }

    /// True when the last line ended within a string, whether strings are followed or not.
    pub fn is_in_string(&self) -> bool {
        self.in_string
    }

    fn goes_on_in_string(&self) -> bool {
        self.follows_strings && self.in_string
    }

    /// The last line broke off where something must follow: behind an opening bracket, a comma or a colon, or within
    /// a comment between brackets.
    pub fn wants_more(&self) -> bool {
        !self.done() && !self.in_string && (self.in_comment || matches!(self.last, b'{' | b'[' | b',' | b':'))
    }

    /// True when JSON, or what people write for it, may go on with this byte.
    pub fn may_go_on_with(&self, byte: u8) -> bool {
        let is_key = |byte: u8| matches!(byte, b'"' | b'\'' | b'_' | b'$') || byte.is_ascii_alphabetic();
        match (self.last, byte) {
            _ if self.in_comment || self.goes_on_in_string() => true,
            (_, b'/' | b'#') => true,
            (b'{', _) => byte == b'}' || is_key(byte),
            (b',', _) if !self.in_array() => byte == b'}' || is_key(byte),
            (b',' | b'[' | b':', _) => !matches!(byte, b',' | b':'),
            _ => matches!(byte, b',' | b'}' | b']' | b':'),
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

#[cfg(test)]
mod tests {
    use evalcheck_json::diagnose::RecordStart;

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
        assert!(!after(r#"{"input":{"messages":[]}"#).may_go_on_with(b'{'));
        assert!(after(r#"{"input":{"messages":[]}"#).may_go_on_with(b'}'));
        assert!(!after("{").may_go_on_with(b'{'));
        assert!(after(r#"{"messages": ["#).may_go_on_with(b'{'));
        assert!(!after(r#"{"a": 1,"#).may_go_on_with(b'{'));
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
