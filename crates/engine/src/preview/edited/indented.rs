//! A record of JSON as indented text, and back: the unchanged parts are written as they were.

use std::fmt::Write;
use std::ops::Range;

use crate::diagnose;

/// The number of spaces for each level.
const INDENT: usize = 2;

/// A token of JSON, or of unfinished JSON, and the white space before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) space: &'t str,
    pub(super) text: &'t str,
}

impl Token<'_> {
    fn is(&self, signs: &str) -> bool {
        signs.contains(self.text)
    }
}

/// Whether a record is an object or an array in JSON without line breaks.
pub(super) fn can_be_indented(record: &str) -> bool {
    let is_container = record.trim_start().starts_with(['{', '[']);
    is_container && !record.contains('\n') && diagnose::parse(record.as_bytes()).is_ok()
}

/// A record that [`can_be_indented`] with each member and element on a line of its own, and the position of a span of its bytes in
/// that text. Tokens stay as they are written, and [`written_back`] restores the same bytes.
pub(super) fn indented(record: &str, span: Option<&Range<usize>>) -> (String, Option<Range<usize>>) {
    let (tokens, _) = tokens(record);
    let mut out = String::with_capacity(record.len() * 2);
    let mut depth = 0_usize;
    let (mut at, mut found) = (0, None::<Range<usize>>);
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map_or("", |before| tokens[before].text);
        let is_empty = token.is("]}") && matches!(before, "[" | "{");
        if token.is("]}") {
            depth = depth.saturating_sub(1);
        }
        if !is_empty && (token.is("]}") || matches!(before, "[" | "{" | ",")) {
            // Writing to a string does not fail.
            let _ = write!(out, "\n{:1$}", "", depth * INDENT);
        } else if before == ":" {
            out.push(' ');
        }
        if token.is("[{") {
            depth += 1;
        }
        at += token.space.len();
        let start = out.len();
        out.push_str(token.text);
        let of_token = at..at + token.text.len();
        if let Some(span) =
            span.filter(|span| span.start < of_token.end && of_token.start < span.end.max(span.start + 1))
        {
            let from = start + span.start.saturating_sub(of_token.start);
            let to = start + span.end.min(of_token.end) - of_token.start;
            found = Some(found.map_or(from, |found| found.start)..to.max(from));
        }
        at = of_token.end;
    }
    (out, found)
}

/// The text of a record for an indented text that the user edited. Tokens before and after the changed part have the white space of
/// the record; others follow its style: a space after `,` and `:`, or none.
pub(super) fn written_back(record: &str, edited: &str) -> String {
    let (old, old_end) = tokens(record);
    let (new, _) = tokens(edited);
    let is_same = |(old, new): &(&Token<'_>, &Token<'_>)| old.text == new.text;
    let first = old.iter().zip(&new).take_while(is_same).count();
    let last = old[first..].iter().rev().zip(new[first..].iter().rev()).take_while(is_same).count();
    let is_spaced = old.windows(2).any(|pair| pair[0].is(",:") && !pair[1].space.is_empty());
    let mut out = String::with_capacity(edited.len());
    for (index, token) in new.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| new[before]);
        // With as many tokens as before, each has the white space of the former one.
        let kept = if index < first || old.len() == new.len() {
            old.get(index)
        } else {
            (new.len() - index <= last).then(|| &old[old.len() - (new.len() - index)])
        };
        let is_separate = |token: &Token<'_>| !token.is("[]{},:");
        let space = match (kept, before) {
            (Some(kept), _) => kept.space,
            (None, Some(before)) if before.is(",:") && is_spaced => " ",
            (None, _) => "",
        };
        // Two values side by side are a mistake, which one value would hide.
        let would_join = !token.space.is_empty()
            && before.is_some_and(|before| is_separate(&before))
            && is_separate(token);
        out.push_str(if space.is_empty() && would_join { " " } else { space });
        // A line break in a string is a mistake too, and cannot be written on one line.
        out.push_str(&token.text.replace('\n', " "));
    }
    out.push_str(old_end);
    out
}

/// The tokens of a text, and the white space at its end. Text that is not JSON is cut at white space and at signs.
pub(super) fn tokens(text: &str) -> (Vec<Token<'_>>, &str) {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        let begins = rest.find(|c: char| !is_space(c)).unwrap_or(rest.len());
        let (space, at_token) = rest.split_at(begins);
        if at_token.is_empty() {
            return (tokens, space);
        }
        let (token, after) = at_token.split_at(length(at_token));
        tokens.push(Token { space, text: token });
        rest = after;
    }
}

/// The length of the token that a text begins with.
fn length(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(b'"') => {
            let mut at = 1;
            while let Some(byte) = bytes.get(at) {
                match byte {
                    b'"' => return at + 1,
                    b'\\' => at += 2,
                    _ => at += 1,
                }
            }
            bytes.len()
        }
        Some(b'[' | b']' | b'{' | b'}' | b',' | b':') => 1,
        _ => text.find(|c: char| is_space(c) || "[]{},:\"".contains(c)).unwrap_or(text.len()),
    }
}

