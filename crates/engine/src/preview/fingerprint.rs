//! Fingerprints that identify findings in another version of the dataset.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek};
use std::ops::ControlFlow;
use std::rc::Rc;

use evalcheck_report::Finding;

use super::edited::Edited;
use super::lines::each_line;
use super::{MAX_RECORD, View, record};
use crate::compare::values::{Located, hash_of};
use crate::diagnose::select::steps;
use crate::formats::fields::{Use, paths};
use crate::formats::{KeyedHash, Layout};
use crate::records::csv::Table;
use crate::records::parse;

/// The place of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    line: u64,
    /// The number of its record.
    record: Option<u64>,
}

impl Place {
    /// `None` for a finding without a line.
    fn of(finding: &Finding) -> Option<Self> {
        finding.line.map(|line| Self { line, record: finding.record })
    }
}

impl<R: Read + Seek> View<'_, R> {
    /// For each finding, a number that it shares with findings of the same rule at the same path, up to indices, in an equal record: wherever
    /// the record is, whatever its id is, and in every run. For a finding without a line, the entry of the ZIP counts instead.
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn fingerprints<'f>(
        &mut self,
        findings: impl Iterator<Item = &'f Finding> + Clone,
    ) -> io::Result<Vec<u64>> {
        let hash = KeyedHash::of_all_runs();
        let contents = self.contents(&findings.clone().filter_map(Place::of).collect(), &hash)?;
        let of = |finding: &Finding| {
            let content = match Place::of(finding) {
                Some(place) => contents.get(&place).copied().unwrap_or_default(),
                None => hash.hash(finding.entry.as_deref().unwrap_or_default().as_bytes()),
            };
            let pattern = finding.path_pattern().unwrap_or_default();
            let parts = [finding.code.as_bytes(), pattern.as_bytes(), &content.to_le_bytes()];
            hash.hash(&parts.join(&0))
        };
        Ok(findings.map(of).collect())
    }

    /// For each place, a hash of its record without its id, which does not depend on white space and on the order of keys. For a
    /// record that cannot be read, it is the hash of the bytes.
    fn contents(&mut self, places: &BTreeSet<Place>, hash: &KeyedHash) -> io::Result<BTreeMap<Place, u64>> {
        let format = self.reader.visitor().dataset.format;
        let ids: Vec<_> =
            [Use::Id, Use::IdPart].into_iter().flat_map(|of| paths(format.fields, of)).map(steps).collect();
        let content = |bytes: &[u8], line: u64, table: Option<&Table>| {
            let Some(parsed) = parse(bytes, line, table) else { return hash.hash(bytes.trim_ascii()) };
            let without: Vec<_> = ids.iter().map(Vec::as_slice).collect();
            hash_of(Located { value: &parsed.value, bytes }, &without, hash)
        };
        let mut contents = BTreeMap::new();
        let layout = &self.reader.visitor().dataset.variant.layout;
        let is_lines = matches!(layout, Layout::Jsonl | Layout::JsonlWithHeader(_));
        if let (true, Some(first), Some(last)) =
            (is_lines && self.archive.is_some(), places.first(), places.last())
        {
            // A ZIP is read from its beginning for each line that is looked up.
            each_line(self, first.line, MAX_RECORD, |raw| {
                let of_line = |line| Place { line, record: None };
                for place in places.range(of_line(raw.number)..of_line(raw.number + 1)) {
                    contents.insert(*place, content(&raw.bytes, raw.number, None));
                }
                if raw.number < last.line { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            return Ok(contents);
        }
        for place in places {
            // Several records may be on one line.
            let finder = match place.record {
                Some(number) => record::find_number(self, number)?,
                None => None,
            };
            let found = match finder.and_then(|finder| finder.found) {
                Some(found) => Some(Edited::Found(found)),
                None => self.edited(place.line)?,
            };
            let Some(found) = found else { continue };
            // A line of a CSV that is not in a row could not be read.
            let table = self.reader.table().filter(|_| matches!(found, Edited::Found(_)));
            contents.insert(*place, content(found.bytes(), place.line, table.map(Rc::as_ref)));
        }
        Ok(contents)
    }
}
