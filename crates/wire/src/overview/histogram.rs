//! Histograms whose steps do not depend on the data.

use std::cmp::Ordering;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize, Serializer};

/// Numbers in steps that are the same for all datasets: 16 for each octave, so that a step is at most a sixteenth of the number. Whole
/// numbers up to 32 have a step of their own.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Histogram {
    /// How many numbers there are.
    #[cfg_attr(feature = "types", schemars(range(min = 1)))]
    pub count: u64,
    /// The smallest.
    pub min: Number,
    /// The largest.
    pub max: Number,
    /// Their sum; exact for whole numbers, otherwise rounded.
    pub sum: Number,
    /// The numbers below which a quarter, a half and three quarters of them are, as exact as their steps: the beginning of the step.
    #[cfg_attr(feature = "types", schemars(length(equal = 3)))]
    pub quartiles: [Number; 3],
    /// The steps that numbers are in, in their order.
    pub buckets: Vec<Bucket>,
}

/// A step of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema), schemars(inline))]
pub struct Bucket {
    /// Which step it is. 0 is for 0 and for what is nearer to it than 2^-20; the step `i` > 0 begins at
    /// 2^(floor((i - 1) / 16) - 20) * (1 + (i - 1) mod 16 / 16), and the step `-i` holds the same numbers below 0.
    pub index: i32,
    /// The number at which it begins.
    pub from: Number,
    /// How many numbers are in it.
    #[cfg_attr(feature = "types", schemars(range(min = 1)))]
    pub count: u64,
}

/// The steps for each octave are the values of so many leading bits of the fraction of a double.
const STEP_BITS: u32 = 4;

/// Bits of a double below those of its step.
const BELOW_STEP: u32 = 52 - STEP_BITS;

/// The leading bits of 2^-20, where the first step begins.
const FIRST_STEP: u64 = (1023 - 20) << STEP_BITS;

/// The last step, which begins below 2^64. Larger numbers are in it.
const LAST_STEP: u64 = (20 + 64) << STEP_BITS;

/// The step that a number is in, see [`Bucket::index`].
///
/// ```
/// use evalcheck_wire::overview::{bucket, bucket_start};
///
/// assert_eq!(bucket(0.0), 0);
/// assert_eq!(bucket_start(bucket(31.0)), 31.0);
/// assert_eq!(bucket_start(bucket(1000.0)), 992.0);
/// assert_eq!(bucket_start(bucket(-0.8)), -0.78125);
/// ```
#[inline]
pub fn bucket(number: f64) -> i32 {
    let leading = number.abs().to_bits() >> BELOW_STEP;
    let step = (leading + 1).saturating_sub(FIRST_STEP).min(LAST_STEP) as i32;
    if number < 0.0 { -step } else { step }
}

/// The number nearest to 0 in a step.
pub fn bucket_start(index: i32) -> f64 {
    if index == 0 {
        return 0.0;
    }
    let leading = FIRST_STEP + u64::from(index.unsigned_abs()) - 1;
    f64::from_bits(leading << BELOW_STEP).copysign(index.into())
}

/// A number that is finite. JSON has whole ones without a fraction.
#[derive(Debug, Clone, Copy, Default, BorshSerialize, BorshDeserialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema), schemars(inline, transparent))]
#[serde(transparent)]
pub struct Number(f64);

impl Number {
    /// A number; 0 for what is not one, and the nearest finite one for what is infinite.
    pub fn new(number: f64) -> Self {
        if number.is_nan() { Self(0.0) } else { Self(number.clamp(f64::MIN, f64::MAX)) }
    }

    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.0.total_cmp(&other.0) == Ordering::Equal
    }
}

impl Eq for Number {}

/// Whole numbers below this are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Serialize for Number {
    #[expect(clippy::cast_possible_truncation, reason = "it is a whole number within the bounds")]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 && self.0.abs() < EXACT {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

