//! Values that the facts of a format ([`Fact`]) compare with others of the same record.

use std::ops::Range;

use borsh::{BorshDeserialize, BorshSerialize};
use evalcheck_core::order::Order;
use evalcheck_formats::fields::{Fact, FactKind};
use evalcheck_report::overview::{Distribution, Group, Groups};

use super::steps::Steps;
use super::values::Values;

/// Values that facts compare with others of the same record.
#[derive(Debug, Clone, BorshSerialize, BorshDeserialize)]
pub(super) struct Observed {
    /// The facts of the format.
    #[borsh(skip)]
    pub(super) all: Vec<Fact>,
    /// The counts of each fact that compares values.
    joints: Vec<Joint>,
    /// The values of the current record: the path, as an index into `paths`, and the bytes in `texts`.
    #[borsh(skip)]
    values: Vec<(usize, Range<usize>)>,
    #[borsh(skip)]
    texts: Vec<u8>,
    /// The paths of the facts.
    #[borsh(skip)]
    paths: Vec<String>,
}

/// The values of a fact that are counted by another value of the same record.
#[derive(Debug, Clone, Default, BorshSerialize, BorshDeserialize)]
struct Joint {
    groups: Values,
    /// The values by the number of their group.
    counts: Vec<Counts>,
}

/// Counted values.
#[derive(Debug, Clone, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Counts {
    pub(super) values: Values,
    pub(super) numbers: Steps,
}

impl Counts {
    fn add(&mut self, value: &[u8]) {
        self.values.add(value);
        if let Some(number) = std::str::from_utf8(value).ok().and_then(|text| text.parse::<f64>().ok()) {
            self.numbers.add(number);
        }
    }

    /// `None` if nothing was counted.
    pub(super) fn to_wire(&self, kind: FactKind) -> Option<Distribution> {
        match kind {
            FactKind::Values => {
                let values = self.values.to_wire();
                (values.total() > 0).then_some(Distribution::Categories(values))
            }
            FactKind::Elements | FactKind::Numbers => self.numbers.to_wire().map(Distribution::Histogram),
        }
    }
}

impl Observed {
    /// For the facts of a format.
    pub(super) fn new(all: Vec<Fact>) -> Self {
        let joints = joined(&all).map(|_| Joint::default()).collect();
        let paths = joined(&all).flat_map(|(fact, by)| fact.paths.iter().cloned().chain([by.to_owned()]));
        let paths = paths.collect();
        Self { all, joints, values: Vec::new(), texts: Vec::new(), paths }
    }

    /// Whether the values at a path are to be noted.
    pub(super) fn is_observed(&self, path: &str) -> bool {
        self.paths.iter().any(|of| of == path)
    }

    /// Whether a fact counts values at a path or below it.
    pub(super) fn is_of_fact(&self, path: &str) -> bool {
        let mut paths = self.all.iter().flat_map(|fact| fact.paths.iter().map(String::as_str).chain(fact.by));
        paths.any(|of| of.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
    }

    /// Notes a value of the current record.
    pub(super) fn note(&mut self, path: &str, value: &[u8]) {
        let Some(path) = self.paths.iter().position(|known| *known == path) else { return };
        let start = self.texts.len();
        self.texts.extend_from_slice(value);
        self.values.push((path, start..self.texts.len()));
    }

    /// Counts the values of the current record.
    #[inline]
    pub(super) fn end_record(&mut self) {
        if !self.values.is_empty() {
            self.count_record();
        }
    }

    fn count_record(&mut self) {
        let (texts, paths) = (&self.texts, &self.paths);
        let noted = self.values.iter().map(|(path, range)| (&paths[*path], &texts[range.clone()]));
        for ((fact, by), joint) in joined(&self.all).zip(&mut self.joints) {
            let mut groups = noted.clone().filter(|(path, _)| *path == by);
            let (Some((_, group)), None) = (groups.next(), groups.next()) else { continue };
            let mut measured = noted.clone().filter(|(path, _)| fact.paths.contains(path)).peekable();
            if measured.peek().is_none() {
                continue;
            }
            let Some(group) = joint.groups.add(group) else { continue };
            let counts = counts_of(&mut joint.counts, group);
            measured.for_each(|(_, value)| counts.add(value));
        }
        self.values.clear();
        self.texts.clear();
    }

    /// Counts the values of the records that follow.
    pub(super) fn merge(&mut self, next: &Self) {
        for (joint, next) in self.joints.iter_mut().zip(&next.joints) {
            let Joint { groups, counts, .. } = joint;
            groups.merge(&next.groups, |group, own| {
                let Some(next) = next.counts.get(group) else { return };
                let counts = counts_of(counts, own);
                counts.values.merge(&next.values, |_, _| {});
                counts.numbers.merge(&next.numbers);
            });
        }
    }

    /// The groups of a fact, the most frequent first.
    pub(super) fn groups(&self, fact: &Fact) -> Option<Groups> {
        let mut all = joined(&self.all).zip(&self.joints);
        let ((_, by), joint) = all.find(|((of, _), _)| std::ptr::eq(*of, fact))?;
        let mut all: Vec<_> = joint.groups.kept().zip(&joint.counts).collect();
        all.order_by_key(|((_, records), _)| std::cmp::Reverse(*records));
        let group = |((value, _), counts): ((String, u64), &Counts)| {
            Some(Group { value, distribution: counts.to_wire(fact.kind)? })
        };
        let groups: Vec<Group> = all.into_iter().filter_map(group).collect();
        (!groups.is_empty()).then(|| Groups { path: by.to_owned(), groups })
    }
}

/// The facts that compare values, with the path of the value by which they are counted.
fn joined(facts: &[Fact]) -> impl Iterator<Item = (&Fact, &'static str)> {
    facts.iter().filter_map(|fact| Some((fact, fact.by?)))
}

/// The counts of a group.
fn counts_of(counts: &mut Vec<Counts>, group: usize) -> &mut Counts {
    if counts.len() <= group {
        counts.resize_with(group + 1, Counts::default);
    }
    &mut counts[group]
}
