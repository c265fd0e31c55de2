//! Reads records of the dataset again.

use std::io::{self, Read, Seek};
use std::ops::ControlFlow;

use super::View;
use crate::records::{Reader, Visit, reader, resume};

/// Reads records from the nearest mark before the record `first`, as [`feed`] does. `visitor` gets the number of the first record
/// that is read. Returns the reader, and whether the dataset was read to its end.
pub(super) fn read_from_record<'v, R: Read + Seek, V: Visit + 'v>(
    view: &mut View<'v, R>,
    first: u64,
    visitor: impl FnOnce(u64) -> V,
    is_enough: impl FnMut(&V, u64) -> bool,
) -> io::Result<(Box<dyn Reader<V> + 'v>, bool)> {
    let checked = view.reader;
    let state = checked.visitor();
    let layout = &state.dataset.variant.layout;
    let (mut again, offset) = match checked.positions().records.before_record(first) {
        Some(&mark) => {
            let visitor = visitor(mark.record_start.record);
            (resume(layout, state.dataset.schema, checked.table(), mark, visitor), mark.record_start.offset)
        }
        None => (reader(layout, state.dataset.schema, visitor(0)), 0),
    };
    let is_end = feed(view, &mut *again, offset, is_enough)?;
    Ok((again, is_end))
}

/// Gives a reader the bytes from an offset of the dataset on, until `is_enough` is true for its visitor and the number of bytes read, or
/// the dataset ends. Returns whether it ended.
pub(super) fn feed<R: Read + Seek, V: Visit>(
    view: &mut View<'_, R>,
    again: &mut (dyn Reader<V> + '_),
    offset: u64,
    mut is_enough: impl FnMut(&V, u64) -> bool,
) -> io::Result<bool> {
    let mut bytes_read = 0;
    let flow = view.read_from(offset, |bytes| {
        again.buffer(bytes.len()).copy_from_slice(bytes);
        again.commit(bytes.len());
        bytes_read += bytes.len() as u64;
        if is_enough(again.visitor(), bytes_read) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    let is_end = flow.is_continue();
    if is_end {
        // Every byte was read: the last record may end here.
        again.finish();
    }
    Ok(is_end)
}
