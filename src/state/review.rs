//! The fixes of a file by kind, and the kinds that the user has selected.

use std::collections::BTreeSet;

use evalcheck_wire::findings::FixGroup;
use evalcheck_wire::fix::{FixChoice, Selection};
use evalcheck_wire::report::{Applicability, Counts, Fix};
use evalcheck_wire::view::Piece;
use evalcheck_wire::worker::RequestId;

/// The number of kinds that are shown at first, and added each time.
const PAGE: u32 = 20;

/// The kinds of fixes, and the user's selection.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Review {
    /// All kinds, once they are loaded.
    pub(crate) groups: Option<Vec<FixGroup>>,
    /// The number of kinds whose examples were requested.
    requested: u32,
    /// The number of kinds to show in addition to the first ones.
    more: u32,
    /// The request without an answer.
    request: Option<RequestId>,
    /// The kinds whose default selection the user has changed.
    changed: BTreeSet<usize>,
}

impl Review {
    /// The number of shown kinds.
    pub(crate) fn shown(&self) -> usize {
        let most = (PAGE + self.more) as usize;
        self.groups.as_ref().map_or(0, |groups| groups.len().min(most))
    }

    /// Shows more kinds.
    pub(crate) fn show_more(&mut self) {
        self.more += PAGE;
    }

    /// The first kind without examples, and the number of kinds to request, unless a request has no answer. `request` is the id of the new
    /// request.
    pub(crate) fn next_request(&mut self, request: RequestId) -> Option<(u32, u32)> {
        let wanted = PAGE + self.more;
        let is_known = |groups: &Vec<FixGroup>| groups.len() <= self.requested as usize;
        if self.request.is_some() || self.requested >= wanted || self.groups.as_ref().is_some_and(is_known) {
            return None;
        }
        let from = std::mem::replace(&mut self.requested, wanted);
        self.request = Some(request);
        Some((from, wanted - from))
    }

    /// Stores the answer to the last request; other answers are stale.
    pub(crate) fn store(&mut self, request: RequestId, groups: Vec<FixGroup>) {
        if self.request.take_if(|open| *open == request).is_none() {
            return;
        }
        let mut before = self.groups.take().unwrap_or_default().into_iter();
        let merged = groups.into_iter().map(|group| {
            let old = before.next().map(|old| old.examples).unwrap_or_default();
            let examples = if group.examples.is_empty() { old } else { group.examples };
            FixGroup { examples, ..group }
        });
        self.groups = Some(merged.collect());
    }

    /// Handles a failed request. Returns true if it was the last one.
    pub(crate) fn fail(&mut self, request: RequestId) -> bool {
        let is_open = self.request.take_if(|open| *open == request).is_some();
        if is_open {
            self.groups.get_or_insert_default();
        }
        is_open
    }

    /// Returns true while a request has no answer.
    pub(crate) fn is_waiting(&self) -> bool {
        self.request.is_some()
    }

    /// Whether the fixes of a kind will be applied: by default, if they are safe.
    pub(crate) fn is_applied(&self, kind: usize) -> bool {
        let group = self.groups.as_ref().and_then(|groups| groups.get(kind));
        group.is_some_and(|group| is_safe(group) != self.changed.contains(&kind))
    }

    /// Changes whether the fixes of a kind will be applied.
    pub(crate) fn toggle(&mut self, kind: usize) {
        if !self.changed.remove(&kind) {
            self.changed.insert(kind);
        }
    }

    /// The fixes to apply. If the user changed a kind, all kinds are listed, because some are only described as the remaining ones.
    pub(crate) fn selection(&self) -> Selection {
        let groups = self.groups.as_deref().filter(|_| !self.changed.is_empty()).unwrap_or_default();
        let choice = |(kind, group): (usize, &FixGroup)| FixChoice {
            kind: group.kind.clone(),
            is_applied: self.is_applied(kind),
        };
        Selection { choices: groups.iter().enumerate().map(choice).collect(), ..Selection::default() }
    }

