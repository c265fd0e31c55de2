//! Writes reports to standard output.

use std::io::{self, BufWriter, StdoutLock, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use evalcheck_render::json::{self, ArrayWriter};
use evalcheck_render::text::{self, LineKind};
use evalcheck_wire::report::{Report, Severity, Verdict};

use crate::args::{Check, Output};

/// Bytes of the output buffer: a million findings are a million short lines.
const BUFFER: usize = 1 << 18;

type Stdout = BufWriter<AutoStream<StdoutLock<'static>>>;

/// Writes the report of each file when its check has ended.
pub(crate) enum Printer {
    /// Lines. With several files, each line begins with its file.
    Text { out: Stdout, coloured: bool, several: bool },
    /// The report of the one file.
    Json(Stdout),
    /// The reports of several files.
    JsonArray(ArrayWriter<Stdout>),
}

impl Printer {
    pub(crate) fn new(options: &Check) -> Self {
        let stdout = io::stdout().lock();
        let coloured = options.output == Output::Text && AutoStream::choice(&stdout) != ColorChoice::Never;
        // Nothing is left for the stream to decide: it would search all of the output for colours to remove.
        let stream = if coloured { AutoStream::always(stdout) } else { AutoStream::always_ansi(stdout) };
        let out = BufWriter::with_capacity(BUFFER, stream);
        let several = options.files.len() > 1;
        match options.output {
            Output::Text => Self::Text { out, coloured, several },
            Output::Json if several => Self::JsonArray(ArrayWriter::new(out)),
            Output::Json => Self::Json(out),
        }
    }

    /// Writes one report. `file` is the file as the user named it.
    pub(crate) fn report(&mut self, file: &str, report: &Report) -> io::Result<()> {
        match self {
            Self::Text { out, coloured, several } => {
                for line in text::lines(report, several.then_some(file)) {
                    if *coloured {
                        let style = style(line.kind);
                        writeln!(out, "{style}{}{style:#}", line.text)?;
                    } else {
                        writeln!(out, "{}", line.text)?;
                    }
                }
                Ok(())
            }
            Self::Json(out) => json::write_report(out, report),
            Self::JsonArray(array) => array.push(report),
        }
    }

    /// Ends the output.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::Text { mut out, .. } | Self::Json(mut out) => out.flush(),
            Self::JsonArray(array) => array.finish()?.flush(),
        }
    }
}

/// How a line looks on a terminal.
const fn style(line: LineKind) -> Style {
    match line {
        LineKind::Finding(Severity::Error) => AnsiColor::Red.on_default(),
        LineKind::Finding(Severity::Warning) => AnsiColor::Yellow.on_default(),
        LineKind::Finding(Severity::Info) | LineKind::Omission => Style::new().dimmed(),
        LineKind::Verdict(Verdict::Valid) => AnsiColor::Green.on_default().bold(),
        LineKind::Verdict(Verdict::Invalid) => AnsiColor::Red.on_default().bold(),
        LineKind::Verdict(Verdict::NotChecked) => AnsiColor::Yellow.on_default().bold(),
    }
}

/// Writes a complete text.
pub(crate) fn page(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
