//! Writes reports to standard output.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use evalcheck_render::json::InertJson;
use evalcheck_render::line::{Line, Role};
use evalcheck_render::sum::Sum;
use evalcheck_render::{html, json, quote, text};
use evalcheck_report::text::one_line;
use evalcheck_report::{Finding, Report, Severity, Verdict};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use terminal_size::terminal_size_of;

use crate::args::{Args, Check, Output};
use crate::check::{Dataset, Outcome};
use crate::listing::Listing;
use crate::rules::Policy;

/// The size of the output buffer in bytes: a million findings are a million short lines.
const BUFFER: usize = 1 << 18;

/// The most places that are quoted for one file. A ZIP may have to be read again from its beginning for each.
const MOST_QUOTES: usize = 200;

/// The width of an output that is not a terminal, or of a terminal with an unknown width, in columns.
const USUAL_WIDTH: usize = 100;

type Out = BufWriter<Box<dyn Write>>;

/// Writes the results for each file.
pub(crate) struct Printer {
    out: Out,
    form: Form,
    /// Whether only findings are written.
    quiet: bool,
    sum: Sum,
    /// The number of findings of each rule, if requested.
    statistics: Option<BTreeMap<String, u64>>,
}

#[derive(Clone, Copy)]
enum Form {
    /// Lines, in colours or not.
    Text { coloured: bool, details: Details },
    /// The report of the one file.
    Json,
    /// Findings and reports, each on a line.
    Jsonl,
    /// The report of the one file as a page, with parts of the dataset or not.
    Html { quotes_data: bool },
}

/// Writes the results for one file.
pub(crate) struct FilePrinter<'p> {
    printer: &'p mut Printer,
    /// The file as the user named it.
    file: &'p str,
    /// Selects the listed findings.
    policy: &'p Policy,
    /// The number of places that were quoted.
    quoted: usize,
    /// The number of findings that were listed.
    listed: u64,
    /// The findings of a report in JSON.
    listing: Listing,
}

/// The lines after that of a finding.
#[derive(Debug, Clone, Copy)]
enum Details {
    /// No lines.
    None,
    /// The excerpt of the file, in this number of columns, and the hint.
    Quote(usize),
}

impl Form {
    /// The form of an output that is written file by file.
    fn of(output: Output, options: &Check, coloured: bool, width: usize) -> Self {
        match output {
            Output::Short => Self::Text { coloured, details: Details::None },
            Output::Json => Self::Json,
            Output::Jsonl => Self::Jsonl,
            Output::Html => Self::Html { quotes_data: !options.without_data },
            _ => Self::Text { coloured, details: Details::Quote(width) },
        }
    }
}

impl Printer {
    /// Writes a check to standard output.
    pub(crate) fn new(options: &Check, args: &Args) -> Self {
        let (out, coloured) = standard_output();
        let form = Form::of(options.output, options, coloured, width_of_output());
        let statistics = options.statistics.then(BTreeMap::new);
        Self { statistics, ..Self::of(out, form, args) }
    }

    /// Writes a check to a file.
    pub(crate) fn of_file_output(output: Output, file: File, options: &Check, args: &Args) -> Self {
        let form = Form::of(output, options, false, USUAL_WIDTH);
        Self::of(Box::new(file), form, args)
    }

    /// Writes the findings that remain after fixes to standard error.
    pub(crate) fn of_rest(args: &Args) -> Self {
        let stderr = io::stderr().lock();
        let coloured = AutoStream::choice(&stderr) != ColorChoice::Never;
        let form = Form::Text { coloured, details: Details::Quote(columns(terminal_size_of(io::stderr()))) };
        Self::of(Box::new(AutoStream::always(stderr)), form, args)
    }

    fn of(out: Box<dyn Write>, form: Form, args: &Args) -> Self {
        let out = BufWriter::with_capacity(BUFFER, out);
        Self { out, form, quiet: args.quiet, sum: Sum::default(), statistics: None }
    }

