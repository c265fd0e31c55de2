//! The records that stay invalid: left out of the dataset, or written to a file of their own with their findings.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::Range;

use evalcheck_archive::{Archive, Contents};
use evalcheck_engine::check::Check;
use evalcheck_engine::formats::Layout;
use evalcheck_wire::report::{Finding, Severity};
use serde_json::json;

use crate::input::Input;

/// Records with errors.
#[derive(Default)]
pub(crate) struct Rejects {
    /// They are asked for.
    wanted: bool,
    /// The errors of each record: by its line where records are lines, otherwise by its number.
    findings: BTreeMap<u64, Vec<Finding>>,
    records: Records,
}

/// How records stand in the dataset.
#[derive(Default)]
enum Records {
    #[default]
    Lines,
    /// Rows of a CSV: their numbers and bytes.
    Rows(Vec<(u64, Range<u64>)>),
    /// Elements of lists in a document: their numbers and bytes.
    Elements(Vec<(u64, Range<u64>)>),
}

impl Rejects {
    pub(crate) fn new(wanted: bool) -> Self {
        Self { wanted, ..Self::default() }
    }

    /// Takes an error of a record.
    pub(crate) fn note(&mut self, finding: &Finding) {
        if self.wanted
            && finding.severity == Severity::Error
            && let Some(record) = finding.record
        {
            self.findings.entry(record).or_default().push(finding.clone());
        }
    }

    /// Takes over where the records are, at the end of a check.
    pub(crate) fn locate(&mut self, check: &Check) {
        let records = check.invalid_records().to_vec();
        self.records = match check.layout() {
            Layout::Jsonl | Layout::JsonlWithHeader(_) => {
                for finding in std::mem::take(&mut self.findings).into_values().flatten() {
                    if let Some(line) = finding.line {
                        self.findings.entry(line).or_default().push(finding);
                    }
                }
                Records::Lines
            }
            Layout::Csv(_) => Records::Rows(records),
            Layout::Json(_) => Records::Elements(records),
        };
    }

    pub(crate) fn is_empty(&self) -> bool {
        match &self.records {
            Records::Lines => self.findings.is_empty(),
            Records::Rows(records) | Records::Elements(records) => records.is_empty(),
        }
    }

    /// How many errors the records have.
    pub(crate) fn errors(&self) -> u64 {
        let count = |findings: &Vec<Finding>| findings.len() as u64;
        match &self.records {
            Records::Lines => self.findings.values().map(count).sum(),
            Records::Rows(records) | Records::Elements(records) => {
                records.iter().filter_map(|(record, _)| self.findings.get(record)).map(count).sum()
            }
        }
    }

    /// Copies the dataset without these records.
    pub(crate) fn copy_others(&self, source: &mut dyn Read, sink: &mut dyn Write) -> io::Result<()> {
        let mut source = BufReader::with_capacity(1 << 18, source);
        match &self.records {
            Records::Lines => each_line(&mut source, |number, line| {
                if self.findings.contains_key(&number) { Ok(()) } else { sink.write_all(line) }
            }),
            Records::Rows(records) => without_rows(&mut source, records, sink),
            Records::Elements(records) => without_elements(&mut source, records, sink),
        }
    }

    /// Writes each record with errors as `{"line": N, "text": ..., "findings": [...]}`.
    pub(crate) fn write(
        &mut self,
        input: &mut Input,
        entry: Option<&str>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        io::Seek::rewind(input)?;
        match entry {
            Some(entry) => {
                let archive = Archive::of(input)?;
                self.write_from(&mut Contents::new(archive.last_named(entry)?, input)?, out)
            }
            None => self.write_from(input, out),
        }
    }

    fn write_from(&self, source: &mut dyn Read, out: &mut impl Write) -> io::Result<()> {
        let mut source = BufReader::with_capacity(1 << 18, source);
        let mut write = |line: Option<u64>, text: &[u8], findings: &[Finding]| {
            let text = String::from_utf8_lossy(text);
            let text = text.trim_end_matches(['\r', '\n']);
            serde_json::to_writer(&mut *out, &json!({"line": line, "text": text, "findings": findings}))?;
            out.write_all(b"\n")
        };
        match &self.records {
            Records::Lines => each_line(&mut source, |number, line| match self.findings.get(&number) {
                Some(findings) => write(Some(number), line, findings),
                None => Ok(()),
            }),
            Records::Rows(records) | Records::Elements(records) => {
                let mut at = 0;
                for (record, bytes) in records {
                    io::copy(&mut source.by_ref().take(bytes.start - at), &mut io::sink())?;
                    let mut text = Vec::new();
                    source.by_ref().take(bytes.end - bytes.start).read_to_end(&mut text)?;
                    at = bytes.end;
                    let findings = self.findings.get(record).map_or(&[][..], Vec::as_slice);
                    write(findings.first().and_then(|finding| finding.line), &text, findings)?;
                }
                Ok(())
            }
        }
    }
}

fn each_line(
    source: &mut impl BufRead,
    mut take: impl FnMut(u64, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if source.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        take(number, &line)?;
    }
    Ok(())
}

/// Copies a CSV without rows and the line breaks that end them.
fn without_rows(
    source: &mut impl BufRead,
    rows: &[(u64, Range<u64>)],
    sink: &mut dyn Write,
) -> io::Result<()> {
    let mut at = 0;
    for (_, bytes) in rows {
        io::copy(&mut source.by_ref().take(bytes.start.saturating_sub(at)), sink)?;
        io::copy(&mut source.by_ref().take(bytes.end - bytes.start), &mut io::sink())?;
        at = bytes.end;
        for end in [b'\r', b'\n'] {
            if source.fill_buf()?.first() == Some(&end) {
                source.consume(1);
                at += 1;
            }
        }
    }
    io::copy(source, sink).map(drop)
}

/// Copies a document without elements of its lists, and with a comma less for each.
fn without_elements(
    source: &mut impl BufRead,
    elements: &[(u64, Range<u64>)],
    sink: &mut dyn Write,
) -> io::Result<()> {
    let is_space = |byte: u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    // White space and a comma that stand before what comes next, and go where nothing does.
    let mut separator = Vec::new();
    let mut at = 0;
    for (_, bytes) in elements {
        let mut before = source.by_ref().take(bytes.start.saturating_sub(at));
        loop {
            let held = before.fill_buf()?;
            if held.is_empty() {
                break;
            }
            let length = held.len();
            let kept =
                held.iter().rposition(|&byte| !is_space(byte) && byte != b',').map_or(0, |last| last + 1);
            if kept > 0 {
                sink.write_all(&separator)?;
                separator.clear();
                sink.write_all(&held[..kept])?;
            }
            separator.extend_from_slice(&held[kept..]);
            before.consume(length);
        }
        io::copy(&mut source.by_ref().take(bytes.end - bytes.start), &mut io::sink())?;
        at = bytes.end;
        // The comma behind it and the white space around that.
        let mut behind = Vec::new();
        let mut has_comma = false;
        while let Some(&byte) = source.fill_buf()?.first() {
            if byte == b',' && !has_comma {
                has_comma = true;
            } else if is_space(byte) {
                behind.push(byte);
            } else {
                break;
            }
            source.consume(1);
            at += 1;
        }
        if !has_comma {
            if separator.contains(&b',') {
                separator.clear();
            }
            separator.append(&mut behind);
        }
    }
    sink.write_all(&separator)?;
    io::copy(source, sink).map(drop)
}