impl Histogram {
    /// A histogram of counted steps in their order, each at most once; `None` where all counts are 0.
    pub fn new(steps: impl IntoIterator<Item = (i32, u64)>, min: f64, max: f64, sum: f64) -> Option<Self> {
        let steps = steps.into_iter().filter(|(_, count)| *count > 0);
        let bucket = |(index, count)| Bucket { index, from: Number::new(bucket_start(index)), count };
        let buckets: Vec<Bucket> = steps.map(bucket).collect();
        let count = buckets.iter().map(|bucket| bucket.count).sum();
        let quartiles = [1, 2, 3].map(|quarter| quantile(&buckets, count, quarter));
        let [min, max, sum] = [min, max, sum].map(Number::new);
        (count > 0).then_some(Self { count, min, max, sum, quartiles, buckets })
    }

    /// The mean.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn mean(&self) -> f64 {
        self.sum.get() / self.count as f64
    }

    /// The histogram of the numbers of both.
    #[must_use]
    pub fn merge(&self, other: &Self) -> Self {
        let mut buckets = self.buckets.clone();
        for bucket in &other.buckets {
            match buckets.binary_search_by_key(&bucket.index, |bucket| bucket.index) {
                Ok(at) => buckets[at].count += bucket.count,
                Err(at) => buckets.insert(at, *bucket),
            }
        }
        let min = self.min.get().min(other.min.get());
        let max = self.max.get().max(other.max.get());
        let sum = self.sum.get() + other.sum.get();
        let steps = buckets.iter().map(|bucket| (bucket.index, bucket.count));
        Self::new(steps, min, max, sum).unwrap_or_else(|| self.clone())
    }
}

/// The beginning of the step that holds the number after so many quarters of all.
fn quantile(buckets: &[Bucket], count: u64, quarter: u64) -> Number {
    let mut left = count.saturating_mul(quarter).div_ceil(4).max(1);
    let holds = |bucket: &&Bucket| {
        let is_it = bucket.count >= left;
        left = left.saturating_sub(bucket.count);
        is_it
    };
    buckets.iter().find(holds).map_or(Number(0.0), |bucket| bucket.from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_a_sixteenth_and_in_order() {
        let mut last = bucket(-1e300);
        for exponent in -1000_i32..1000 {
            let number = f64::from(exponent).signum() * 1.05_f64.powi(exponent.abs() - 500);
            let index = bucket(number);
            let start = bucket_start(index);
            if number.abs() >= 2_f64.powi(-20) {
                assert!(start.abs() <= number.abs(), "{number}: {start}");
                assert!((number - start).abs() <= start.abs() / 16.0, "{number}: {start}");
                assert_eq!(bucket(start), index, "{number}");
            } else {
                assert_eq!(index, 0, "{number}");
            }
            assert!(exponent <= 0 || index >= last, "{number}");
            last = index;
        }
        assert_eq!(bucket(f64::MAX), bucket(2_f64.powi(64)));
        assert!(
            (0..=32)
                .all(|whole| Number::new(bucket_start(bucket(whole.into()))) == Number::new(whole.into()))
        );
    }

    #[test]
    fn quartiles_are_those_of_the_sorted_numbers() {
        let steps = |numbers: &[u32]| {
            let mut steps = std::collections::BTreeMap::new();
            for &number in numbers {
                *steps.entry(bucket(number.into())).or_insert(0) += 1;
            }
            let sum = numbers.iter().sum::<u32>();
            let (min, max) = (numbers.iter().min().unwrap(), numbers.iter().max().unwrap());
            Histogram::new(steps, f64::from(*min), f64::from(*max), sum.into()).unwrap()
        };
        let all = steps(&[7, 1, 3, 5, 0, 2, 6, 4]);
        assert_eq!(all.quartiles, [1.0, 3.0, 5.0].map(Number::new));
        assert_eq!(steps(&[9]).quartiles, [Number::new(9.0); 3]);
        assert_eq!(steps(&[7, 1, 3]).merge(&steps(&[5, 0, 2, 6, 4])), all);
        assert_eq!((all.mean(), Histogram::new([(3, 0)], 0.0, 0.0, 0.0)), (3.5, None));
    }

    #[test]
    fn numbers_are_written_as_json_has_them() {
        let json = [0.0, -3.0, 0.5, 1e20].map(Number::new);
        assert_eq!(serde_json::to_string(&json).unwrap(), "[0,-3,0.5,1e+20]");
        assert_eq!(serde_json::from_str::<[Number; 4]>("[0,-3,0.5,1e20]").unwrap(), json);
        assert_eq!(Number::new(f64::INFINITY), Number::new(f64::MAX));
    }
}
