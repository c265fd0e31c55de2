//! Names of entries: unsafe, invisible and colliding ones, and the top folder.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Bound;
use std::rc::Rc;

use evalcheck_report::text::needs_escape;

use crate::entry::{Entry, Listed, and_others};
use crate::log::Log;

evalcheck_core::rules! {
    /// Problems of the name of an entry.
    NameProblem for Archive {
        DuplicateName { other: u64, offset: u64 } = "zip/duplicate-name", Error {
            summary: "Two entries of the ZIP have the same name and different contents.",
            message: "the entries at bytes {other} and {offset} have this name and different contents; readers use the first or the last, or refuse the ZIP",
            hint: "Remove all but one, or rename them, also in the records that reference them, and pack again.",
            fix: Unsafe,
            meaning: "A name can identify only one file. Most readers use the last of the entries, which was checked here; adm-zip refuses the ZIP.",
            invalid: "a ZIP with two different entries named attachments/a.pdf",
            valid: "a ZIP with attachments/a.pdf and attachments/b.pdf",
        }
        RepeatedEntry { other: u64, offset: u64 } = "zip/repeated-entry", Warning {
            summary: "The ZIP contains the same file twice.",
            message: "the entries at bytes {other} and {offset} have this name and the same contents; adm-zip refuses such a ZIP",
            hint: "Remove all but one, and pack again.",
            fix: Safe,
            meaning: "It does not matter which of the entries a reader uses, but some refuse a name that comes twice.",
            invalid: "a ZIP to which attachments/a.pdf was added twice",
            valid: "a ZIP with attachments/a.pdf once",
        }
        SamePath { other: Rc<str>, at: u64, offset: u64 } = "zip/same-path", Error {
            summary: "Two names in the ZIP are the same file for some readers.",
            message: "this name (byte {offset}) and \"{other}\" (byte {at}) are one file for readers such as unzip and jszip, and their contents differ",
            hint: "Remove one of them, or rename it, also in the records that reference it, and pack again.",
            meaning: "Readers that unpack drop empty parts, \".\" and control characters from a path. For them the later entry replaces the other; other readers see two files.",
            invalid: "a ZIP with samples.jsonl and a different ./samples.jsonl",
            valid: "a ZIP with one samples.jsonl",
        }
        NameSpelling { path: Rc<str>, others: String } = "zip/name-spelling", Warning {
            summary: "A name in the ZIP has empty parts or \".\" in its path.",
            message: "this name is read as \"{path}\" by some readers and as it is by others{others}",
            hint: "Pack the files again without \".\" and without repeated slashes in their paths.",
            fix: Safe,
            meaning: "unzip and jszip drop such parts of a path; CPython's zipfile, yauzl and adm-zip keep them.",
            invalid: "an entry named attachments//a.pdf",
            valid: "an entry named attachments/a.pdf",
        }
        FileAndFolder { inside: Rc<str>, at: u64, offset: u64 } = "zip/file-and-folder", Error {
            summary: "A name in the ZIP is both a file and a folder.",
            message: "this file at byte {offset} has the name of the folder of \"{inside}\" (byte {at}); unzip and others fail",
            hint: "Rename the file or the folder, and pack again.",
            meaning: "No disk can hold a file and a folder of one name, so a program that unpacks the ZIP loses one of them.",
            invalid: "a ZIP with the files attachments and attachments/a.pdf",
            valid: "a ZIP with the file attachments/a.pdf",
        }
        NameBadUtf8 { byte: usize } = "zip/name-invalid-utf8", Error {
            summary: "A name in the ZIP is marked as UTF-8 and is not.",
            message: "the name is marked as UTF-8, but its byte {byte} is not; CPython's zipfile refuses the ZIP",
            hint: "Rename the file with ASCII letters, or pack with another program.",
            meaning: "Readers that believe the mark refuse the ZIP or replace the bytes.",
            invalid: "an entry marked as UTF-8 whose name holds the single byte 0x82",
            valid: "the same entry with the name in UTF-8",
        }
        NameCollision { other: String, how: &'static str } = "zip/name-collision", Warning {
            summary: "Two names in the ZIP differ only in case or in Unicode form.",
            message: "this name and \"{other}\" differ only in {how}",
            hint: "Rename one of them, and write its new name in the records that reference it.",
            meaning: "On Windows or macOS, unpacking replaces one file by the other; and names that differ only in Unicode form are the same to the system.",
            invalid: "attachments/Report.pdf and attachments/report.pdf",
            valid: "attachments/report-1.pdf and attachments/report-2.pdf",
        }
        NameNotUtf8 { others: String } = "zip/name-not-utf8", Warning {
            summary: "A name in the ZIP is not UTF-8.",
            message: "the name is not UTF-8 and was read as code page 437{others}",
            hint: "Pack with a program that writes UTF-8 names, or rename the files with ASCII letters. If the name looks wrong here, it was written in another encoding: `evalcheck fix --encoding shift_jis`, gbk or windows-1252 reads it as that.",
            fix: Unsafe,
            meaning: "The ZIP does not state the encoding of its names, so a reference that looks the same may not match. Programs of one country write them in the encoding of that country. All names that are not UTF-8 are one finding, at the first of them.",
            invalid: "an entry whose name holds the single byte 0x82 for an e with acute",
            valid: "the same entry with the name in UTF-8",
        }
        NameInvisible { characters: String } = "zip/name-invisible-characters", Warning {
            summary: "A name in the ZIP contains invisible characters.",
            message: "the name contains invisible characters: {characters}",
            hint: "Rename the file without them, also in the records that reference it.",
            meaning: "Control characters, zero-width characters and bidirectional controls make two different names look the same, or a name look like another.",
            invalid: "an entry with U+200B between two letters of its name",
            valid: "the same entry without that character",
        }
        SystemFiles { others: String } = "zip/system-files", Info {
            summary: "The ZIP contains files of an operating system.",
            message: "a file that an operating system adds, which is no part of the dataset{others}",
            hint: "Leave such files out of the ZIP.",
            fix: Safe,
            meaning: "macOS adds __MACOSX and .DS_Store, Windows adds Thumbs.db and desktop.ini. Loaders ignore some of them; others keep a top folder from being ignored.",
            invalid: "dataset.zip with __MACOSX/._samples.jsonl beside samples.jsonl",
            valid: "dataset.zip with samples.jsonl",
        }
        UnsafeName { why: &'static str, others: String } = "zip/unsafe-name", Error {
            summary: "A name in the ZIP points outside of the archive or is not portable.",
            message: "the name {why}{others}",
            hint: "Rename the file to a path below the root of the ZIP, with \"/\" between folders, and pack again.",
            fix: Either,
            meaning: "An unpacking program without checks writes such an entry outside of the target folder, or under another name on another system. Readers refuse it. Names with backslashes, which some programs of Windows write, are one finding, at the first of them.",
            invalid: "an entry named ../../etc/passwd",
            valid: "an entry named attachments/passwd",
        }
    }
}

