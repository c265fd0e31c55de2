//! Numbers from text and to text.
//!
//! The tables and the code for this are a twentieth of the engine as a browser loads it, and every browser has its own. So a
//! driver may lend the engine its function ([`provide`]), and build it without the feature `number-tables`.

use std::fmt::Write;
use std::sync::OnceLock;

/// Ways to read and to write a number.
#[derive(Debug, Clone, Copy)]
pub struct Ways {
    /// Gives the value of a number as JSON writes it, rounded as IEEE 754 says; NaN for any other text.
    pub parse: fn(&str) -> f64,
    /// Writes a number with the fewest digits that are read as it again: `150`, `1.5e+300`.
    pub write: fn(f64) -> String,
}

static PROVIDED: OnceLock<Ways> = OnceLock::new();

/// Lets the engine read and write numbers in these ways from now on. Only the first call counts.
///
/// To be called before the first check: without it, an engine that was built without `number-tables` takes no text for a
/// number.
pub fn provide(ways: Ways) {
    let _ = PROVIDED.set(ways);
}

/// The value of a number as JSON writes it; NaN for any other text.
pub(crate) fn parse(text: &[u8]) -> f64 {
    // Readers differ in what else they take for a number.
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if !(digits.first().is_some_and(u8::is_ascii_digit) && is_decimal(digits)) {
        return f64::NAN;
    }
    let Ok(text) = std::str::from_utf8(text) else { return f64::NAN };
    match PROVIDED.get() {
        Some(ways) => (ways.parse)(text),
        None => by_table(text),
    }
}

#[cfg(feature = "number-tables")]
fn by_table(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

#[cfg(not(feature = "number-tables"))]
fn by_table(_: &str) -> f64 {
    f64::NAN
}

/// The fewest digits that are read as this positive number again, and the exponent of the first of them.
pub(crate) fn shortest(value: f64) -> (String, i32) {
    let text = match PROVIDED.get() {
        Some(ways) => (ways.write)(value),
        None => written_by_table(value),
    };
    digits_of(&text)
}

fn digits_of(text: &str) -> (String, i32) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent.strip_prefix('+').unwrap_or(exponent).parse().unwrap_or(0);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let zeros = digits.len() - digits.trim_start_matches('0').len();
    // Of a zero the last digit is kept.
    let digits = digits.get(zeros.min(digits.len().saturating_sub(1))..).unwrap_or_default();
    let first = i32::try_from(whole.len()).unwrap_or(0) - i32::try_from(zeros).unwrap_or(0) - 1;
    let first = if digits == "0" { 0 } else { first + exponent };
    let digits = if digits.len() > 1 { digits.trim_end_matches('0') } else { digits };
    (digits.to_owned(), first)
}

#[cfg(feature = "number-tables")]
fn written_by_table(value: f64) -> String {
    value.to_string()
}

#[cfg(not(feature = "number-tables"))]
fn written_by_table(_: f64) -> String {
    String::new()
}

/// True for what programs take for a decimal number, with a sign or without: `-1`, `+.5`, `1e9`, `-inf`.
pub(crate) fn is_decimal(text: &[u8]) -> bool {
    let text = match text.split_first() {
        Some((b'+' | b'-', rest)) => rest,
        _ => text,
    };
    if [&b"inf"[..], b"infinity", b"nan"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return true;
    }
    let exponent = text.iter().position(|byte| matches!(byte, b'e' | b'E'));
    let (mantissa, exponent) = exponent.map_or((text, None), |at| (&text[..at], Some(&text[at + 1..])));
    let point = mantissa.iter().position(|byte| *byte == b'.');
    let (whole, fraction) = point.map_or((mantissa, &[][..]), |at| (&mantissa[..at], &mantissa[at + 1..]));
    let mut digits = whole.iter().chain(fraction);
    let is_mantissa = whole.len() + fraction.len() > 0 && digits.all(u8::is_ascii_digit);
    let is_exponent = |text: &[u8]| {
        let digits = text.strip_prefix(b"+").or_else(|| text.strip_prefix(b"-")).unwrap_or(text);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    };
    is_mantissa && exponent.is_none_or(is_exponent)
}

/// All digits of a number that is whole; nothing is rounded.
///
/// The standard library's way to write any number takes 15 kB of wasm.
pub(crate) fn whole(value: f64) -> String {
    /// A limb holds nine digits.
    const BASE: u64 = 1_000_000_000;
    /// Bits by which is multiplied at once: a limb and what is carried stay in 64 bits.
    const STEP: u64 = 29;

    let bits = value.to_bits();
    let exponent = (bits >> 52) & 0x7ff;
    let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
    // The value is the mantissa times two to the power of so much.
    let (mut limbs, mut left) = match exponent.checked_sub(1075) {
        Some(left) => (vec![mantissa % BASE, mantissa / BASE], left),
        None => (vec![mantissa.checked_shr(u32::try_from(1075 - exponent).unwrap_or(64)).unwrap_or(0)], 0),
    };
    while left > 0 || limbs.iter().any(|limb| *limb >= BASE) {
        let bits = left.min(STEP);
        left -= bits;
        let mut carry = 0;
        for limb in &mut limbs {
            let sum = (*limb << bits) + carry;
            *limb = sum % BASE;
            carry = sum / BASE;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let mut digits = if bits >> 63 == 1 { "-".to_owned() } else { String::new() };
    let mut rest = limbs.iter().rev().skip_while(|limb| **limb == 0);
    digits += &rest.next().unwrap_or(&0).to_string();
    for limb in rest {
        // To write to a string does not fail.
        let _ = write!(digits, "{limb:09}");
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_digits_whatever_the_notation() {
        let cases =
            [(0.0, "0", 0), (150.0, "15", 2), (0.001_25, "125", -3), (1e300, "1", 300), (5e-324, "5", -324)];
        for (value, digits, exponent) in cases {
            assert_eq!(shortest(value), (digits.to_owned(), exponent), "{value}");
        }
        // As JavaScript writes numbers.
        for (text, value) in [("1.5e+300", 1.5e300), ("1e-7", 1e-7), ("123.25", 123.25)] {
            assert_eq!(digits_of(text), shortest(value), "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_written_as_the_standard_library_writes_them() {
        let mut choices = fastrand::Rng::with_seed(3);
        let mut values = vec![0.0, 1.0, -1.0, 999_999_999.0, 1e9, 2f64.powi(53), 1e15, -1e22, 1e23, f64::MAX];
        values.extend((0..2000).map(|_| {
            let exponent = choices.i32(0..1024);
            let value = 2f64.powi(exponent) * (1.0 + choices.f64());
            if value.is_finite() { value.trunc() } else { 1.0 }
        }));
        for value in values {
            assert_eq!(whole(value), format!("{value:.0}"));
        }
    }

    #[test]
    fn decimals_are_what_the_standard_library_reads() {
        let parts = ["", "+", "-", ".", "e", "E", "1", "07", "inf", "NaN", "infinity", "x", " "];
        for a in parts {
            for b in parts {
                for c in parts {
                    for d in parts {
                        let text = format!("{a}{b}{c}{d}");
                        assert_eq!(is_decimal(text.as_bytes()), text.parse::<f64>().is_ok(), "{text:?}");
                    }
                }
            }
        }
    }
}
