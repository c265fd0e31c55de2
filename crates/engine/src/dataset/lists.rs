//! The lists of a document.

use std::ops::Range;

use evalcheck_core::collector::{Checkpoint, FindingCollector};
use evalcheck_core::rule::Rule;
use evalcheck_records::Event;

use crate::formats::Rules;
use crate::rules::SchemaProblem;

/// The values of the lists of a document. If a list has several, the last counts: errors in a value that a later one replaces do
/// not keep the system from loading the file, unless they are JSON syntax errors.
#[derive(Debug, Default)]
pub(crate) struct ListValues {
    /// In their order.
    values: Vec<ListValue>,
    /// The lists that began, in their order: for each value that is a list, the index of its list and the number of its first record.
    lists: Vec<(usize, u64)>,
    /// The records of values that were replaced, whose errors do not count.
    retracted: Vec<Range<u64>>,
}

/// A value of the key of a list of a document.
#[derive(Debug)]
struct ListValue {
    list: usize,
    /// The counts before it.
    from: Checkpoint,
    /// The counts up to its end; `None` before that.
    to: Option<Checkpoint>,
}

impl ListValues {
    /// The index of the list that began last, among those that began.
    pub(crate) fn last(&self) -> usize {
        self.lists.len().saturating_sub(1)
    }

    /// The lists that began, in their order, and the numbers of their first records.
    pub(crate) fn began(&self) -> &[(usize, u64)] {
        &self.lists
    }

    /// The records whose errors do not count, because a later value replaces theirs.
    pub(crate) fn retracted(&self) -> &[Range<u64>] {
        &self.retracted
    }

    /// Whether a later list replaces the list with this index.
    pub(crate) fn is_replaced(&self, index: usize) -> bool {
        let later = self.lists.get(index + 1..).unwrap_or_default();
        self.lists.get(index).is_some_and(|(list, _)| later.iter().any(|(later, _)| later == list))
    }

    /// Observes an event. When a value is replaced, findings of these rules in it no longer count, nor do those about the shape of values.
    pub(crate) fn observe(&mut self, event: &Event<'_>, rules: &Rules, collector: &mut FindingCollector) {
        match event {
            Event::List { list, record, .. } => self.lists.push((*list, *record)),
            Event::ValueBegins(list) => {
                self.replace(*list, rules, collector);
                self.values.push(ListValue { list: *list, from: collector.checkpoint(), to: None });
            }
            Event::ValueEnds => {
                if let Some(value) = self.values.last_mut().filter(|value| value.to.is_none()) {
                    value.to = Some(collector.checkpoint());
                }
            }
            _ => {}
        }
    }

    /// Retracts the findings in the former value of a list.
    fn replace(&mut self, list: usize, rules: &Rules, collector: &mut FindingCollector) {
        let Some(index) = self.values.iter().position(|value| value.list == list) else { return };
        let ListValue { from, to: Some(to), .. } = self.values.remove(index) else { return };
        let may_be_retracted = |rule: &Rule| SchemaProblem::RULES.contains(rule) || rules.has(rule);
        let errors = collector.errors();
        let removed = collector.retract(&from, &to, may_be_retracted);
        if collector.errors() < errors {
            self.retracted.push(from.records..to.records);
        }
        for later in &mut self.values[index..] {
            later.from.shift(removed);
            if let Some(to) = &mut later.to {
                to.shift(removed);
            }
        }
    }
}
