//! Finding a byte. memchr's functions are compiled where they are called, and the engine calls from where all is compiled for size.

/// Where a byte stands first.
#[cfg_attr(target_family = "wasm", inline(never))]
pub fn first(byte: u8, bytes: &[u8]) -> Option<usize> {
    memchr::memchr(byte, bytes)
}

/// Where a byte stands last.
#[cfg_attr(target_family = "wasm", inline(never))]
pub fn last(byte: u8, bytes: &[u8]) -> Option<usize> {
    memchr::memrchr(byte, bytes)
}

/// Every place where a byte stands.
#[cfg_attr(target_family = "wasm", inline(never))]
pub fn each(byte: u8, bytes: &[u8], found: &mut dyn FnMut(usize)) {
    memchr::memchr_iter(byte, bytes).for_each(found);
}
