//! What a format declares to be counted ([`Fact`]).

use std::ops::Range;

use evalcheck_formats::facts::{Fact, FactKind};
use evalcheck_wire::overview::{self, Distribution, Group, Groups};

use super::steps::Steps;
use super::tree::{NodeValues, Tree};
use super::values::Values;

/// Values that facts compare with others of the same record.
#[derive(Debug, Clone)]
pub(super) struct Observed {
    /// The facts that do.
    joints: Vec<Joint>,
    /// The values of the current record: the path, as an index into `paths`, and the bytes in `texts`.
    values: Vec<(usize, Range<usize>)>,
    texts: Vec<u8>,
    /// The paths of the facts.
    paths: Vec<&'static str>,
}

/// A fact whose values are counted by another value of the same record.
#[derive(Debug, Clone)]
struct Joint {
    fact: &'static Fact,
    by: &'static str,
    groups: Values,
    /// The values by the number of their group.
    counts: Vec<Counts>,
}

/// Counted values.
#[derive(Debug, Clone, Default)]
struct Counts {
    values: Values,
    numbers: Steps,
}

impl Counts {
    fn add(&mut self, value: &[u8]) {
        self.values.add(value);
        if let Some(number) = std::str::from_utf8(value).ok().and_then(|text| text.parse::<f64>().ok()) {
            self.numbers.add(number);
        }
    }

    fn merge(&mut self, other: NodeValues<'_>, kind: FactKind) {
        self.values.merge(other.values);
        let numbers = if kind == FactKind::Elements { other.elements } else { other.numbers };
        if let Some(numbers) = numbers {
            self.numbers.merge(numbers);
        }
    }

    /// `None` where nothing was counted.
    fn to_wire(&self, kind: FactKind) -> Option<Distribution> {
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
    pub(super) fn new(facts: &'static [Fact]) -> Self {
        let joint = |fact: &'static Fact| {
            let by = fact.by?;
            Some(Joint { fact, by, groups: Values::default(), counts: Vec::new() })
        };
        let joints: Vec<Joint> = facts.iter().filter_map(joint).collect();
        let paths =
            joints.iter().flat_map(|joint| [joint.by].into_iter().chain(joint.fact.paths.iter().copied()));
        let paths = paths.collect();
        Self { joints, values: Vec::new(), texts: Vec::new(), paths }
    }

    /// True for a path whose values are to be noted.
    pub(super) fn is_observed(&self, path: &str) -> bool {
        self.paths.contains(&path)
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
        let (values, texts, paths) = (&self.values, &self.texts, &self.paths);
        let at = move |path: &'static str| {
            let values = values.iter().filter(move |(of, _)| paths[*of] == path);
            values.map(|(_, range)| &texts[range.clone()])
        };
        for joint in &mut self.joints {
            let mut groups = at(joint.by);
            let (Some(group), None) = (groups.next(), groups.next()) else { continue };
            let mut measured = joint.fact.paths.iter().flat_map(|path| at(path)).peekable();
            if measured.peek().is_none() {
                continue;
            }
            let Some(group) = joint.groups.add(group) else { continue };
            if joint.counts.len() <= group {
                joint.counts.resize_with(group + 1, Counts::default);
            }
            measured.for_each(|value| joint.counts[group].add(value));
        }
        self.values.clear();
        self.texts.clear();
    }

    /// Counts the values of another part.
    pub(super) fn merge(&mut self, other: &Self) {
        for (joint, others) in self.joints.iter_mut().zip(&other.joints) {
            for ((group, records), counts) in others.groups.kept().zip(&others.counts) {
                let Some(at) = joint.groups.add_many(group.as_bytes(), records) else { continue };
                if joint.counts.len() <= at {
                    joint.counts.resize_with(at + 1, Counts::default);
                }
                let Counts { values, numbers } = counts;
                let others = NodeValues { values, numbers: Some(numbers), elements: None };
                joint.counts[at].merge(others, FactKind::Numbers);
            }
        }
    }

    /// The groups of a fact, the most frequent first.
    fn groups(&self, fact: &Fact) -> Option<Groups> {
        let joint = self.joints.iter().find(|joint| std::ptr::eq(joint.fact, fact))?;
        let mut all: Vec<_> = joint.groups.kept().zip(&joint.counts).collect();
        all.sort_by_key(|((_, records), _)| std::cmp::Reverse(*records));
        let group = |((value, _), counts): ((String, u64), &Counts)| {
            Some(Group { value, distribution: counts.to_wire(fact.kind)? })
        };
        let groups: Vec<Group> = all.into_iter().filter_map(group).collect();
        (!groups.is_empty()).then(|| Groups { path: joint.by.to_owned(), groups })
    }
}

/// The facts of a format that its records have.
pub(super) fn to_wire(facts: &[Fact], tree: &Tree) -> Vec<overview::Fact> {
    let wire = |fact: &Fact| {
        let mut counts = Counts::default();
        for counted in fact.paths.iter().filter_map(|path| tree.values_at(path)) {
            counts.merge(counted, fact.kind);
        }
        Some(overview::Fact {
            name: fact.name.to_owned(),
            title: fact.title.to_owned(),
            paths: fact.paths.iter().map(|path| (*path).to_owned()).collect(),
            distribution: counts.to_wire(fact.kind)?,
            by: tree.observed().groups(fact),
        })
    };
    facts.iter().filter_map(wire).collect()
}
