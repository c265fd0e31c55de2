//! The loaded findings of a check.

use std::ops::RangeInclusive;
use std::rc::Rc;

use evalcheck_wire::findings::FindingSummary;
use evalcheck_wire::report::Finding;
use evalcheck_wire::worker::RequestId;
use yew::html::ImplicitClone;

use super::page_cache::{FindingCache, Lookup, PAGE};

/// The findings of a check.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Findings {
    /// The first findings, while the check runs or if it ended without a report.
    Early(Rc<Vec<Finding>>),
    /// The findings that match the filter. The worker sends the visible ones.
    Listed(Rc<FindingCache>),
}

impl Default for Findings {
    fn default() -> Self {
        Self::Early(Rc::default())
    }
}

impl ImplicitClone for Findings {}

impl Findings {
    /// Findings that the worker will send: their number, as far as known, and the visible ones.
    pub(crate) fn listed(total: u64, shown: Option<RangeInclusive<u64>>) -> Self {
        let mut cache = FindingCache::new(total);
        // The first answer contains their number.
        cache.show_in_list(shown.unwrap_or(1..=u64::from(PAGE)));
        Self::Listed(Rc::new(cache))
    }

    /// The number of findings, as far as known.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Early(findings) => findings.len() as u64,
            Self::Listed(cache) => cache.total(),
        }
    }

    /// A finding by its number, from 0.
    pub(crate) fn get(&self, number: u64) -> Lookup<'_, Finding> {
        match self {
            Self::Early(findings) => {
                let index = usize::try_from(number).ok();
                index.and_then(|index| findings.get(index)).map_or(Lookup::Failed, Lookup::Loaded)
            }
            Self::Listed(cache) => cache.get(number.saturating_add(1)),
        }
    }

    /// The cache of the findings that the worker sends.
    pub(crate) fn cache(&mut self) -> Option<&mut FindingCache> {
        match self {
            Self::Early(_) => None,
            Self::Listed(cache) => Some(Rc::make_mut(cache)),
        }
    }
}

/// The groups and the map of all findings that match the filter.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Summary {
    /// Not requested.
    #[default]
    None,
    /// It was requested.
    Requested(RequestId),
    /// It is loaded.
    Loaded(Rc<FindingSummary>),
    /// It cannot be loaded.
    Failed,
}

impl Summary {
    /// The groups and the map, if they are loaded.
    pub(crate) fn loaded(&self) -> Option<&Rc<FindingSummary>> {
        match self {
            Self::Loaded(summary) => Some(summary),
            Self::None | Self::Requested(_) | Self::Failed => None,
        }
    }
}

/// Whether findings are listed by group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grouping {
    /// By rule and path.
    Groups,
    /// One by one.
    Single,
}
