//! The lists of a document.

use std::ops::Range;
use std::rc::Rc;

use evalcheck_core::collector::{Checkpoint, FindingCollector};
use evalcheck_core::rule::Rule;
use evalcheck_records::Event;

use crate::formats::Rules;
use crate::rules::SchemaProblem;

/// The maximum number of lists and values that are remembered: the keys of a document may be data.
const MOST: usize = 256;

/// The values of the lists of a document. If a key has several, the last counts: errors in a value that a later one replaces do
/// not keep the system from loading the file, unless they are JSON syntax errors.
#[derive(Debug, Default)]
pub(crate) struct ListValues {
    /// In their order.
    values: Vec<ListValue>,
    /// The first lists that began, in their order.
    lists: Vec<BegunList>,
    /// The records of values that were replaced, whose errors do not count.
    retracted: Vec<Range<u64>>,
}

/// A list that began.
#[derive(Debug)]
pub(crate) struct BegunList {
    /// Its key in the document, if it has one.
    pub(crate) key: Option<Rc<str>>,
    /// The number of its first record.
    pub(crate) first: u64,
}

/// A value of the key of a list of a document.
#[derive(Debug)]
struct ListValue {
    key: Rc<str>,
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

    /// The first lists that began, in their order.
    pub(crate) fn began(&self) -> &[BegunList] {
        &self.lists
    }

    /// The records whose errors do not count, because a later value replaces theirs.
    pub(crate) fn retracted(&self) -> &[Range<u64>] {
        &self.retracted
    }

    /// Whether a later list replaces the list with this index.
    pub(crate) fn is_replaced(&self, index: usize) -> bool {
        let later = self.lists.get(index + 1..).unwrap_or_default();
        let key = self.lists.get(index).and_then(|list| list.key.as_ref());
        key.is_some() && later.iter().any(|later| later.key.as_ref() == key)
    }

    /// Observes an event. When a value is replaced, findings of these rules in it no longer count, nor do those about the shape of values.
    pub(crate) fn observe(&mut self, event: &Event<'_>, rules: &Rules, collector: &mut FindingCollector) {
        match event {
            Event::List { key, record, .. } if self.lists.len() < MOST => {
                self.lists.push(BegunList { key: key.map(Rc::clone), first: *record });
            }
            Event::ValueBegins(key) => {
                self.replace(key, rules, collector);
                if self.values.len() < MOST {
                    let key = Rc::clone(key);
                    self.values.push(ListValue { key, from: collector.checkpoint(), to: None });
                }
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
    fn replace(&mut self, key: &str, rules: &Rules, collector: &mut FindingCollector) {
        let Some(index) = self.values.iter().position(|value| *value.key == *key) else { return };
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
