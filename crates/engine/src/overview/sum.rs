//! Exact sums of numbers.

/// The sum of numbers, rounded once, when it is read. It does not depend on their order.
#[derive(Debug, Clone, Default)]
pub(super) struct Sum {
    /// Usual numbers, in units of 2^-[`UNIT`].
    near: i128,
    /// All other finite numbers.
    far: Option<Box<Far>>,
    /// The sum of all that is not finite; 0 without any.
    not_finite: f64,
}

/// Numbers from about 10^-6 on have no bit below 2^-72, and sums of them have room up to 2^55.
const UNIT: u32 = 72;

/// Bits of the fraction of a number.
const FRACTION: u32 = 52;

/// No number has a bit below 2^-1074.
const LOWEST: u32 = 1074;

impl Sum {
    /// Adds a number.
    #[inline]
    pub(super) fn add(&mut self, number: f64) {
        if !number.is_finite() {
            self.not_finite += number;
            return;
        }
        let (mantissa, shift) = split(number);
        let is_negative = number.is_sign_negative();
        match shift.checked_sub(LOWEST - UNIT) {
            Some(shift @ 0..=74) => {
                let near = i128::from(mantissa) << shift;
                self.add_near(if is_negative { -near } else { near });
            }
            _ => self.far.get_or_insert_default().add(mantissa, shift, is_negative),
        }
    }

    /// Adds a whole number below 2^53.
    #[inline]
    pub(super) fn add_whole(&mut self, number: u64) {
        self.add_near(i128::from(number) << UNIT);
    }

    #[inline]
    fn add_near(&mut self, number: i128) {
        match self.near.checked_add(number) {
            Some(near) => self.near = near,
            None => self.far.get_or_insert_default().add_near(number),
        }
    }

    /// Adds the numbers of another sum.
    pub(super) fn merge(&mut self, other: &Self) {
        self.add_near(other.near);
        self.not_finite += other.not_finite;
        if let Some(others) = &other.far {
            self.far.get_or_insert_default().merge(others);
        }
    }

    /// The sum, rounded to the nearest number.
    #[expect(clippy::cast_precision_loss, reason = "rounded to the nearest")]
    pub(super) fn value(&self) -> f64 {
        if self.not_finite != 0.0 {
            return self.not_finite;
        }
        match &self.far {
            None => self.near as f64 * 0.5_f64.powi(UNIT.cast_signed()),
            Some(far) => {
                let mut all = far.clone();
                all.add_near(self.near);
                all.value()
            }
        }
    }
}

/// A finite number without its sign: a whole number below 2^53, times 2^(the second - [`LOWEST`]).
#[inline]
fn split(number: f64) -> (u64, u32) {
    let bits = number.to_bits() & !(1 << 63);
    let fraction = bits & ((1 << FRACTION) - 1);
    match (bits >> FRACTION) as u32 {
        0 => (fraction, 0),
        exponent => (fraction | 1 << FRACTION, exponent - 1),
    }
}

/// Bits of a limb that count by themselves; the others are carried.
const LIMB: u32 = 32;

/// Limbs for all numbers, and for the sums of 2^64 of the largest.
const LIMBS: usize = 68;

/// Numbers that can be added before limbs are carried.
const MOST_ADDED: u32 = 1 << 29;

/// A sum of any finite numbers, with every bit from 2^-[`LOWEST`] on.
#[derive(Debug, Clone)]
struct Far {
    /// The lowest first.
    limbs: [i64; LIMBS],
    /// Numbers added since limbs were carried.
    added: u32,
}

impl Default for Far {
    fn default() -> Self {
        Self { limbs: [0; LIMBS], added: 0 }
    }
}

impl Far {
    /// Adds a number times 2^(`shift` - [`LOWEST`]).
    fn add(&mut self, number: u64, shift: u32, is_negative: bool) {
        if self.added == MOST_ADDED {
            self.carry();
        }
        self.added += 1;
        let mut left = u128::from(number) << (shift % LIMB);
        for limb in &mut self.limbs[(shift / LIMB) as usize..] {
            if left == 0 {
                break;
            }
            let part = (left & u128::from(u32::MAX)) as i64;
            *limb += if is_negative { -part } else { part };
            left >>= LIMB;
        }
    }

    /// Adds a number in units of 2^-[`UNIT`].
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a number")]
    fn add_near(&mut self, near: i128) {
        let number = near.unsigned_abs();
        self.add(number as u64, LOWEST - UNIT, near < 0);
        self.add((number >> 64) as u64, LOWEST - UNIT + 64, near < 0);
    }

