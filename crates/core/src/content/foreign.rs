//! Describes a dropped file that is not a dataset: its type, and what to do.

use super::foreign_text::foreign_text;
use super::{BINARY, Content, EMPTY, HTML, SVG, UTF16, UTF32, XML, signatures, sniff};

/// A file that is not a dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign {
    /// Its type, as the end of a sentence that begins with "this is": `a PDF document`.
    pub what: &'static str,
    /// Its type.
    pub content: Content,
    /// Advice in one sentence.
    pub advice: &'static str,
}

/// Describes a dropped file that can be neither a text dataset nor a ZIP of one. `None` for text, a plain ZIP and an empty
/// file, and for text that may be damaged: that is checked, and its findings name the bytes.
///
/// ```
/// use evalcheck_core::content::describe_foreign;
///
/// let pdf = describe_foreign(b"%PDF-1.7\n").expect("a PDF is no dataset");
/// assert_eq!(pdf.what, "a PDF document");
/// assert!(describe_foreign(b"{\"input\": {}}").is_none());
/// ```
pub fn describe_foreign(head: &[u8]) -> Option<Foreign> {
    let content = sniff(head);
    let advice = match content.media_type {
        _ if content == EMPTY => return None,
        _ if content == UTF16 || content == UTF32 => {
            let (what, advice) = wide(head);
            return Some(Foreign { what, content, advice });
        }
        _ if content == HTML => {
            "This looks like a web page that was saved in place of the file. Download the file itself and check that."
        }
        _ if content == signatures::LFS_POINTER => {
            "The file itself was not fetched, only a reference to it: run git lfs pull, or download the file from the page of the repository."
        }
        _ if content == SVG || content == XML => "Export the data as JSON Lines, one JSON object a line.",
        _ if content == BINARY => {
            return mostly_binary(head).then_some(Foreign {
                what: content.description,
                content,
                advice: "A dataset is UTF-8 text, one JSON object a line, or a ZIP that holds it. Check that the right file was chosen.",
            });
        }
        "text/plain" => {
            let (what, advice) = foreign_text(head)?;
            return Some(Foreign { what, content, advice });
        }
        "application/zip" => return None,
        "application/gzip" | "application/zstd" | "application/x-bzip2" | "application/x-xz" => {
            "Decompress it and check the file in it."
        }
        "application/x-7z-compressed" | "application/vnd.rar" | "application/x-tar" => {
            "Unpack it. Drop the dataset alone or, if it has attachments, pack all of it as a ZIP."
        }
        "application/vnd.apache.parquet"
        | "application/vnd.apache.arrow.file"
        | "application/vnd.apache.arrow.stream"
        | "application/avro"
        | "application/x-hdf5"
        | "application/vnd.sqlite3" => {
            "Export its rows as JSON Lines, one JSON object a line (in pandas: to_json(path, orient=\"records\", lines=True))."
        }
        signatures::XLSX | "application/vnd.oasis.opendocument.spreadsheet" | "application/x-ole-storage" => {
            "A workbook is not read. Save its sheet as CSV UTF-8 if the system reads CSV; otherwise write its rows as JSON Lines, for example in pandas: read_excel(path).to_json(new, orient=\"records\", lines=True)."
        }
        "application/pdf" => {
            "A PDF can only be an attachment: pack it in a ZIP, together with the dataset that refers to it."
        }
        media
            if media.starts_with("image/") || media.starts_with("audio/") || media.starts_with("video/") =>
        {
            "It can only be an attachment: pack it in a ZIP, together with the dataset that refers to it."
        }
        _ => "A dataset is UTF-8 text, one JSON object a line, or a ZIP that holds it.",
    };
    Some(Foreign { what: content.description, content, advice })
}

/// The name of text with two or four bytes for each character, and how to convert it. Without a byte order mark, the command
/// names the byte order: otherwise `iconv` guesses it, and implementations guess differently.
fn wide(head: &[u8]) -> (&'static str, &'static str) {
    match head {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => (
            "UTF-32 text",
            "Save the file as UTF-8 (in most editors: Save as, encoding UTF-8), or convert it: iconv -f UTF-32 -t UTF-8 FILE > NEW",
        ),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => (
            "UTF-16 text",
            "Save the file as UTF-8 (in most editors: Save as, encoding UTF-8), or convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW",
        ),
        [0, ..] => (
            "UTF-16 text (big-endian, without a byte order mark)",
            "Save the file as UTF-8 (in most editors: Save as, encoding UTF-8), or convert it: iconv -f UTF-16BE -t UTF-8 FILE > NEW",
        ),
        _ => (
            "UTF-16 text (little-endian, without a byte order mark)",
            "Save the file as UTF-8 (in most editors: Save as, encoding UTF-8), or convert it: iconv -f UTF-16LE -t UTF-8 FILE > NEW",
        ),
    }
}

/// For UTF-16, whether the higher byte is first; `None` for other bytes.
///
/// ```
/// # use evalcheck_core::content::utf16;
/// assert_eq!(utf16(b"\xFF\xFE{\0"), Some(false));
/// assert_eq!(utf16(b"{}"), None);
/// ```
pub fn utf16(head: &[u8]) -> Option<bool> {
    let foreign = describe_foreign(head).filter(|foreign| foreign.what.starts_with("UTF-16"))?;
    Some(foreign.what.contains("big-endian") || head.starts_with(b"\xFE\xFF"))
}

/// Whether this is UTF-16 whose first line has cells between tabs, as Excel saves its "Unicode text".
///
/// ```
/// # use evalcheck_core::content::is_tabbed_utf16;
/// assert!(is_tabbed_utf16(b"\xFF\xFEa\0\t\0b\0\n\0"));
/// assert!(!is_tabbed_utf16(b"\xFF\xFE{\0\t\0}\0"));
/// assert!(!is_tabbed_utf16(b"a\tb\n"));
/// ```
pub fn is_tabbed_utf16(head: &[u8]) -> bool {
    let Some(big_endian) = utf16(head) else { return false };
    let unit = if big_endian { u16::from_be_bytes } else { u16::from_le_bytes };
    let units = head.as_chunks::<2>().0.iter().map(|&bytes| unit(bytes));
    let line = units.skip_while(|&unit| unit == 0xFEFF).take_while(|&unit| unit != u16::from(b'\n'));
    let begins_as_json = |unit: u16| [b'{', b'['].map(u16::from).contains(&unit);
    let mut line = line.peekable();
    !line.peek().is_none_or(|&first| begins_as_json(first)) && line.any(|unit| unit == u16::from(b'\t'))
}

/// Whether more than a tenth of the bytes are control characters, so that this is not text with a few damaged bytes. False if it begins as JSON.
fn mostly_binary(head: &[u8]) -> bool {
    let begins_as_json =
        head.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|byte| matches!(byte, b'{' | b'['));
    let control = |byte: &&u8| **byte < 0x20 && !matches!(**byte, b'\t' | b'\n' | b'\r');
    !begins_as_json && head.iter().filter(control).count() * 10 > head.len()
}