    /// The number of fixes to apply, in a file with these counts.
    pub(crate) fn count(&self, counts: &Counts) -> u64 {
        let groups = self.groups.as_deref().unwrap_or_default();
        let changed = |is_wanted: bool| -> u64 {
            let of_kind = |kind: &&usize| groups.get(**kind).is_some_and(|group| is_safe(group) != is_wanted);
            self.changed.iter().filter(of_kind).map(|kind| groups[*kind].findings).sum()
        };
        (Selection::default().count(counts) + changed(true)).saturating_sub(changed(false))
    }
}

fn is_safe(group: &FixGroup) -> bool {
    group.kind.applicability == Applicability::Safe
}

/// The diff of the fix of the shown finding.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ShownFix {
    /// The fix.
    pub(crate) fix: Fix,
    /// Its changes.
    pub(crate) diff: DiffState,
}

/// The diff of a fix.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DiffState {
    /// They were requested.
    Requested(RequestId),
    /// They are loaded.
    Loaded(Vec<Piece>),
    /// They cannot be loaded.
    Failed,
}

#[cfg(test)]
mod tests {
    use evalcheck_wire::findings::FixExample;
    use evalcheck_wire::fix::FixKind;

    use super::*;

    fn group(code: &str, applicability: Applicability, findings: u64, has_example: bool) -> FixGroup {
        let example = FixExample { line: Some(1), record: None, title: String::new(), diff: Vec::new() };
        FixGroup {
            kind: FixKind { code: code.to_owned(), path: None, applicability },
            title: None,
            summary: String::new(),
            findings,
            records: findings,
            examples: has_example.then_some(example).into_iter().collect(),
        }
    }

    #[test]
    fn safe_fixes_are_applied_and_others_when_the_user_says_so() {
        let mut counts = Counts::default();
        counts.safe_fixes.insert("a".to_owned(), 7);
        counts.safe_fixes.insert("b".to_owned(), 5);
        counts.unsafe_fixes.insert("a".to_owned(), 3);
        let mut review = Review::default();
        assert_eq!(review.next_request(1), Some((0, PAGE)));
        review.store(
            1,
            vec![
                group("a", Applicability::Safe, 7, true),
                group("b", Applicability::Safe, 5, true),
                group("a", Applicability::Unsafe, 3, true),
            ],
        );
        assert_eq!((review.count(&counts), review.selection()), (12, Selection::default()));
        review.toggle(1);
        review.toggle(2);
        assert_eq!(review.count(&counts), 10);
        let applied: Vec<bool> = review.selection().choices.iter().map(|choice| choice.is_applied).collect();
        assert_eq!(applied, [true, false, true]);
        review.toggle(1);
        review.toggle(2);
        assert_eq!(review.selection(), Selection::default());
    }

    #[test]
    fn examples_are_requested_when_they_are_shown() {
        let mut review = Review::default();
        review.next_request(1);
        assert_eq!(review.next_request(2), None, "a request is open");
        let groups = |with: std::ops::Range<u32>| {
            (0..50).map(|at| group("a", Applicability::Safe, 1, with.contains(&at))).collect::<Vec<_>>()
        };
        review.store(1, groups(0..20));
        assert_eq!((review.shown(), review.next_request(2)), (20, None));
        review.show_more();
        assert_eq!((review.shown(), review.next_request(2)), (40, Some((20, 20))));
        review.store(1, groups(0..0));
        assert!(review.is_waiting(), "a stale answer");
        review.store(2, groups(20..40));
        let with_examples = |group: &&FixGroup| !group.examples.is_empty();
        assert_eq!(review.groups.iter().flatten().filter(with_examples).count(), 40);
        review.show_more();
        assert_eq!(review.next_request(3), Some((40, 20)));
        assert!(review.fail(3) && !review.fail(3));
        assert_eq!(review.next_request(4), None);
    }
}