    fn merge(&mut self, other: &Self) {
        let mut other = other.clone();
        other.carry();
        self.carry();
        self.limbs.iter_mut().zip(other.limbs).for_each(|(limb, other)| *limb += other);
        self.carry();
    }

    /// Leaves [`LIMB`] bits in each limb but the last, which has the sign.
    fn carry(&mut self) {
        let mut carried = 0;
        for limb in &mut self.limbs[..LIMBS - 1] {
            let all = *limb + carried;
            *limb = all & i64::from(u32::MAX);
            carried = all >> LIMB;
        }
        self.limbs[LIMBS - 1] += carried;
        self.added = 0;
    }

    /// The sum, rounded to the nearest number, and to the even one of two.
    fn value(mut self) -> f64 {
        self.carry();
        let is_negative = self.limbs[LIMBS - 1] < 0;
        if is_negative {
            self.limbs.iter_mut().for_each(|limb| *limb = -*limb);
            self.carry();
        }
        let Some(last) = self.limbs.iter().rposition(|limb| *limb != 0) else { return 0.0 };
        let bits = last as u64 * u64::from(LIMB) + u64::from(self.limbs[last].ilog2()) + 1;
        // The bits that are rounded away.
        let below = bits.saturating_sub(u64::from(FRACTION) + 1);
        let mantissa = self.bits(below);
        let is_half = below > 0 && self.bits(below - 1) & 1 == 1;
        let is_more = below > 1 && self.has_bits_below(below - 1);
        let mantissa = mantissa + u64::from(is_half && (is_more || mantissa & 1 == 1));
        // The first bit of the mantissa adds 1 to the exponent.
        let number = f64::from_bits((below << FRACTION) + mantissa);
        let is_finite = below < 2046 && number.is_finite();
        let number = if is_finite { number } else { f64::INFINITY };
        if is_negative { -number } else { number }
    }

    /// The 64 bits from this one on.
    fn bits(&self, from: u64) -> u64 {
        let limb = |at: usize| self.limbs.get(at).map_or(0, |limb| limb.cast_unsigned());
        let first = (from / u64::from(LIMB)) as usize;
        let all =
            u128::from(limb(first)) | u128::from(limb(first + 1)) << 32 | u128::from(limb(first + 2)) << 64;
        (all >> (from % u64::from(LIMB))) as u64
    }

    /// True where one of the bits below this one is set.
    fn has_bits_below(&self, end: u64) -> bool {
        let limb = (end / u64::from(LIMB)) as usize;
        let mask = (1_i64 << (end % u64::from(LIMB))) - 1;
        self.limbs[..limb].iter().any(|limb| *limb != 0) || self.limbs[limb] & mask != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numbers: &[f64]) -> Sum {
        let mut sum = Sum::default();
        numbers.iter().for_each(|number| sum.add(*number));
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
        assert_sum(&[1e308, 1e308, -1e308], 1e308);
        assert_sum(&[f64::MAX, f64::MAX], f64::INFINITY);
        assert_sum(&[-f64::MAX, -1e300], f64::NEG_INFINITY);
        assert_sum(&[f64::MAX, 1e291], f64::MAX);
        assert_sum(&[5e-324, 5e-324], 1e-323);
        assert_sum(&[f64::MIN_POSITIVE, -5e-324], 2.225_073_858_507_200_9e-308);
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
    fn whole_numbers_need_no_rounding() {
        let mut sum = Sum::default();
        (0..1000).for_each(|number| sum.add_whole(number));
        assert_eq!(sum.value(), 499_500.0);
        assert!(sum.far.is_none());
        // More than fits.
        (0..100).for_each(|_| sum.add_whole((1 << 53) - 1));
        assert!(sum.far.is_some());
        assert_eq!(sum.value(), 900_719_925_474_598_600.0);
    }

    #[test]
    fn any_numbers_have_the_sum_of_whole_ones() {
        let mut random = 1_u64;
        for shift in [0, 100, 900, 960] {
            let (mut expected, mut sum) = (0_i128, Far::default());
            for _ in 0..1000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let (number, is_negative) = (random >> 11, random & 1 << 10 == 0);
                sum.add(number, shift + LOWEST - 1000, is_negative);
                expected += if is_negative { -i128::from(number) } else { i128::from(number) };
                #[expect(clippy::cast_precision_loss, reason = "rounded to the nearest")]
                let rounded = expected as f64 * 2_f64.powi(shift.cast_signed() - 1000);
                assert_eq!(sum.clone().value(), rounded);
            }
        }
    }
}
