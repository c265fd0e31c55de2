//! Facts that a format declares to be counted ([`Fact`]).

use evalcheck_formats::fields::{Fact, FactKind};
use evalcheck_report::overview;

use super::observed::Counts;
use super::tree::Tree;

/// The facts of a format that its records have.
pub(super) fn to_wire(tree: &Tree) -> Vec<overview::Fact> {
    let wire = |fact: &Fact| {
        let mut counts = Counts::default();
        for counted in fact.paths.iter().filter_map(|path| tree.at(path)) {
            counts.values.merge(&counted.values, |_, _| {});
            let elements = fact.kind == FactKind::Elements;
            let numbers = if elements { &counted.elements } else { &counted.numbers };
            if let Some(numbers) = numbers {
                counts.numbers.merge(numbers);
            }
        }
        Some(overview::Fact {
            name: fact.name.to_owned(),
            title: fact.title.to_owned(),
            paths: fact.paths.clone(),
            distribution: counts.to_wire(fact.kind)?,
            by: tree.observed().groups(fact),
        })
    };
    tree.observed().all.iter().filter_map(wire).collect()
}
