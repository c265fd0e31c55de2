//! Recognises the type of a file by its first bytes, and whether it fits the file's name.
//!
//! This is a table of our own and not a crate, because each type needs a name for users, a way to show it, and extensions.
//! It also knows encodings of text, and raises no alarm for formats without a firm signature.

use evalcheck_report::view::AttachmentKind;
use memchr::memmem;

mod duration;
mod encoding;
mod foreign;
mod foreign_text;
mod signatures;

pub use duration::milliseconds;
pub use encoding::{guess_encodings, possible_encodings};
pub use foreign::{Foreign, describe_foreign, is_tabbed_utf16, utf16};
pub use signatures::LFS_POINTER;

use signatures::SIGNATURES;

/// The type of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Content {
    /// Its media type, such as `application/pdf`; `application/octet-stream` if it is unknown.
    pub media_type: &'static str,
    /// The type in words, with an article if it needs one: `a PNG image`, `UTF-8 text`.
    pub description: &'static str,
    /// How a preview shows it.
    pub kind: AttachmentKind,
}

impl Content {
    const fn new(media_type: &'static str, description: &'static str, kind: AttachmentKind) -> Self {
        Self { media_type, description, kind }
    }

    /// Whether it is text of any kind and encoding.
    pub fn is_text(&self) -> bool {
        self.kind == AttachmentKind::Text || self.media_type == UTF16.media_type
    }
}

const EMPTY: Content = Content::new("application/x-empty", "empty", AttachmentKind::Other);
const BINARY: Content =
    Content::new("application/octet-stream", "data of an unknown kind", AttachmentKind::Other);
const TEXT: Content = Content::new("text/plain", "UTF-8 text", AttachmentKind::Text);
const UTF16: Content = Content::new("text/plain; charset=utf-16", "UTF-16 text", AttachmentKind::Other);
const UTF32: Content = Content::new("text/plain; charset=utf-32", "UTF-32 text", AttachmentKind::Other);
const HTML: Content = Content::new("text/html", "an HTML page", AttachmentKind::Text);
const SVG: Content = Content::new("image/svg+xml", "an SVG drawing", AttachmentKind::Text);
const XML: Content = Content::new("application/xml", "an XML document", AttachmentKind::Text);

/// The type of a file, by its first bytes. A few hundred are enough for most types, 4 KiB for all.
///
/// ```
/// use evalcheck_core::content::sniff;
///
/// assert_eq!(sniff(b"%PDF-1.7\n").media_type, "application/pdf");
/// assert_eq!(sniff("ça va".as_bytes()).description, "UTF-8 text");
/// ```
pub fn sniff(head: &[u8]) -> Content {
    if head.is_empty() {
        return EMPTY;
    }
    if let Some(content) = encoding(head) {
        return content;
    }
    if let Some(found) = SIGNATURES.iter().find(|row| row.matches(head)) {
        return signatures::refine(head, found.content);
    }
    // Some programs write a few lines before the PDF, and readers accept that.
    if memmem::find(head.get(..1024).unwrap_or(head), b"%PDF-").is_some() {
        return signatures::PDF;
    }
    if is_utf8(head) { text(head) } else { BINARY }
}

/// Whether this is a ZIP, but not of a format based on ZIP. [`describe_foreign`] recognises those, such as Office documents.
pub fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK") && sniff(head).media_type == "application/zip"
}

/// The type of UTF-16 and UTF-32 text: recognised by its byte order mark, or by zeros at every second byte.
fn encoding(head: &[u8]) -> Option<Content> {
    match head {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => Some(UTF32),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Some(UTF16),
        _ => {
            let pairs = head.get(..head.len().min(64)).unwrap_or_default().chunks_exact(2);
            let ascii = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
            let plain = pairs.len() >= 4;
            let little = plain && pairs.clone().all(|pair| matches!(pair, [low, 0] if ascii(*low)));
            let big = plain && pairs.clone().all(|pair| matches!(pair, [0, low] if ascii(*low)));
            (little || big).then_some(UTF16)
        }
    }
}

/// Whether this is UTF-8 without the control characters that no text has. The last character may be cut off.
fn is_utf8(head: &[u8]) -> bool {
    // No early exit in a piece, so that SIMD checks sixteen bytes at a time.
    let is_control = |byte: u8| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B | 0x08);
    let has_control = |piece: &[u8]| piece.iter().fold(false, |any, &byte| any | is_control(byte));
    let begins_character = |tail: &[u8]| match std::str::from_utf8(tail) {
        Ok(text) => text.is_empty(),
        Err(error) => error.error_len().is_none() && error.valid_up_to() == 0,
    };
    let is_cut_before = |left: usize| {
        let parts = head.len().checked_sub(left).map(|end| head.split_at(end));
        parts.is_some_and(|(whole, tail)| begins_character(tail) && simdutf8::basic::from_utf8(whole).is_ok())
    };
    (0..4).any(is_cut_before) && !head.chunks(1024).any(has_control)
}

fn text(head: &[u8]) -> Content {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let start = head.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(head.len());
    let head = head.get(start..).unwrap_or_default();
    let begins = |with: &[u8]| head.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with));
    let holds = |what: &[u8]| memmem::find(head, what).is_some();
    if begins(b"<!doctype html") || begins(b"<html") || begins(b"<head") || begins(b"<body") {
        HTML
    } else if begins(b"<svg") || (begins(b"<?xml") || begins(b"<!doctype svg")) && holds(b"<svg") {
        SVG
    } else if begins(b"<?xml") {
        if holds(b"<html") { HTML } else { XML }
    } else {
        TEXT
    }
}

