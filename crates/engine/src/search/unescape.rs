//! The text of a record with its escapes replaced.

use std::borrow::Cow;

/// A record in JSON with each escape replaced by its character, so that it has the text of each string of the record. `None` if an
/// escape has no character, or the bytes are not text.
///
/// ```text
/// {"a":"x\\n\\u00e9\\""}   becomes   {"a":"x⏎é""}
/// ```
pub(super) fn unescape(record: &[u8]) -> Option<Cow<'_, str>> {
    let mut rest = std::str::from_utf8(record).ok()?;
    if memchr::memchr(b'\\', record).is_none() {
        return Some(Cow::Borrowed(rest));
    }
    let mut text = String::with_capacity(rest.len());
    while let Some(escape) = memchr::memchr(b'\\', rest.as_bytes()) {
        text.push_str(rest.get(..escape)?);
        let (character, after) = replace(rest.get(escape + 1..)?)?;
        text.push(character);
        rest = after;
    }
    text.push_str(rest);
    Some(Cow::Owned(text))
}

/// The character of an escape, which begins after its backslash, and the rest after it.
fn replace(escape: &str) -> Option<(char, &str)> {
    let mut rest = escape.chars();
    let character = match rest.next()? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'u' => return replace_units(rest.as_str()),
        itself => itself,
    };
    Some((character, rest.as_str()))
}

/// The character of one `\u` escape, or of the two of a surrogate pair, after the first `u`.
fn replace_units(escape: &str) -> Option<(char, &str)> {
    let (unit, rest) = unit(escape)?;
    if let Some(character) = char::from_u32(unit.into()) {
        return Some((character, rest));
    }
    let (low, after) = rest.strip_prefix("\\u").and_then(self::unit)?;
    let character = char::decode_utf16([unit, low]).next()?.ok()?;
    Some((character, after))
}

/// The number of four hexadecimal digits, and the rest after them.
fn unit(digits: &str) -> Option<(u16, &str)> {
    let (digits, rest) = digits.split_at_checked(4)?;
    Some((u16::from_str_radix(digits, 16).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_become_what_a_parser_makes_of_them() {
        for text in ["plain", "a\"b\\c/d\u{8}\u{c}\n\r\t", "é東🦀", ""] {
            let quoted = serde_json::to_string(text).unwrap();
            assert_eq!(unescape(quoted.as_bytes()).as_deref(), Some(&*format!("\"{text}\"")));
            let units: Vec<_> = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            let units = units.concat();
            assert_eq!(unescape(units.as_bytes()).as_deref(), Some(text));
            assert_eq!(
                unescape(units.to_uppercase().replace("\\U", "\\u").as_bytes()).as_deref(),
                Some(text)
            );
        }
        assert_eq!(unescape(br"\/\/").as_deref(), Some("//"));
    }

    #[test]
    fn what_has_no_character_is_no_text() {
        for bad in [&br"\ud800"[..], br"\udc00\ud800", br"\u12", br"\u12g4", br"\", b"\xff", br"\ud800\u0041"]
        {
            assert_eq!(unescape(bad), None, "{bad:?}");
        }
    }
}
