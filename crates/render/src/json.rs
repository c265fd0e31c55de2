//! A report (report v1) or a comparison as JSON, indented and ended by a line break.

use std::io::{self, Write};

use evalcheck_report::Report;
use evalcheck_report::text::Inert;
use evalcheck_wire::compare::Comparison;
use serde::Serialize;

/// Writes one report.
///
/// # Errors
/// Fails if `out` fails.
pub fn write_report(out: impl Write, report: &Report) -> io::Result<()> {
    write_value(out, report)
}

/// Writes a comparison of two versions.
///
/// # Errors
/// Fails if `out` fails.
pub fn write_comparison(out: impl Write, comparison: &Comparison) -> io::Result<()> {
    write_value(out, comparison)
}

/// Writes any value in this form.
///
/// ```
/// let mut json = Vec::new();
/// evalcheck_render::json::write_value(&mut json, &[1])?;
/// assert_eq!(json, b"[\n  1\n]\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Fails if `out` fails.
pub fn write_value(mut out: impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(InertJson::new(&mut out), value)?;
    out.write_all(b"\n")
}

/// Writes JSON whose strings have no effect where they are shown: control characters that JSON allows, and text that agents of build
/// servers read as commands, are escaped with JSON escapes. So the value is the same.
///
/// ```
/// use std::io::Write;
/// use evalcheck_render::json::InertJson;
///
/// let mut json = Vec::new();
/// InertJson::new(&mut json).write_all("[\"##vso[x]\u{9b}\"]".as_bytes())?;
/// assert_eq!(json, br###"["##vso\u005bx]\u009b"]"###);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct InertJson<W> {
    out: W,
    line: Inert,
    /// Whether the last byte may be the first of a two-byte control character.
    in_control: bool,
}

/// The first byte of control characters from U+0080 on, and of other characters.
const FIRST_OF_CONTROL: u8 = 0xc2;

impl<W: Write> InertJson<W> {
    /// JSON that is written to `out`.
    pub const fn new(out: W) -> Self {
        Self { out, line: Inert::within(), in_control: false }
    }
}

impl<W: Write> Write for InertJson<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut copied = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            let in_control = std::mem::replace(&mut self.in_control, byte == FIRST_OF_CONTROL);
            // JSON contains number signs only in strings.
            let acts = self.line.acts(char::from(byte)) && byte == b'[';
            let needs_escape = byte == 0x7f || (in_control && (0x80..0xa0).contains(&byte));
            if acts || needs_escape {
                self.out.write_all(&bytes[copied..at])?;
                write!(self.out, "\\u{byte:04x}")?;
                copied = at + 1;
            } else if self.in_control {
                self.out.write_all(&bytes[copied..at])?;
                copied = at + 1;
            } else if in_control {
                self.out.write_all(&bytes[copied..at])?;
                self.out.write_all(&[FIRST_OF_CONTROL])?;
                copied = at;
            }
        }
        self.out.write_all(&bytes[copied..])?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The JSON as [`InertJson`] writes it.
pub(crate) fn inert(json: &str) -> String {
    let mut out = Vec::with_capacity(json.len());
    // Writing to memory does not fail.
    let _ = InertJson::new(&mut out).write_all(json.as_bytes());
    String::from_utf8(out).unwrap_or_default()
}

/// Writes several reports as one array. Each report can be written as soon as its check has ended.
///
/// ```
/// use evalcheck_render::json::ArrayWriter;
///
/// assert_eq!(ArrayWriter::new(Vec::new()).finish()?, b"[]\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct ArrayWriter<W> {
    out: W,
    is_empty: bool,
}

impl<W: Write> ArrayWriter<W> {
    /// An array that is written to `out`.
    pub const fn new(out: W) -> Self {
        Self { out, is_empty: true }
    }

    /// Writes the next report.
    ///
    /// # Errors
    /// Fails if the output fails.
    pub fn push(&mut self, report: &Report) -> io::Result<()> {
        self.out.write_all(if self.is_empty { b"[\n" } else { b",\n" })?;
        self.is_empty = false;
        write_report(&mut self.out, report)
    }

    /// Ends the array and returns the output.
    ///
    /// # Errors
    /// Fails if the output fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(if self.is_empty { b"[]\n" } else { b"]\n" })?;
        Ok(self.out)
    }
}