/// Whether loaders ignore the entry: it is one of the resource forks that macOS packs beside the files.
pub(crate) fn is_ignored(name: &str) -> bool {
    name.split('/').any(|part| part == "__MACOSX") || base_name(name).starts_with("._")
}

/// Whether it is a file that operating systems leave in folders, or the file that `jar` adds.
pub(crate) fn is_system_file(name: &str) -> bool {
    name == "META-INF/MANIFEST.MF"
        || matches!(base_name(name), ".DS_Store" | "Thumbs.db" | "desktop.ini" | ".localized")
}

fn base_name(name: &str) -> &str {
    name.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// Whether it is a file that operating systems leave in folders or pack beside the files.
pub(crate) fn is_junk(entry: &Entry) -> bool {
    entry.ignored || matches!(entry.base_name(), ".DS_Store" | "Thumbs.db" | "desktop.ini" | ".localized")
}

pub(crate) fn check(listed: &[Listed], log: &mut Log) {
    let mut junk = listed.iter().enumerate().filter(|(_, listed)| is_junk(&listed.entry));
    if let Some((index, Listed { entry, .. })) = junk.next() {
        log.entry(index, entry, NameProblem::SystemFiles { others: and_others(junk.count()) });
    }
    // A mistake of the packing program in all names is reported once, at the first of them.
    let mut once = |is_of: &dyn Fn(&Listed) -> bool, problem: &dyn Fn(String) -> NameProblem| {
        let mut of = listed.iter().enumerate().filter(|(_, listed)| is_of(listed));
        if let Some((index, Listed { entry, .. })) = of.next() {
            log.entry(index, entry, problem(and_others(of.count())));
        }
    };
    once(&|listed| is_not_utf8(&listed.entry) && listed.bad_utf8.is_none(), &|others| {
        NameProblem::NameNotUtf8 { others }
    });
    once(&|listed| has_backslashes(&listed.entry), &|others| NameProblem::UnsafeName {
        why: BACKSLASH,
        others,
    });
    for (index, Listed { entry, bad_utf8, .. }) in listed.iter().enumerate() {
        if let Some(byte) = *bad_utf8 {
            log.entry(index, entry, NameProblem::NameBadUtf8 { byte });
        }
        match unsafe_name(&entry.name) {
            Some(BACKSLASH) => {}
            Some(why) => log.entry(index, entry, NameProblem::UnsafeName { why, others: String::new() }),
            None if entry.name.is_ascii() && !entry.name.bytes().any(|byte| byte.is_ascii_control()) => {}
            None => {
                let characters = invisible(&entry.name);
                if !characters.is_empty() {
                    log.entry(index, entry, NameProblem::NameInvisible { characters });
                }
            }
        }
    }
    find_collisions(listed, log);
}

/// Reports two entries that are the same file for all or some readers.
fn same_file(index: usize, entry: &Entry, first: &Entry, log: &mut Log) {
    let (at, offset) = (first.header, entry.header);
    let equal = first.crc32 == entry.crc32 && first.size == entry.size;
    if first.name != entry.name {
        if !equal {
            log.entry(index, entry, NameProblem::SamePath { other: first.name.clone(), at, offset });
        }
    } else if equal {
        log.entry(index, entry, NameProblem::RepeatedEntry { other: at, offset });
    } else {
        log.entry(index, entry, NameProblem::DuplicateName { other: at, offset });
    }
}

/// The path of a name for readers that unpack, or that read every name as UTF-8. A folder ends with a slash.
fn unpacked(name: &[u8]) -> Rc<str> {
    let text = String::from_utf8_lossy(name);
    let mut path = String::with_capacity(text.len());
    for part in text.split('/').filter(|part| !is_dropped(part)) {
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(part);
    }
    path.retain(|c| !c.is_ascii_control());
    if text.ends_with('/') {
        path.push('/');
    }
    path.into()
}

/// Whether readers that unpack drop a part of a path.
fn is_dropped(part: &str) -> bool {
    matches!(part, "" | ".")
}

/// Whether a path is safe and has parts that are dropped.
pub(crate) fn is_spelled_out(entry: &Entry) -> bool {
    let path = entry.name.strip_suffix('/').unwrap_or(&entry.name);
    path.split('/').any(is_dropped) && unsafe_name(path).is_none()
}

/// Whether all readers read a path unchanged.
pub(crate) fn is_plain(path: &str) -> bool {
    respelled(path) == path
        && unsafe_name(path).is_none()
        && !is_ignored(path)
        && !path.chars().any(|c| c.is_ascii_control())
}

/// A path without the dropped parts.
pub(crate) fn respelled(path: &str) -> String {
    path.split('/').filter(|part| !is_dropped(part)).collect::<Vec<_>>().join("/")
}

/// Finds entries that are the same file for all or some readers, files that are folders, and names that collide on some disks.
fn find_collisions(listed: &[Listed], log: &mut Log) {
    let mut spelled =
        listed.iter().enumerate().filter(|(_, listed)| !listed.entry.is_dir && is_spelled_out(&listed.entry));
    if let Some((index, Listed { entry, .. })) = spelled.next() {
        let (path, others) = (unpacked(entry.raw_name()), and_others(spelled.count()));
        log.entry(index, entry, NameProblem::NameSpelling { path, others });
    }
    let mut paths = BTreeMap::new();
    let mut by_fold = BTreeMap::new();
    for (index, Listed { entry, plain_name, .. }) in listed.iter().enumerate() {
        let mut repeated = false;
        for name in [Some(entry.raw_name()), plain_name.as_deref()].into_iter().flatten() {
            let first = *paths.entry(unpacked(name)).or_insert(index);
            if let Some(first) = listed.get(first).filter(|_| first != index) {
                same_file(index, entry, &first.entry, log);
                repeated |= first.entry.name == entry.name;
            }
        }
        if repeated {
            continue;
        }
        // The name on a disk that does not distinguish case.
        let first = *by_fold.entry(entry.nfc.to_lowercase()).or_insert(index);
        if let Some(first) = listed.get(first).filter(|_| first != index) {
            let how = if first.entry.nfc == entry.nfc { "Unicode form" } else { "upper and lower case" };
            let other = first.entry.name.to_string();
            log.entry(index, entry, NameProblem::NameCollision { other, how });
        }
    }
    for (path, index) in &paths {
        let Some(Listed { entry, .. }) = listed.get(*index).filter(|_| !path.ends_with('/')) else {
            continue;
        };
        let folder = [path, "/"].concat();
        let from = (Bound::Included(folder.as_str()), Bound::Unbounded);
        let inside = paths.range::<str, _>(from).next().filter(|(inside, _)| inside.starts_with(&folder));
        let Some(inside) = inside.and_then(|(_, index)| listed.get(*index)) else { continue };
        let (at, inside) = (inside.entry.header, inside.entry.name.clone());
        log.entry(*index, entry, NameProblem::FileAndFolder { inside, at, offset: entry.header });
    }
}

/// The reason of [`unsafe_name`] for a backslash.
const BACKSLASH: &str = "separates folders by a backslash";

/// Whether a name is unsafe only because of backslashes.
pub(crate) fn has_backslashes(entry: &Entry) -> bool {
    unsafe_name(&entry.name) == Some(BACKSLASH)
}

/// Whether a name is in another encoding than UTF-8.
pub(crate) fn is_not_utf8(entry: &Entry) -> bool {
    !entry.utf8
}

/// The reason why a name must not be used as a path, as the end of a sentence that begins with "the name".
fn unsafe_name(name: &str) -> Option<&'static str> {
    let bytes = name.as_bytes();
    if name.is_empty() {
        Some("is empty")
    } else if name.split(['/', '\\']).any(|part| part == "..") {
        Some("goes up a folder with \"..\"")
    } else if name.ends_with("/.") || name == "." {
        Some("ends with the part \".\", which is a folder")
    } else if bytes.first() == Some(&b'/') {
        Some("is an absolute path")
    } else if has_drive(name) {
        Some("begins with a drive letter")
    } else if bytes.contains(&0) {
        Some("holds a NUL character")
    } else if bytes.contains(&b'\\') {
        Some(BACKSLASH)
    } else {
        None
    }
}

