//! Finding a few bytes in others. The finders of memchr's `memmem` prepare for long searches, and take 8 kB of the worker's
//! wasm for that; what is looked for here is short, or has a rare byte. The standard library's search for a text takes 3 kB.

/// Letters from the rarest in English to the most frequent.
const LETTERS: &[u8] = b"zqjxkvbpygfwmucldrhsnioate";

/// Where `needle` stands first.
///
/// Fast where some byte of it is rare in the haystack: every one of those is looked at.
pub(crate) fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let how_frequent = |byte: &u8| match byte {
        b'"' | b' ' => LETTERS.len(),
        // What is no letter is rare in text.
        _ => LETTERS.iter().position(|letter| letter == byte).map_or(0, |place| place + 1),
    };
    let Some((before, rarest)) = needle.iter().enumerate().min_by_key(|(_, byte)| how_frequent(byte)) else {
        return Some(0);
    };
    let places = memchr::memchr_iter(*rarest, haystack.get(before..)?);
    places.into_iter().find(|&at| haystack[at..].starts_with(needle))
}

/// A text in two, at a place that lies between two characters. It does not panic: the message of a panic about texts brings
/// tables of all characters, 3 kB of the worker's wasm.
pub(crate) fn cut(text: &str, at: usize) -> (&str, &str) {
    text.split_at_checked(at).unwrap_or((text, ""))
}

/// Every place where a signature stands.
pub(crate) fn every(haystack: &[u8], signature: [u8; 4]) -> impl Iterator<Item = usize> + '_ {
    memchr::memchr_iter(signature[0], haystack).filter(move |&at| haystack[at..].starts_with(&signature))
}

/// The same, the last one first.
pub(crate) fn last_first(haystack: &[u8], signature: [u8; 4]) -> impl Iterator<Item = usize> + '_ {
    memchr::memrchr_iter(signature[0], haystack).filter(move |&at| haystack[at..].starts_with(&signature))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_memmem_finds() {
        let haystacks: [&[u8]; 7] =
            [b"", b"*", b"a */ b */", b"PPK\x05\x06", b"aaaa", b"ab\0ab", b"a queue of queries"];
        for haystack in haystacks {
            for needle in [&b"*/"[..], b"PK\x05\x06", b"a", b"", b"ab", b"zz", b"queries", b"qqq"] {
                assert_eq!(
                    find(haystack, needle),
                    memchr::memmem::find(haystack, needle),
                    "{needle:?} in {haystack:?}"
                );
            }
            let places: Vec<usize> = memchr::memmem::find_iter(haystack, b"PK\x05\x06").collect();
            assert_eq!(every(haystack, *b"PK\x05\x06").collect::<Vec<_>>(), places);
            let mut from_behind: Vec<usize> = last_first(haystack, *b"PK\x05\x06").collect();
            from_behind.reverse();
            assert_eq!(from_behind, places);
        }
    }
}
