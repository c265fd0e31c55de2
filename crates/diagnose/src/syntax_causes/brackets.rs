//! Causes in brackets.

use crate::parse::Parser;
use crate::syntax_error::SyntaxError;
use crate::syntax_problem::SyntaxProblem;

impl Parser<'_> {
    /// The error at a closing bracket where `wanted` is expected.
    pub(super) fn closing_bracket(&self, found: char, wanted: &str) -> SyntaxError {
        let closes = match self.open.last().map(|&at| self.bytes[at]) {
            Some(b'[') => format!("{wanted} or ']' is expected"),
            Some(_) => format!("{wanted} or '}}' is expected"),
            None => format!("{wanted} is expected and nothing is open"),
        };
        let advice = self.advice_on_bracket();
        self.error(self.character_span(), |column| SyntaxProblem::UnmatchedBracket {
            column,
            found,
            wanted: closes,
            opened: self.innermost_open(),
            advice,
        })
    }

    /// The bracket to write or delete, as the brackets at the end of the record show.
    fn advice_on_bracket(&self) -> String {
        let Some(&innermost) = self.open.last() else {
            return "Delete the bracket, or write the one that opens what it closes.".to_owned();
        };
        let closing = |at: usize| if self.bytes[at] == b'[' { b']' } else { b'}' };
        let missing = char::from(closing(innermost));
        let rest = self.bytes[self.at..].iter().copied().filter(|byte| !byte.is_ascii_whitespace());
        // After so many brackets, one more or less proves nothing.
        let rest: Vec<u8> = rest.take(self.open.len() + 2).collect();
        let wanted: Vec<u8> = self.open.iter().rev().map(|&at| closing(at)).collect();
        match rest.split_first() {
            Some((_, after)) if after == wanted => "Delete the bracket.".to_owned(),
            Some((_, after)) if after == &wanted[1..] => format!("Write {missing} in its place."),
            _ if rest == wanted[1..] => format!("Write {missing} before it."),
            _ => format!("Write {missing} before it or in its place, or delete it if it is one too many."),
        }
    }
}
