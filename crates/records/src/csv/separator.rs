//! What separates cells.

/// What may separate cells, in words.
pub(super) const SEPARATORS: [(u8, &str); 4] =
    [(b',', "commas"), (b';', "semicolons"), (b'\t', "tabs"), (b'|', "vertical bars")];

/// A separator in words.
pub(super) fn separator_name(separator: u8) -> &'static str {
    SEPARATORS.into_iter().find(|(known, _)| *known == separator).map_or("commas", |(_, name)| name)
}
