//! Tests of the bytes of entries: inflated in pieces, counted, checked.

use super::build::*;
use super::{accept, open};
use crate::{Archive, AttachmentCheck, Entry, Inflater, Limits};
use evalcheck_core::rule::AnyProblem;

/// Reads an entry with pieces of the given lengths.
fn read(
    inflater: &mut Inflater,
    mut data: &[u8],
    piece: usize,
    room: usize,
) -> (Vec<u8>, Result<(), AnyProblem>) {
    let mut contents = Vec::new();
    let mut out = vec![0; room];
    loop {
        match inflater.push(&data[..piece.min(data.len())], &mut out) {
            Err(problem) => return (contents, Err(problem)),
            Ok(step) => {
                contents.extend_from_slice(&out[..step.produced]);
                data = &data[step.consumed..];
                if step.done {
                    return (contents, Ok(()));
                }
            }
        }
    }
}

fn data<'b>(entry: &Entry, bytes: &'b [u8]) -> &'b [u8] {
    let range = entry.data.clone().unwrap();
    &bytes[range.start as usize..range.end as usize]
}

/// Reads every readable entry. Each read must end.
pub(super) fn read_all(archive: &Archive, bytes: &[u8]) {
    for entry in archive.entries().iter().filter(|entry| entry.is_readable()) {
        let _ = read(&mut Inflater::new(entry), data(entry, bytes), 7, 11);
    }
}

#[track_caller]
fn fails(part: Part, expected: &str) {
    let bytes = pack(&[samples(), part]);
    let archive = open(&bytes).archive.unwrap();
    let entry = &archive.entries()[1];
    for (piece, room) in [(1, 1), (3, 1000), (1000, 3), (1000, 1000)] {
        let (_, result) = read(&mut Inflater::new(entry), data(entry, &bytes), piece, room);
        assert_eq!(result.unwrap_err().message(), expected, "pieces of {piece}, room for {room}");
    }
}

fn text() -> Vec<u8> {
    (0..2000u32).flat_map(|n| format!("line {n} of some text\n").into_bytes()).collect()
}

#[test]
fn any_pieces_give_the_same_contents() {
    let parts = [stored("a", &text()), deflated("b", &text()), deflated("c", b""), stored("d", b"")];
    let bytes = pack(&parts);
    let archive = accept(&bytes);
    let mut inflater = Inflater::new(&archive.entries()[0]);
    for (piece, room) in [(1, 1), (1, 4096), (4096, 1), (100, 333), (1 << 20, 1 << 20)] {
        for (entry, contents) in archive.entries().iter().zip([text(), text(), vec![], vec![]]) {
            inflater.restart(entry);
            let (read, result) = read(&mut inflater, data(entry, &bytes), piece, room);
            assert_eq!(result, Ok(()));
            assert!(read == contents);
            assert_eq!(inflater.produced(), contents.len() as u64);
        }
    }
}

#[test]
fn bytes_beyond_the_entry_are_not_taken() {
    let bytes = pack(&[stored("a", b"abc")]);
    let archive = accept(&bytes);
    let mut out = [0; 100];
    let step = Inflater::new(&archive.entries()[0]).push(b"abcdef", &mut out).unwrap();
    assert_eq!((step.consumed, step.produced, step.done), (3, 3, true));
}

#[test]
fn a_wrong_checksum() {
    let found = crc(&text());
    let message = format!("the data is damaged: its CRC-32 is {found:08x}, but the ZIP states 00000001");
    fails(Part { crc: 1, ..deflated("a", &text()) }, &message);
    fails(Part { crc: 1, ..stored("a", &text()) }, &message);
}

#[test]
fn what_came_out_before_a_failure_is_handed_out() {
    let bytes = pack(&[Part { crc: 1, ..deflated("a", &text()) }]);
    let archive = open(&bytes).archive.unwrap();
    let entry = &archive.entries()[0];
    let (contents, result) = read(&mut Inflater::new(entry), data(entry, &bytes), 1 << 20, 1 << 20);
    assert!(contents == text() && result.is_err());
}

