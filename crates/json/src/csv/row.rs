//! Reads a row in one pass: finds its cells and texts, and decides whether it is clean.

use std::ops::Range;

use evalcheck_core::names;

use super::list::is_list_of_words;
use super::{Cell, QUOTE};
use crate::scan::blocks::WIDE;
use crate::scan::{BLOCK, Blocks, Simd, is_filled};
use crate::schema::{StringSchema, TextRole};

/// A longer row is left to [`Boundary`](super::Boundary) and [`split`](super::split): while it arrives, [`Row::find`] would read the same
/// bytes again and again.
const LONGEST: usize = 1 << 16;

/// Constraints on the cells of a column, and the use of their texts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted {
    /// Constraints on the text.
    pub text: Option<&'static StringSchema>,
    /// Captures the text under this number.
    pub capture: Option<u8>,
    /// Whether the cells may be JSON lists; those are captured under the number with [`LIST`].
    pub is_list: bool,
    /// Bits of groups of columns: in each group, at least one must not be blank.
    pub fills: u32,
}

/// Added to the number of a capture that is a list of distinct words. Such a list has no finding, and is captured as written, with doubled
/// quotes: most lists are such, and decoding the quotes takes as long as reading the list.
pub const LIST: u8 = 0x80;

/// The cells of a row, and memory that is reused for each row.
#[derive(Debug, Default)]
pub struct Row {
    /// The cells; their offsets count from the row's start.
    pub cells: Vec<Cell>,
    /// The offsets of line breaks in quoted cells, from the row's start. [`Row::find`] fills it.
    pub breaks: Vec<usize>,
    /// The words of the current list.
    words: Vec<(u8, Range<usize>)>,
}

/// The texts of a row without findings.
#[derive(Debug)]
pub struct Texts<'a> {
    /// The bytes that the captured ranges refer to; [`crate::scan::PADDING`] bytes follow each of them.
    pub bytes: &'a [u8],
    /// Whether a text begins like a formula of a spreadsheet, or like the name of a spreadsheet error.
    pub like_of_spreadsheet: bool,
}

impl Row {
    /// Finds the cells of the row that begins at `start`, and returns the offset of the line break that ends it. `None` if the row has an
    /// error in its quotes, is long, or is not complete: then [`Boundary`](super::Boundary) and [`split`](super::split) read it.
    ///
    /// This takes one pass over the bytes, 64 at a time, instead of several.
    #[inline(never)]
    pub fn find(&mut self, bytes: &[u8], start: usize, delimiter: u8) -> Option<usize> {
        self.cells.clear();
        self.breaks.clear();
        let mut cell = start;
        // All bits are set if the current block begins within quotes.
        let mut inside = 0_u64;
        // Bit 0 of `edge`: the byte before the block separates cells or closes quotes. Bit 0 of `closed`: it closes quotes.
        let (mut edge, mut closed) = (1_u64, 0_u64);
        // Whether the current cell has doubled quotes in earlier blocks.
        let mut has_doubled = false;
        for at in (start..start + LONGEST).step_by(WIDE) {
            let block = bytes.get(at..)?.first_chunk()?;
            let [quotes, newlines, delimiters] = Simd::each_of(block, [QUOTE, b'\n', delimiter]);
            let within = if quotes == 0 { inside } else { parity(quotes) ^ inside };
            inside = if within >> 63 == 1 { !0 } else { 0 };
            let (opening, closing) = (quotes & within, quotes & !within);
            let ends = newlines & !within;
            // The bytes up to the row's end.
            let row = ends ^ ends.wrapping_sub(1);
            let separators = (delimiters | newlines) & !within & row;
            let mut breaks = newlines & within & row;
            while breaks != 0 {
                self.breaks.push(at - start + breaks.trailing_zeros() as usize);
                breaks &= breaks - 1;
            }
            let mut doubled = 0;
            if quotes != 0 || closed != 0 {
                let behind_closing = closing << 1 | closed;
                if opening & !((separators | closing) << 1 | edge) & row != 0 {
                    return None;
                }
                let mut others = behind_closing & !(separators | opening) & row;
                while others != 0 {
                    let place = at + others.trailing_zeros() as usize;
                    others &= others - 1;
                    if !bytes[place..].starts_with(b"\r\n") {
                        return None;
                    }
                }
                doubled = opening & behind_closing & row;
            }
            let mut left = separators;
            while left != 0 {
                let bit = left & left.wrapping_neg();
                left ^= bit;
                let place = at + bit.trailing_zeros() as usize;
                let before = bit - 1;
                let needs_decoding = has_doubled || doubled & before != 0;
                doubled &= !before;
                has_doubled = false;
                let is_quoted = bytes[cell] == QUOTE;
                self.cells.push(Cell {
                    span: cell - start..place - start,
                    quoted: is_quoted,
                    needs_decoding,
                });
                cell = place + 1;
            }
            has_doubled |= doubled != 0;
            if ends != 0 {
                let end = at + ends.trailing_zeros() as usize;
                self.leave_out_return(&bytes[start..end]);
                return Some(end);
            }
            edge = (separators | closing) >> 63;
            closed = closing >> 63;
        }
        None
    }

