//! The separators of cells.

/// The separators that are recognised, with their names.
pub const SEPARATORS: [(u8, &str); 4] =
    [(b',', "commas"), (b';', "semicolons"), (b'\t', "tabs"), (b'|', "vertical bars")];

/// The name of a separator.
pub(super) fn separator_name(separator: u8) -> &'static str {
    SEPARATORS.into_iter().find(|(known, _)| *known == separator).map_or("commas", |(_, name)| name)
}

/// Whether the line names the separator to Excel: `sep=;`.
pub fn is_hint(row: &[u8]) -> bool {
    let row = row.strip_prefix(b"\"").and_then(|row| row.strip_suffix(b"\"")).unwrap_or(row);
    matches!(row, [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', _])
}
