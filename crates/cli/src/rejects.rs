//! The records that stay invalid: left out of the dataset, or written to a file of their own with their findings.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};

use evalcheck_archive::{Archive, Contents};
use evalcheck_wire::report::{Finding, Severity};
use serde_json::json;

use crate::input::Input;

/// Lines with errors.
#[derive(Default)]
pub(crate) struct Rejects {
    /// They are asked for.
    wanted: bool,
    /// The errors of each line of the dataset.
    lines: BTreeMap<u64, Vec<Finding>>,
    errors: u64,
}

impl Rejects {
    pub(crate) fn new(wanted: bool) -> Self {
        Self { wanted, ..Self::default() }
    }

    /// Takes an error of a record that is a line.
    pub(crate) fn note(&mut self, finding: &Finding) {
        if self.wanted
            && finding.severity == Severity::Error
            && finding.record.is_some()
            && let Some(line) = finding.line
        {
            self.errors += 1;
            self.lines.entry(line).or_default().push(finding.clone());
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// How many errors the records have.
    pub(crate) fn errors(&self) -> u64 {
        self.errors
    }

    /// Copies the lines without errors.
    pub(crate) fn copy_others(&self, source: &mut dyn Read, sink: &mut dyn Write) -> io::Result<()> {
        each_line(
            source,
            |number, line| {
                if self.lines.contains_key(&number) { Ok(()) } else { sink.write_all(line) }
            },
        )
    }

    /// Writes each line with errors as `{"line": N, "text": ..., "findings": [...]}`.
    pub(crate) fn write(
        &mut self,
        input: &mut Input,
        entry: Option<&str>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let mut write = |source: &mut dyn Read| {
            each_line(source, |number, line| {
                let Some(findings) = self.lines.get(&number) else { return Ok(()) };
                let text = String::from_utf8_lossy(line);
                let text = text.trim_end_matches(['\r', '\n']);
                serde_json::to_writer(
                    &mut *out,
                    &json!({"line": number, "text": text, "findings": findings}),
                )?;
                out.write_all(b"\n")
            })
        };
        input.rewind()?;
        match entry {
            Some(entry) => {
                let archive = Archive::of(input)?;
                write(&mut Contents::new(archive.last_named(entry)?, input)?)
            }
            None => write(input),
        }
    }
}

fn each_line(source: &mut dyn Read, mut take: impl FnMut(u64, &[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut source = BufReader::with_capacity(1 << 18, source);
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
