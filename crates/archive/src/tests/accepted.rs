//! Archives as ordinary programs write them, which cause at most a warning.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::build::*;
use super::{accept, codes, expect, open};
use crate::{Archive, Method};

fn paths(archive: &Archive) -> Vec<&str> {
    archive.entries().iter().map(crate::Entry::path).collect()
}

#[test]
fn what_the_zip_crate_writes() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    writer.add_directory("attachments/", options).unwrap();
    writer.start_file("samples.jsonl", options.compression_method(CompressionMethod::Deflated)).unwrap();
    writer.write_all(b"{}\n").unwrap();
    writer
        .start_file(
            "attachments/naïve.pdf",
            options.compression_method(CompressionMethod::Stored).large_file(true),
        )
        .unwrap();
    writer.write_all(b"%PDF-1.7").unwrap();
    let bytes = writer.finish().unwrap().into_inner();
    let archive = accept(&bytes);
    assert_eq!(paths(&archive), ["attachments/", "samples.jsonl", "attachments/naïve.pdf"]);
    let [folder, samples, pdf] = archive.entries() else { panic!("three entries") };
    assert!(folder.is_dir && !folder.is_readable());
    assert_eq!((samples.method, samples.size), (Method::Deflate, 3));
    let data = pdf.data.clone().unwrap();
    assert_eq!(&bytes[data.start as usize..data.end as usize], b"%PDF-1.7");
    assert_eq!(pdf.crc32, crc(b"%PDF-1.7"));
}

#[test]
fn data_descriptors_in_their_four_forms() {
    for (signed, long) in [(true, false), (false, false), (true, true), (false, true)] {
        let follow = |mut part: Part| {
            part.flags |= 8;
            part.zero_local = true;
            if signed {
                part.after.extend(b"PK\x07\x08");
            }
            part.after.extend(part.crc.to_le_bytes());
            for value in [part.compressed_size, part.size] {
                let bytes = value.to_le_bytes();
                part.after.extend(&bytes[..if long { 8 } else { 4 }]);
            }
            part
        };
        let parts = [follow(samples()), follow(stored("attachments/a.txt", b"a"))];
        let archive = accept(&pack(&parts));
        assert!(archive.entries().iter().all(crate::Entry::is_readable), "{signed} {long}");
    }
}

#[test]
fn zip64_ends_and_sizes() {
    let mut part = stored("samples.jsonl", b"{}\n");
    part.central_extra = zip64_sizes(&part);
    part.local_extra = zip64_sizes(&part);
    let bytes = Build { zip64: true, ..Build::default() }.pack(&[part]);
    let archive = accept(&bytes);
    assert_eq!((archive.entries()[0].size, archive.entries()[0].compressed_size), (3, 3));
}

#[test]
fn prefix_is_a_warning_whichever_way_offsets_count() {
    for (offsets_know_prefix, zip64) in [(true, false), (false, false), (true, true), (false, true)] {
        let prefix = b"#!/bin/sh\nexit\n".to_vec();
        let bytes = Build { prefix, offsets_know_prefix, zip64, ..Build::default() }.pack(&[samples()]);
        let archive = expect(&bytes, &["zip/data-before-start"]).expect("it can be read");
        assert!(archive.entries()[0].is_readable());
        let data = archive.entries()[0].data.clone().unwrap();
        assert_eq!(bytes[data.start as usize..data.end as usize], samples().data);
    }
}

#[test]
fn harmless_bytes_get_no_finding() {
    let marker = Build { prefix: b"PK00".to_vec(), offsets_know_prefix: true, ..Build::default() };
    accept(&marker.pack(&[samples()]));
    let comment = Build { comment: b"made by hand".to_vec(), ..Build::default() };
    accept(&comment.pack(&[samples()]));
    let mut padded = samples();
    padded.after = vec![0; 300];
    accept(&pack(&[padded, stored("attachments/a.txt", b"a")]));
    let mut signed = Build::default().pack(&[samples()]);
    let end = signed.len() - 22;
    signed.splice(end..end, *b"PK\x05\x05\x02\0hi");
    let size = u32::from_le_bytes(*signed[end + 8 + 12..].first_chunk().unwrap()) + 8;
    signed[end + 8 + 12..end + 8 + 16].copy_from_slice(&size.to_le_bytes());
    accept(&signed);
}

#[test]
fn other_bytes_between_entries_are_a_warning() {
    let mut part = samples();
    part.after = b"forgotten".to_vec();
    expect(&pack(&[part, stored("attachments/a.txt", b"a")]), &["zip/hidden-data"]);
    expect(
        &Build { before_directory: b"forgotten".to_vec(), ..Build::default() }.pack(&[samples()]),
        &["zip/hidden-data"],
    );
}