#[test]
fn a_wrong_size() {
    let size = text().len() as u64;
    let part = deflated("a", &text());
    fails(
        Part { size: size + 1, ..part.clone() },
        &format!("the entry holds {size} bytes, but the ZIP states {} bytes", size + 1),
    );
    fails(Part { size: 10, ..part }, "the entry holds more than 10 bytes, but the ZIP states 10 bytes");
}

#[test]
fn damaged_data() {
    let part = deflated("a", &text());
    let mut cut = part.clone();
    cut.data.truncate(5);
    cut.compressed_size = 5;
    let bytes = pack(&[cut]);
    let archive = open(&bytes).archive.unwrap();
    let (contents, result) =
        read(&mut Inflater::new(&archive.entries()[0]), data(&archive.entries()[0], &bytes), 100, 100);
    let message = format!("the compressed data is damaged: it ends after {} bytes", contents.len());
    assert_eq!(result.unwrap_err().message(), message);
    let mut longer = part.clone();
    longer.data.extend(b"and more");
    longer.compressed_size += 8;
    fails(longer, "the compressed data is damaged: it goes on for 8 bytes after its end");
    let mut invalid = part;
    invalid.data[0] = 0xFF;
    let bytes = pack(&[samples(), invalid]);
    let archive = open(&bytes).archive.unwrap();
    let entry = &archive.entries()[1];
    let (_, result) = read(&mut Inflater::new(entry), data(entry, &bytes), 100, 100);
    assert_eq!(result.unwrap_err().rule().code, "zip/broken-data");
}

#[test]
fn bombs_stop_at_their_limits() {
    let zeros = vec![0; 1 << 20];
    let bytes = pack(&[deflated("a", &zeros), deflated("b", &zeros), deflated("c", &text())]);
    let archive = accept(&bytes);
    let read_with = |limits: Limits| {
        let mut inflater = Inflater::with_limits(&archive.entries()[0], limits);
        for entry in archive.entries() {
            inflater.restart(entry);
            let (contents, result) = read(&mut inflater, data(entry, &bytes), 1 << 16, 1 << 12);
            if let Err(problem) = result {
                return format!("{} {}: {}", entry.name, contents.len(), problem.message());
            }
        }
        "read".to_owned()
    };
    assert_eq!(read_with(Limits::default()), "read");
    assert_eq!(
        read_with(Limits { entry: 10_000, ..Limits::default() }),
        "a 12288: decompression stopped: the entry holds more than 10000 bytes"
    );
    assert_eq!(
        read_with(Limits { total: 1_050_000, ..Limits::default() }),
        "b 4096: decompression stopped: the entries of the ZIP hold more than 1050000 bytes together"
    );
    let stopped = read_with(Limits { ratio: 20, ratio_floor: 100_000, ..Limits::default() });
    assert!(stopped.starts_with("a 1"), "{stopped}");
    assert!(stopped.ends_with("more than 20 times as many"), "{stopped}");
}

#[test]
fn attachments_are_checked_by_their_contents() {
    let check = |name: &str, contents: &[u8]| {
        let bytes = pack(&[samples(), stored(name, contents)]);
        let archive = open(&bytes).archive.unwrap();
        let mut check = AttachmentCheck::new(&archive.entries()[1]);
        for piece in contents.chunks(3) {
            check.feed(piece);
        }
        let findings = check.finish();
        findings.iter().map(|finding| finding.problem.message()).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(check("attachments/a.pdf", b"%PDF-1.7 ..."), "");
    assert_eq!(check("attachments/a.pdf", b""), "the file is empty");
    assert_eq!(
        check("attachments/a.PDF", b"<!DOCTYPE html>"),
        "the name ends with .pdf, but the content is an HTML page"
    );
    assert_eq!(check("attachments/data", b"PK\x03\x04..."), "a ZIP inside the ZIP is not opened");
    assert_eq!(check("attachments/notes.txt", &"a".repeat(100_000).into_bytes()), "");
}
