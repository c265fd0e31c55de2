//! Histograms whose steps do not depend on the data.

use std::cmp::Ordering;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize, Serializer};

/// Numbers in steps that are the same for all datasets: 16 for each octave, so that a step is at most a sixteenth of the number. Each
/// whole number up to 32 has its own step. From 2^64 on, a step is an octave.
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
    /// Lower bounds of the quartiles: the smallest numbers that a quarter, a half and three quarters of the numbers do not exceed.
    #[cfg_attr(feature = "types", schemars(length(equal = 3)))]
    pub quartiles: [Number; 3],
    /// Upper bounds of the quartiles: if both bounds are equal, the quartile is exact.
    #[cfg_attr(feature = "types", schemars(length(equal = 3)))]
    pub quartiles_to: [Number; 3],
    /// The steps that contain numbers, in their order.
    pub buckets: Vec<Bucket>,
}

/// A step of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Bucket {
    /// The number of the step. The step 0 contains 0 and the numbers nearer to it than 2^-20. The step `i` > 0 begins at
    /// 2^(floor((i - 1) / 16) - 20) * (1 + (i - 1) mod 16 / 16), and the step `-i` holds the same numbers below 0. The step 1344 + `i`
    /// begins at 2^(63 + `i`).
    pub index: i32,
    /// The smallest number in it.
    pub from: Number,
    /// The largest number in it.
    pub to: Number,
    /// How many numbers are in it.
    #[cfg_attr(feature = "types", schemars(range(min = 1)))]
    pub count: u64,
}

/// The number of leading fraction bits of a double that select a step of an octave.
const STEP_BITS: u32 = 4;

/// Bits of a double below those of its step.
const BELOW_STEP: u32 = 52 - STEP_BITS;

/// The leading bits of 2^-20, where the first step begins.
const FIRST_STEP: u32 = (1023 - 20) << STEP_BITS;

/// The last step of a sixteenth, which ends at 2^64.
const LAST_STEP: u32 = (20 + 64) << STEP_BITS;

/// The leading bits of 2^64, without those of a step.
const FIRST_OCTAVE: u32 = 1023 + 64;

/// The step of a number, see [`Bucket::index`].
///
/// ```
/// use evalcheck_report::overview::{bucket, bucket_start};
///
/// assert_eq!(bucket(0.0), 0);
/// assert_eq!(bucket_start(bucket(31.0)), 31.0);
/// assert_eq!(bucket_start(bucket(1000.0)), 992.0);
/// assert_eq!(bucket_start(bucket(-0.8)), -0.78125);
/// ```
#[inline]
pub fn bucket(number: f64) -> i32 {
    let leading = (number.abs().to_bits() >> BELOW_STEP) as u32;
    let step = (leading + 1).saturating_sub(FIRST_STEP);
    let step = if step > LAST_STEP { LAST_STEP + 1 + (leading >> STEP_BITS) - FIRST_OCTAVE } else { step };
    if number < 0.0 { -step.cast_signed() } else { step.cast_signed() }
}

/// The number nearest to 0 in a step.
pub fn bucket_start(index: i32) -> f64 {
    if index == 0 {
        return 0.0;
    }
    let step = index.unsigned_abs();
    let leading = match step.checked_sub(LAST_STEP + 1) {
        Some(octave) => (FIRST_OCTAVE + octave) << STEP_BITS,
        None => FIRST_STEP + step - 1,
    };
    f64::from_bits(u64::from(leading) << BELOW_STEP).copysign(index.into())
}

/// The octave of a step: the one from 2^-20 on is 1; below 0 they are negative.
pub fn octave(index: i32) -> i32 {
    let (step, last) = (index.abs(), LAST_STEP.cast_signed());
    let octave = if step > last {
        (last >> STEP_BITS) + step - last
    } else {
        (step + (1 << STEP_BITS) - 1) >> STEP_BITS
    };
    octave * index.signum()
}

/// A finite number. JSON has whole numbers without a fraction.
#[derive(Debug, Clone, Copy, Default, BorshSerialize, BorshDeserialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema), schemars(inline, transparent))]
#[serde(transparent)]
pub struct Number(f64);

