//! Numbers in the fast tier: short ones, which an f64 holds exactly and which cannot overflow.

use super::blocks::Blocks;
use super::end::{End, end_at};
use super::scanner::Scanner;
use crate::schema::Number;

/// An f64 holds every integer of this many digits exactly.
const EXACT_DIGITS: usize = 15;

impl<B: Blocks> Scanner<'_, B> {
    /// A number; its first byte is at `start`.
    pub(super) fn number(&self, start: usize, number: &'static Number) -> End {
        let negative = self.byte(start) == b'-';
        let first = start + usize::from(negative);
        let mut at = first;
        let mut value = 0_i64;
        while let digit @ b'0'..=b'9' = self.byte(at) {
            if at - first == EXACT_DIGITS {
                return None;
            }
            value = value * 10 + i64::from(digit - b'0');
            at += 1;
        }
        let digits = at - first;
        if digits == 0 || (digits > 1 && self.byte(first) == b'0') {
            return None;
        }
        let mut whole = true;
        if self.byte(at) == b'.' {
            whole = false;
            let fraction = at + 1;
            at = self.digits(fraction);
            if at == fraction {
                return None;
            }
        }
        if matches!(self.byte(at), b'e' | b'E') {
            whole = false;
            at = self.exponent(at + 1)?.get();
        }
        if number.integer && !whole {
            return None;
        }
        // `value` has neither the fraction nor the exponent. These cannot make a number negative.
        let is_compared = whole || number.maximum.is_none() && number.minimum.is_some_and(|least| least <= 0);
        let is_in_range = || {
            !negative
                && is_compared
                && number.minimum.is_none_or(|minimum| value >= i64::from(minimum))
                && number.maximum.is_none_or(|maximum| value <= i64::from(maximum))
        };
        let is_bounded = number.minimum.is_some() || number.maximum.is_some();
        if !is_bounded || is_in_range() { end_at(at) } else { None }
    }

    /// The offset after the digits.
    fn digits(&self, mut at: usize) -> usize {
        while self.byte(at).is_ascii_digit() {
            at += 1;
        }
        at
    }

    /// An exponent of one or two digits, with which a number of [`EXACT_DIGITS`] stays in the range of an f64. Longer ones
    /// are left to the thorough tier.
    fn exponent(&self, at: usize) -> End {
        let start = at + usize::from(matches!(self.byte(at), b'+' | b'-'));
        let end = self.digits(start);
        if matches!(end - start, 1 | 2) { end_at(end) } else { None }
    }
}
