//! Guesses the encoding of text that is not UTF-8.

/// Guesses the encoding of text that is not UTF-8 from its bytes above 7F, and returns its name in `iconv`. `None` when they
/// show nothing, and for damaged UTF-8, which still has characters of several bytes.
///
/// ```
/// use evalcheck_core::content::guess_encoding;
///
/// assert_eq!(guess_encoding(b"it\x92s"), Some("WINDOWS-1252"));
/// assert_eq!(guess_encoding("a cut character: \u{20ac}".as_bytes().split_last().unwrap().1), None);
/// ```
pub fn guess_encoding(bytes: &[u8]) -> Option<&'static str> {
    let (mut characters, mut broken) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        characters += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    let is_cut = bytes.utf8_chunks().last().is_some_and(|chunk| chunk.invalid().len() > 1);
    if broken == 0 || characters >= broken || (is_cut && broken == 1) {
        return None;
    }
    if is_shift_jis(bytes) {
        return Some("SHIFT_JIS");
    }
    // There may be as many runs as bytes, so they are not collected.
    let runs = || bytes.split(u8::is_ascii).filter(|run| !run.is_empty());
    if runs().all(|run| run.len() % 2 == 0 && is_double_byte(run)) {
        return Some("GBK");
    }
    let is_letter = |byte: &&u8| **byte >= 0xc0;
    let letters: usize = runs().map(|run| run.iter().filter(is_letter).count()).sum();
    let total: usize = runs().map(<[u8]>::len).sum();
    // Words of letters above BF are Cyrillic; in Western European languages such letters are single.
    if runs().any(|run| run.len() >= 4) && letters * 10 >= total * 9 {
        return Some("WINDOWS-1251");
    }
    // FF is a character too, but it is rare in text and frequent in binary data.
    let is_usual = |byte: &u8| !matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d | 0xff);
    // Latin-1 has the same characters from A0 on, and below A0 only control characters, which no text has.
    runs().all(|run| run.iter().all(is_usual)).then_some("WINDOWS-1252")
}

/// Pairs of a lead byte and a trail byte, some of them hiragana or katakana.
fn is_shift_jis(bytes: &[u8]) -> bool {
    let mut kana = 0;
    let mut rest = bytes;
    loop {
        rest = match rest {
            [] => return kana > 0,
            [0..=0x7f | 0xa1..=0xdf, rest @ ..] => rest,
            [lead @ (0x81..=0x9f | 0xe0..=0xfc), 0x40..=0x7e | 0x80..=0xfc, rest @ ..] => {
                kana += usize::from(matches!(lead, 0x82 | 0x83));
                rest
            }
            _ => return false,
        };
    }
}

/// Pairs of bytes above A0, most of them among the frequent Chinese characters.
fn is_double_byte(run: &[u8]) -> bool {
    let frequent = run.chunks(2).filter(|pair| (0xb0..=0xf7).contains(&pair[0])).count();
    run.iter().all(|byte| *byte >= 0xa1) && frequent * 4 >= run.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_by_their_bytes() {
        let known: &[(&[u8], Option<&str>)] = &[
            (b"it\x92s \x93quoted\x94 caf\xe9", Some("WINDOWS-1252")),
            (b"caf\xe9, na\xefve, Stra\xdfe", Some("WINDOWS-1252")),
            (b"\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd", Some("SHIFT_JIS")),
            (b"{\"a\": \"\xc4\xe3\xba\xc3\xca\xc0\xbd\xe7\"}", Some("GBK")),
            (b"\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0", Some("WINDOWS-1251")),
            (b"plain text", None),
            // Damaged UTF-8: one character cut, another whole.
            (b"\xe2\x82\xac and \xe2\x82", None),
            (b"a \xff b", None),
        ];
        for (bytes, encoding) in known {
            assert_eq!(guess_encoding(bytes), *encoding, "{}", bytes.escape_ascii());
        }
    }
}