impl Number {
    /// A number; 0 for NaN, and the nearest finite number for an infinite one.
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
    /// A histogram of steps that contain numbers, in their order, each once; `None` if there are none.
    pub fn new(buckets: Vec<Bucket>, sum: f64) -> Option<Self> {
        let (min, max) = (buckets.first()?.from, buckets.last()?.to);
        let count = buckets.iter().map(|bucket| bucket.count).sum();
        let ranges = [1, 2, 3].map(|quarter| quartile(&buckets, count, quarter));
        let (quartiles, quartiles_to) = (ranges.map(|(from, _)| from), ranges.map(|(_, to)| to));
        Some(Self { count, min, max, sum: Number::new(sum), quartiles, quartiles_to, buckets })
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
                Ok(at) => {
                    let own = &mut buckets[at];
                    own.count += bucket.count;
                    own.from = Number(own.from.0.min(bucket.from.0));
                    own.to = Number(own.to.0.max(bucket.to.0));
                }
                Err(at) => buckets.insert(at, *bucket),
            }
        }
        Self::new(buckets, self.sum.get() + other.sum.get()).unwrap_or_else(|| self.clone())
    }
}

/// The smallest and the largest possible value of a quartile.
fn quartile(buckets: &[Bucket], count: u64, quarter: u64) -> (Number, Number) {
    let mut left = count.saturating_mul(quarter).div_ceil(4).max(1);
    for Bucket { from, to, count, .. } in buckets {
        // The first and the last number of a step are exact.
        match left {
            1 => return (*from, *from),
            _ if left == *count => return (*to, *to),
            _ if left < *count => return (*from, *to),
            _ => left -= count,
        }
    }
    (Number(0.0), Number(0.0))
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
                let width = if number.abs() < 2_f64.powi(64) { 16.0 } else { 1.0 };
                assert!((number - start).abs() <= start.abs() / width, "{number}: {start}");
                assert_eq!(bucket(start), index, "{number}");
            } else {
                assert_eq!(index, 0, "{number}");
            }
            assert!(exponent <= 0 || index >= last, "{number}");
            last = index;
        }
        for exponent in 64..1024 {
            let start = 2_f64.powi(exponent);
            assert_eq!(bucket_start(bucket(start)).to_bits(), start.to_bits());
            assert_eq!(bucket(start * 1.99), bucket(start));
            assert_eq!(bucket(start), bucket(start / 2.0 * 1.99) + 1);
            assert_eq!(octave(bucket(-start)), octave(bucket(start / -2.0)) - 1);
        }
        assert!(
            (0..=32)
                .all(|whole| Number::new(bucket_start(bucket(whole.into()))) == Number::new(whole.into()))
        );
    }

    #[test]
    fn quartiles_are_those_of_the_sorted_numbers() {
        let steps = |numbers: &[f64]| {
            let one = |&number: &f64| {
                let (from, to) = (Number::new(number), Number::new(number));
                Histogram::new(vec![Bucket { index: bucket(number), from, to, count: 1 }], number).unwrap()
            };
            numbers.iter().map(one).reduce(|all, one| all.merge(&one)).unwrap()
        };
        let quartiles = |numbers: &[f64]| {
            let Histogram { quartiles, quartiles_to, .. } = steps(numbers);
            [0, 1, 2].map(|at| (quartiles[at].get(), quartiles_to[at].get()))
        };
        let all = steps(&[7.0, 1.0, 3.0, 5.0, 0.0, 2.0, 6.0, 4.0]);
        assert_eq!(steps(&[7.0, 1.0, 3.0]).merge(&steps(&[5.0, 0.0, 2.0, 6.0, 4.0])), all);
        assert_eq!((all.mean(), Histogram::new(Vec::new(), 0.0)), (3.5, None));
        assert_eq!(
            quartiles(&[7.0, 1.0, 3.0, 5.0, 0.0, 2.0, 6.0, 4.0]),
            [(1.0, 1.0), (3.0, 3.0), (5.0, 5.0)]
        );
        assert_eq!(quartiles(&[9.0]), [(9.0, 9.0); 3]);
        assert_eq!(quartiles(&[0.7; 7]), [(0.7, 0.7); 3]);
        // All numbers are in the step from 992 on: the first and the last are exact.
        assert_eq!(
            quartiles(&[1000.0, 1010.0, 1001.0]),
            [(1000.0, 1000.0), (1000.0, 1010.0), (1010.0, 1010.0)]
        );
        assert_eq!(quartiles(&[1e300, 1e20, 5.0]), [(5.0, 5.0), (1e20, 1e20), (1e300, 1e300)]);
    }

    #[test]
    fn numbers_are_written_as_json_has_them() {
        let json = [0.0, -3.0, 0.5, 1e20].map(Number::new);
        assert_eq!(serde_json::to_string(&json).unwrap(), "[0,-3,0.5,1e+20]");
        assert_eq!(serde_json::from_str::<[Number; 4]>("[0,-3,0.5,1e20]").unwrap(), json);
        assert_eq!(Number::new(f64::INFINITY), Number::new(f64::MAX));
    }
}
