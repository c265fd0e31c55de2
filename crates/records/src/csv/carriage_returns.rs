//! Carriage returns outside of quotes.

use evalcheck_json::csv::{Cell, QUOTE, split};

/// The first carriage return outside of quotes.
pub(super) fn bare_carriage_return(row: &[u8], cells: &[Cell]) -> Option<usize> {
    bare_carriage_returns(row, cells).next()
}

/// Whether the row has several of them: then carriage returns end rows. A single one may be a mistake in a name.
pub(super) fn ends_rows(row: &[u8], delimiter: u8) -> bool {
    let mut cells = Vec::new();
    split(row, delimiter, memchr::memchr(QUOTE, row).is_some(), &mut cells);
    bare_carriage_returns(row, &cells).nth(1).is_some()
}

/// All carriage returns outside of quotes.
fn bare_carriage_returns(row: &[u8], cells: &[Cell]) -> impl Iterator<Item = usize> {
    cells.iter().flat_map(|cell| {
        let from = cell.quotes_end(row);
        memchr::memchr_iter(b'\r', &row[from..cell.span.end]).map(move |at| from + at)
    })
}

/// The index of the cell that contains an offset. An empty cell contains the offset at which it begins.
pub(super) fn cell_at(cells: &[Cell], at: usize) -> Option<usize> {
    let index = cells.partition_point(|cell| cell.span.end.max(cell.span.start + 1) <= at);
    (cells.get(index)?.span.start <= at).then_some(index)
}
