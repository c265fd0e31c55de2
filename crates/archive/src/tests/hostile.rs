//! Archives that are damaged, or built so that programs read them differently.

use super::build::*;
use super::{codes, expect, open};
use crate::{Archive, MAX_ENTRIES, Opened};
use evalcheck_core::finding::Finding;

fn attachment() -> Part {
    stored("attachments/a.txt", b"contents")
}

fn has_error(opened: &Opened) -> bool {
    opened.findings.iter().any(Finding::is_error)
}

#[test]
fn what_is_no_zip() {
    assert!(expect(b"", &["zip/not-a-zip"]).is_none());
    assert!(expect(b"{\"input\": {}}", &["zip/not-a-zip"]).is_none());
    assert!(expect(b"PK\x03\x04", &["zip/truncated"]).is_none());
    assert!(expect(&pack(&[]), &["zip/empty"]).is_none());
}

#[test]
fn every_truncation_is_an_error() {
    let inner = pack(&[stored("a.txt", b"a")]);
    let whole = pack(&[samples(), attachment(), stored("attachments/report.docx", &inner)]);
    assert!(open(&whole).findings.is_empty());
    for length in 0..whole.len() {
        let opened = open(&whole[..length]);
        assert!(has_error(&opened), "cut to {length} bytes: {:?}", codes(&opened));
    }
}

#[test]
fn no_changed_byte_panics_and_what_is_read_stays_in_the_file() {
    let inner = pack(&[stored("a.txt", b"a")]);
    let builds = [Build::default(), Build { zip64: true, comment: b"hello".to_vec(), ..Build::default() }];
    for build in builds {
        let whole = build.pack(&[samples(), attachment(), stored("attachments/é.zip", &inner)]);
        for at in 0..whole.len() {
            for value in [0, 1, 0x80, 0xFF, whole[at] ^ 1] {
                let mut bytes = whole.clone();
                bytes[at] = value;
                let opened = open(&bytes);
                let Some(archive) = opened.archive else { continue };
                for entry in archive.entries() {
                    let Some(data) = entry.data.clone() else { continue };
                    assert!(data.start <= data.end && data.end <= bytes.len() as u64);
                }
                super::contents::read_all(&archive, &bytes);
            }
        }
    }
}

#[test]
fn a_source_that_is_shorter_than_said() {
    let bytes = pack(&[samples()]);
    let opened = Archive::open(&mut std::io::Cursor::new(&bytes[..40]), bytes.len() as u64);
    assert_eq!(codes(&opened), ["zip/read-failed"]);
}

#[test]
fn several_ends_of_directory() {
    let one = pack(&[stored("samples.jsonl", b"{\"a\":1}")]);
    // A second archive in the comment of the first. Both end with the file.
    let inner = pack(&[stored("samples.jsonl", b"{\"b\":1}")]);
    let outer = Build { comment: inner.clone(), ..Build::default() }.pack(&[stored("samples.jsonl", b"{}")]);
    assert!(codes(&open(&outer)).iter().any(|code| code == "zip/several-ends"), "{:?}", codes(&open(&outer)));
    // Two consecutive archives.
    let longer = pack(&[stored("samples.jsonl", b"{\"b\":1}"), attachment()]);
    let found = codes(&open(&[one.clone(), longer].concat()));
    assert!(found.iter().any(|code| code == "zip/several-ends"), "{found:?}");
    assert!(found.iter().any(|code| code.starts_with("zip/unlisted-entry")), "{found:?}");
    // Both have the same length, so the end of the second fits both.
    assert!(expect(&[one.clone(), inner].concat(), &["zip/ambiguous"]).is_none());
    // A second end record directly before the first, and one in the directory.
    let end = one[one.len() - 22..].to_vec();
    let doubled = [&one[..one.len() - 22], &end, &end].concat();
    assert!(has_error(&open(&doubled)));
    assert!(open(&doubled).archive.is_none());
    let commented = Build { comment: end, ..Build::default() }.pack(&[samples()]);
    assert!(has_error(&open(&commented)));
}

#[test]
fn zip64_and_zip32_that_disagree() {
    let mut bytes = Build { zip64: true, ..Build::default() }.pack(&[samples(), attachment()]);
    let end = bytes.len() - 22;
    bytes[end + 8] = 1;
    bytes[end + 9] = 0;
    bytes[end + 10] = 1;
    bytes[end + 11] = 0;
    assert!(expect(&bytes, &["zip/ambiguous"]).is_none());
}

