//! A list of words in a cell, as `json.dumps` writes it: what most cells of lists hold.

use std::ops::Range;

use crate::{BLOCK, Blocks, Scratch, Simd};

/// Captures the entries of a JSON list of strings, under number 0, when each of them is ASCII, short and without escapes, and
/// nothing but a comma and a space stand between them. False where the whole scanner has to look.
///
/// [`crate::PADDING`] bytes stand behind the text.
///
/// ```
/// use evalcheck_scan::{PADDING, Scratch, csv::list_of_words};
/// let mut bytes = br#"["a", "bc"]"#.to_vec();
/// let text = 0..bytes.len();
/// bytes.resize(text.end + PADDING, 0);
/// let mut scratch = Scratch::default();
/// assert!(list_of_words(&bytes, &text, &mut scratch));
/// assert_eq!(scratch.captures, [(0, 2..3), (0, 7..9)]);
/// ```
pub fn list_of_words(bytes: &[u8], text: &Range<usize>, scratch: &mut Scratch) -> bool {
    scratch.captures.clear();
    read(bytes, text, scratch).is_some_and(|end| end == text.end)
}

/// Behind the list.
fn read(bytes: &[u8], text: &Range<usize>, scratch: &mut Scratch) -> Option<usize> {
    let mut at = text.start;
    let mut before = b'[';
    loop {
        if bytes.get(at) != Some(&before) {
            return (before == b',' && bytes.get(at) == Some(&b']')).then_some(at + 1);
        }
        at += 1;
        at += usize::from(before == b',' && bytes.get(at) == Some(&b' '));
        if bytes.get(at) != Some(&b'"') {
            return None;
        }
        at += 1;
        let masks = Simd::masks(bytes.get(at..)?.first_chunk::<BLOCK>()?);
        // Up to the lowest bit.
        let word = masks.special.wrapping_sub(1) & !masks.special;
        let end = at + masks.special.trailing_zeros() as usize;
        // A longer word does not end in the block, and a backslash or a control character is no quote.
        if masks.special == 0 || masks.high & word != 0 || bytes.get(end) != Some(&b'"') {
            return None;
        }
        scratch.captures.push((0, at..end));
        at = end + 1;
        before = b',';
    }
}

#[cfg(test)]
mod tests {
    use super::list_of_words;
    use crate::shape::{Array, Shape, Text};
    use crate::{PADDING, Scratch, TextPolicy, element};

    static LIST: Shape = Shape::array(Array::of(&ENTRY));
    static ENTRY: Shape = Shape::text(Text::ANY.captured_raw(0));

    #[test]
    fn what_is_taken_the_scanner_takes_alike() {
        let policy = TextPolicy { jsonb: false, embedded: false, strict_json: false };
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
            let mut bytes = text.into_bytes();
            if random.bool() {
                let at = random.usize(0..bytes.len());
                bytes[at] = [b'"', b'\\', b',', b'[', b']', b' ', b'\n', 0x80, b'x'][random.usize(0..9)];
            }
            let text = 0..bytes.len();
            bytes.resize(text.end + PADDING, 0);
            let (mut quick, mut whole) = (Scratch::default(), Scratch::default());
            if !list_of_words(&bytes, &text, &mut quick) {
                left += 1;
                continue;
            }
            taken += 1;
            let end = element(&bytes, 0, &LIST, policy, &mut whole);
            let shown = String::from_utf8_lossy(&bytes[text.clone()]);
            assert_eq!((end, quick.captures), (Ok(text.end), whole.captures), "{shown}");
        }
        assert!(taken > 10_000 && left > 20_000, "the lists are of use: {taken} taken, {left} left");
    }
}
