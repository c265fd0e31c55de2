//! NUL bytes, which an interrupted write leaves in a file.

use evalcheck_report::text::count;

use crate::parse::Parser;
use crate::syntax_error::SyntaxError;
use crate::syntax_problem::SyntaxProblem;

impl Parser<'_> {
    /// The error at a NUL byte, in a string or outside of strings.
    pub(super) fn nul_bytes(&self, in_string: bool) -> SyntaxError {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().take_while(|byte| **byte == 0).count();
        let bytes = count(length as u64, "NUL byte");
        let is_nothing = |bytes: &[u8]| bytes.iter().all(|byte| *byte == 0 || byte.is_ascii_whitespace());
        let is_open = in_string || !self.open.is_empty();
        let (what, advice) = match (is_nothing(&self.bytes[..self.at]), is_nothing(&rest[length..])) {
            (true, true) => (
                format!("{bytes} in place of a record"),
                "Write the record again; or delete the line, if none is missing.",
            ),
            (false, true) if is_open => {
                let open = if in_string { "a string".to_owned() } else { self.open_in_words() };
                (
                    format!("the record is cut off with {open} still open, before {bytes}"),
                    "Write the record again in full; or delete the line, with what is left of it.",
                )
            }
            (false, _) if !is_open => (
                format!("{bytes} after the record"),
                "Delete them. Records that were after this one may be missing.",
            ),
            (true, false) => (
                format!("{bytes} before the record"),
                "Delete them. Records that were before this one may be missing.",
            ),
            (false, _) => (
                format!("{bytes} inside the record"),
                "Write what is missing in their place; or delete them, if nothing is.",
            ),
        };
        let span = self.at..self.at + length;
        self.error(span, |column| SyntaxProblem::InterruptedWrite { column, what, advice })
    }
}
