//! Numbers as bytes: unsigned LEB128.

use unsigned_varint::{decode, encode};

/// Adds a number to bytes.
pub(crate) fn write(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend_from_slice(encode::u64(number, &mut encode::u64_buffer()));
}

/// Reads a number and leaves the bytes after it. `None` if there is none.
#[inline]
pub(crate) fn read(left: &mut &[u8]) -> Option<u64> {
    // Most numbers are small: this halves the time.
    if let [byte @ 0..0x80, rest @ ..] = *left {
        *left = rest;
        return Some(u64::from(*byte));
    }
    let (number, rest) = decode::u64(left).ok()?;
    *left = rest;
    Some(number)
}