#[test]
fn a_stored_zip_inside_has_its_own_end_and_confuses_nobody() {
    let inner = pack(&[stored("a.txt", b"a")]);
    let bytes = pack(&[samples(), stored("attachments/inner.zip", &inner)]);
    let archive = expect(&bytes, &["zip/nested-archive attachments/inner.zip"]).unwrap();
    assert_eq!(archive.entries().len(), 2);
    // Without the extension .zip, the directory does not show that it is an archive.
    accept(&pack(&[samples(), stored("attachments/report.docx", &inner)]));
}

#[test]
fn top_folder_is_stripped_and_junk_does_not_count() {
    let parts = [
        stored("dataset/", b""),
        samples_at("dataset/samples.jsonl"),
        stored("dataset/attachments/a.pdf", b"%PDF-1.4"),
        stored("__MACOSX/dataset/._samples.jsonl", b"junk"),
        stored("__MACOSX/._dataset", b"junk"),
        stored("dataset/._a.jsonl", b"junk"),
        stored("dataset/.DS_Store", b"junk"),
    ];
    let junk = ["zip/system-files __MACOSX/dataset/._samples.jsonl"];
    let archive = expect(&pack(&parts), &junk).unwrap();
    assert_eq!(archive.top_folder(), Some("dataset"));
    assert_eq!(paths(&archive)[..3], ["", "samples.jsonl", "attachments/a.pdf"]);
    let junk: Vec<bool> = archive.entries().iter().map(|entry| entry.ignored).collect();
    assert_eq!(junk, [false, false, false, true, true, true, false]);
    // The file that jar adds needs no reference.
    let jar =
        [stored("META-INF/", b""), stored("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\r\n"), samples()];
    assert!(accept(&pack(&jar)).entries()[1].system_file);
    // With one file beside it, the folder is not stripped.
    let beside = [samples_at("dataset/samples.jsonl"), stored(".DS_Store", b"junk")];
    assert_eq!(expect(&pack(&beside), &["zip/system-files .DS_Store"]).unwrap().top_folder(), None);
}

fn samples_at(name: &str) -> Part {
    Part { name: name.as_bytes().to_vec(), ..samples() }
}

#[test]
fn names_in_nfd_and_in_code_page_437() {
    let nfd = "attachments/re\u{301}sume\u{301}.pdf";
    let archive = accept(&pack(&[samples(), stored(nfd, b"%PDF-1.4")]));
    assert_eq!(archive.entries()[1].path(), "attachments/résumé.pdf");
    assert_eq!(&*archive.entries()[1].name, nfd);
    // UTF-8 without the flag, as macOS writes it.
    let mut unflagged = stored("attachments/é.pdf", b"%PDF-1.4");
    unflagged.flags = 0;
    assert_eq!(accept(&pack(&[samples(), unflagged])).entries()[1].path(), "attachments/é.pdf");
    let mut flagged = stored("attachments/?.pdf", b"%PDF-1.4");
    flagged.name[12] = 0x82;
    flagged.flags = 1 << 11;
    expect(&pack(&[samples(), flagged]), &["zip/name-invalid-utf8 attachments/é.pdf"]);
    let mut cp437 = stored("attachments/?.pdf", b"%PDF-1.4");
    cp437.name[12] = 0x82;
    let archive = expect(&pack(&[samples(), cp437]), &["zip/name-not-utf8 attachments/é.pdf"]).unwrap();
    assert_eq!(archive.entries()[1].raw_name(), b"attachments/\x82.pdf");
    assert!(!archive.entries()[1].utf8);
}

#[test]
fn names_that_collide_and_names_that_repeat() {
    let parts = [
        samples(),
        stored("attachments/a.pdf", b"1"),
        stored("attachments/A.pdf", b"2"),
        stored("attachments/é", b"3"),
        stored("attachments/e\u{301}", b"4"),
        stored("attachments/a.pdf", b"5"),
    ];
    let opened = open(&pack(&parts));
    assert_eq!(
        codes(&opened),
        [
            "zip/name-collision attachments/A.pdf",
            "zip/name-collision attachments/e\u{301}",
            "zip/duplicate-name attachments/a.pdf",
        ]
    );
    assert!(opened.findings[0].problem.message().ends_with("differ only in upper and lower case"));
    assert!(opened.findings[1].problem.message().ends_with("differ only in Unicode form"));
    assert_eq!(opened.archive.unwrap().entries().len(), 6);
}

#[test]
fn more_entries_than_16_bits_count_are_accepted() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for n in 0..65_536 {
        writer.start_file(format!("attachments/part {}/file number {n}.txt", n % 100), options).unwrap();
        writer.write_all(b"a few bytes").unwrap();
    }
    writer.start_file("samples.jsonl", options).unwrap();
    let archive = accept(&writer.finish().unwrap().into_inner());
    assert_eq!(archive.entries().len(), 65_537);
}
