//! The line break that ends a line.

/// The length of the line break at the start of these bytes.
pub(crate) fn line_break(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => 0,
    }
}

/// A line without the carriage return of its line break.
#[inline]
pub fn trim_line_end(line: &[u8]) -> &[u8] {
    match line {
        [before @ .., b'\r'] => before,
        _ => line,
    }
}
