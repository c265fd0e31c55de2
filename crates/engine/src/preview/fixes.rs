//! The kinds of fixes that a dataset has, with examples.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek};

use evalcheck_core::finding_index::{Entry, FindingIndex, Group};
use evalcheck_core::order::Order;
use evalcheck_report::{Applicability, Fix};
use evalcheck_wire::findings::{EXAMPLES, FixExample, FixGroup};
use evalcheck_wire::fix::FixKind;

use super::View;
use super::findings::read_again;

/// The maximum number of kinds that have examples at once.
const MOST: u32 = 50;

impl<R: Read + Seek> View<'_, R> {
    /// All kinds of fixes, the safe ones before the others, and of these those with most findings first. Those `from..from + count` (from 0, at
    /// most 50) have examples. Empty if the check has no index of its findings ([`crate::check::Check::index_findings`]).
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn fixes(&mut self, from: u32, count: u32) -> io::Result<Vec<FixGroup>> {
        let Some(index) = self.reader.visitor().dataset.collector.index() else { return Ok(Vec::new()) };
        let kinds = kinds(index);
        let with_examples = kinds.iter().skip(from as usize).take(count.min(MOST) as usize);
        // In the order of the dataset, in which an archive can be read.
        let mut entries: Vec<(u64, Entry)> =
            with_examples.flat_map(|kind| kind.first.iter().copied()).collect();
        entries.order_by_key(|(number, _)| *number);
        let mut examples = self.examples(index, &entries)?;
        let group = |kind: Kind| {
            let Group { rule, path, safe_title, unsafe_title, .. } = &index.groups()[kind.group];
            let title = if kind.applicability == Applicability::Safe { safe_title } else { unsafe_title };
            FixGroup {
                title: title.text().map(str::to_owned),
                summary: rule.summary.to_owned(),
                findings: kind.findings,
                records: kind.records,
                examples: kind.first.iter().filter_map(|(number, _)| examples.remove(number)).collect(),
                kind: FixKind {
                    code: rule.code.to_owned(),
                    path: path.clone(),
                    applicability: kind.applicability,
                },
            }
        };
        Ok(kinds.into_iter().map(group).collect())
    }

    /// The fixes of some findings, by the numbers of the findings.
    fn examples(
        &mut self,
        index: &FindingIndex,
        entries: &[(u64, Entry)],
    ) -> io::Result<BTreeMap<u64, FixExample>> {
        let mut examples = BTreeMap::new();
        for (number, entry, finding) in read_again(self, index, entries)? {
            let Some(fix) = finding.fix else { continue };
            let diff = self.fix_diff(&fix)?;
            let Fix { title, .. } = *fix;
            examples.insert(number, FixExample { line: entry.line, record: entry.record, title, diff });
        }
        Ok(examples)
    }
}

/// The fixes of a group that are all safe or all unsafe.
struct Kind {
    group: usize,
    applicability: Applicability,
    findings: u64,
    records: u64,
    last_record: Option<u64>,
    /// The first findings, with their numbers.
    first: Vec<(u64, Entry)>,
}

fn kinds(index: &FindingIndex) -> Vec<Kind> {
    let mut kinds: BTreeMap<(bool, usize), Kind> = BTreeMap::new();
    for (number, entry) in (0..).zip(index.entries(0)) {
        let Some(applicability) = entry.fix else { continue };
        let kind =
            kinds.entry((applicability == Applicability::Unsafe, entry.group)).or_insert_with(|| Kind {
                group: entry.group,
                applicability,
                findings: 0,
                records: 0,
                last_record: None,
                first: Vec::new(),
            });
        kind.findings += 1;
        let is_other_record = entry.record.is_none() || kind.last_record != entry.record;
        kind.records += u64::from(entry.record.is_some() && is_other_record);
        kind.last_record = entry.record;
        if is_other_record && kind.first.len() < EXAMPLES {
            kind.first.push((number, entry));
        }
    }
    let mut kinds: Vec<Kind> = kinds.into_values().collect();
    kinds
        .order_by_key(|kind| (kind.applicability == Applicability::Unsafe, std::cmp::Reverse(kind.findings)));
    kinds
}
