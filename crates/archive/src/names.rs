//! Names of entries: unsafe, invisible and colliding ones, and the top folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::rc::Rc;

use evalcheck_wire::text::needs_escape;

use crate::entry::Listed;
use crate::log::Log;

evalcheck_core::rules! {
    /// What can be wrong with the name of an entry.
    NameProblem {
        DuplicateName = "zip/duplicate-name", Warning {
            summary: "Two entries of the ZIP have the same name.",
            message: "several entries have this name; the last one is used",
            hint: "Remove or rename all but one, and pack again.",
            meaning: "A name can identify only one file. Some programs use the first of the entries, some the last.",
            invalid: "a ZIP with two entries named attachments/a.pdf",
            valid: "a ZIP with attachments/a.pdf and attachments/b.pdf",
        }
        NameCollision { other: String, how: &'static str } = "zip/name-collision", Warning {
            summary: "Two names in the ZIP differ only in case or in Unicode form.",
            message: "this name and \"{other}\" differ only in {how}",
            hint: "Rename one of them.",
            meaning: "On Windows or macOS, unpacking replaces one file by the other; and names that differ only in Unicode form are the same to the system.",
            invalid: "attachments/Report.pdf and attachments/report.pdf",
            valid: "attachments/report-1.pdf and attachments/report-2.pdf",
        }
        NameNotUtf8 = "zip/name-not-utf8", Warning {
            summary: "A name in the ZIP is not UTF-8.",
            message: "the name is not UTF-8 and was read as code page 437",
            hint: "Rename the file with ASCII letters, or pack with a program that writes UTF-8 names.",
            meaning: "The ZIP does not state the encoding of the name, so a reference that looks the same may not match.",
            invalid: "an entry whose name holds the single byte 0x82 for an e with acute",
            valid: "the same entry with the name in UTF-8",
        }
        NameInvisible { characters: String } = "zip/name-invisible-characters", Warning {
            summary: "A name in the ZIP contains invisible characters.",
            message: "the name contains invisible characters: {characters}",
            hint: "Rename the file without them.",
            meaning: "Control characters, zero-width characters and bidirectional controls make two different names look the same, or a name look like another.",
            invalid: "an entry with U+200B between two letters of its name",
            valid: "the same entry without that character",
        }
        UnsafeName { why: &'static str } = "zip/unsafe-name", Error {
            summary: "A name in the ZIP points outside of the archive or is not portable.",
            message: "the name {why}",
            hint: "Rename the file to a path below the root of the ZIP, with \"/\" between folders, and pack again.",
            meaning: "An unpacking program without checks writes such an entry outside of the target folder, or under another name on another system. Readers refuse it.",
            invalid: "an entry named ../../etc/passwd",
            valid: "an entry named attachments/passwd",
        }
    }
}

/// True for entries that loaders ignore: the resource forks that macOS packs beside the files.
pub(crate) fn is_ignored(name: &str) -> bool {
    name.split('/').any(|part| part == "__MACOSX") || base_name(name).starts_with("._")
}

/// True for files that operating systems leave in folders.
pub(crate) fn is_system_file(name: &str) -> bool {
    matches!(base_name(name), ".DS_Store" | "Thumbs.db" | "desktop.ini" | ".localized")
}

fn base_name(name: &str) -> &str {
    name.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

pub(crate) fn check(listed: &[Listed], log: &mut Log) {
    for (index, Listed { entry, .. }) in listed.iter().enumerate() {
        if !entry.utf8 {
            log.entry(index, entry, NameProblem::NameNotUtf8);
        }
        if let Some(why) = unsafe_name(&entry.name) {
            log.entry(index, entry, NameProblem::UnsafeName { why });
        } else if !entry.name.is_ascii() || entry.name.bytes().any(|byte| byte.is_ascii_control()) {
            let characters = invisible(&entry.name);
            if !characters.is_empty() {
                log.entry(index, entry, NameProblem::NameInvisible { characters });
            }
        }
    }
    find_collisions(listed, log);
}

/// Why a name must not be used as a path, in words that follow on "the name".
fn unsafe_name(name: &str) -> Option<&'static str> {
    let bytes = name.as_bytes();
    if name.is_empty() {
        Some("is empty")
    } else if name.split(['/', '\\']).any(|part| part == "..") {
        Some("goes up a folder with \"..\"")
    } else if bytes.first() == Some(&b'/') {
        Some("is an absolute path")
    } else if has_drive(name) {
        Some("begins with a drive letter")
    } else if bytes.contains(&0) {
        Some("holds a NUL character")
    } else if bytes.contains(&b'\\') {
        Some("separates folders by a backslash")
    } else {
        None
    }
}

/// True for a path that begins with a drive, such as `C:…`.
pub fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// A path without what is not portable: `/` between folders, no drive, no `.`, `..` resolved.
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

/// The first few characters of a name that can't be seen, as code points.
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

fn find_collisions(listed: &[Listed], log: &mut Log) {
    let mut by_name = BTreeSet::new();
    let mut by_fold = BTreeMap::new();
    for (index, Listed { entry, .. }) in listed.iter().enumerate() {
        if !by_name.insert(&entry.name) {
            log.entry(index, entry, NameProblem::DuplicateName);
            continue;
        }
        // A name as a disk that does not distinguish case sees it.
        let first = *by_fold.entry(entry.nfc.to_lowercase()).or_insert(index);
        if let Some(first) = listed.get(first).filter(|_| first != index) {
            let how = if first.entry.nfc == entry.nfc { "Unicode form" } else { "upper and lower case" };
            let other = first.entry.name.to_string();
            log.entry(index, entry, NameProblem::NameCollision { other, how });
        }
    }
}

/// Strips the one folder that everything lies in, if there is one, and gives its name.
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
