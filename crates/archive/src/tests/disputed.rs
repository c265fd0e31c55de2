//! Archives that some readers refuse or read differently.

use super::build::*;
use super::constructions;
use super::{codes, expect, open};

fn attachment() -> Part {
    stored("attachments/a.txt", b"contents")
}

#[test]
fn zeros_after_the_end_are_a_warning() {
    for after in [1, 100, 70_000] {
        let bytes = Build { suffix: vec![0; after], ..Build::default() }.pack(&[samples()]);
        expect(&bytes, &["zip/zeros-after-end"]).expect("it can be read");
    }
}

#[test]
fn ends_of_64_bits_that_some_readers_refuse() {
    let found = |code: &str, change: fn(&mut Vec<u8>, usize)| {
        let mut bytes = Build { zip64: true, ..Build::default() }.pack(&[samples()]);
        let at = bytes.len() - 22 - 20 - 56;
        change(&mut bytes, at);
        let opened = open(&bytes);
        assert_eq!(codes(&opened), [code]);
        opened.findings[0].problem.message()
    };
    let refused = |change| found("zip/refused-by-readers", change);
    let moved = refused(|bytes, at| bytes[at + 56 + 8] += 1);
    assert!(moved.contains("is not where its locator says"), "{moved}");
    let longer = refused(|bytes, at| {
        bytes[at + 4] += 4;
        bytes.splice(at + 56..at + 56, *b"data");
    });
    assert!(longer.contains("has data after its fields"), "{longer}");
    // Nearly every reader accepts it.
    let unneeded = found("zip/unneeded-64-bit-end", |bytes, at| {
        let end = at + 56 + 20;
        let (count, place) = (bytes[at + 24..at + 26].to_vec(), bytes[at + 40..at + 44].to_vec());
        bytes.splice(end + 8..end + 10, count.clone());
        bytes.splice(end + 10..end + 12, count);
        bytes.splice(end + 12..end + 16, place);
        let offset = bytes[at + 48..at + 52].to_vec();
        bytes.splice(end + 16..end + 20, offset);
    });
    assert!(unneeded.contains("that it does not need"), "{unneeded}");
}

#[test]
fn entries_that_some_readers_refuse_or_leave_out() {
    let code = |part: Part| codes(&open(&pack(&[samples(), part]))).join(" ");
    let refused = "zip/refused-by-readers attachments/a.txt";
    assert_eq!(code(Part { needs: 46, ..attachment() }), "");
    assert_eq!(code(Part { needs: 47, ..attachment() }), refused);
    assert_eq!(code(Part { flags: 1 << 5, ..attachment() }), refused);
    assert_eq!(code(Part { flags: 1 << 6, ..attachment() }), "zip/encrypted attachments/a.txt");
    let strong = Part { flags: 1 << 6, local_flags: Some(0), ..attachment() };
    assert!(code(strong).starts_with("zip/encrypted attachments/a.txt"));
    let marked = |made_by, attributes| code(Part { made_by, attributes, ..attachment() });
    let not_a_file = "zip/not-a-file attachments/a.txt";
    assert_eq!(marked(0x0314, 0o40_755 << 16), not_a_file);
    assert_eq!(marked(0x0314, 0o140_755 << 16), not_a_file);
    assert_eq!(marked(0x0314, 0o010_600 << 16), "");
    assert_eq!(marked(0x0014, 0x10), not_a_file);
    assert_eq!(marked(0x0014, 0x08), not_a_file);
    assert_eq!(marked(0x0314, 0x08), "");
    assert_eq!(marked(0x0014, 0x27), "");
    let twice = [zip64_sizes(&attachment()), zip64_sizes(&attachment())].concat();
    assert_eq!(code(Part { central_extra: twice, ..attachment() }), "zip/damaged");
}

#[test]
fn names_that_are_one_file_for_some_readers() {
    let found = |names: &[(&str, &[u8])]| {
        let parts = names.iter().map(|(name, data)| stored(name, data));
        codes(&open(&pack(&[samples()].into_iter().chain(parts).collect::<Vec<_>>())))
    };
    let error = |names: &[&str], code: &str| {
        let contents: Vec<(&str, &[u8])> =
            names.iter().zip([&b"1"[..], b"2", b"3"]).map(|(name, data)| (*name, data)).collect();
        let found = found(&contents);
        assert!(found.iter().any(|found| found == code), "{names:?}: {found:?}");
    };
    error(&["./samples.jsonl"], "zip/same-path ./samples.jsonl");
    error(&["a/b", "a//b"], "zip/same-path a//b");
    error(&["a/./b", "a/b"], "zip/same-path a/b");
    error(&["a\u{1}b", "a\u{2}b"], "zip/same-path a\u{2}b");
    error(&["a/b", "a/b"], "zip/duplicate-name a/b");
    error(&["a", "a/b"], "zip/file-and-folder a");
    error(&["a/b/c", "a/b", "a/b0"], "zip/file-and-folder a/b");
    error(&["a/b", "a/b/"], "zip/file-and-folder a/b");
    assert_eq!(found(&[("a/b", b"1"), ("a/b", b"1")]), ["zip/repeated-entry a/b"]);
    assert_eq!(found(&[("a//b", b"1"), ("a/./c", b"2")]), ["zip/name-spelling a//b"]);
    assert_eq!(found(&[("a/", b""), ("a/b/", b""), ("a/b/c", b"1"), ("a/b.c", b"2")]), [""; 0]);
}

#[test]
fn every_construction_is_read_or_refused() {
    let all = constructions::all();
    assert!(all.len() > 1_000);
    for construction in all {
        let opened = open(&construction.bytes);
        assert!(opened.archive.is_some() || !opened.findings.is_empty(), "{}", construction.name);
    }
}
