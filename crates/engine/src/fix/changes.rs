//! The changes of a dataset since it was opened, in any number of rounds, each with its bytes in the dataset before and after.

use std::io;
use std::iter::Peekable;
use std::ops::Range;

use evalcheck_report::Applicability;
use evalcheck_wire::fix::{EditPlan, PlannedEdit, Store};

/// A part of the dataset that was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedRange {
    /// Its bytes in the dataset as it was opened.
    pub old: Range<u64>,
    /// Its bytes in the dataset as it is.
    pub new: Range<u64>,
    /// Whether a fix that is not safe is part of it.
    pub is_unsafe: bool,
}

/// The changes of a dataset, in the order of its bytes. None touches another.
///
/// ```
/// # use evalcheck_engine::fix::{Changes, EditPlan};
/// # use evalcheck_report::{Edit, Fix};
/// let plan = |start, end, text: &str| {
///     let mut plan = EditPlan::default();
///     plan.add(&Fix::safe("", vec![Edit { start, end, text: text.to_owned() }]));
///     plan
/// };
/// // "abcdef" becomes "abXYZdef", then "aYZdef".
/// let first = Changes::default().then(&mut plan(2, 3, "XYZ"))?;
/// let second = first.then(&mut plan(1, 3, ""))?;
/// let [change] = second.all() else { panic!() };
/// assert_eq!((change.old.clone(), change.new.clone()), (1..3, 1..3));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes(Vec<ChangedRange>);

impl Changes {
    /// The changes.
    pub fn all(&self) -> &[ChangedRange] {
        &self.0
    }

    /// These changes, followed by the edits of a plan that does not convert the file.
    ///
    /// # Errors
    /// Those of reading the edits.
    pub fn then(&self, plan: &mut EditPlan<impl Store>) -> io::Result<Self> {
        let edits = plan.edits()?.collect::<io::Result<Vec<_>>>()?;
        let (mut changes, mut edits) = (self.0.iter().peekable(), edits.into_iter().peekable());
        let mut merged = Vec::new();
        // The shifts of a byte between two changes to its offsets in the dataset as it was opened, and as it becomes.
        let (mut to_old, mut to_new) = (0_i64, 0_i64);
        while let Some(start) = first(&mut changes, &mut edits) {
            let mut change =
                ChangedRange { old: moved(start, to_old)..0, new: moved(start, to_new)..0, is_unsafe: false };
            let mut end = start;
            loop {
                if let Some(before) = changes.next_if(|before| before.new.start <= end) {
                    end = end.max(before.new.end);
                    to_old += length(&before.old) - length(&before.new);
                    change.is_unsafe |= before.is_unsafe;
                } else if let Some(edit) = edits.next_if(|edit| edit.start <= end) {
                    end = end.max(edit.end);
                    to_new += length(&(0..edit.text.len() as u64)) - length(&(edit.start..edit.end));
                    change.is_unsafe |= edit.applicability == Applicability::Unsafe;
                } else {
                    break;
                }
            }
            (change.old.end, change.new.end) = (moved(end, to_old), moved(end, to_new));
            merged.push(change);
        }
        Ok(Self(merged))
    }

    /// The changes without those that are taken back, whose bytes are the old ones again.
    #[must_use]
    pub fn without(&self, taken_back: Range<usize>) -> Self {
        let mut shift = 0;
        let mut left = Vec::with_capacity(self.0.len());
        for (index, change) in self.0.iter().enumerate() {
            if taken_back.contains(&index) {
                shift += length(&change.old) - length(&change.new);
            } else {
                let new = moved(change.new.start, shift)..moved(change.new.end, shift);
                left.push(ChangedRange { new, ..change.clone() });
            }
        }
        Self(left)
    }
}

/// The offset of the next change or edit.
fn first<'c>(
    changes: &mut Peekable<impl Iterator<Item = &'c ChangedRange>>,
    edits: &mut Peekable<impl Iterator<Item = PlannedEdit>>,
) -> Option<u64> {
    let change = changes.peek().map(|change| change.new.start);
    let edit = edits.peek().map(|edit| edit.start);
    change.into_iter().chain(edit).min()
}

fn length(range: &Range<u64>) -> i64 {
    i64::try_from(range.end - range.start).unwrap_or(i64::MAX)
}

fn moved(offset: u64, by: i64) -> u64 {
    offset.saturating_add_signed(by)
}

#[cfg(test)]
mod tests {
    use evalcheck_report::{Edit, Fix};

    use super::*;

    /// A generator of numbers that are the same in every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(self.0 >> 33).unwrap() % limit
        }

        fn plan(&mut self, size: usize) -> EditPlan {
            let mut plan = EditPlan::default();
            for _ in 0..self.below(6) {
                let start = self.below(size + 1);
                let end = (start + self.below(4)).min(size);
                let text = ["", "x", "yz", "long text"][self.below(4)].to_owned();
                let edits = vec![Edit { start: start as u64, end: end as u64, text }];
                let is_safe = self.below(3) > 0;
                plan.add(&Fix {
                    applicability: if is_safe { Applicability::Safe } else { Applicability::Unsafe },
                    ..Fix::safe("", edits)
                });
            }
            plan
        }
    }

    fn bytes(range: &Range<u64>) -> Range<usize> {
        usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()
    }

    /// The old dataset, made of the new one by taking back these changes.
    fn taken_back(old: &[u8], new: &[u8], changes: &[ChangedRange]) -> Vec<u8> {
        let mut made = new.to_vec();
        for change in changes.iter().rev() {
            made.splice(bytes(&change.new), old[bytes(&change.old)].iter().copied());
        }
        made
    }

    #[test]
    fn what_is_not_changed_is_the_same_in_both() {
        let mut random = Random(1);
        for _ in 0..2_000 {
            let old: Vec<u8> =
                (0..random.below(40)).map(|at| b'a' + u8::try_from(at % 26).unwrap()).collect();
            let (mut new, mut changes) = (old.clone(), Changes::default());
            for _ in 0..random.below(5) {
                let mut plan = random.plan(new.len());
                changes = changes.then(&mut plan).unwrap();
                new = plan.apply(&new);
                assert_eq!(taken_back(&old, &new, changes.all()), old);
                for pair in changes.all().windows(2) {
                    assert!(pair[0].new.end < pair[1].new.start && pair[0].old.end < pair[1].old.start);
                }
                if !changes.all().is_empty() {
                    let from = random.below(changes.all().len());
                    let to = from + random.below(changes.all().len() - from) + 1;
                    new = taken_back(&old, &new, &changes.all()[from..to]);
                    changes = changes.without(from..to);
                    assert_eq!(taken_back(&old, &new, changes.all()), old);
                }
            }
        }
    }

    #[test]
    fn a_change_is_unsafe_when_an_edit_of_it_is() {
        let plan = |start, end, applicability| {
            let mut plan = EditPlan::default();
            let edits = vec![Edit { start, end, text: "x".to_owned() }];
            plan.add(&Fix { applicability, ..Fix::safe("", edits) });
            plan
        };
        let first = Changes::default().then(&mut plan(1, 2, Applicability::Unsafe)).unwrap();
        let second = first.then(&mut plan(5, 6, Applicability::Safe)).unwrap();
        assert_eq!(second.all().iter().map(|change| change.is_unsafe).collect::<Vec<_>>(), [true, false]);
        let third = second.then(&mut plan(1, 2, Applicability::Safe)).unwrap();
        assert!(third.all()[0].is_unsafe);
    }
}
