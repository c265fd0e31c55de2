//! The separators of cells.

/// The separators that are recognised, with their names.
pub(super) const SEPARATORS: [(u8, &str); 4] =
    [(b',', "commas"), (b';', "semicolons"), (b'\t', "tabs"), (b'|', "vertical bars")];

/// The name of a separator.
pub(super) fn separator_name(separator: u8) -> &'static str {
    SEPARATORS.into_iter().find(|(known, _)| *known == separator).map_or("commas", |(_, name)| name)
}
