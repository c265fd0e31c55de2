//! The groups of findings with examples, for a report.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek};

use evalcheck_core::finding_index::Entry;
use evalcheck_core::order::Order;
use evalcheck_wire::findings::{EXAMPLES, ExampleGroup};

use super::View;
use super::findings::read_again;
use crate::findings::{FindingFilter, IndexedFindings};

/// The maximum number of groups that have examples.
const MOST: usize = 200;

/// The number of bytes of the dataset that are shown on either side of the start of a finding.
const REACH: usize = 200;

impl<R: Read + Seek> View<'_, R> {
    /// The groups of all findings, those with most findings first. The first 200 have examples. Empty if the check has no index of
    /// its findings ([`crate::check::Check::index_findings`]).
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn example_groups(&mut self) -> io::Result<Vec<ExampleGroup>> {
        let Some(index) = self.reader.visitor().dataset.collector.index() else { return Ok(Vec::new()) };
        let groups = IndexedFindings { index, bytes: 0 }.groups(&FindingFilter::default());
        let with_examples: Vec<_> =
            groups.iter().take(MOST).map(|group| (&*group.code, group.path.as_deref())).collect();
        let place_of = |group: usize| {
            let group = &index.groups()[group];
            with_examples.iter().position(|of| *of == (group.rule.code, group.path.as_deref()))
        };
        let places: Vec<Option<usize>> = (0..index.groups().len()).map(place_of).collect();
        let mut first: Vec<Vec<(u64, Entry)>> = vec![Vec::new(); with_examples.len()];
        for (number, entry) in (0..).zip(index.entries(0)) {
            let Some(place) = places[entry.group] else { continue };
            let is_same = |(_, last): &(u64, Entry)| entry.record.is_some() && last.record == entry.record;
            if first[place].len() < EXAMPLES && !first[place].last().is_some_and(is_same) {
                first[place].push((number, entry));
            }
        }
        let mut entries: Vec<(u64, Entry)> = first.iter().flatten().copied().collect();
        entries.order_by_key(|(number, _)| *number);
        let mut examples = BTreeMap::new();
        for (number, _, finding) in read_again(self, index, &entries)? {
            let bytes = finding.location.bytes.clone();
            let excerpt = bytes.map(|bytes| self.excerpt_within(bytes, REACH)).transpose()?;
            examples.insert(number, (finding.to_wire(), excerpt));
        }
        let mut first = first.into_iter();
        let with_examples = groups.into_iter().map(|group| {
            let numbers = first.next().unwrap_or_default();
            let examples = numbers.iter().filter_map(|(number, _)| examples.remove(number)).collect();
            ExampleGroup { group, examples }
        });
        Ok(with_examples.collect())
    }
}
