//! Comparing the beginnings of texts.

/// Whether `bytes` begin with `prefix`. As [`slice::starts_with`], but inline and eight bytes at a time: in WebAssembly that calls a loop over
/// single bytes, which took a tenth of a check.
#[inline]
pub(super) fn begins_with(bytes: &[u8], prefix: &[u8]) -> bool {
    let Some(bytes) = bytes.get(..prefix.len()) else { return false };
    let (words, prefix_words) = (bytes.as_chunks::<8>().0, prefix.as_chunks::<8>().0);
    if !words.iter().zip(prefix_words).all(|(word, other)| same(*word, *other)) {
        return false;
    }
    // The last bytes are compared as one more word, which overlaps with the word before.
    match (bytes.last_chunk(), prefix.last_chunk()) {
        (Some(last), Some(other)) => same(*last, *other),
        _ => bytes.iter().zip(prefix).all(|(byte, other)| byte == other),
    }
}

fn same(word: [u8; 8], other: [u8; 8]) -> bool {
    u64::from_ne_bytes(word) == u64::from_ne_bytes(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_starts_with() {
        let text: Vec<u8> = (0..40).collect();
        for length in 0..text.len() {
            assert!(begins_with(&text, &text[..length]));
            assert!(!begins_with(&text[..length], &text));
            for at in 0..length {
                let mut other = text[..length].to_vec();
                other[at] ^= 1;
                assert!(!begins_with(&text, &other), "{at} of {length}");
            }
        }
    }
}
