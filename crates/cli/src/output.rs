//! Writes reports to standard output.

use std::io::{self, BufWriter, StdoutLock, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use evalcheck_wire::report::{Finding, Report, Severity, Verdict};
use evalcheck_wire::text;

use crate::args::{Check, Output};

/// A large buffer: a million findings are a million short lines.
const BUFFER: usize = 1 << 18;

/// Writes the report of each file as it is done.
pub(crate) struct Printer {
    out: BufWriter<AutoStream<StdoutLock<'static>>>,
    output: Output,
    coloured: bool,
    /// More than one file was given: each line names its file, and JSON is an array.
    several: bool,
    written: usize,
}

impl Printer {
    pub(crate) fn new(options: &Check) -> Self {
        let stdout = io::stdout().lock();
        // Decided here and not left to the stream, which would search all that is written for colours to strip.
        let coloured = options.output == Output::Text && AutoStream::choice(&stdout) != ColorChoice::Never;
        let stream = if coloured { AutoStream::always(stdout) } else { AutoStream::always_ansi(stdout) };
        Self {
            out: BufWriter::with_capacity(BUFFER, stream),
            output: options.output,
            coloured,
            several: options.files.len() > 1,
            written: 0,
        }
    }

    /// Writes one report; `given` is the file as the person named it.
    pub(crate) fn report(&mut self, given: &str, report: &Report) -> io::Result<()> {
        match self.output {
            Output::Text => self.text(given, report)?,
            Output::Json => self.json(report)?,
        }
        self.written += 1;
        Ok(())
    }

    /// Ends the output.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        if self.output == Output::Json && self.several {
            self.out.write_all(if self.written == 0 { b"[]\n" } else { b"]\n" })?;
        }
        self.out.flush()
    }

    fn text(&mut self, given: &str, report: &Report) -> io::Result<()> {
        for finding in &report.findings {
            self.finding(given, report, finding)?;
        }
        if let Some(line) = text::omission_line(report) {
            self.prefixed(given, &line, Style::new().dimmed())?;
        }
        let colour = match report.verdict() {
            Verdict::Valid => AnsiColor::Green,
            Verdict::Invalid => AnsiColor::Red,
            Verdict::NotChecked => AnsiColor::Yellow,
        };
        self.prefixed(given, &text::verdict_line(report), colour.on_default().bold())
    }

    fn finding(&mut self, given: &str, report: &Report, finding: &Finding) -> io::Result<()> {
        let style = match finding.severity {
            Severity::Error => AnsiColor::Red.on_default(),
            Severity::Warning => AnsiColor::Yellow.on_default(),
            Severity::Info => Style::new().dimmed(),
        };
        let file = &report.file.name;
        let line = if self.several {
            text::named_finding_line(finding, file, given)
        } else {
            text::finding_line(finding, file)
        };
        self.styled(&line, style)
    }

    fn prefixed(&mut self, given: &str, line: &str, style: Style) -> io::Result<()> {
        if self.several {
            self.styled(&text::named_line(given, line), style)
        } else {
            self.styled(line, style)
        }
    }

    fn styled(&mut self, line: &str, style: Style) -> io::Result<()> {
        if self.coloured {
            writeln!(self.out, "{style}{line}{style:#}")
        } else {
            writeln!(self.out, "{line}")
        }
    }

    fn json(&mut self, report: &Report) -> io::Result<()> {
        if self.several {
            self.out.write_all(if self.written == 0 { b"[\n" } else { b",\n" })?;
        }
        serde_json::to_writer_pretty(&mut self.out, report)?;
        self.out.write_all(b"\n")
    }
}

/// Writes a text that is known in full.
pub(crate) fn page(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
