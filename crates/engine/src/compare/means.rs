//! The means of a number by groups, in both versions: scores by model.

use evalcheck_formats::fields::FactKind;
use evalcheck_report::Counts;
use evalcheck_report::overview::{Distribution, Fact, Groups, Histogram, Number};
use evalcheck_wire::compare::{ComparedMean, ComparedMeans, Mean};

use crate::check::Check;
use crate::overview::Overview;

/// The maximum number of groups that are listed.
const MOST_GROUPS: usize = 10;

/// Counts the records of a check by groups, if its format has such numbers. To be called before bytes are read.
pub(super) fn observe(check: &mut Check) {
    let mut facts = check.dataset().format.facts();
    if facts.any(|fact| fact.kind == FactKind::Numbers && fact.by.is_some()) {
        check.observe(Overview::new(check.dataset()));
    }
}

/// The numbers of a check that has read all records; `None` if it did not count them.
pub(super) fn take(check: &mut Check) -> Option<Fact> {
    let overview = check.take_observer::<Overview>()?.to_wire(&Counts::default());
    let is_grouped =
        |fact: &Fact| fact.by.is_some() && matches!(fact.distribution, Distribution::Histogram(_));
    overview.facts.into_iter().find(is_grouped)
}

/// The means of the numbers of both versions, the groups with most numbers of the newer one first.
pub(super) fn compared([old, new]: [Option<Fact>; 2]) -> Option<ComparedMeans> {
    let Fact { title, by: Some(new), .. } = new? else { return None };
    let old = old?.by?;
    let is_old_only = |value: &&str| mean(&new, value).is_none();
    let values: Vec<&str> = values(&new).chain(values(&old).filter(is_old_only)).collect();
    let listed = values.iter().take(MOST_GROUPS);
    let group = |value: &&str| ComparedMean {
        value: (*value).to_owned(),
        old: mean(&old, value),
        new: mean(&new, value),
    };
    Some(ComparedMeans {
        heading: format!("{title} by {}", new.path),
        groups: listed.map(group).collect(),
        others: values.len().saturating_sub(MOST_GROUPS) as u64,
    })
}

fn values(groups: &Groups) -> impl Iterator<Item = &str> {
    groups.groups.iter().map(|group| group.value.as_str())
}

fn mean(groups: &Groups, value: &str) -> Option<Mean> {
    let group = groups.groups.iter().find(|group| group.value == value)?;
    let Distribution::Histogram(histogram) = &group.distribution else { return None };
    let Histogram { count, .. } = *histogram;
    Some(Mean { count, mean: Number::new(histogram.mean()) })
}