/// White space of JSON.
const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_stay_as_they_are_written() {
        let record = r#"{"a" : [1,2.50, "x, \"{y"],"b":{ }, "c":[]} "#;
        let (text, _) = indented(record, None);
        assert_eq!(
            text,
            "{\n  \"a\": [\n    1,\n    2.50,\n    \"x, \\\"{y\"\n  ],\n  \"b\": {},\n  \"c\": []\n}"
        );
        assert_eq!(written_back(record, &text), record);
    }

    #[test]
    fn only_what_is_changed_differs() {
        let record = r#"{"a" :1,"b":[1 ,2],  "c":3}"#;
        let (text, _) = indented(record, None);
        assert_eq!(written_back(record, &text.replace('2', "5,\n 6")), r#"{"a" :1,"b":[1 , 5, 6],  "c":3}"#);
        assert_eq!(written_back(record, &text.replace("\"c\"", "\"d\"")), r#"{"a" :1,"b":[1 ,2],  "d":3}"#);
        let compact = r#"{"a":1,"b":2}"#;
        let (text, _) = indented(compact, None);
        let edited = text.replace("  \"b\": 2", "  \"x\": [\n    1\n  ],\n  \"b\": 2");
        assert_eq!(written_back(compact, &edited), r#"{"a":1,"x":[1],"b":2}"#);
        assert_eq!(written_back(compact, ""), "");
    }

    #[test]
    fn mistakes_stay_mistakes() {
        let record = r#"{"a":1}"#;
        assert_eq!(written_back(record, "{\n  \"a\": 1 2\n}"), r#"{"a":1 2}"#);
        assert_eq!(written_back(record, "{\n  \"a\": \"x\n}"), r#"{"a":"x }"#);
        assert_eq!(written_back(record, "{\n  \"a\": 1\n}}"), r#"{"a":1}}"#);
    }

    #[test]
    fn a_span_is_found_again() {
        let record = r#"{"a":[{"role": "tööl"}],"b":1}"#;
        let of = |part: &str| {
            let start = record.find(part).unwrap();
            let (text, found) = indented(record, Some(&(start..start + part.len())));
            text[found.unwrap()].to_owned()
        };
        assert_eq!(of("\"tööl\""), "\"tööl\"");
        assert_eq!(of("öö"), "öö");
        assert_eq!(of("\"b\":1"), "\"b\": 1");
        let (_, found) = indented(record, Some(&(5..5)));
        assert!(found.is_some_and(|found| found.is_empty()), "a place between characters");
    }

    #[test]
    fn what_is_no_json_or_has_lines_is_not_indented() {
        for record in ["{'a': 1}", "{\"a\":1,}", "1", "\"a\"", "", "{\n}", "a,b"] {
            assert!(!can_be_indented(record), "{record}");
        }
    }

    /// A generator of numbers that are the same in every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(self.0 >> 33).unwrap() % limit
        }

        fn space(&mut self) -> &'static str {
            ["", "", "", " ", "  ", "\t"][self.below(6)]
        }

        fn value(&mut self, depth: usize, out: &mut String) {
            out.push_str(self.space());
            match self.below(if depth == 0 { 5 } else { 8 }) {
                0 => out.push_str("null"),
                1 => out.push_str(["0", "-1.50", "1e9", "12345678901234567890"][self.below(4)]),
                2 | 3 => {
                    out.push_str([r#""""#, r#""a b""#, r#""\"{[,:]}\\""#, "\"é\\u00e9\""][self.below(4)]);
                }
                4 => out.push_str("true"),
                kind => {
                    let (open, close) = if kind == 5 { ('[', ']') } else { ('{', '}') };
                    out.push(open);
                    let count = self.below(4);
                    for index in 0..count {
                        if open == '{' {
                            let _ = write!(out, "{}\"k{index}\"{}:", self.space(), self.space());
                        }
                        self.value(depth - 1, out);
                        if index + 1 < count {
                            out.push(',');
                        }
                    }
                    out.push_str(self.space());
                    out.push(close);
                }
            }
            out.push_str(self.space());
        }
    }

    #[test]
    fn any_record_comes_back_and_an_edited_one_means_what_was_typed() {
        let mut random = Random(7);
        let (mut compared, mut edited_ones) = (0, 0);
        for _ in 0..3_000 {
            let mut record = String::new();
            random.value(4, &mut record);
            if !can_be_indented(&record) {
                continue;
            }
            let (text, _) = indented(&record, None);
            assert_eq!(written_back(&record, &text), record);
            let mean = |text: &str| serde_json::from_str::<serde_json::Value>(text);
            assert_eq!(mean(&text).unwrap(), mean(&record).unwrap());
            compared += 1;
            // Any part is replaced by any other text.
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let from = random.below(places.len());
            let to = (from + random.below(5)).min(places.len() - 1);
            let with = ["", "1", ",\n  2", "\"x\": [1, 2],", "\"y z\"", "}", "{\n}"][random.below(7)];
            let edited = [&text[..places[from]], with, &text[places[to]..]].concat();
            let written = written_back(&record, &edited);
            assert!(!written.contains('\n'));
            match (mean(&edited), mean(&written)) {
                (Ok(typed), Ok(written)) => {
                    assert_eq!(typed, written);
                    edited_ones += 1;
                }
                (Err(_), Err(_)) => {}
                (typed, _) => {
                    // A line break in a string is the only mistake that is lost.
                    assert!(typed.is_err() && edited.contains('"'), "{edited:?} became {written:?}");
                }
            }
        }
        assert!(compared > 500 && edited_ones > 100, "{compared}, {edited_ones}");
    }
}
