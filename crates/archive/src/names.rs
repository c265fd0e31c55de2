//! Names of entries: what they are called, what they hide, and where they collide.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::rc::Rc;

use evalcheck_wire::text::needs_escape;

use super::Log;
use super::directory::Listed;
use crate::rules::Zip;

/// What loaders pass over: the resource forks that macOS packs beside the files.
pub(super) fn is_ignored(name: &str) -> bool {
    name.split('/').any(|part| part == "__MACOSX") || base_name(name).starts_with("._")
}

/// What operating systems leave in folders.
pub(super) fn is_litter(name: &str) -> bool {
    matches!(base_name(name), ".DS_Store" | "Thumbs.db" | "desktop.ini" | ".localized")
}

fn base_name(name: &str) -> &str {
    name.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

pub(super) fn examine(listed: &[Listed], log: &mut Log) {
    for (index, Listed { entry, .. }) in listed.iter().enumerate() {
        if !entry.utf8 {
            log.entry(index, entry, Zip::NameNotUtf8);
        }
        if let Some(why) = unsafe_name(&entry.name) {
            log.entry(index, entry, Zip::UnsafeName { why });
        } else if !entry.name.is_ascii() || entry.name.bytes().any(|byte| byte.is_ascii_control()) {
            let characters = invisible(&entry.name);
            if !characters.is_empty() {
                log.entry(index, entry, Zip::NameInvisible { characters });
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

/// True for `C:…`.
pub(super) fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
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
            log.entry(index, entry, Zip::DuplicateName);
            continue;
        }
        // A name as a disk that does not distinguish case sees it.
        let first = *by_fold.entry(entry.nfc.to_lowercase()).or_insert(index);
        if let Some(first) = listed.get(first).filter(|_| first != index) {
            let how = if first.entry.nfc == entry.nfc { "Unicode form" } else { "upper and lower case" };
            let other = first.entry.name.to_string();
            log.entry(index, entry, Zip::NameCollision { other, how });
        }
    }
}

/// Strips the one folder that everything lies in, if there is one, and gives its name.
pub(super) fn strip_top_folder(listed: &mut [Listed]) -> Option<Rc<str>> {
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
