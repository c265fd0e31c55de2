//! A report (report v1) or a comparison as JSON, indented and ended by a line break.

use std::io::{self, Write};

use evalcheck_wire::compare::Comparison;
use evalcheck_wire::report::Report;

/// Writes one report.
///
/// # Errors
/// Fails when `out` fails.
pub fn write_report(mut out: impl Write, report: &Report) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, report)?;
    out.write_all(b"\n")
}

/// Writes a comparison of two versions.
///
/// # Errors
/// Fails when `out` fails.
pub fn write_comparison(mut out: impl Write, comparison: &Comparison) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, comparison)?;
    out.write_all(b"\n")
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
    /// Fails when the output fails.
    pub fn push(&mut self, report: &Report) -> io::Result<()> {
        self.out.write_all(if self.is_empty { b"[\n" } else { b",\n" })?;
        self.is_empty = false;
        write_report(&mut self.out, report)
    }

    /// Ends the array and returns the output.
    ///
    /// # Errors
    /// Fails when the output fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(if self.is_empty { b"[]\n" } else { b"]\n" })?;
        Ok(self.out)
    }
}
