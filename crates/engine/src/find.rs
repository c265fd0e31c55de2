//! Finding a few bytes in others. The finders of memchr's `memmem` prepare for long searches, and take 8 kB of the worker's
//! wasm for that; what is looked for here is short, and begins with a rare byte.

/// Where `needle` stands first.
///
/// Fast where its first byte is rare in the haystack: every one of them is looked at.
pub(crate) fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let Some(first) = needle.first() else { return Some(0) };
    memchr::memchr_iter(*first, haystack).find(|&at| haystack[at..].starts_with(needle))
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
        let haystacks: [&[u8]; 6] = [b"", b"*", b"a */ b */", b"PPK\x05\x06", b"aaaa", b"ab\0ab"];
        for haystack in haystacks {
            for needle in [&b"*/"[..], b"PK\x05\x06", b"a", b"", b"ab", b"zz"] {
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