#[test]
fn a_directory_where_it_is_said_and_another_before_the_end() {
    // A second directory of the same size follows the one that the end record names.
    let bytes = pack(&[stored("samples.jsonl", b"{}")]);
    let end = bytes.len() - 22;
    let start = u32::from_le_bytes(*bytes[end + 16..].first_chunk().unwrap()) as usize;
    let bytes = [&bytes[..end], &bytes[start..end], &bytes[end..]].concat();
    assert!(expect(&bytes, &["zip/ambiguous"]).is_none());
    let gap = Build { after_directory: b"????".to_vec(), ..Build::default() }.pack(&[samples()]);
    assert!(expect(&gap, &["zip/ambiguous"]).is_none());
}

#[test]
fn data_after_the_end() {
    for after in [1, 100, 70_000] {
        let bytes = Build { suffix: vec![b'x'; after], ..Build::default() }.pack(&[samples()]);
        let archive = expect(&bytes, &["zip/data-after-end"]).expect("it can be read");
        assert!(archive.entries()[0].is_readable());
    }
}

#[test]
fn counts_that_lie() {
    for count in [1, 3] {
        let bytes = Build { count: Some(count), ..Build::default() }.pack(&[samples(), attachment()]);
        assert!(expect(&bytes, &["zip/entry-count"]).is_none());
    }
    let mut bytes = Build { zip64: true, ..Build::default() }.pack(&[samples()]);
    let record = bytes.len() - 22 - 20 - 56;
    for at in [24, 32] {
        bytes[record + at..record + at + 8].copy_from_slice(&(MAX_ENTRIES + 1).to_le_bytes());
    }
    assert!(expect(&bytes, &["zip/too-many-entries"]).is_none());
    let mut bytes = Build { zip64: true, ..Build::default() }.pack(&[samples()]);
    bytes[record + 40..record + 48].copy_from_slice(&(1u64 << 40).to_le_bytes());
    assert!(expect(&bytes, &["zip/directory-too-large"]).is_none());
}

#[test]
fn parts_of_a_split_archive() {
    let bytes = Build { disk: 1, ..Build::default() }.pack(&[samples()]);
    assert!(expect(&bytes, &["zip/multi-disk"]).is_none());
}

#[test]
fn overlapping_entries_are_not_read() {
    // The same data under many names.
    let shared = |name: &str| Part { same_place_as: Some(1), ..stored(name, b"contents") };
    let bytes = pack(&[samples(), attachment(), shared("attachments/a.txt"), shared("attachments/a.txt")]);
    let opened = open(&bytes);
    assert_eq!(codes(&opened).iter().filter(|code| code.starts_with("zip/overlap")).count(), 2);
    let archive = opened.archive.unwrap();
    let readable: Vec<bool> = archive.entries().iter().map(crate::Entry::is_readable).collect();
    assert_eq!(readable, [true, false, false, false]);
}

#[test]
fn quoted_headers_share_data() {
    // Each entry's data begins with a stored block that quotes the local header of the next one.
    let last = deflated("b", b"zeros");
    let mut quoted = Vec::new();
    quoted.extend(pack(std::slice::from_ref(&last)));
    let header = 30 + 1;
    let kernel = last.data.clone();
    let mut first = stored("a", b"");
    first.method = 8;
    first.data = vec![0, u8::try_from(header).unwrap(), 0, !u8::try_from(header).unwrap(), 0xFF];
    let inner_at = 30 + 1 + first.data.len();
    first.data.extend(&quoted[..header]);
    first.data.extend(&kernel);
    first.compressed_size = first.data.len() as u64;
    let contents = [&quoted[..header], b"zeros"].concat();
    first.size = contents.len() as u64;
    first.crc = crc(&contents);
    let second = Part { same_place_as: Some(0), shift: inner_at as i64, ..last };
    let opened = open(&pack(&[first, second]));
    assert_eq!(codes(&opened), ["zip/overlap b"]);
    assert!(opened.archive.unwrap().entries().iter().all(|entry| !entry.is_readable()));
}

#[test]
fn unlisted_entries() {
    let hidden = Part { unlisted: true, ..stored("samples.jsonl", b"{\"hidden\":1}") };
    for parts in [
        [samples(), hidden.clone(), attachment()],
        [hidden.clone(), samples(), attachment()],
        [samples(), attachment(), hidden.clone()],
    ] {
        expect(&pack(&parts), &["zip/unlisted-entry samples.jsonl"]);
    }
}

#[test]
fn headers_that_disagree() {
    let check = |change: fn(&mut Part), what: &str, readable: bool| {
        let mut part = attachment();
        change(&mut part);
        let opened = open(&pack(&[samples(), part]));
        let found: Vec<String> = opened.findings.iter().map(|finding| finding.problem.message()).collect();
        assert_eq!(found, [format!("the directory and the entry's own header disagree about its {what}")]);
        assert_eq!(opened.archive.unwrap().entries()[1].is_readable(), readable, "{what}");
    };
    check(|part| part.local_name = Some(b"attachments/b.txt".to_vec()), "name", false);
    check(|part| part.local_method = Some(8), "compression method", false);
    check(|part| part.local_flags = Some(1), "encryption", false);
    check(|part| part.local_flags = Some(8 | 1), "encryption", false);
    check(|part| part.zero_local = true, "checksum", true);
    // A descriptor that differs from the directory.
    check(
        |part| {
            part.flags = 8;
            part.zero_local = true;
            part.after = b"PK\x07\x08............".to_vec();
        },
        "size or checksum",
        true,
    );
}

