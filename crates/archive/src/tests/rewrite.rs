//! Tests of rewritten archives.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Seek, SeekFrom, Write};

use evalcheck_report::EntryEdit;
use zip::ZipArchive;

use super::build::*;
use super::{accept, codes, open};
use crate::{Archive, NewData, Part as NewPart};

fn rewritten(bytes: &[u8], edits: &[EntryEdit], dataset: Option<(&str, &str)>) -> Vec<u8> {
    let (mut source, mut sink, mut scratch) = (Cursor::new(bytes), Vec::new(), Cursor::new(Vec::new()));
    let mut edit = |source: &mut dyn Read, sink: &mut dyn Write| {
        std::io::copy(source, sink)?;
        sink.write_all(dataset.unwrap_or_default().1.as_bytes())
    };
    let contents = dataset.map(|(name, _)| (name, &mut edit as crate::EditContents<'_>));
    crate::rewrite(&mut source, &mut sink, &mut scratch, edits, contents).unwrap();
    sink
}

/// The parts of an entry that the `zip` crate reads.
#[derive(Debug, PartialEq)]
struct Seen {
    contents: Option<Vec<u8>>,
    mode: Option<u32>,
    comment: String,
}

/// The entries that the `zip` crate reads, by name; `None` for an archive that it cannot read.
fn by_zip(bytes: &[u8]) -> Option<BTreeMap<String, Seen>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let count = archive.len();
    let entry = |index| {
        let (name, mode, comment) = {
            let entry = archive.by_index_raw(index).ok()?;
            (entry.name().ok()?.to_string(), entry.unix_mode(), entry.comment().to_owned())
        };
        let mut contents = Vec::new();
        let read = archive.by_index(index).ok().and_then(|mut entry| entry.read_to_end(&mut contents).ok());
        Some((name, Seen { contents: read.map(|_| contents), mode, comment }))
    };
    (0..count).map(entry).collect()
}

/// Checks that a rewritten archive has the same contents and no problems.
pub(super) fn assert_same(archive: &Archive, bytes: &[u8], is_undisputed: bool) {
    let new = rewritten(bytes, &[], None);
    let opened = Archive::open(&mut Cursor::new(&new), new.len() as u64);
    let shown = codes(&opened);
    let again = opened.archive.unwrap_or_else(|| panic!("{shown:?}"));
    assert!(again.is_rewritable(), "{shown:?}");
    let last = |archive: &Archive| -> BTreeMap<String, (u32, u64, bool)> {
        let entries = archive.entries().iter();
        entries.map(|entry| (entry.name.to_string(), (entry.crc32, entry.size, entry.symlink))).collect()
    };
    assert_eq!(last(archive), last(&again));
    assert_eq!(archive.comment, again.comment);
    if is_undisputed {
        assert_eq!(by_zip(bytes), by_zip(&new));
    }
    assert_eq!(rewritten(&new, &[], None), new, "what was written anew stays as it is");
}

#[test]
fn entries_are_renamed_and_left_out_and_the_dataset_is_changed() {
    let bytes = pack(&[samples(), stored("files/é.txt", b"a"), deflated("x", b"xx"), stored("y", b"y")]);
    let edits = [
        EntryEdit::rename("files/é.txt", "attachments/é.txt"),
        EntryEdit::remove("x"),
        EntryEdit::rename("samples.jsonl", "data.jsonl"),
    ];
    let new = rewritten(&bytes, &edits, Some(("samples.jsonl", "{\"more\":1}\n")));
    let archive = accept(&new);
    let names: Vec<_> = archive.entries().iter().map(|entry| &*entry.name).collect();
    assert_eq!(names, ["data.jsonl", "attachments/é.txt", "y"]);
    let entries = by_zip(&new).unwrap();
    let contents = |name: &str| String::from_utf8(entries[name].contents.clone().unwrap()).unwrap();
    assert!(contents("data.jsonl").ends_with("{\"more\":1}\n"));
    assert_eq!(contents("attachments/é.txt"), "a");
}

#[test]
fn of_a_name_the_last_entry_is_written() {
    let bytes = pack(&[samples(), stored("a", b"same"), stored("a", b"same")]);
    assert_eq!(codes(&open(&bytes)), ["zip/repeated-entry a"]);
    assert_eq!(accept(&rewritten(&bytes, &[], None)).entries().len(), 2);
}

/// A source with some known bytes; all others are zeros.
struct Sparse<'a> {
    at: u64,
    known: Vec<(u64, &'a [u8])>,
    size: u64,
}

impl Read for Sparse<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n = out.len().min(usize::try_from(self.size.saturating_sub(self.at)).unwrap_or(usize::MAX));
        for (at, byte) in (self.at..).zip(&mut out[..n]) {
            let known = |(start, bytes): &(u64, &[u8])| bytes.get(at.checked_sub(*start)? as usize).copied();
            *byte = self.known.iter().find_map(known).unwrap_or_default();
        }
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for Sparse<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let SeekFrom::Start(at) = to else { panic!("{to:?}") };
        self.at = at;
        Ok(at)
    }
}

