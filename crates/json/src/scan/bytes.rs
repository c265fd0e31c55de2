//! Comparing bytes.

use crate::scan::blocks::BLOCK;

/// Compares a word with a known one. In wasm the standard library compares byte by byte; nearly all words have up to 32 bytes,
/// which a few instructions compare.
#[inline]
pub(crate) fn same(word: &[u8], known: &[u8]) -> bool {
    /// Compares the first and the last `N` bytes, which may overlap.
    #[inline]
    fn ends<const N: usize>(one: &[u8], other: &[u8]) -> bool {
        let first = one.first_chunk::<N>().zip(other.first_chunk());
        let last = one.last_chunk::<N>().zip(other.last_chunk());
        matches!((first, last), (Some((a, b)), Some((c, d))) if a == b && c == d)
    }
    #[inline(never)]
    fn long(one: &[u8], other: &[u8]) -> bool {
        same_blocks(one, other) == Some(true)
    }
    word.len() == known.len()
        && match known.len() {
            0..4 => word.iter().eq(known),
            4..8 => ends::<4>(word, known),
            8..=16 => ends::<8>(word, known),
            17..=32 => ends::<16>(word, known),
            _ => long(word, known),
        }
}

/// The same for bytes of one length, block by block; `None` when they are shorter than one.
#[inline]
pub(crate) fn same_blocks(one: &[u8], other: &[u8]) -> Option<bool> {
    let (last, other_last) = (one.last_chunk::<BLOCK>()?, other.last_chunk::<BLOCK>()?);
    let mut blocks = one.as_chunks::<BLOCK>().0.iter().zip(other.as_chunks::<BLOCK>().0);
    Some(blocks.all(|(one, other)| one == other) && last == other_last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_differ_anywhere_are_not_the_same() {
        for length in 0..100_u8 {
            let one: Vec<u8> = (0..length).collect();
            assert!(same(&one, &one.clone()), "{length} bytes");
            assert!(!same(&one, &[one.as_slice(), b"x"].concat()), "{length} bytes and one more");
            for place in 0..usize::from(length) {
                let mut other = one.clone();
                other[place] ^= 0x80;
                assert!(!same(&one, &other), "{length} bytes, another at {place}");
            }
        }
    }
}
