//! Exact sums of numbers.

use borsh::{BorshDeserialize, BorshSerialize};

/// Numbers from here on are summed apart: the sum of 2^40 smaller ones is finite.
const LARGE: f64 = f64::from_bits((1023 + 984) << 52);

/// The factor of the sum of large numbers, which would not be finite without it.
const SCALE: f64 = f64::from_bits((1023 - 64) << 52);

/// The sum of numbers, which does not depend on their order.
#[derive(Debug, Clone, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Sum {
    usual: Parts,
    /// The large numbers, times [`SCALE`].
    large: Parts,
    /// The sum of the numbers that are not finite; 0 without any.
    not_finite: f64,
}

impl Sum {
    /// Adds a number.
    #[inline]
    pub(super) fn add(&mut self, number: f64) {
        if number.abs() < LARGE {
            self.usual.add(number);
        } else if number.is_finite() {
            self.large.add(number * SCALE);
        } else {
            self.not_finite += number;
        }
    }

    /// Adds the numbers of another sum.
    pub(super) fn merge(&mut self, other: &Self) {
        other.usual.0.iter().for_each(|part| self.usual.add(*part));
        other.large.0.iter().for_each(|part| self.large.add(*part));
        self.not_finite += other.not_finite;
    }

    /// The sum, rounded to the nearest number; once more if there are large numbers.
    pub(super) fn value(&self) -> f64 {
        if self.not_finite != 0.0 {
            return self.not_finite;
        }
        self.usual.value() + self.large.value() / SCALE
    }
}

/// A finite sum of numbers, rounded once, when it is read: the sum of these numbers, whose bits do not overlap. The smallest is the first.
///
/// The algorithm is that of Shewchuk (Adaptive Precision Floating-Point Arithmetic, 1997), as in Python's `math.fsum`.
#[derive(Debug, Clone, Default, BorshSerialize, BorshDeserialize)]
struct Parts(Vec<f64>);

impl Parts {
    #[inline]
    fn add(&mut self, number: f64) {
        let mut number = number;
        let mut kept = 0;
        for at in 0..self.0.len() {
            let (sum, error) = add(number, self.0[at]);
            if error != 0.0 {
                self.0[kept] = error;
                kept += 1;
            }
            number = sum;
        }
        self.0.truncate(kept);
        if number != 0.0 {
            self.0.push(number);
        }
    }

    fn value(&self) -> f64 {
        let mut parts = self.0.iter().rev().copied();
        let mut sum = parts.next().unwrap_or(0.0);
        while let Some(part) = parts.next() {
            let (rounded, error) = add(sum, part);
            sum = rounded;
            if error != 0.0 {
                // Half of the last bit was rounded to the even number: the next part says whether it is more than half.
                let follows = parts.next().unwrap_or(0.0);
                let (more, rest) = add(sum, error * 2.0);
                let is_more_than_half = error < 0.0 && follows < 0.0 || error > 0.0 && follows > 0.0;
                return if rest == 0.0 && is_more_than_half { more } else { sum };
            }
        }
        sum
    }
}

/// The sum of two numbers, and its rounding error.
#[inline]
fn add(one: f64, other: f64) -> (f64, f64) {
    let (large, small) = if one.abs() < other.abs() { (other, one) } else { (one, other) };
    let sum = large + small;
    (sum, small - (sum - large))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numbers: &[f64]) -> Sum {
        let mut sum = Sum::default();
        for number in numbers {
            sum.add(*number);
        }
        sum
    }

    #[track_caller]
    fn assert_sum(numbers: &[f64], expected: f64) {
        for middle in 0..=numbers.len() {
            let (first, second) = numbers.split_at(middle);
            for (one, other) in [(first, second), (second, first)] {
                let mut sum = of(one);
                sum.merge(&of(other));
                assert_eq!(sum.value().to_bits(), expected.to_bits(), "{numbers:?}: {}", sum.value());
            }
        }
    }

    // The expected sums are those of Python's `math.fsum`, where it has one.
    #[test]
    fn sums_are_rounded_once() {
        assert_sum(&[], 0.0);
        assert_sum(&[0.1; 10], 1.0);
        assert_sum(&[1e100, 1.0, -1e100], 1.0);
        assert_sum(&[1e16, 1.0, 1e-16], 10_000_000_000_000_002.0);
        assert_sum(&[f64::MAX, f64::MAX], f64::INFINITY);
        assert_sum(&[f64::MAX, f64::MAX, f64::MIN, f64::MIN, 5e-324], 5e-324);
        assert_sum(&[1e308, 1e308, 1.0, -1e308], 1e308);
        assert_sum(&[5e-324, 5e-324], 1e-323);
        assert_sum(&[f64::MIN_POSITIVE, -5e-324], f64::from_bits((1 << 52) - 1));
        assert_sum(&[-0.0, -0.0], 0.0);
        assert_sum(&[1e-7, -1e-7, 3.0], 3.0);
        assert_sum(&[9_007_199_254_740_992.0, 1.0], 9_007_199_254_740_992.0);
        assert_sum(&[9_007_199_254_740_992.0, 1.0, 1e-300], 9_007_199_254_740_994.0);
        assert_sum(&[-9_007_199_254_740_992.0, -1.0, -1e-300], -9_007_199_254_740_994.0);
        assert_sum(&[1e300, f64::INFINITY], f64::INFINITY);
        assert!(of(&[f64::INFINITY, f64::NEG_INFINITY]).value().is_nan());
        assert!(of(&[f64::NAN, 1.0]).value().is_nan());
    }

    #[test]
    fn any_numbers_have_the_sum_of_whole_ones() {
        let mut random = 1_u64;
        for scale in [1.0, 2_f64.powi(-1000), 2_f64.powi(900)] {
            let (mut expected, mut sum) = (0_i128, Sum::default());
            for _ in 0..1000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let number = i128::from(random.cast_signed() >> 11) << (random & 31);
                #[expect(clippy::cast_precision_loss, reason = "it has 53 bits")]
                sum.add(number as f64 * scale);
                expected += number;
                #[expect(clippy::cast_precision_loss, reason = "rounded to the nearest")]
                let rounded = expected as f64 * scale;
                assert_eq!(sum.value().to_bits(), rounded.to_bits());
            }
        }
    }
}
