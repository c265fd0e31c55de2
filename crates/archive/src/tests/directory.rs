//! Compares the directory with the one that the `zip` crate reads.

use std::io::Cursor;

use zip::ZipArchive;

use super::build::{Build, Part, crc, pack, samples, stored, zip64_sizes};
use super::{accept, expect, open};

/// Compares every entry with that of the `zip` crate.
#[track_caller]
fn agree(bytes: &[u8]) {
    let ours = open(bytes).archive.expect("it can be read");
    let mut theirs = ZipArchive::new(Cursor::new(bytes)).unwrap();
    assert_eq!(ours.entries().len(), theirs.len());
    for (index, entry) in ours.entries().iter().enumerate() {
        let file = theirs.by_index_raw(index).unwrap();
        assert_eq!(*entry.name, *file.name().unwrap());
        assert_eq!(
            (entry.size, entry.compressed_size),
            (file.size(), file.compressed_size()),
            "{}",
            entry.name
        );
        assert_eq!((entry.header, entry.crc32), (file.header_start(), file.crc32()), "{}", entry.name);
        let what = (entry.is_dir, entry.symlink, entry.encrypted);
        assert_eq!(what, (file.is_dir(), file.is_symlink(), file.encrypted()), "{}", entry.name);
    }
}

/// A part with a field for a name in Unicode beside its plain name.
fn with_unicode_name(mut part: Part, name: &str) -> Part {
    part.central_extra = vec![0x75, 0x70];
    part.central_extra.extend(u16::try_from(name.len() + 5).unwrap().to_le_bytes());
    part.central_extra.push(1);
    part.central_extra.extend(crc(&part.name).to_le_bytes());
    part.central_extra.extend(name.as_bytes());
    part
}

fn in_code_page(name: &[u8]) -> Part {
    Part { name: name.to_vec(), flags: 0, ..stored("", b"text") }
}

#[test]
fn every_character_of_code_page_437() {
    let upper = (128..=255).map(|byte| in_code_page(&[b'a', byte, b'.', b't']));
    agree(&pack(&[samples()].into_iter().chain(upper).collect::<Vec<_>>()));
}

#[test]
fn folders_links_and_encrypted_entries() {
    let folder = stored("attachments/", b"");
    let link = Part { attributes: 0o120_777 << 16, ..stored("attachments/link", b"a.txt") };
    let socket = Part { attributes: 0o140_777 << 16, ..stored("attachments/pipe", b"") };
    let secret = Part { flags: 1, ..stored("attachments/secret", b"123456789012") };
    agree(&pack(&[samples(), folder, link, secret]));
    let opened = open(&pack(&[samples(), socket]));
    assert!(!opened.archive.unwrap().entries()[1].symlink);
}

#[test]
fn sizes_of_64_bits_and_bytes_before_the_archive() {
    let mut large = samples();
    large.central_extra = zip64_sizes(&large);
    // Another field before it, and padding after it.
    large.central_extra.splice(0..0, [0x55, 0x54, 1, 0, 0]);
    large.central_extra.extend([0, 0]);
    agree(&pack(&[large.clone()]));
    agree(&Build { prefix: b"#!/bin/sh\n".to_vec(), zip64: true, ..Build::default() }.pack(&[large]));
}

#[test]
fn a_name_in_unicode_spells_out_what_a_code_page_cannot() {
    let named = with_unicode_name(in_code_page(b"attachments/\x82.txt"), "attachments/é.txt");
    agree(&pack(&[samples(), named]));
    let archive = accept(&pack(&[
        samples(),
        with_unicode_name(in_code_page(b"attachments/\xff\xff.txt"), "attachments/日本.txt"),
    ]));
    assert_eq!(archive.entries()[1].path(), "attachments/日本.txt");
}

#[test]
fn extra_fields_that_break_off_or_contradict_are_errors() {
    let broken =
        |extra: &[u8]| Part { central_extra: extra.to_vec(), ..stored("attachments/a.txt", b"text") };
    for extra in [&[1, 0, 4, 0, 1, 2, 3, 4][..], &[9, 9, 5, 0, 1], &[0x75, 0x70, 2, 0, 1, 2]] {
        expect(&pack(&[samples(), broken(extra)]), &["zip/damaged"]);
    }
    accept(&pack(&[samples(), broken(&[9, 9, 5])]));
    let other = with_unicode_name(stored("attachments/a.txt", b"text"), "attachments/b.txt");
    expect(&pack(&[samples(), other]), &["zip/ambiguous"]);
    let mut stale = with_unicode_name(in_code_page(b"attachments/\x82.txt"), "attachments/é.txt");
    stale.name = b"attachments/\x83.txt".to_vec();
    expect(&pack(&[samples(), stale]), &["zip/damaged"]);
}