    /// A printer for a file, as the user named it. A report lists at most `most` findings of each rule.
    pub(crate) fn of_file<'p>(
        &'p mut self,
        file: &'p str,
        policy: &'p Policy,
        most: Option<u64>,
    ) -> FilePrinter<'p> {
        FilePrinter { printer: self, file, policy, quoted: 0, listed: 0, listing: Listing::new(most) }
    }

    /// Counts a file that cannot be read. Writes the output so far, because the error goes to standard error next.
    pub(crate) fn add_unread(&mut self) -> io::Result<()> {
        self.sum.add_not_checked();
        self.out.flush()
    }

    /// Writes lines about a file, if this is text, and more than findings are written.
    pub(crate) fn lines(&mut self, lines: &[Line]) -> io::Result<()> {
        let is_written = matches!(self.form, Form::Text { .. }) && !self.quiet;
        lines.iter().filter(|_| is_written).try_for_each(|line| self.write(line))
    }

    /// Counts files of folders that were skipped.
    pub(crate) fn add_skipped(&mut self, files: u64) {
        self.sum.add_skipped(files);
    }

    /// Ends the output. `fixes` is a word such as `Applied`, and the number of fixes.
    pub(crate) fn finish(mut self, fixes: Option<(&str, u64)>) -> io::Result<()> {
        if let (Form::Text { .. }, Some(statistics)) = (self.form, &self.statistics) {
            let mut rules: Vec<_> = statistics.iter().collect();
            rules.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            for (code, count) in rules {
                writeln!(self.out, "{count:>8}  {code}")?;
            }
        }
        if let Form::Text { .. } = self.form
            && !self.quiet
        {
            if let Some((what, fixes)) = fixes {
                let noun = if fixes == 1 { "fix" } else { "fixes" };
                writeln!(self.out, "{what} {fixes} {noun}.")?;
            }
            self.out.write_all(text::sum_text(&self.sum).as_bytes())?;
        }
        self.out.flush()
    }

    fn write(&mut self, line: &Line) -> io::Result<()> {
        write_line(&mut self.out, line, matches!(self.form, Form::Text { coloured: true, .. }))
    }
}

impl FilePrinter<'_> {
    /// Counts a file that fits several systems alike. Returns whether that is all that this output says of it.
    pub(crate) fn is_undecided(&mut self) -> bool {
        let is_text = matches!(self.printer.form, Form::Text { .. });
        if is_text {
            self.printer.sum.add_undecided();
        }
        is_text
    }

    /// Writes findings.
    pub(crate) fn findings(&mut self, findings: &[Finding], dataset: &mut Dataset) -> io::Result<()> {
        for finding in findings {
            let Some(as_listed) = self.policy.listed(finding) else { continue };
            self.listed += 1;
            match self.printer.form {
                Form::Text { details, .. } => {
                    self.printer.write(&text::finding_line(&as_listed, self.file))?;
                    self.details(&as_listed, details, dataset)?;
                }
                Form::Jsonl => write_json_line(&mut self.printer.out, self.file, "finding", finding)?,
                Form::Json => self.listing.add(finding),
                // The page has groups of findings.
                Form::Html { .. } => {}
            }
        }
        Ok(())
    }

    /// Writes the lines after that of a finding.
    fn details(&mut self, finding: &Finding, details: Details, dataset: &mut Dataset) -> io::Result<()> {
        let Details::Quote(width) = details else { return Ok(()) };
        if self.quoted < MOST_QUOTES
            && let (Some(line), Some(excerpt)) = (finding.line, dataset.excerpt(finding))
        {
            self.quoted += 1;
            for line in quote::lines(&excerpt, line, finding.severity, width) {
                self.printer.write(&line)?;
            }
        }
        text::help_lines(finding).iter().try_for_each(|line| self.printer.write(line))
    }

    /// Writes the findings that were not written yet, and the verdict.
    pub(crate) fn end(mut self, outcome: &mut Outcome) -> io::Result<()> {
        let findings = std::mem::take(&mut outcome.report.findings);
        self.findings(&findings, &mut outcome.dataset)?;
        let Outcome { report, dataset, .. } = outcome;
        match self.printer.form {
            // The statistics are for the page, if one is written too.
            Form::Json => {
                let report = Report { overview: None, ..self.listing.into_report(report) };
                json::write_report(&mut self.printer.out, &report)
            }
            Form::Html { quotes_data } => {
                let mut groups = dataset.example_groups()?;
                groups.retain(|group| self.policy.selects(&group.group.code));
                let page = html::page(report, self.file, &groups, quotes_data);
                self.printer.out.write_all(page.as_bytes())
            }
            Form::Text { details, .. } => self.end_of_text(outcome, details),
            Form::Jsonl => {
                report.overview = None;
                write_json_line(&mut self.printer.out, self.file, "report", report)
            }
        }
    }

    fn end_of_text(&mut self, outcome: &mut Outcome, details: Details) -> io::Result<()> {
        let Outcome { report, counts, dataset, retracted, remarks, .. } = outcome;
        let (report, retracted) = (&*report, *retracted);
        let selected = Report { counts: counts.clone(), ..report.clone() };
        let file = one_line(self.file);
        if retracted > 0 {
            self.printer.write(&Line::of([(
                Role::Dimmed,
                format!(
                    "{file}: {retracted} of the errors above do not count: the list that they are in is replaced by a later one"
                ),
            )]))?;
        }
        let is_short = matches!(details, Details::None);
        if let Some(line) = text::omission_line(&selected, self.file, self.listed - retracted) {
            self.printer.write(&line)?;
            if !is_short {
                self.printer.write(&help("To list them too, add --all."))?;
            }
        }
        self.printer.sum.add(&selected);
        if let Some(statistics) = &mut self.printer.statistics {
            for (code, count) in &counts.by_code {
                *statistics.entry(code.clone()).or_default() += count;
            }
        }
        if self.printer.quiet {
            return Ok(());
        }
        if !is_short {
            for line in notes(report, remarks, &file) {
                self.printer.write(&line)?;
            }
            if let Some(encoding) = dataset.guess_encoding() {
                self.printer.write(&encoding_guess(encoding))?;
            }
        }
        if let Some(line) = text::filter_line(report, self.file) {
            self.printer.write(&line)?;
        }
        self.printer.write(&text::verdict_line(report, self.file))
    }
}

