//! Text from a dataset on one line, and counts. Messages and reports are written with these.

use std::fmt::Write;

/// The text on one line: characters that would break or reorder the line are escaped, see [`needs_escape`].
///
/// ```
/// assert_eq!(evalcheck_wire::text::one_line("a\nb"), "a\\u{000a}b");
/// ```
pub fn one_line(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        if needs_escape(c) {
            let _ = write!(out, "\\u{{{:04x}}}", u32::from(c));
        } else {
            out.push(c);
        }
        out
    })
}

/// `1 record`, `2 records`.
pub fn count(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// True for characters that are shown escaped: controls, bidirectional controls, zero-width and line separators.
pub fn needs_escape(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
