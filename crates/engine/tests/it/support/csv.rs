//! The rows of a CSV, by our reader and by another.

use std::ops::Range;

use csv_core::{ReadRecordResult, Reader};
use evalcheck_engine::scan::PADDING;
use evalcheck_json::csv::{Boundary, Row, Wanted, split};

/// Rows and cells by our own scan; an unfinished row at the end of a file is left out.
pub fn rows(data: &[u8]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut rest = data;
    let (mut cells, mut quick) = (Vec::new(), Row::default());
    while !rest.is_empty() {
        let mut boundary = Boundary::default();
        let Some(end) = boundary.find(rest, b',') else { break };
        let row = rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]);
        let behind = rest[row.len()..].to_vec();
        rest = &rest[end + 1..];
        if row.is_empty() {
            continue;
        }
        let error = split(row, b',', boundary.has_quotes(), &mut cells);
        rows.push(cells.iter().map(|cell| cell.text(row)).collect());
        let mut padded = [row, &behind, &[0; PADDING]].concat();
        let found = quick.find(&padded, 0, b',');
        assert_eq!(found.is_some(), error.is_none(), "{}", String::from_utf8_lossy(row));
        // A capture has one of 128 numbers.
        if let Some(at) = found
            && cells.len() < 128
        {
            assert_eq!((at, &quick.cells), (end, &cells), "{}", String::from_utf8_lossy(row));
            let breaks: Vec<usize> = memchr::memchr_iter(b'\n', row).collect();
            assert_eq!(quick.breaks, breaks, "line breaks of {}", String::from_utf8_lossy(row));
            let columns: Vec<Wanted> = (0..)
                .take(cells.len())
                .map(|location| Wanted { capture: Some(location), ..Wanted::default() })
                .collect();
            let mut captures = Vec::new();
            let spare = padded.len();
            padded.resize(spare + quick.spare(), 0);
            let texts = quick.texts(&mut padded, 0, spare, &columns, &mut captures).unwrap();
            let text = |(_, range): &(u8, std::ops::Range<usize>)| {
                String::from_utf8_lossy(&texts.bytes[range.clone()]).into_owned()
            };
            let row_again: Vec<_> = captures.iter().map(text).collect();
            assert_eq!(Some(&row_again), rows.last(), "texts of {}", String::from_utf8_lossy(row));
        }
    }
    rows
}

/// The spans of the cells of each row in a file, by our own scan.
pub fn spans(data: &[u8]) -> Vec<Vec<Range<usize>>> {
    let mut rows = Vec::new();
    let (mut start, mut cells) = (0, Vec::new());
    while start < data.len() {
        let mut boundary = Boundary::default();
        let end = boundary.find(&data[start..], b',').map_or(data.len(), |end| start + end);
        let row = data[start..end].strip_suffix(b"\r").unwrap_or(&data[start..end]);
        if !row.is_empty() {
            split(row, b',', boundary.has_quotes(), &mut cells);
            rows.push(cells.iter().map(|cell| start + cell.span.start..start + cell.span.end).collect());
        }
        start = end + 1;
    }
    rows
}

/// Rows and cells by the engine of the `csv` crate.
pub fn core_rows(data: &[u8]) -> Vec<Vec<String>> {
    core_rows_by_line(data).into_iter().map(|(_, cells)| cells).collect()
}

/// The same, each with its lines, counted from 1.
pub fn core_rows_by_line(data: &[u8]) -> Vec<(Range<u64>, Vec<String>)> {
    let mut rows = Vec::new();
    let (mut reader, mut output, mut ends) =
        (Reader::new(), vec![0; data.len() + 1], vec![0; data.len() + 1]);
    let newlines = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count() as u64;
    let (mut rest, mut line) = (data, 1);
    while !rest.is_empty() {
        // The reader skips blank lines before a row.
        let blank = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        line += newlines(&rest[..blank]);
        rest = &rest[blank..];
        let (result, read, _, count) = reader.read_record(rest, &mut output, &mut ends);
        let first = line;
        line += newlines(&rest[..read]);
        let last = line - u64::from(rest[..read].ends_with(b"\n"));
        rest = &rest[read..];
        if matches!(result, ReadRecordResult::Record) {
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let cell =
                |(start, &end): (usize, &usize)| String::from_utf8_lossy(&output[start..end]).into_owned();
            let cells = starts.zip(&ends[..count]).map(cell).collect();
            rows.push((first..last + 1, cells));
        }
    }
    rows
}
