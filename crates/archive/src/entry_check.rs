//! The problems of an entry by itself.

use evalcheck_core::content::extension;

use crate::byte_count::ByteCount;
use crate::entry::{Listed, Method, PATCH, and_others};
use crate::log::Log;
use crate::problem::{EndProblem, EntryProblem};

/// The latest version of the ZIP format, times ten, that unzip reads.
const LATEST_VERSION: u16 = 46;

/// Reports the problems that make an entry unreadable, except for entries that every loader ignores. Of several encrypted entries, only the
/// first is reported, with the number of the others, which is taken from `encrypted`: they share one password.
pub(crate) fn check(index: usize, listed: &mut Listed, encrypted: &mut Option<usize>, log: &mut Log) {
    let entry = &listed.entry;
    if entry.ignored {
        return;
    }
    if entry.symlink {
        log.entry(index, entry, EntryProblem::Symlink);
    } else if entry.encrypted {
        // The method 99 of AES needs no separate finding.
        if let Some(encrypted) = encrypted.take() {
            let others = and_others(encrypted.saturating_sub(1));
            log.entry(index, entry, EntryProblem::Encrypted { others });
        }
    } else if let Method::Other(_) = entry.method {
        log.entry(index, entry, EntryProblem::UnsupportedMethod { method: entry.method.to_string() });
    } else if entry.method == Method::Stored && entry.size != entry.compressed_size {
        let (declared, found) = (ByteCount(entry.size), ByteCount(entry.compressed_size).to_string());
        log.entry(index, entry, EntryProblem::SizeMismatch { declared, found });
        listed.sound = false;
    } else if let Some(refused) = refused(listed) {
        log.entry(index, entry, refused);
    }
    if let Some(what) = listed.marked {
        log.entry(index, entry, EntryProblem::NotAFile { what, offset: entry.header });
    }
    if !entry.is_dir && extension(entry.base_name()).as_deref() == Some("zip") {
        log.entry(index, entry, EntryProblem::NestedArchive);
    }
}

/// The reason why some readers refuse an entry that can be read.
fn refused(listed: &Listed) -> Option<EndProblem> {
    let (what, readers) = if listed.needs > LATEST_VERSION {
        let readers = if listed.needs > 63 { "CPython's zipfile and unzip" } else { "unzip and others" };
        (format!("requires version {}.{} of the ZIP format", listed.needs / 10, listed.needs % 10), readers)
    } else if listed.entry.flags & PATCH != 0 {
        ("is marked as a difference to another file".to_owned(), "CPython's zipfile and others")
    } else {
        return None;
    };
    Some(EndProblem::Refused { what: format!("the entry at byte {} {what}", listed.entry.header), readers })
}
