//! Texts of a dataset as messages show them, and columns.

/// The column of an offset, counted from 1 in code points; bytes that are not UTF-8 count as they are replaced.
pub fn column(bytes: &[u8], at: usize) -> u64 {
    let before = &bytes[..at.min(bytes.len())];
    let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    chars(&before[start..]) + 1
}

/// The first characters of a text, and an ellipsis where there are more.
pub fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A key, a name or another text from the dataset as it may stand in a message: in quotes, clipped.
pub fn clip_quoted(text: &str) -> String {
    format!("\"{}\"", clip(text, 80))
}

/// Code points in bytes that are UTF-8 or nearly.
fn chars(bytes: &[u8]) -> u64 {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => text.chars().count() as u64,
        Err(_) => String::from_utf8_lossy(bytes).chars().count() as u64,
    }
}
