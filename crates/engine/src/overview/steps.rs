//! Numbers counted by their steps ([`evalcheck_wire::overview::bucket`]).

use borsh::{BorshDeserialize, BorshSerialize};
use evalcheck_wire::overview::{Histogram, bucket};

use super::sum::Sum;

/// A sum of 2^64 numbers below it is finite.
const NEAR_LARGEST: f64 = 1e280;

/// Counted numbers.
#[derive(Debug, Clone, BorshSerialize, BorshDeserialize)]
pub(super) struct Steps {
    zeros: u64,
    /// By step, from 1 on.
    above: Vec<u64>,
    /// Numbers below 0, likewise.
    below: Vec<u64>,
    /// Of equal ones, such as 0 and -0, the first.
    min: f64,
    max: f64,
    sum: Sum,
}

impl Default for Steps {
    /// No numbers.
    fn default() -> Self {
        let (min, max) = (f64::INFINITY, f64::NEG_INFINITY);
        Self { zeros: 0, above: Vec::new(), below: Vec::new(), min, max, sum: Sum::default() }
    }
}

impl Steps {
    /// Counts a number, which is not NaN.
    #[inline]
    pub(super) fn add(&mut self, number: f64) {
        self.sum.add(number);
        self.widen(number, number);
        let index = bucket(number);
        if index == 0 {
            self.zeros += 1;
            return;
        }
        let side = if index > 0 { &mut self.above } else { &mut self.below };
        let step = index.unsigned_abs() as usize;
        if side.len() < step {
            side.resize(step, 0);
        }
        side[step - 1] += 1;
    }

    /// Counts a whole number.
    #[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^53")]
    #[inline]
    pub(super) fn add_whole(&mut self, number: u64) {
        self.add(number as f64);
    }

    /// Takes in a smaller and a larger number.
    #[inline]
    fn widen(&mut self, min: f64, max: f64) {
        if min < self.min {
            self.min = min;
        }
        if max > self.max {
            self.max = max;
        }
    }

    /// True where the sum does not depend on the order of its numbers: none of them is near the largest number.
    pub(super) fn add_up(&self) -> bool {
        self.min > -NEAR_LARGEST && self.max < NEAR_LARGEST
    }

    /// Counts the numbers of another path, or of the run that follows.
    pub(super) fn merge(&mut self, other: &Self) {
        self.zeros += other.zeros;
        self.widen(other.min, other.max);
        self.sum.merge(&other.sum);
        for (side, others) in [(&mut self.above, &other.above), (&mut self.below, &other.below)] {
            if side.len() < others.len() {
                side.resize(others.len(), 0);
            }
            side.iter_mut().zip(others).for_each(|(count, others)| *count += others);
        }
    }

    /// The histogram; `None` without a number.
    pub(super) fn to_wire(&self) -> Option<Histogram> {
        let below = (1..).map(|index: i32| -index).zip(self.below.iter().copied());
        let below: Vec<_> = below.collect();
        let above = (1..).zip(self.above.iter().copied());
        let steps = below.into_iter().rev().chain([(0, self.zeros)]).chain(above);
        Histogram::new(steps, self.min, self.max, self.sum.value())
    }
}
