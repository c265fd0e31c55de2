//! Numbers counted by their steps ([`evalcheck_report::overview::bucket`]).

use borsh::{BorshDeserialize, BorshSerialize};
use evalcheck_report::overview::{Bucket, Histogram, Number, bucket};

use super::sum::Sum;

/// Counted numbers.
#[derive(Debug, Clone, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Steps {
    /// The steps that numbers are in, in their order.
    filled: Vec<Step>,
    /// The step of the last number.
    #[borsh(skip)]
    last: usize,
    sum: Sum,
}

/// The numbers in a step.
#[derive(Debug, Clone, BorshSerialize, BorshDeserialize)]
struct Step {
    index: i32,
    count: u64,
    /// Of equal ones, such as 0 and -0, the first.
    min: f64,
    max: f64,
}

impl Step {
    /// Adds numbers of the same step.
    #[inline]
    fn add(&mut self, count: u64, min: f64, max: f64) {
        self.count += count;
        if min < self.min {
            self.min = min;
        }
        if max > self.max {
            self.max = max;
        }
    }
}

impl Steps {
    /// Counts a number, which is not NaN.
    #[inline]
    pub(super) fn add(&mut self, number: f64) {
        self.sum.add(number);
        self.count(&Step { index: bucket(number), count: 1, min: number, max: number });
    }

    #[inline]
    fn count(&mut self, other: &Step) {
        if self.filled.get(self.last).is_none_or(|last| last.index != other.index) {
            match self.filled.binary_search_by_key(&other.index, |step| step.index) {
                Ok(at) => self.last = at,
                Err(at) => {
                    self.last = at;
                    return self.filled.insert(at, other.clone());
                }
            }
        }
        self.filled[self.last].add(other.count, other.min, other.max);
    }

    /// Counts a whole number.
    #[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^53")]
    #[inline]
    pub(super) fn add_whole(&mut self, number: u64) {
        self.add(number as f64);
    }

    /// Counts other numbers.
    pub(super) fn merge(&mut self, other: &Self) {
        self.sum.merge(&other.sum);
        other.filled.iter().for_each(|step| self.count(step));
    }

    /// The histogram; `None` without a number.
    pub(super) fn to_wire(&self) -> Option<Histogram> {
        let steps = self.filled.iter().map(|step| Bucket {
            index: step.index,
            from: Number::new(step.min),
            to: Number::new(step.max),
            count: step.count,
        });
        Histogram::new(steps.collect(), self.sum.value())
    }
}
