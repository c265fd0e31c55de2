//! Lists of words in a cell, as `json.dumps` and a CSV writer write them. Most lists in cells are of this kind.

use std::ops::Range;

use crate::scan::{BLOCK, Blocks, Simd, are_distinct};

/// Whether the content of a quoted cell is a JSON list of distinct strings that are ASCII, not blank and without escapes, with only a comma
/// and a space between them. The content is read as written, with every quote doubled. Returns false if the scanner has to read it.
///
/// `words` is reused memory.
pub(super) fn is_list_of_words(
    row: &[u8],
    content: Range<usize>,
    words: &mut Vec<(u8, Range<usize>)>,
) -> bool {
    words.clear();
    read(row, content.start, words) == Some(content.end) && are_distinct(row, words, 0)
}

/// The offset after the list.
fn read(row: &[u8], mut at: usize, words: &mut Vec<(u8, Range<usize>)>) -> Option<usize> {
    let mut before = b'[';
    loop {
        if row.get(at) != Some(&before) {
            return (before == b',' && row.get(at) == Some(&b']')).then_some(at + 1);
        }
        at += 1;
        at += usize::from(before == b',' && row.get(at) == Some(&b' '));
        at = behind_quotes(row, at)?;
        let start = at;
        loop {
            let masks = Simd::masks(row.get(at..)?.first_chunk::<BLOCK>()?);
            // The bits below the lowest bit of `special`.
            let word = masks.special.wrapping_sub(1) & !masks.special;
            if masks.high & word != 0 {
                return None;
            }
            if masks.special != 0 {
                at += masks.special.trailing_zeros() as usize;
                break;
            }
            at += BLOCK;
        }
        words.push((0, start..at));
        // `None` for a backslash or a control character.
        at = behind_quotes(row, at)?;
        before = b',';
    }
}

/// The offset after a doubled quote.
fn behind_quotes(row: &[u8], at: usize) -> Option<usize> {
    (row.get(at..at + 2)? == b"\"\"").then_some(at + 2)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::is_list_of_words;
    use crate::scan::{PADDING, Scratch, TextPolicy, are_distinct, element};
    use crate::schema::{Array, Schema, StringSchema};

    static LIST: Schema = Schema::array(Array::of(&ENTRY));
    static ENTRY: Schema = Schema::text(StringSchema::ANY.captured_raw(0));

    #[test]
    fn what_is_taken_the_scanner_takes_alike() {
        let policy = TextPolicy::NONE;
        let mut random = fastrand::Rng::with_seed(1);
        let (mut taken, mut left) = (0, 0);
        for _ in 0..200_000 {
            let words = random.usize(0..4);
            let mut text = String::from("[");
            for word in 0..words {
                text.push_str(if word == 0 { "" } else { [",", ", ", ",", " , "][random.usize(0..4)] });
                let length = [random.usize(0..20), 14 + random.usize(0..4), 30 + random.usize(0..4)];
                let length = length[random.usize(0..3)];
                text.push('"');
                text.extend(
                    (0..length).map(|_| if random.u8(0..60) == 0 { 'é' } else { random.alphanumeric() }),
                );
                text.push('"');
            }
            text.push(']');
            let mut text = text.into_bytes();
            if random.bool() {
                let at = random.usize(0..text.len());
                text[at] = [b'"', b'\\', b',', b'[', b']', b' ', b'\n', 0x80, b'x'][random.usize(0..9)];
            }
            let mut cell = Vec::new();
            for byte in &text {
                cell.extend(std::iter::repeat_n(*byte, 1 + usize::from(*byte == b'"')));
            }
            let content = 0..cell.len();
            cell.extend_from_slice(b"\",x\n");
            cell.resize(cell.len() + PADDING, 0);
            let (mut words, mut whole) = (Vec::new(), Scratch::default());
            if !is_list_of_words(&cell, content, &mut words) {
                left += 1;
                continue;
            }
            taken += 1;
            let end = text.len();
            text.resize(end + PADDING, 0);
            let shown = String::from_utf8_lossy(&text[..end]);
            assert_eq!(element(&text, 0, &LIST, policy, &mut whole), Ok(end), "{shown}");
            let entries = |bytes: &[u8], ranges: &[(u8, Range<usize>)]| -> Vec<Vec<u8>> {
                ranges.iter().map(|(_, range)| bytes[range.clone()].to_vec()).collect()
            };
            assert_eq!(entries(&cell, &words), entries(&text, &whole.captures), "{shown}");
            assert!(!words.is_empty() && are_distinct(&text, &whole.captures, 0), "{shown}");
        }
        assert!(taken > 10_000 && left > 20_000, "the lists are of use: {taken} taken, {left} left");
    }
}