#[test]
fn entries_that_are_not_where_they_should_be() {
    let opened = open(&pack(&[samples(), Part { shift: 3, ..attachment() }]));
    let found = codes(&opened);
    assert!(found.contains(&"zip/out-of-file attachments/a.txt".to_owned()), "{found:?}");
    let mut long = attachment();
    long.compressed_size = 5_000;
    long.size = 5_000;
    let opened = open(&pack(&[samples(), long]));
    assert!(codes(&opened).contains(&"zip/out-of-file attachments/a.txt".to_owned()));
    assert!(opened.archive.unwrap().entries()[1].data.is_none());
    let far = Part { shift: 1 << 30, ..attachment() };
    assert!(codes(&open(&pack(&[samples(), far]))).contains(&"zip/out-of-file attachments/a.txt".to_owned()));
}

#[test]
fn names_that_lead_astray() {
    for (name, why) in [
        ("../a.txt", "the name goes up a folder with \"..\""),
        ("attachments/../../a.txt", "the name goes up a folder with \"..\""),
        ("attachments\\..\\a.txt", "the name goes up a folder with \"..\""),
        ("/etc/passwd", "the name is an absolute path"),
        ("C:/a.txt", "the name begins with a drive letter"),
        ("attachments\\a.txt", "the name separates folders by a backslash"),
        ("attachments/a\0.txt", "the name holds a NUL character"),
        ("", "the name is empty"),
    ] {
        let opened = open(&pack(&[samples(), stored(name, b"a")]));
        let found: Vec<String> = opened.findings.iter().map(|finding| finding.problem.message()).collect();
        assert_eq!(found, [why], "{name:?}");
        assert!(has_error(&opened));
    }
    expect(
        &pack(&[samples(), stored("attachments/a\u{202e}fdp.exe", b"a")]),
        &["zip/name-invisible-characters attachments/a\u{202e}fdp.exe"],
    );
}

#[test]
fn entries_that_cannot_be_read() {
    let link = Part { attributes: 0o120_777 << 16, ..attachment() };
    let encrypted = Part { flags: 1, ..attachment() };
    let aes = Part { flags: 1, method: 99, ..attachment() };
    let lzma = Part { method: 14, ..attachment() };
    let unknown = Part { method: 4711, ..attachment() };
    for (part, code) in [
        (link, "zip/symlink"),
        (encrypted, "zip/encrypted"),
        (aes, "zip/encrypted"),
        (lzma, "zip/unsupported-method"),
        (unknown, "zip/unsupported-method"),
    ] {
        let archive = expect(&pack(&[samples(), part]), &[&format!("{code} attachments/a.txt")]).unwrap();
        let entry = &archive.entries()[1];
        assert!(!entry.is_readable());
        let failed = crate::Inflater::new(entry).push(b"contents", &mut [0; 100]).unwrap_err();
        assert_eq!(failed.rule().code, code);
    }
    let opened = open(&pack(&[samples(), Part { method: 9, ..attachment() }]));
    let problem = &opened.findings[0].problem;
    assert!(problem.message().contains("Deflate64 (method 9)"));
}

#[test]
fn junk_that_nobody_reads_is_not_checked_by_its_contents() {
    expect(
        &pack(&[samples(), Part { method: 14, ..stored("__MACOSX/._a", b"x") }]),
        &["zip/system-files __MACOSX/._a"],
    );
}

#[test]
fn a_stored_entry_of_two_sizes() {
    let mut part = attachment();
    part.size = 3;
    let archive =
        expect(&pack(&[samples(), part]), &["zip/size-mismatch attachments/a.txt"]).expect("it can be read");
    assert!(!archive.entries()[1].is_readable());
}

#[test]
fn random_bytes_between_signatures_never_panic() {
    // A small random generator with a fixed seed, so that a failure can be repeated.
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let signatures: [&[u8]; 6] =
        [b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07", b"PK\x07\x08"];
    for _ in 0..5_000 {
        let mut bytes = Vec::new();
        while bytes.len() < 300 {
            bytes.extend(signatures[(next() % 6) as usize]);
            let filler = if next() % 2 == 0 { 0 } else { next() };
            for n in 0..next() % 64 {
                bytes.push((filler >> (n % 8 * 8)) as u8);
            }
        }
        let opened = open(&bytes);
        assert!(opened.archive.is_some() || has_error(&opened));
    }
}
