//! The fast tier: one pass over the bytes of a record that checks JSON, UTF-8 and schema together.
//!
//! It builds no tree and allocates nothing per record. Its answer is *clean* or *doubtful*, nothing else: a record is clean
//! only when no rule has anything to say of it, and whatever is unusual (an escape in a key, a long number, a key that is
//! not declared) makes it doubtful. The thorough tier reads a doubtful record again, and its word is final; so the fast
//! tier may be careful, and must never be lenient.
//!
//! ```
//! use evalcheck_json::schema::{ANY, Array, Schema};
//! use evalcheck_json::scan::{PADDING, Scratch, TextPolicy, line};
//!
//! static LIST: Schema = Schema::array(Array::of(&ANY));
//! let mut bytes = b"[1, true]\n".to_vec();
//! bytes.resize(bytes.len() + PADDING, 0);
//! let policy = TextPolicy { jsonb: false, embedded: false, strict_json: false };
//! assert_eq!(line(&bytes, 0, &LIST, policy, &mut Scratch::default()), Ok(9));
//! ```

pub(crate) mod blocks;
mod numbers;
pub(crate) mod scanner;
pub(crate) mod strings;
pub(crate) mod templates;
mod texts;

use std::num::NonZeroUsize;
use std::ops::Range;

pub use blocks::{BLOCK, Blocks, Scalar, Simd};
pub use strings::{BASE64_RUN, characters, is_base64, is_filled};
pub use texts::are_distinct;

use crate::schema::Schema;
use scanner::Scanner;
use templates::{Recording, Templates};

/// Zero bytes that must follow the last byte of a buffer that is scanned, so that a block may be loaded anywhere.
pub const PADDING: usize = 64;

/// The deepest nesting of arrays and objects that is read; deeper is an error.
pub const MAX_DEPTH: usize = 128;

/// The byte order mark of UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// What the system's storage or document has against certain strings, whatever their place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPolicy {
    /// The system stores records as PostgreSQL `jsonb`, which takes neither `U+0000` nor a lone surrogate.
    pub jsonb: bool,
    /// The document forbids embedded file contents: `data:` URLs and long base64.
    pub embedded: bool,
    /// The system reads strict JSON: a duplicate key is an error.
    pub strict_json: bool,
}

/// The answer of a scan that stopped: something is unusual, the explaining tier shall look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doubtful;

/// Memory that is used again for each record.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Captured values and keys of the record: number, and range in the buffer.
    pub captures: Vec<(u8, Range<usize>)>,
    /// Keys of the objects that are open, of those with keys of the user's own.
    own_keys: Vec<Range<usize>>,
    /// Fields that conditions speak of, of the objects that are open: their place among the fields, and that of the
    /// value.
    watched: Vec<(usize, usize)>,
    /// Arrays and objects that are open.
    depth: usize,
    /// What the template cache learns from.
    recording: Recording,
    /// The template cache. Boxed, so that it can be taken out cheaply.
    templates: Option<Box<Templates>>,
}

impl Scratch {
    /// How many records matched the template cache, since this memory is in use.
    pub fn template_matches(&self) -> u64 {
        self.templates.as_ref().map_or(0, |templates| templates.matched())
    }
}

/// Scans the line that begins at `start`. Gives the offset of the `\n` that ends it when the line is one clean record.
///
/// `bytes` holds that `\n`, and at least [`PADDING`] bytes after it.
pub fn line(
    bytes: &[u8],
    start: usize,
    schema: &'static Schema,
    policy: TextPolicy,
    scratch: &mut Scratch,
) -> Result<usize, Doubtful> {
    line_by::<Simd>(bytes, start, schema, policy, scratch)
}

/// The same by a way of looking at blocks that the caller chooses, for comparing them.
#[inline]
pub fn line_by<B: Blocks>(
    bytes: &[u8],
    start: usize,
    schema: &'static Schema,
    policy: TextPolicy,
    scratch: &mut Scratch,
) -> Result<usize, Doubtful> {
    let end = Scanner::<B>::new(bytes, policy, false).record(start, schema, scratch);
    end.map(NonZeroUsize::get).ok_or(Doubtful)
}

/// Scans the value that begins at `start`, and gives the offset of the byte after it. Line breaks are white space.
///
/// At least [`PADDING`] bytes that cannot belong to the value (zeros) stand at the end of `bytes`.
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
