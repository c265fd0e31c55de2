//! The outputs of a check: the one on standard output, and those in files.

mod collector;

use std::fs::OpenOptions;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use evalcheck_engine::catalogue;
use evalcheck_engine::rules::applies;
use evalcheck_engine::{formats, rules};
use evalcheck_render::checked::{CheckedFile, Unread, fill_up, share_out};
use evalcheck_render::line::Line;
use evalcheck_render::{csv, github, gitlab, junit, markdown, rdjson, sarif};
use evalcheck_report::Finding;
use evalcheck_wire::catalogue::RuleInfo;

use crate::args::{Args, Check, Output};
use crate::check::{Dataset, Outcome};
use crate::new_file::NewFile;
use crate::print_error;
use crate::printer::{self, FilePrinter, Printer};
use crate::rules::Policy;
use collector::{Collector, FileCollector};

/// The file that GitHub adds to the summary of a job.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// All outputs of a check.
pub(crate) struct Outputs {
    /// Outputs that are written file by file.
    printers: Vec<Printer>,
    /// The output files of the printers.
    files: Vec<(PathBuf, NewFile)>,
    /// Outputs that are written at the end, each with its file; without a file, to standard output.
    at_end: Vec<(Output, Option<(PathBuf, NewFile)>)>,
    /// The checked files for these outputs.
    collector: Option<Collector>,
    /// Ends a part of standard output in which GitHub ignores commands.
    resume: Option<String>,
}

/// All outputs for one checked file.
pub(crate) struct FileOutputs<'o> {
    printers: Vec<FilePrinter<'o>>,
    collector: Option<FileCollector<'o>>,
}

impl Outputs {
    /// Opens the outputs before anything is checked, so that a file that cannot be written is reported at once.
    ///
    /// # Errors
    /// A file that cannot be written, with its path.
    pub(crate) fn open(options: &Check, args: &Args) -> Result<Self, (PathBuf, io::Error)> {
        let mut outputs = Self {
            printers: Vec::new(),
            files: Vec::new(),
            at_end: Vec::new(),
            collector: None,
            resume: None,
        };
        match options.output {
            Output::Github => {
                let token = format!("{:x}", RandomState::new().hash_one(std::process::id()));
                // Text of a dataset must not be read as a command.
                let _ = writeln!(io::stdout(), "::stop-commands::{token}");
                outputs.resume = Some(format!("::{token}::\n"));
                outputs.printers.push(Printer::new(options, args));
                outputs.at_end.push((Output::Github, None));
            }
            output if output.is_of_run() => outputs.at_end.push((output, None)),
            _ => outputs.printers.push(Printer::new(options, args)),
        }
        for (output, path) in &options.output_files {
            let failed = |error| (path.clone(), error);
            let file = NewFile::create(path).map_err(failed)?;
            if output.is_of_run() {
                outputs.at_end.push((*output, Some((path.clone(), file))));
            } else {
                let handle = file.handle().map_err(failed)?;
                outputs.printers.push(Printer::of_file_output(*output, handle, options, args));
                outputs.files.push((path.clone(), file));
            }
        }
        if !outputs.at_end.is_empty() {
            outputs.collector = Some(Collector::default());
        }
        Ok(outputs)
    }

