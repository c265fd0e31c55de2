//! The walk over the values of a record.

use evalcheck_json::walk::{Text, Visitor};

use super::texts;
use super::tree::{Target, Tree};
use super::values::{Sign, Signs};

impl Visitor for Tree {
    #[inline]
    fn begin_object(&mut self) {
        self.enter(Sign::Object);
    }

    #[inline]
    fn key(&mut self, key: Text<'_>) {
        if self.ignored > 0 {
            return;
        }
        match std::str::from_utf8(key.raw) {
            Ok(text) if key.is_plain() => self.child(text),
            _ => self.child(&key.decoded().collect::<String>()),
        }
    }

    #[inline]
    fn end_object(&mut self) {
        self.leave();
    }

    #[inline]
    fn begin_array(&mut self) {
        self.enter(Sign::List);
    }

    #[inline]
    fn end_array(&mut self) {
        self.leave();
    }

    #[inline]
    fn string(&mut self, text: Text<'_>) {
        let Some(id) = self.begin() else { return };
        if !text.is_plain() && has_half(text) {
            self.halves.number += 1;
            if self.halves.number == 1 {
                let own = self.steps();
                self.firsts.push((Target::Half, own));
            }
        }
        let signs = match text.raw {
            [
                b'0'..=b'9'
                | b'-'
                | b'+'
                | b'.'
                | b'{'
                | b'['
                | b' '
                | b'\\'
                | b't'
                | b'f'
                | b'n'
                | b'i'
                | b'T'
                | b'F'
                | b'N'
                | b'I',
                ..,
            ] => of_text(&text.decoded().collect::<String>()),
            _ => OF_TEXT,
        };
        self.note(id, signs);
    }

    #[inline]
    fn number(&mut self, number: &[u8]) {
        let number = std::str::from_utf8(number).unwrap_or_default();
        let is_float = number.contains(['.', 'e', 'E', 'N', 'I']);
        if is_float && number.parse().ok().and_then(texts::cut).is_some() {
            self.cut.number += 1;
            if self.cut.number == 1 && self.ignored == 0 {
                let own = self.steps();
                self.firsts.push((Target::Cut, own));
            }
        }
        self.scalar(match number.len() {
            0..=15 if !is_float => of_integer(number),
            _ => of_number(number, is_float),
        });
    }

    #[inline]
    fn boolean(&mut self, _: bool) {
        self.scalar(Sign::Boolean.bit() | Sign::NoInteger.bit() | Sign::NoFloat.bit());
    }

    #[inline]
    fn null(&mut self) {
        self.scalar(Sign::Null.bit());
    }
}

/// The signs of most texts.
const OF_TEXT: Signs = Sign::Text.bit() | Sign::NoInteger.bit() | Sign::NoFloat.bit() | Sign::NoBoolean.bit();

/// The signs of a number that neither int64 nor a boolean can hold.
const ONLY_FLOAT: Signs = Sign::NoInteger.bit() | Sign::NoBoolean.bit();

/// The signs of a whole number of few digits.
#[inline]
fn of_integer(number: &str) -> Signs {
    let is_bit = matches!(number, "0" | "1");
    Sign::Integer.bit() | if is_bit { 0 } else { Sign::NoBoolean.bit() }
}

/// The signs of a number.
fn of_number(number: &str, is_float: bool) -> Signs {
    let digits = match texts::whole(number) {
        None => Sign::TooBig.bit(),
        Some(read) if texts::is_wrapped(number, read) => Sign::Wrapped.bit(),
        Some(_) => 0,
    };
    if is_float {
        let is_whole = number.parse().is_ok_and(texts::is_whole);
        let sign = if is_whole { Sign::WholeFloat } else { Sign::Float };
        return digits | sign.bit() | ONLY_FLOAT;
    }
    match number.parse::<i128>() {
        Ok(number) if number.unsigned_abs() <= 1 << 53 => Sign::Integer.bit() | Sign::NoBoolean.bit(),
        Ok(number) if i64::try_from(number).is_ok() => Sign::WideInteger.bit() | Sign::NoBoolean.bit(),
        Ok(number) if u64::try_from(number).is_ok() => Sign::BigInteger.bit() | ONLY_FLOAT,
        _ => digits | Sign::HugeInteger.bit() | ONLY_FLOAT,
    }
}

/// Whether a text has half of a surrogate pair.
#[cold]
fn has_half(text: Text<'_>) -> bool {
    const HALF: char = char::REPLACEMENT_CHARACTER;
    let written = String::from_utf8_lossy(text.raw);
    text.decoded().any(|c| c == HALF)
        && !written.contains(HALF)
        && !written.to_ascii_lowercase().contains("\\ufffd")
}

/// The signs of a text.
fn of_text(text: &str) -> Signs {
    let if_not = |is: bool, sign: Sign| if is { 0 } else { sign.bit() };
    if text.as_bytes().get(4) == Some(&b'-')
        && let Some(time) = texts::timestamp(text)
    {
        return OF_TEXT & !Sign::Text.bit()
            | Sign::Date.bit()
            | if_not(texts::is_of_python(&time), Sign::OutOfRange)
            | if_not(!text.ends_with('Z'), Sign::Utc)
            | if_not(text.ends_with('Z') || !texts::has_zone(text), Sign::Offset);
    }
    Sign::Text.bit()
        | if_not(texts::parsed(text).is_none(), Sign::JsonText)
        | if_not(texts::is_integer(text), Sign::NoInteger)
        | if_not(text.parse::<f64>().is_ok(), Sign::NoFloat)
        | if_not(texts::is_boolean(text), Sign::NoBoolean)
}