    /// The bytes of memory that [`Row::texts`] needs for the texts of cells that need decoding; 0 without such cells.
    #[inline]
    pub fn spare(&self) -> usize {
        let longest = self.cells.last().map_or(0, |cell| cell.span.end) + 2 * crate::scan::PADDING;
        if self.cells.iter().any(|cell| cell.needs_decoding) { longest } else { 0 }
    }

    /// Removes a carriage return before the line break from the last cell.
    #[inline]
    fn leave_out_return(&mut self, row: &[u8]) {
        if let Some(last) = self.cells.last_mut()
            && !last.span.is_empty()
            && row.ends_with(b"\r")
        {
            last.span.end -= 1;
        }
    }

    /// Replaces `captures` by the captured texts of the row at `start` of `bytes`, whose cells were found without error. `None` if the
    /// thorough tier has to read the row.
    ///
    /// [`crate::scan::PADDING`] bytes follow the row. Texts of cells that need decoding are written to the memory from `spare`, which has
    /// the size [`Row::spare`].
    #[inline(never)]
    pub fn texts<'a>(
        &mut self,
        bytes: &'a mut [u8],
        start: usize,
        spare: usize,
        columns: &[Wanted],
        captures: &mut Vec<(u8, Range<usize>)>,
    ) -> Option<Texts<'a>> {
        if self.cells.len() != columns.len() {
            return None;
        }
        captures.clear();
        let (row, free) = bytes.split_at_mut_checked(spare)?;
        let row = row.get(start..)?;
        let (mut to, mut wanted, mut filled, mut like_of_spreadsheet) = (0, 0, 0, false);
        for (cell, column) in self.cells.iter().zip(columns) {
            let content = cell.content();
            let is_list = cell.needs_decoding
                && column.is_list
                && is_list_of_words(row, content.clone(), &mut self.words);
            let (text, at) = if cell.needs_decoding && !is_list {
                let from = to;
                to += halve_quotes(row, content, free.get_mut(from..)?)?;
                (free.get(from..to)?, spare + from)
            } else {
                (row.get(content.clone())?, start + content.start)
            };
            if column.text.is_some_and(|wanted| !passes(wanted, text)) {
                return None;
            }
            wanted |= column.fills;
            filled |= if column.fills > 0 && is_filled(text) { column.fills } else { 0 };
            like_of_spreadsheet |= matches!(text.first(), Some(b'=' | b'+' | b'-' | b'@' | b'#'));
            if let Some(number) = column.capture {
                let kind = if is_list { LIST } else { 0 };
                captures.push((number | kind, at..at + text.len()));
            }
        }
        if filled != wanted {
            return None;
        }
        Some(Texts { bytes, like_of_spreadsheet })
    }
}

/// Copies the content of a quoted cell in which every quote is doubled, with one quote for each pair. Returns the length of
/// the copy; `None` unless [`BLOCK`] bytes follow the content, and the copy in `out`.
fn halve_quotes(row: &[u8], content: Range<usize>, out: &mut [u8]) -> Option<usize> {
    let (mut at, mut to) = (content.start, 0);
    while at < content.end {
        // The next block overwrites the bytes copied after a quote.
        let block = row.get(at..)?.first_chunk()?;
        *out.get_mut(to..)?.first_chunk_mut()? = *block;
        let plain = BLOCK.min(Simd::any_of(block, [QUOTE]).trailing_zeros() as usize);
        if plain >= content.end - at {
            return Some(to + content.end - at);
        }
        let is_quote = usize::from(plain < BLOCK);
        at += plain + 2 * is_quote;
        to += plain + is_quote;
    }
    Some(to)
}

/// Bit `i` is set if the number of bits set from bit 0 to bit `i` is odd.
#[inline]
fn parity(bits: u64) -> u64 {
    let mut odd = bits;
    for distance in [1, 2, 4, 8, 16, 32] {
        odd ^= odd << distance;
    }
    odd
}

/// Checks a constraint. Returns false if the thorough tier has to check it.
fn passes(wanted: &StringSchema, text: &[u8]) -> bool {
    if !wanted.values.is_empty() {
        return wanted.values.iter().any(|value| value.as_bytes() == text);
    }
    text != names::LOST_OBJECT.as_bytes()
        && (!wanted.not_blank || is_filled(text))
        && (wanted.role != TextRole::Name
            // Names are nearly always ASCII; the thorough tier searches for look-alikes.
            || (text.iter().all(|byte| matches!(byte, b' '..=b'~')) && !names::is_rounded(text)))
}
