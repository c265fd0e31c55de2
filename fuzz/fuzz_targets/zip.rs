//! Archives whose records contradict each other and whose bytes are changed: what is checked without a finding about the
//! archive, the `zip` crate reads alike; and what can be written anew holds the same afterwards, for both.
#![no_main]

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use arbitrary::{Arbitrary, Unstructured};
use evalcheck_archive::Archive;
use evalcheck_fuzz::build::{Build, Part, deflated, stored};
use evalcheck_fuzz::check;
use libfuzzer_sys::fuzz_target;

/// Names that readers may take for the same file, and others.
const NAMES: [&str; 16] = [
    "samples.jsonl",
    "./samples.jsonl",
    "attachments/a.txt",
    "attachments//a.txt",
    "attachments/A.txt",
    "attachments/a.txt/",
    "attachments",
    "attachments/",
    "data/samples.jsonl",
    "../samples.jsonl",
    "/samples.jsonl",
    "attachments\\a.txt",
    "attachments/é.txt",
    "__MACOSX/._samples.jsonl",
    "META-INF/MANIFEST.MF",
    "",
];

const CONTENTS: [&[u8]; 4] = [
    b"",
    b"a",
    b"{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]},\"usage_output\":null}\n",
    b"PK\x03\x04PK\x01\x02PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
];

/// The most bytes of an entry that are compared.
const MOST: usize = 1 << 20;

#[derive(Debug, Arbitrary)]
struct Entry {
    name: u8,
    contents: u8,
    deflated: bool,
    flags: Option<u16>,
    local_flags: Option<u16>,
    local_name: Option<u8>,
    local_method: Option<u8>,
    attributes: Option<u32>,
    crc: Option<u32>,
    size: Option<u16>,
    compressed_size: Option<u16>,
    extra: Option<Vec<u8>>,
    local_extra: Option<Vec<u8>>,
    after: Option<u8>,
    same_place_as_first: bool,
    unlisted: bool,
    zero_local: bool,
    shift: Option<i8>,
}

#[derive(Debug, Arbitrary)]
struct Whole {
    entries: Vec<Entry>,
    prefix: Option<u8>,
    offsets_know_prefix: bool,
    before_directory: Option<u8>,
    comment: Option<u8>,
    suffix: Option<Vec<u8>>,
    zip64: bool,
    count: Option<u16>,
    /// Bytes that are changed, from the end.
    changes: Vec<(u16, u8)>,
}

fn name(number: u8) -> Vec<u8> {
    NAMES[usize::from(number) % NAMES.len()].as_bytes().to_vec()
}

fn contents(number: u8) -> &'static [u8] {
    CONTENTS[usize::from(number) % CONTENTS.len()]
}

fn part(entry: &Entry, is_first: bool) -> Part {
    let name_of = NAMES[usize::from(entry.name) % NAMES.len()];
    let make = if entry.deflated { deflated } else { stored };
    let part = make(name_of, contents(entry.contents));
    Part {
        flags: entry.flags.unwrap_or(part.flags),
        local_flags: entry.local_flags,
        local_name: entry.local_name.map(name),
        local_method: entry.local_method.map(u16::from),
        attributes: entry.attributes.unwrap_or(part.attributes),
        crc: entry.crc.unwrap_or(part.crc),
        size: entry.size.map_or(part.size, u64::from),
        compressed_size: entry.compressed_size.map_or(part.compressed_size, u64::from),
        central_extra: entry.extra.clone().unwrap_or_default(),
        local_extra: entry.local_extra.clone().unwrap_or_default(),
        after: entry.after.map(|number| contents(number).to_vec()).unwrap_or_default(),
        same_place_as: (entry.same_place_as_first && !is_first).then_some(0),
        unlisted: entry.unlisted,
        zero_local: entry.zero_local,
        shift: entry.shift.map_or(0, i64::from),
        ..part
    }
}

