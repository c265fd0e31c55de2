//! LaTeX between `\(` and `\)` or `\[` and `\]`.

use std::borrow::Cow;
use std::ops::Range;

use evalcheck_wire::markdown::TextMark;

use crate::marks::with_marks;

/// The delimiter that the parser reads instead. It has the same length, so that offsets stay the same.
const DELIMITER: &str = "$$";

/// A text for the parser: delimiters with brackets, which Markdown reads as escaped brackets, are replaced by LaTeX delimiters that it
/// knows.
pub(crate) struct Masked<'a> {
    source: &'a str,
    parsed: Cow<'a, str>,
    marks: &'a [TextMark],
}

impl<'a> Masked<'a> {
    /// `code` finds the ranges of the source that are code, in which brackets are not delimiters.
    pub(crate) fn new(
        source: &'a str,
        marks: &'a [TextMark],
        code: impl Fn(&str) -> Vec<Range<usize>>,
    ) -> Self {
        let mut parsed = Cow::Borrowed(source);
        let delimiters = delimiters(source);
        if !delimiters.is_empty() {
            let code = code(source);
            let is_code = |at: usize| {
                let after = code.partition_point(|range| range.end <= at);
                code.get(after).is_some_and(|range| range.start <= at)
            };
            for (opening, closing) in
                delimiters.into_iter().filter(|(one, other)| !is_code(*one) && !is_code(*other))
            {
                for delimiter in [opening, closing] {
                    parsed.to_mut().replace_range(delimiter..delimiter + DELIMITER.len(), DELIMITER);
                }
            }
        }
        Self { source, parsed, marks }
    }

    /// The text for the parser.
    pub(crate) fn parsed(&self) -> &str {
        &self.parsed
    }

    /// A part of the source.
    pub(crate) fn source(&self, range: Range<usize>) -> &'a str {
        self.source.get(range).unwrap_or_default()
    }

    /// A part of the source, with its marks.
    pub(crate) fn marked(&self, range: Range<usize>) -> String {
        with_marks(self.source(range.clone()), range.start, self.marks)
    }

    /// Returns a text that the parser found in a range, with the delimiters of the source and its marks.
    pub(crate) fn original(&self, text: &str, range: Range<usize>) -> String {
        if self.is_as_written() && self.marks.is_empty() {
            return text.to_owned();
        }
        let within = self.parsed.get(range.clone()).and_then(|parsed| parsed.find(text));
        // A text that the parser has changed, such as a character of HTML, has no marks.
        let Some(start) = within.map(|at| range.start + at) else { return text.to_owned() };
        self.marked(start..start + text.len())
    }

    fn is_as_written(&self) -> bool {
        matches!(self.parsed, Cow::Borrowed(_))
    }
}

/// The offsets of pairs of delimiters in the same paragraph.
fn delimiters(source: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    // For each of the two kinds, the offset up to which there is no counterpart.
    let mut none_until = [0; 2];
    let mut at = 0;
    while let Some(start) = next_escape(source, at) {
        at = start + 2;
        let kind = match source.as_bytes().get(start + 1) {
            Some(b'(') => 0,
            Some(b'[') => 1,
            _ => continue,
        };
        if start < none_until[kind] {
            continue;
        }
        match counterpart(source, at, [b')', b']'][kind]) {
            Ok(end) if end > at => {
                found.push((start, end));
                at = end + 2;
            }
            Ok(_) => {}
            Err(end) => none_until[kind] = end,
        }
    }
    found
}

/// The offset of the next backslash from `from` on that is followed by another byte.
fn next_escape(source: &str, from: usize) -> Option<usize> {
    let at = from + source.as_bytes().get(from..)?.iter().position(|byte| *byte == b'\\')?;
    (at + 1 < source.len()).then_some(at)
}

/// The offset of the backslash before `closing`, or, as an error, the end of the paragraph without one.
fn counterpart(source: &str, from: usize, closing: u8) -> Result<usize, usize> {
    let bytes = source.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if bytes.get(at + 1) == Some(&closing) => return Ok(at),
            b'\\' => at += 2,
            b'\n' if is_blank(&bytes[at + 1..]) => return Err(at),
            _ => at += 1,
        }
    }
    Err(bytes.len())
}

/// Returns true if the next line contains only white space.
fn is_blank(rest: &[u8]) -> bool {
    let first = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    first.is_none_or(|byte| *byte == b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(source: &str) -> String {
        Masked::new(source, &[], |_| Vec::new()).parsed().to_owned()
    }

    #[test]
    fn delimiters_with_a_counterpart_are_masked() {
        assert_eq!(parsed(r"a \(x_1\) b \[y\] c"), "a $$x_1$$ b $$y$$ c");
        assert_eq!(parsed("\\[\nx \\\\[2pt]\ny\n\\]"), "$$\nx \\\\[2pt]\ny\n$$");
    }

    #[test]
    fn others_stay() {
        for source in [r"\(x", r"x\)", r"\(\)", "\\(x\n \ny\\)", r"\\(x\\)", r"\(x\]", "\\", "é\\(é"] {
            assert_eq!(parsed(source), source);
        }
    }

    #[test]
    fn code_stays() {
        let masked = Masked::new(r"`\(a\)` \(b\)", &[], |_| std::iter::once(0..7).collect());
        assert_eq!(masked.parsed(), r"`\(a\)` $$b$$");
    }

    #[test]
    fn many_without_a_counterpart_take_no_longer_each() {
        let source = r"\(\[".repeat(500_000);
        assert_eq!(parsed(&source), source);
    }

    #[test]
    fn the_source_has_its_own_delimiters() {
        let masked = Masked::new(r"`\(a\)`", &[], |_| Vec::new());
        assert_eq!(masked.original("$$a$$", 0..7), r"\(a\)");
        assert_eq!(masked.original("other", 0..7), "other");
        assert_eq!(masked.source(1..3), r"\(");
    }
}
