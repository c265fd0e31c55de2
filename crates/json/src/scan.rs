//! The fast tier: one pass over the bytes of a record that checks JSON, UTF-8 and schema together.
//!
//! It builds no tree and allocates nothing per record. Its answer is *clean* or *doubtful*. A record is clean only if no rule, not even a
//! warning, applies to it. Anything unusual (an escape in a key, a long number, an undeclared key) makes the record [`Doubtful`]; the
//! thorough tier (`evalcheck-diagnose`) then reads it again and decides. So the fast tier may be too careful, but must never be too lenient.
//!
//! [`Scratch`] holds the values that a scan captured for the format's rules. The template cache (`templates`) recognizes records like the
//! ones before, which is faster than walking the schema.
//!
//! ```
//! use evalcheck_json::schema::{ANY, Array, Schema};
//! use evalcheck_json::scan::{PADDING, Scratch, TextPolicy, line};
//!
//! static LIST: Schema = Schema::array(Array::of(&ANY));
//! let mut bytes = b"[1, true]\n".to_vec();
//! bytes.resize(bytes.len() + PADDING, 0);
//! let policy = TextPolicy::NONE;
//! assert_eq!(line(&bytes, 0, &LIST, policy, &mut Scratch::default()), Ok(9));
//! ```

pub(crate) mod blocks;
mod embedded;
mod end;
mod line_reader;
mod numbers;
mod prefix;
mod scanner;
mod scratch;
mod strings;
mod templates;
mod text_policy;
mod texts;

use std::num::NonZeroUsize;

pub use blocks::{BLOCK, Blocks, Scalar, Simd};
pub use line_reader::LineReader;
pub use scratch::{MAX_DEPTH, Scratch};
pub use strings::{BASE64_RUN, characters, is_base64, is_filled, is_single_backslash};
pub use text_policy::{ByteOrderMark, FileKind, Integers, StrictJson, TextPolicy};
pub use texts::are_distinct;

use crate::schema::Schema;
use scanner::Scanner;

/// The number of bytes that must follow the last byte of a record in its buffer, so that a whole block can be loaded anywhere.
pub const PADDING: usize = 64;

/// The byte order mark of UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// The scan stopped at something unusual: the thorough tier has to read the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doubtful;

/// Scans the line that begins at `start`. Returns the offset of its `\n` if the line is one clean record.
///
/// `bytes` holds that `\n`, and at least [`PADDING`] bytes after it.
///
/// # Errors
/// [`Doubtful`] if the thorough tier has to read the record.
pub fn line(
    bytes: &[u8],
    start: usize,
    schema: &'static Schema,
    policy: TextPolicy,
    scratch: &mut Scratch,
) -> Result<usize, Doubtful> {
    line_by::<Simd>(bytes, start, schema, policy, scratch)
}

/// [`line()`] with a chosen implementation of [`Blocks`], for comparing them in tests.
///
/// # Errors
/// As [`line()`].
pub fn line_by<B: Blocks>(
    bytes: &[u8],
    start: usize,
    schema: &'static Schema,
    policy: TextPolicy,
    scratch: &mut Scratch,
) -> Result<usize, Doubtful> {
    let end = Scanner::<B>::new(bytes, policy, false).record(start, schema, scratch).ok_or(Doubtful)?.get();
    if policy.lines.separator(&bytes[start..end]).is_some() { Err(Doubtful) } else { Ok(end) }
}

/// Scans the value that begins at `start`, and returns the offset after it. Line breaks are white space.
///
/// `bytes` ends with at least [`PADDING`] bytes that cannot belong to a value, such as zeros.
///
/// # Errors
/// [`Doubtful`] if the thorough tier has to read the record.
pub fn element(
    bytes: &[u8],
    start: usize,
    schema: &'static Schema,
    policy: TextPolicy,
    scratch: &mut Scratch,
) -> Result<usize, Doubtful> {
    let end = Scanner::<Simd>::new(bytes, policy, true).record(start, schema, scratch);
    end.map(NonZeroUsize::get).ok_or(Doubtful)
}
