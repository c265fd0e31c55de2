//! Samples of a record that is not UTF-8 in the encodings that it may be in.

use evalcheck_core::content::possible_encodings;
use evalcheck_records::convert::Decoders;
use evalcheck_report::view::EncodingSample;

/// The maximum number of bytes that are decoded before the first bytes that are not UTF-8, and from them on.
const WINDOW: usize = 4 << 10;

/// The number of characters of a sample before the first bytes that are not UTF-8.
const BEFORE: usize = 12;

/// The number of characters of a sample from these bytes on.
const AFTER: usize = 48;

/// A byte below this is a whole character in all encodings that are tried; others can be the second half of one.
const WHOLE: u8 = 0x30;

/// A sample for each encoding that a record may be in, the likeliest first. Empty for UTF-8, and for damaged UTF-8.
pub(super) fn samples(record: &[u8], decoders: Decoders) -> Vec<EncodingSample> {
    let Err(error) = std::str::from_utf8(record) else { return Vec::new() };
    let at = error.valid_up_to();
    let from = at.saturating_sub(WINDOW);
    // Decoding begins at a character.
    let start = if from == 0 {
        Some(0)
    } else {
        record[from..at].iter().position(|byte| *byte < WHOLE).map(|whole| from + whole)
    };
    let Some(start) = start else { return Vec::new() };
    let end = record.len().min(at + WINDOW);
    let read = |encoding: &str| {
        let mut decoder = decoders(encoding)?;
        let mut text = Vec::new();
        decoder.decode(&record[start..at], false, &mut text).ok()?;
        let middle = text.len();
        // The last character may be cut.
        decoder.decode(&record[at..end], false, &mut text).ok()?;
        let text = String::from_utf8(text).ok().filter(|text| !text.contains(is_unused))?;
        let (before, after) = text.split_at(middle);
        let first = middle - length(before.chars().rev().take(BEFORE));
        let last = middle + length(after.chars().take(AFTER));
        Some(EncodingSample {
            encoding: encoding.to_owned(),
            is_cut_before: first > 0 || start > 0,
            is_cut_after: last < text.len() || end < record.len(),
            text: text[first..last].to_owned(),
        })
    };
    possible_encodings(record).into_iter().filter_map(read).collect()
}

/// The number of bytes of these characters, up to a line break.
fn length(characters: impl Iterator<Item = char>) -> usize {
    characters.take_while(|c| !matches!(c, '\n' | '\r')).map(char::len_utf8).sum()
}

/// Whether the Encoding Standard decodes bytes that have no meaning in an encoding to this character: to control characters and
/// those of private use.
fn is_unused(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{9f}' | '\u{e000}'..='\u{f8ff}')
}

#[cfg(test)]
mod tests {
    use evalcheck_records::convert::Decode;

    use super::*;

    /// Latin-1 under the name of `windows-1252`, and EUC-KR as an encoding that refuses all bytes above 7F.
    #[derive(Debug)]
    struct Latin1 {
        refuses: bool,
    }

    impl Decode for Latin1 {
        fn decode(&mut self, bytes: &[u8], _is_last: bool, out: &mut Vec<u8>) -> Result<(), String> {
            if self.refuses && !bytes.is_ascii() {
                return Err("refused".to_owned());
            }
            out.extend(bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes());
            Ok(())
        }
    }

    fn decoders(encoding: &str) -> Option<Box<dyn Decode>> {
        let refuses = encoding == "EUC-KR";
        (refuses || encoding == "windows-1252").then(|| Box::new(Latin1 { refuses }) as Box<dyn Decode>)
    }

    fn texts(record: &[u8]) -> Vec<String> {
        let cut = |is_cut| if is_cut { "…" } else { "" };
        let samples = samples(record, decoders).into_iter();
        let shown = samples.map(|sample| {
            let EncodingSample { encoding, text, is_cut_before, is_cut_after } = sample;
            format!("{encoding}: {}{text}{}", cut(is_cut_before), cut(is_cut_after))
        });
        shown.collect()
    }

    #[test]
    fn encodings_that_refuse_the_bytes_or_do_not_use_them_are_left_out() {
        assert_eq!(texts(b"{\"a\": \"caf\xe9\"}"), ["windows-1252: {\"a\": \"café\"}"]);
        assert_eq!(texts(b"{\"a\": \"caf\x81\"}"), [""; 0]);
        assert_eq!(texts("{\"a\": \"café\"}".as_bytes()), [""; 0]);
        assert_eq!(texts(b"\xc3\xa9 \xc3\xa9 \xe9"), [""; 0], "damaged UTF-8");
    }

    #[test]
    fn a_sample_is_a_line_around_the_bytes() {
        let long = [b"0".repeat(60), b"caf\xe9 ".to_vec(), b"1".repeat(60)].concat();
        assert_eq!(texts(&long), [format!("windows-1252: …{}café {}…", "0".repeat(9), "1".repeat(46))]);
        assert_eq!(texts(b"{\n\"caf\xe9\"\r\n}"), ["windows-1252: …\"café\"…"]);
        // Decoding begins at the space.
        let far = [b"0".repeat(9), b" ".to_vec(), b"0".repeat(WINDOW - 4), b"caf\xe9".to_vec()].concat();
        assert_eq!(texts(&far), [format!("windows-1252: …{}café", "0".repeat(9))]);
        let endless = [b"0".repeat(WINDOW), b"\xe9".to_vec()].concat();
        assert_eq!(texts(&endless), ["windows-1252: …000000000000é"]);
        let endless = [b"0".repeat(WINDOW + 1), b"\xe9".to_vec()].concat();
        assert_eq!(texts(&endless), [""; 0]);
    }
}