/// The columns of a terminal, or the usual number.
fn columns(terminal: Option<(terminal_size::Width, terminal_size::Height)>) -> usize {
    // Some terminals report 0 columns.
    terminal.map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0).unwrap_or(USUAL_WIDTH)
}

/// The columns of standard output.
pub(crate) fn width_of_output() -> usize {
    columns(terminal_size_of(io::stdout()))
}

/// Writes `{"file": ..., KEY: ...}` on a line.
fn write_json_line(out: &mut Out, file: &str, key: &str, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::Serializer::new(InertJson::new(&mut *out));
    let mut object = line.serialize_map(Some(2))?;
    object.serialize_entry("file", file)?;
    object.serialize_entry(key, value)?;
    object.end()?;
    out.write_all(b"\n")
}

/// The likely encoding of a dataset, and how to check with it.
fn encoding_guess(encoding: &str) -> Line {
    let label = encoding.to_ascii_lowercase();
    help(&format!(
        "The whole file may be {encoding}, which is a guess. To check it as that, add --encoding {label}."
    ))
}

fn help(text: &str) -> Line {
    Line::of([(Role::Help, "  help: ".to_owned()), (Role::Plain, text.to_owned())])
}

/// Notes on the dataset as a whole, the reason for an uncertain format, and how to choose another one.
fn notes(report: &Report, remarks: &[String], file: &str) -> Vec<Line> {
    let note = |text: String| {
        Line::of([
            (Role::Plain, format!("{file}: ")),
            (Role::Strong, "note: ".to_owned()),
            (Role::Plain, text),
        ])
    };
    let mut lines: Vec<Line> = report.notes.iter().chain(remarks).map(|text| note(one_line(text))).collect();
    if !report.file.other_entries.is_empty() {
        lines.push(help("To check another file of the ZIP, name it with --entry."));
    }
    let format = &report.format;
    if format.id.is_empty() || format.is_certain() || format.is_of_schema_alone() {
        return lines;
    }
    let others: Vec<&str> = format.alternatives().map(|other| other.id.as_str()).collect();
    let choice = match others.as_slice() {
        [] => "To check it as another format, name that with --format; `evalcheck formats` lists all."
            .to_owned(),
        others => format!(
            "To check it as another format, name that with --format, such as {}.",
            others.join(" or ")
        ),
    };
    let (id, reason) = (&format.id, one_line(&format.reason));
    let reason = if format.is_fallback() {
        format!("checked as {id}, and for no system: {reason}")
    } else {
        format!("{id} is {}: {reason}", format.certainty())
    };
    lines.extend([note(reason), help(&choice)]);
    lines
}

/// Standard output, and whether it supports colours.
pub(crate) fn standard_output() -> (Box<dyn Write>, bool) {
    let stdout = io::stdout().lock();
    let coloured = AutoStream::choice(&stdout) != ColorChoice::Never;
    // The stream must not decide anything: it would search all of the output for colours to remove.
    let out: Box<dyn Write> = if coloured {
        Box::new(AutoStream::always(stdout))
    } else {
        Box::new(AutoStream::always_ansi(stdout))
    };
    (out, coloured)
}

/// Writes a line, in colours or not.
pub(crate) fn write_line(out: &mut impl Write, line: &Line, coloured: bool) -> io::Result<()> {
    if !coloured {
        return writeln!(out, "{line}");
    }
    for (role, text) in line.shown() {
        let style = style(role);
        write!(out, "{style}{text}{style:#}")?;
    }
    writeln!(out)
}

/// The style of a part of a line on a terminal, as in rustc's messages.
const fn style(role: Role) -> Style {
    match role {
        Role::Plain => Style::new(),
        Role::Strong | Role::Verdict(Verdict::Readable | Verdict::Undecided) => Style::new().bold(),
        Role::Severity(Severity::Error) | Role::Verdict(Verdict::Invalid) => {
            AnsiColor::BrightRed.on_default().bold()
        }
        Role::Severity(Severity::Warning) | Role::Verdict(Verdict::NotChecked) => {
            AnsiColor::Yellow.on_default().bold()
        }
        Role::Severity(Severity::Info) | Role::Verdict(Verdict::Valid) => {
            AnsiColor::BrightGreen.on_default().bold()
        }
        Role::Margin => AnsiColor::BrightBlue.on_default().bold(),
        Role::Help => AnsiColor::BrightCyan.on_default().bold(),
        Role::Match => AnsiColor::BrightRed.on_default().bold(),
        Role::Dimmed => Style::new().dimmed(),
    }
}

/// Writes a complete text.
pub(crate) fn page(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
