//! Numbers in the fast tier: short ones, whose value is exact in an f64 and cannot overflow.

use super::blocks::Blocks;
use super::scanner::Scanner;
use super::{Doubtful, Scan};
use crate::shape::Number;

/// Whole numbers of so many digits are exact in an f64.
const EXACT_DIGITS: usize = 15;

impl<B: Blocks> Scanner<'_, B> {
    /// A number whose first byte is at hand.
    pub(super) fn number(&mut self, number: &'static Number) -> Scan {
        let negative = self.peek() == b'-';
        if negative {
            self.at += 1;
        }
        let start = self.at;
        let mut value = 0_i64;
        while let digit @ b'0'..=b'9' = self.peek() {
            if self.at - start == EXACT_DIGITS {
                return Err(Doubtful);
            }
            value = value * 10 + i64::from(digit - b'0');
            self.at += 1;
        }
        let digits = self.at - start;
        if digits == 0 || (digits > 1 && self.bytes[start] == b'0') {
            return Err(Doubtful);
        }
        let mut whole = true;
        if self.peek() == b'.' {
            whole = false;
            self.at += 1;
            let fraction = self.at;
            while self.peek().is_ascii_digit() {
                self.at += 1;
            }
            if self.at == fraction {
                return Err(Doubtful);
            }
        }
        if matches!(self.peek(), b'e' | b'E') {
            whole = false;
            self.exponent()?;
        }
        if number.integer && !whole {
            return Err(Doubtful);
        }
        match number.minimum {
            Some(_) if negative => Err(Doubtful),
            Some(minimum) if value < i64::from(minimum) => Err(Doubtful),
            _ => Ok(()),
        }
    }

    /// An exponent of one digit cannot take a number of [`EXACT_DIGITS`] out of the range of an f64; a longer one is
    /// left to the explaining tier when it is above two digits.
    fn exponent(&mut self) -> Scan {
        self.at += 1;
        if matches!(self.peek(), b'+' | b'-') {
            self.at += 1;
        }
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        match self.at - start {
            1 | 2 => Ok(()),
            _ => Err(Doubtful),
        }
    }
}