/// The extension of a file name in lower case, without the dot.
pub fn extension(name: &str) -> Option<String> {
    let (stem, extension) = name.rsplit_once('.')?;
    (!stem.is_empty() && !extension.is_empty() && extension.len() <= 16)
        .then(|| extension.to_ascii_lowercase())
}

/// The types that a file with an extension is expected to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Only one of these media types: the format has a firm signature.
    Firmly(&'static [&'static str]),
    /// One of these media types, or an unknown type.
    Loosely(&'static [&'static str]),
    /// Text of any kind. Data of an unknown type may be text in an old encoding.
    Text,
}

/// The types that a file with an extension (in lower case, without the dot) is expected to have; `None` for an unknown
/// extension.
pub fn expected_for(extension: &str) -> Option<Expected> {
    use Expected::{Firmly, Loosely, Text};
    const ZIP: &str = "application/zip";
    const ISO: &[&str] = &["video/mp4", "audio/mp4", "video/quicktime", "image/heic", "image/avif"];
    const OGG: &[&str] = &["audio/ogg"];
    const OLE: &str = "application/x-ole-storage";
    Some(match extension {
        "pdf" => Firmly(&["application/pdf"]),
        "png" | "apng" => Firmly(&["image/png"]),
        "jpg" | "jpeg" | "jpe" | "jfif" => Firmly(&["image/jpeg"]),
        "gif" => Firmly(&["image/gif"]),
        "webp" => Firmly(&["image/webp"]),
        "bmp" => Firmly(&["image/bmp"]),
        "tif" | "tiff" => Firmly(&["image/tiff"]),
        "avif" | "heic" | "heif" => Firmly(ISO),
        "docx" => Firmly(&[signatures::DOCX, ZIP]),
        "xlsx" => Firmly(&[signatures::XLSX, ZIP]),
        "pptx" => Firmly(&[signatures::PPTX, ZIP]),
        "odt" => Firmly(&["application/vnd.oasis.opendocument.text", ZIP]),
        "ods" => Firmly(&["application/vnd.oasis.opendocument.spreadsheet", ZIP]),
        "odp" => Firmly(&["application/vnd.oasis.opendocument.presentation", ZIP]),
        "epub" => Firmly(&["application/epub+zip", ZIP]),
        // Every kind of inner archive is a ZIP here.
        "zip" => Loosely(&[ZIP]),
        "gz" | "tgz" => Firmly(&["application/gzip"]),
        "zst" => Firmly(&["application/zstd"]),
        "7z" => Firmly(&["application/x-7z-compressed"]),
        "rar" => Firmly(&["application/vnd.rar"]),
        "parquet" => Firmly(&["application/vnd.apache.parquet"]),
        "sqlite" | "sqlite3" => Firmly(&["application/vnd.sqlite3"]),
        "flac" => Loosely(&["audio/flac"]),
        "ogg" | "oga" | "opus" | "ogv" => Firmly(OGG),
        "wav" => Firmly(&["audio/wav"]),
        "mp3" => Loosely(&["audio/mpeg"]),
        "mp4" | "m4a" | "m4v" | "mov" => Loosely(ISO),
        "webm" | "mkv" => Firmly(&["video/webm"]),
        // Many files named .doc or .xls are RTF, HTML or text, and open nevertheless.
        "doc" | "xls" | "ppt" => {
            Loosely(&[OLE, "application/rtf", "text/html", "text/plain", "application/xml"])
        }
        "rtf" => Firmly(&["application/rtf"]),
        "txt" | "text" | "md" | "markdown" | "rst" | "csv" | "tsv" | "json" | "jsonl" | "ndjson" | "yaml"
        | "yml" | "toml" | "ini" | "log" | "html" | "htm" | "xhtml" | "xml" | "svg" | "css" | "js"
        | "mjs" | "jsx" | "tsx" | "py" | "rs" | "go" | "java" | "c" | "h" | "cpp" | "hpp" | "rb" | "sh"
        | "sql" | "tex" | "srt" | "vtt" => Text,
        _ => return None,
    })
}

/// Whether a file's content certainly contradicts its extension (in lower case).
///
/// ```
/// use evalcheck_core::content::{contradicts, sniff};
///
/// assert!(contradicts("pdf", &sniff(b"<!DOCTYPE html><title>404</title>")));
/// assert!(!contradicts("md", &sniff(b"# Title")));
/// assert!(!contradicts("xyz", &sniff(b"\x89PNG\r\n\x1a\n")));
/// ```
pub fn contradicts(extension: &str, found: &Content) -> bool {
    if *found == EMPTY {
        return false;
    }
    match expected_for(extension) {
        None => false,
        Some(Expected::Firmly(types)) => !types.contains(&found.media_type),
        Some(Expected::Loosely(types)) => *found != BINARY && !found_in_family(types, found),
        Some(Expected::Text) => *found != BINARY && !found.is_text() && found.media_type != "application/rtf",
    }
}

fn found_in_family(types: &[&str], found: &Content) -> bool {
    types.contains(&found.media_type)
        || types.contains(&"application/zip") && signatures::is_zip_based(found.media_type)
}

#[cfg(test)]
mod tests;
