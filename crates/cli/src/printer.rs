//! Writes reports to standard output.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::iter;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use evalcheck_render::json::{self, ArrayWriter};
use evalcheck_render::quote;
use evalcheck_render::text::{self, Line, LineKind};
use evalcheck_wire::report::{Finding, Report, Severity, Verdict};
use evalcheck_wire::text::one_line;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::args::{Check, Output};
use crate::check::{Dataset, Outcome};

/// Bytes of the output buffer: a million findings are a million short lines.
const BUFFER: usize = 1 << 18;

/// Places that are quoted for one file. A ZIP may have to be read again from its beginning for each.
const MOST_QUOTES: usize = 200;

/// Columns of a terminal that does not say how many it has.
const USUAL_WIDTH: usize = 80;

type Stdout = BufWriter<AutoStream<StdoutLock<'static>>>;

/// Writes what is found in each file.
pub(crate) enum Printer {
    /// Lines. With several files, the line of a finding begins with its file.
    Text { out: Stdout, coloured: bool, several: bool, details: Details },
    /// The report of the one file.
    Json(Stdout),
    /// The reports of several files.
    JsonArray(ArrayWriter<Stdout>),
    /// Findings and reports, each on a line.
    Jsonl(Stdout),
}

/// Writes what is found in one file.
pub(crate) struct FilePrinter<'p> {
    printer: &'p mut Printer,
    /// The file as the user named it.
    file: &'p str,
    /// Its name without folders.
    name: &'p str,
    /// Places that were quoted.
    quoted: usize,
    /// Findings that were listed.
    listed: u64,
}

/// What follows the line of a finding.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Details {
    /// Nothing.
    None,
    /// Its hint.
    Help,
    /// The place in the file, in so many columns, and the hint.
    Quote(usize),
}

impl Details {
    /// Those of an output. Only a terminal has a width, and shows the place.
    fn new(output: Output) -> Self {
        if output == Output::Short {
            return Self::None;
        }
        if !io::stdout().is_terminal() {
            return Self::Help;
        }
        let width = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
        // A terminal that tells no width has 0 columns.
        Self::Quote(width.filter(|width| *width > 0).unwrap_or(USUAL_WIDTH))
    }
}

impl Printer {
    pub(crate) fn new(options: &Check) -> Self {
        let stdout = io::stdout().lock();
        let is_text = matches!(options.output, Output::Text | Output::Short);
        let coloured = is_text && AutoStream::choice(&stdout) != ColorChoice::Never;
        // Nothing is left for the stream to decide: it would search all of the output for colours to remove.
        let stream = if coloured { AutoStream::always(stdout) } else { AutoStream::always_ansi(stdout) };
        let out = BufWriter::with_capacity(BUFFER, stream);
        let several = options.files.len() > 1;
        match options.output {
            Output::Text | Output::Short => {
                Self::Text { out, coloured, several, details: Details::new(options.output) }
            }
            Output::Json if several => Self::JsonArray(ArrayWriter::new(out)),
            Output::Json => Self::Json(out),
            Output::Jsonl => Self::Jsonl(out),
        }
    }

    /// For a file as the user named it, and its name without folders.
    pub(crate) fn of_file<'p>(&'p mut self, file: &'p str, name: &'p str) -> FilePrinter<'p> {
        FilePrinter { printer: self, file, name, quoted: 0, listed: 0 }
    }

    /// Ends the output.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::Text { mut out, .. } | Self::Json(mut out) | Self::Jsonl(mut out) => out.flush(),
            Self::JsonArray(array) => array.finish()?.flush(),
        }
    }
}

impl FilePrinter<'_> {
    /// Writes findings.
    pub(crate) fn findings(&mut self, findings: &[Finding], dataset: &mut Dataset) -> io::Result<()> {
        self.listed += findings.len() as u64;
        match self.printer {
            Printer::Text { out, coloured, several, details } => {
                let file = several.then_some(self.file);
                for finding in findings {
                    let details = details_of(finding, *details, &mut self.quoted, dataset);
                    let lines = iter::once(text::first_line(finding, self.name, file)).chain(details);
                    write_lines(out, *coloured, lines)?;
                }
                Ok(())
            }
            Printer::Jsonl(out) => {
                findings.iter().try_for_each(|finding| write_json_line(out, self.file, "finding", finding))
            }
            // Their reports list all findings.
            Printer::Json(_) | Printer::JsonArray(_) => Ok(()),
        }
    }

    /// Writes the findings that were not written yet, and the verdict.
    pub(crate) fn end(&mut self, outcome: &mut Outcome) -> io::Result<()> {
        if !matches!(self.printer, Printer::Json(_) | Printer::JsonArray(_)) {
            let findings = std::mem::take(&mut outcome.report.findings);
            self.findings(&findings, &mut outcome.dataset)?;
        }
        let report = &outcome.report;
        match self.printer {
            Printer::Text { out, coloured, several, details } => {
                let file = several.then_some(self.file);
                let retracted = (outcome.retracted > 0).then(|| Line {
                    kind: LineKind::Omission,
                    text: format!(
                        "({} of the errors above do not count: the list that they are in is replaced by a later one)",
                        outcome.retracted
                    ),
                });
                let last = text::last_lines(report, file, self.listed - outcome.retracted);
                let mut notes = format_notes(report, file, *details);
                write_lines(out, *coloured, retracted.into_iter())?;
                for line in last {
                    if matches!(line.kind, LineKind::Verdict(_)) {
                        write_lines(out, *coloured, notes.drain(..))?;
                    }
                    write_line(out, *coloured, &line)?;
                    if matches!(line.kind, LineKind::Omission) && !matches!(details, Details::None) {
                        write_line(out, *coloured, &how_to_list_all())?;
                    }
                }
                Ok(())
            }
            Printer::Json(out) => json::write_report(out, report),
            Printer::JsonArray(array) => array.push(report),
            Printer::Jsonl(out) => write_json_line(out, self.file, "report", report),
        }
    }
}