    /// The outputs for a file, as the user named it. A report lists at most `most` findings of each rule.
    pub(crate) fn of_file<'o>(
        &'o mut self,
        file: &'o str,
        policy: &'o Policy,
        most: Option<u64>,
    ) -> FileOutputs<'o> {
        let printers = self.printers.iter_mut();
        FileOutputs {
            printers: printers.map(|printer| printer.of_file(file, policy, most)).collect(),
            collector: self.collector.as_mut().map(|collector| collector.of_file(file, policy)),
        }
    }

    /// Adds a file that cannot be read, for a reason that the caller prints.
    pub(crate) fn add_unread(&mut self, file: &str, why: &str) -> io::Result<()> {
        if let Some(collector) = &mut self.collector {
            collector.add_unread(file, why);
        }
        self.printers.iter_mut().try_for_each(Printer::add_unread)
    }

    /// Writes lines about a file to the outputs that are text.
    pub(crate) fn lines(&mut self, lines: &[Line]) -> io::Result<()> {
        self.printers.iter_mut().try_for_each(|printer| printer.lines(lines))
    }

    /// Counts files of folders that were skipped.
    pub(crate) fn add_skipped(&mut self, files: u64) {
        self.printers.iter_mut().for_each(|printer| printer.add_skipped(files));
    }

    /// Ends all outputs. `fixes` is a word such as `Applied`, and the number of fixes. Returns false if a file could not be written,
    /// which is reported on standard error.
    ///
    /// # Errors
    /// Those of standard output.
    pub(crate) fn finish(self, fixes: Option<(&str, u64)>) -> io::Result<bool> {
        for printer in self.printers {
            printer.finish(fixes)?;
        }
        if let Some(resume) = &self.resume {
            printer::page(resume)?;
        }
        let Collector { files: mut checked, unread } = self.collector.unwrap_or_default();
        share_out(&mut checked, sarif::MOST);
        fill_up(&mut checked, sarif::MOST);
        let mut are_written = true;
        let mut note = |path: &Path, written: io::Result<()>| {
            if let Err(error) = written {
                print_error(&path.to_string_lossy(), &error.to_string());
                are_written = false;
            }
        };
        for (path, file) in self.files {
            note(&path, file.finish());
        }
        for (output, target) in self.at_end {
            let text = text_of(output, &checked, &unread);
            match target {
                None => printer::page(&text)?,
                Some((path, mut file)) => {
                    note(&path, file.write_all(text.as_bytes()).and_then(|()| file.finish()));
                }
            }
            if output == Output::Github
                && let Some(path) = std::env::var_os(STEP_SUMMARY)
            {
                // Other steps may have written to it too.
                let file = OpenOptions::new().create(true).append(true).open(&path);
                let summary = github::summary(&checked, &unread);
                note(Path::new(&path), file.and_then(|mut file| file.write_all(summary.as_bytes())));
            }
        }
        Ok(are_written)
    }
}

impl FileOutputs<'_> {
    /// Writes findings.
    pub(crate) fn findings(&mut self, findings: &[Finding], dataset: &mut Dataset) -> io::Result<()> {
        if let Some(collector) = &mut self.collector {
            collector.add(findings);
        }
        self.printers.iter_mut().try_for_each(|printer| printer.findings(findings, dataset))
    }

    /// Adds findings that are in a baseline, for the outputs that mark them.
    pub(crate) fn known(&mut self, findings: &[Finding]) {
        if let Some(collector) = &mut self.collector {
            collector.known(findings);
        }
    }

    /// The file fits several systems alike: text does not list the findings of one.
    pub(crate) fn end_undecided(&mut self) {
        self.printers.retain_mut(|printer| !printer.is_undecided());
    }

    /// Writes the findings that were not written yet, and the verdict.
    pub(crate) fn end(mut self, outcome: &mut Outcome) -> io::Result<()> {
        let findings = std::mem::take(&mut outcome.report.findings);
        self.findings(&findings, &mut outcome.dataset)?;
        for printer in self.printers {
            printer.end(outcome)?;
        }
        self.collector.map_or(Ok(()), |collector| collector.end(outcome))
    }
}

/// An output of a whole run.
fn text_of(output: Output, files: &[CheckedFile], unread: &[Unread]) -> String {
    match output {
        Output::Sarif => sarif::log(files, unread, &rules_of(files), env!("CARGO_PKG_VERSION")),
        Output::Github => github::annotations(files, unread),
        Output::Gitlab => gitlab::code_quality(files, unread),
        Output::Junit => junit::report(files, unread),
        Output::Rdjson => rdjson::diagnostics(files, unread),
        Output::Csv => csv::table(files, unread),
        Output::Markdown => markdown::report(files, unread),
        Output::Text | Output::Short | Output::Json | Output::Jsonl | Output::Html => String::new(),
    }
}

/// The rules that were checked: those of the formats of the files.
fn rules_of(files: &[CheckedFile]) -> Vec<RuleInfo> {
    let formats: Vec<_> = files.iter().filter_map(|file| formats::by_id(&file.report.format.id)).collect();
    let is_found = |code: &str| files.iter().any(|file| file.counts.by_code.contains_key(code));
    let mut rules_of_formats = catalogue::rules();
    rules_of_formats.retain(|info| {
        let rule = rules::all().find(|rule| rule.code == info.code);
        rule.is_some_and(|rule| formats.iter().any(|format| applies(rule, format))) || is_found(&info.code)
    });
    rules_of_formats
}