#[test]
fn sizes_and_numbers_of_64_bits_are_written_where_they_are_needed() {
    let archive = accept(&pack(&[samples(), stored("a", b"a")]));
    let size = 5 << 30;
    let data = NewData { deflated: false, crc32: 1, size, compressed_size: size };
    let parts = archive.rewritten(&[], Some((&archive.entries()[0], data)), None);
    let [NewPart::New(first), NewPart::Data, NewPart::New(second), NewPart::Copied(_), NewPart::New(end)] =
        parts.as_slice()
    else {
        panic!("{parts:?}")
    };
    let second_at = first.len() as u64 + size;
    let end_at = second_at + second.len() as u64 + 1;
    let total = end_at + end.len() as u64;
    let known = vec![(0, first.as_slice()), (second_at, second), (end_at, end)];
    let opened = Archive::open(&mut Sparse { at: 0, known, size: total }, total);
    assert_eq!(codes(&opened), [""; 0]);
    let again = opened.archive.unwrap();
    assert_eq!((again.entries()[0].size, again.entries()[1].header), (size, second_at));

    let many: Vec<_> = (0..70_000).map(|n| (n.to_string(), Vec::new())).collect();
    let many = crate::write(many.iter().map(|(name, data)| (name.as_str(), data.as_slice()))).unwrap();
    assert_eq!(accept(&many).entries().len(), 70_000);
}

#[test]
fn an_entry_is_added_and_the_others_stay_as_they_are() {
    let bytes = pack(&[samples(), deflated("attachments/é.txt", b"aaaa")]);
    let archive = accept(&bytes);
    let mut crc = crate::Crc::new();
    crc.update(b"new");
    let data = NewData { deflated: false, crc32: crc.sum(), size: 3, compressed_size: 3 };
    let mut new = Vec::new();
    for part in archive.rewritten(&[], None, Some(("attachments/ä.txt", data))) {
        match part {
            NewPart::Copied(range) => new.extend(&bytes[range.start as usize..range.end as usize]),
            NewPart::New(headers) => new.extend(headers),
            NewPart::Added => new.extend(b"new"),
            NewPart::Data => panic!("no entry has new contents"),
        }
    }
    let mut expected = by_zip(&bytes).unwrap();
    let added = Seen { contents: Some(b"new".to_vec()), mode: None, comment: String::new() };
    expected.insert("attachments/ä.txt".to_owned(), added);
    assert_eq!(by_zip(&new), Some(expected));
    let again = accept(&new);
    assert_eq!(again.entries().last().map(|entry| (entry.utf8, entry.size)), Some((true, 3)));
    assert_eq!(rewritten(&new, &[], None), new, "what was written anew stays as it is");
}

#[test]
fn new_files_are_packed_with_sizes_of_64_bits_where_they_are_needed() {
    let data = |size, crc32| NewData { deflated: false, crc32, size, compressed_size: size };
    let contents = ["{}\n", "", "x"];
    let crc = |text: &str| {
        let mut crc = crate::Crc::new();
        crc.update(text.as_bytes());
        data(text.len() as u64, crc.sum())
    };
    let names = ["runs/a.jsonl", "runs/\u{e9}\u{4e2d}.jsonl", "b"];
    let mut texts = contents.iter();
    let mut bytes = Vec::new();
    for part in crate::packed(names.into_iter().zip(contents.map(crc))) {
        match part {
            NewPart::New(new) => bytes.extend(new),
            NewPart::Data => bytes.extend(texts.next().unwrap().as_bytes()),
            NewPart::Copied(_) | NewPart::Added => panic!("there is nothing to copy"),
        }
    }
    let archive = accept(&bytes);
    assert_eq!(archive.entries().iter().map(|entry| &*entry.name).collect::<Vec<_>>(), names);
    let seen = by_zip(&bytes).unwrap();
    for (name, text) in names.into_iter().zip(contents) {
        assert_eq!(seen[name].contents.as_deref(), Some(text.as_bytes()), "{name}");
    }

    let size = 5 << 30;
    let parts = crate::packed([("a", data(size, 1)), ("b", data(1, 1))]);
    let [NewPart::New(first), NewPart::Data, NewPart::New(second), NewPart::Data, NewPart::New(end)] =
        parts.as_slice()
    else {
        panic!("{parts:?}")
    };
    let second_at = first.len() as u64 + size;
    let end_at = second_at + second.len() as u64 + 1;
    let total = end_at + end.len() as u64;
    let known = vec![(0, first.as_slice()), (second_at, second), (end_at, end)];
    let opened = Archive::open(&mut Sparse { at: 0, known, size: total }, total);
    assert_eq!(codes(&opened), [""; 0]);
    let archive = opened.archive.unwrap();
    assert_eq!((archive.entries()[0].size, archive.entries()[1].header), (size, second_at));

    let many: Vec<String> = (0..70_000).map(|n| n.to_string()).collect();
    let parts = crate::packed(many.iter().map(|name| (name.as_str(), data(0, 0))));
    let bytes: Vec<u8> = parts
        .into_iter()
        .flat_map(|part| match part {
            NewPart::New(bytes) => bytes,
            _ => Vec::new(),
        })
        .collect();
    assert_eq!(accept(&bytes).entries().len(), 70_000);
}
