//! The walk over the values of a record.

use evalcheck_json::walk::{Text, Visitor};

use super::texts;
use super::tree::{Target, Tree};
use super::values::Sign;

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
        let sign = match text.raw {
            [b'0'..=b'9' | b'-' | b'{' | b'[' | b't' | b'f' | b'n' | b'N' | b'I' | b' ' | b'\\', ..] => {
                of_text(&text.decoded().collect::<String>())
            }
            _ => Sign::Text,
        };
        self.note(id, sign);
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
        let sign = match number.len() {
            _ if is_float => Sign::Float,
            0..=18 => Sign::Integer,
            _ if number.parse::<i64>().is_ok() => Sign::Integer,
            _ if number.parse::<u64>().is_ok() => Sign::BigInteger,
            _ => Sign::HugeInteger,
        };
        self.scalar(sign);
    }

    #[inline]
    fn boolean(&mut self, _: bool) {
        self.scalar(Sign::Boolean);
    }

    #[inline]
    fn null(&mut self) {
        self.begin();
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

/// The sign of a text.
fn of_text(text: &str) -> Sign {
    if text.as_bytes().get(4) == Some(&b'-') && texts::timestamp(text).is_some() {
        Sign::Date
    } else if texts::parsed(text).is_some() {
        Sign::JsonText
    } else {
        Sign::Text
    }
}