fn pack(whole: &Whole) -> Vec<u8> {
    let entries = whole.entries.iter().take(6).enumerate();
    let parts: Vec<Part> = entries.map(|(index, entry)| part(entry, index == 0)).collect();
    let some = |number: Option<u8>| number.map(|number| contents(number).to_vec()).unwrap_or_default();
    let build = Build {
        prefix: some(whole.prefix),
        offsets_know_prefix: whole.offsets_know_prefix,
        before_directory: some(whole.before_directory),
        comment: some(whole.comment),
        suffix: whole.suffix.clone().unwrap_or_default(),
        zip64: whole.zip64,
        count: whole.count,
        ..Build::default()
    };
    let mut bytes = build.pack(&parts);
    for (back, value) in whole.changes.iter().take(8) {
        let length = bytes.len();
        bytes[length - 1 - usize::from(*back) % length] = *value;
    }
    bytes
}

/// The bytes of the file with this name, as the `zip` crate reads them.
fn reference(bytes: &[u8], name: &[u8]) -> Result<Vec<u8>, zip::result::ZipError> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes))?;
    let all = 0..archive.len();
    for index in all.rev() {
        let mut file = archive.by_index(index)?;
        if file.name_raw() == name {
            let mut contents = Vec::new();
            file.by_ref().take(MOST as u64).read_to_end(&mut contents)?;
            return Ok(contents);
        }
    }
    Err(zip::result::ZipError::FileNotFound)
}

/// An archive that is written anew has the entries that it had, and nothing is wrong with how it is written.
fn assert_rewritten(bytes: &[u8]) {
    let open = |bytes: &[u8]| Archive::open(&mut Cursor::new(bytes), bytes.len() as u64);
    let Some(before) = open(bytes).archive.filter(Archive::is_rewritable) else { return };
    let mut new = Vec::new();
    evalcheck_archive::rewrite(&mut Cursor::new(bytes), &mut new, &mut Cursor::new(Vec::new()), &[], None)
        .expect("it is rewritable");
    let after = open(&new).archive.expect("it is an archive");
    assert!(after.is_rewritable());
    // Of several entries of one name the last.
    let entries = |archive: &Archive| -> BTreeMap<String, (u64, u32, bool)> {
        let entries = archive.entries().iter();
        entries.map(|entry| (entry.name.to_string(), (entry.size, entry.crc32, entry.symlink))).collect()
    };
    assert_eq!(entries(&before), entries(&after));
    for entry in after.entries().iter().filter(|entry| entry.is_readable() && !entry.ignored) {
        let Ok(ours) = entry.read_start(&mut Cursor::new(&new), MOST) else { continue };
        let theirs = reference(&new, entry.raw_name());
        assert!(theirs.as_ref().is_ok_and(|theirs| *theirs == ours), "{}: {theirs:?}", entry.name);
    }
}

fuzz_target!(|data: &[u8]| {
    let Ok(whole) = Whole::arbitrary(&mut Unstructured::new(data)) else { return };
    let bytes = pack(&whole);
    let report = check(&bytes, "data.zip", Some("juryarena"), 64).report();
    assert_eq!(report, check(&bytes, "data.zip", Some("juryarena"), usize::MAX).report(), "in pieces");
    assert_rewritten(&bytes);
    // The reader of the reference gives no date that DOS time cannot have, and so on: only the contents count.
    if report.counts.by_code.keys().any(|code| code.starts_with("zip/") || code.starts_with("file/")) {
        return;
    }
    let archive = Archive::open(&mut Cursor::new(&bytes), bytes.len() as u64).archive.expect("it was read");
    for entry in archive.entries().iter().filter(|entry| entry.is_file()) {
        let ours =
            entry.read_start(&mut Cursor::new(&bytes), MOST).expect("without a finding it can be read");
        let theirs = reference(&bytes, entry.raw_name());
        assert!(theirs.as_ref().is_ok_and(|theirs| *theirs == ours), "{}: {theirs:?}", entry.name);
    }
});