/// Whether a path begins with a drive, such as `C:…`.
pub fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// The portable form of a path: `/` between folders, no drive, no `.`, `..` resolved.
///
/// ```
/// # use evalcheck_archive::names::portable;
/// assert_eq!(portable(r"C:\data\.\images\..\a.png"), "data/a.png");
/// ```
pub fn portable(path: &str) -> String {
    let path = if has_drive(path) { path.get(2..).unwrap_or_default() } else { path };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The first few invisible characters of a name, as code points.
fn invisible(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars().filter(|c| needs_escape(*c)).take(4) {
        if !out.is_empty() {
            out.push_str(", ");
        }
        let _ = write!(out, "U+{:04X}", u32::from(c));
    }
    out
}

/// Strips the single folder that contains everything, if there is one, and returns its name.
pub(crate) fn strip_top_folder(listed: &mut [Listed]) -> Option<Rc<str>> {
    let mut seen = listed.iter().map(|listed| &listed.entry).filter(|entry| !entry.ignored);
    let first = seen.next()?.nfc.clone();
    let (top, _) = first.split_once('/')?;
    if matches!(top, "" | "..") {
        return None;
    }
    let in_top = |name: &str| name.strip_prefix(top).is_some_and(|rest| rest.starts_with('/'));
    if !seen.all(|entry| in_top(&entry.nfc)) {
        return None;
    }
    for listed in listed.iter_mut().filter(|listed| !listed.entry.ignored) {
        listed.entry.stripped = top.len() + 1;
    }
    Some(top.into())
}