fn write_lines(out: &mut Stdout, coloured: bool, mut lines: impl Iterator<Item = Line>) -> io::Result<()> {
    lines.try_for_each(|line| write_line(out, coloured, &line))
}

/// Writes `{"file": ..., KEY: ...}` on a line.
fn write_json_line(out: &mut Stdout, file: &str, key: &str, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::Serializer::new(&mut *out);
    let mut object = line.serialize_map(Some(2))?;
    object.serialize_entry("file", file)?;
    object.serialize_entry(key, value)?;
    object.end()?;
    out.write_all(b"\n")
}

/// What follows the line of a finding.
fn details_of(finding: &Finding, details: Details, quoted: &mut usize, dataset: &mut Dataset) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Details::Quote(width) = details
        && *quoted < MOST_QUOTES
        && let (Some(line), Some(excerpt)) = (finding.line, dataset.excerpt(finding))
    {
        *quoted += 1;
        lines.extend(quote::lines(&excerpt, line, finding.severity, width));
    }
    if !matches!(details, Details::None) {
        lines.extend(text::help_lines(finding));
    }
    lines
}

fn write_line(out: &mut Stdout, coloured: bool, line: &Line) -> io::Result<()> {
    if coloured {
        let style = style(line.kind);
        writeln!(out, "{style}{}{style:#}", line.text)
    } else {
        writeln!(out, "{}", line.text)
    }
}

/// What to do about findings that are not listed.
pub(crate) fn how_to_list_all() -> Line {
    Line { kind: LineKind::Help, text: "  help: To list them too, add --all.".to_owned() }
}

/// Why the file was checked as a format that is not certain, and how to choose another. `file` is the file as the user
/// named it, among several.
fn format_notes(report: &Report, file: Option<&str>, details: Details) -> Vec<Line> {
    let format = &report.format;
    if format.id.is_empty() || format.is_certain() || matches!(details, Details::None) {
        return Vec::new();
    }
    let note = format!("note: {} is {}: {}", format.id, format.certainty(), one_line(&format.reason));
    let others: Vec<&str> =
        format.others.iter().filter(|other| other.confidence > 0).map(|other| other.id.as_str()).collect();
    let choice = match others.as_slice() {
        [] => "To check it as another format, name that with --format; `evalcheck formats` lists all."
            .to_owned(),
        others => format!(
            "To check it as another format, name that with --format, such as {}.",
            others.join(" or ")
        ),
    };
    vec![
        Line {
            kind: LineKind::Note,
            text: file.map_or_else(|| note.clone(), |file| text::named_line(file, &note)),
        },
        Line { kind: LineKind::Help, text: format!("  help: {choice}") },
    ]
}

/// How a line looks on a terminal.
const fn style(line: LineKind) -> Style {
    match line {
        LineKind::Finding(Severity::Error) => AnsiColor::Red.on_default(),
        LineKind::Finding(Severity::Warning) => AnsiColor::Yellow.on_default(),
        LineKind::Mark(Severity::Info) => Style::new().bold(),
        LineKind::Finding(Severity::Info) | LineKind::Omission => Style::new().dimmed(),
        LineKind::Quote => Style::new(),
        LineKind::Note => AnsiColor::Blue.on_default(),
        LineKind::Help => AnsiColor::Cyan.on_default(),
        LineKind::Verdict(Verdict::Valid) => AnsiColor::Green.on_default().bold(),
        LineKind::Mark(Severity::Error) | LineKind::Verdict(Verdict::Invalid) => {
            AnsiColor::Red.on_default().bold()
        }
        LineKind::Mark(Severity::Warning) | LineKind::Verdict(Verdict::NotChecked) => {
            AnsiColor::Yellow.on_default().bold()
        }
    }
}

/// Writes a complete text.
pub(crate) fn page(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
