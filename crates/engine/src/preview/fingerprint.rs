//! What tells findings again in another version of the dataset.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek};
use std::ops::ControlFlow;
use std::rc::Rc;

use evalcheck_wire::report::Finding;

use super::edited::Edited;
use super::{MAX_RECORD, View, each_line};
use crate::compare::join::parse_bytes;
use crate::compare::values::{Located, hash_of};
use crate::formats::{KeyedHash, Layout};
use crate::records::csv::Table;
use crate::walk::steps;

impl<R: Read + Seek> View<'_, R> {
    /// For each finding a number that it has in common with those of the same rule at the same path, up to indices, in an equal record:
    /// wherever the record is, whatever its id is, and in every run. Of a finding that is in no line the entry of the ZIP counts instead.
    ///
    /// # Errors
    /// The source's own, when the file went away or changed.
    pub fn fingerprints<'f>(
        &mut self,
        findings: impl Iterator<Item = &'f Finding> + Clone,
    ) -> io::Result<Vec<u64>> {
        let hash = KeyedHash::of_all_runs();
        let contents = self.contents(findings.clone().filter_map(|finding| finding.line).collect(), &hash)?;
        let of = |finding: &Finding| {
            let content = match finding.line {
                Some(line) => contents.get(&line).copied().unwrap_or_default(),
                None => hash.hash(finding.entry.as_deref().unwrap_or_default().as_bytes()),
            };
            let pattern = finding.path_pattern().unwrap_or_default();
            let parts = [finding.code.as_bytes(), pattern.as_bytes(), &content.to_le_bytes()];
            hash.hash(&parts.join(&0))
        };
        Ok(findings.map(of).collect())
    }

    /// For each line a hash of its record, without its id, whatever its white space and the order of its keys are. Of what cannot be read
    /// it is that of the bytes.
    fn contents(&mut self, lines: BTreeSet<u64>, hash: &KeyedHash) -> io::Result<BTreeMap<u64, u64>> {
        let format = self.reader.visitor().format;
        let ids: Vec<_> =
            format.identity.iter().flat_map(|paths| paths.iter()).map(|path| steps(path)).collect();
        let content = |bytes: &[u8], line: u64, table: Option<&Table>| {
            let Some(parsed) = parse_bytes(bytes, line, table) else { return hash.hash(bytes.trim_ascii()) };
            let without: Vec<_> = ids.iter().map(Vec::as_slice).collect();
            hash_of(Located { value: &parsed.value, bytes }, &without, hash)
        };
        let mut contents = BTreeMap::new();
        let is_lines =
            matches!(self.reader.visitor().variant.layout, Layout::Jsonl | Layout::JsonlWithHeader(_));
        if let (true, Some(first), Some(last)) =
            (is_lines && self.archive.is_some(), lines.first(), lines.last())
        {
            // A ZIP is read from its beginning for each line that is looked up.
            each_line(self, *first, MAX_RECORD, |raw| {
                if lines.contains(&raw.number) {
                    contents.insert(raw.number, content(&raw.bytes, raw.number, None));
                }
                if raw.number < *last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            return Ok(contents);
        }
        for line in lines {
            let Some(record) = self.edited(line)? else { continue };
            // What is a line in a CSV is no row that could be read.
            let table = self.reader.table().filter(|_| matches!(record, Edited::Found(_)));
            contents.insert(line, content(record.bytes(), line, table.map(Rc::as_ref)));
        }
        Ok(contents)
    }
}
