//! Fixes of an archive: they rename entries, omit entries, or rewrite the archive.

use std::collections::BTreeSet;
use std::rc::Rc;

use evalcheck_core::finding::Finding;
use evalcheck_report::{Applicability, EntryEdit, Fix};

use crate::entry::{Entry, PATCH};
use crate::layout::LayoutProblem;
use crate::names::{self, NameProblem};
use crate::problem::EndProblem;

/// The loss when an archive is rewritten with the entries of its directory, keeping the last of several with one name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Writing {
    /// It cannot be rewritten: some data cannot be read, or readers disagree about it.
    #[default]
    Impossible,
    /// The loss of something that some reader sees in it, or of bytes that belong to no entry.
    Loses,
    /// Nothing is lost.
    KeepsAll,
}

/// Adds the fixes of an archive to its findings. If rewriting it loses something, only the findings that say what is lost have a fix, so
/// that no other fix loses it too.
pub(crate) fn add(findings: &mut [Finding], entries: &[Entry]) -> Writing {
    let can_be_read = |entry: &Entry| entry.data.is_some() && !entry.encrypted && entry.flags & PATCH == 0;
    let several_ends =
        |finding: &Finding| matches!(finding.problem.downcast_ref(), Some(EndProblem::SeveralEnds { .. }));
    if !entries.iter().all(can_be_read) || findings.iter().any(several_ends) {
        return Writing::Impossible;
    }
    let mut writing = Writing::KeepsAll;
    for finding in &mut *findings {
        finding.fix = lossy(finding).map(|title| Box::new(Fix::new(title, Applicability::Unsafe)));
        if finding.fix.is_some() {
            writing = Writing::Loses;
        }
    }
    if writing == Writing::KeepsAll {
        let names = entries.iter().map(|entry| entry.name.clone()).collect();
        for finding in findings {
            finding.fix = lossless(finding, entries, &names).map(Box::new);
        }
    }
    writing
}

/// The title of a fix that rewrites the archive and loses something.
fn lossy(finding: &Finding) -> Option<&'static str> {
    if let Some(problem) = finding.problem.downcast_ref() {
        return match problem {
            LayoutProblem::DataBeforeStart { .. } | LayoutProblem::HiddenData { .. } => {
                Some("Write the ZIP anew without these bytes, which are lost")
            }
            LayoutProblem::UnlistedEntry { .. } => {
                Some("Write the ZIP anew without this entry, which is lost")
            }
            _ => None,
        };
    }
    if let Some(EndProblem::DataAfterEnd { .. }) = finding.problem.downcast_ref() {
        return Some("Write the ZIP anew without the bytes behind its end, which are lost");
    }
    let duplicate = matches!(finding.problem.downcast_ref(), Some(NameProblem::DuplicateName { .. }));
    duplicate.then_some("Keep the last entry of this name, and lose the others")
}

fn lossless(finding: &Finding, entries: &[Entry], names: &BTreeSet<Rc<str>>) -> Option<Fix> {
    let anew = |title: &str| Some(Fix::new(title, Applicability::Safe));
    match finding.problem.downcast_ref() {
        Some(LayoutProblem::HeaderMismatch { .. }) => {
            return anew("Write the ZIP anew, with the sizes and checksum of its directory");
        }
        Some(_) => return None,
        None => {}
    }
    match finding.problem.downcast_ref() {
        Some(EndProblem::ZerosAfterEnd { .. }) => return anew("Write the ZIP anew, without the zeros"),
        Some(EndProblem::Refused { .. }) => return anew("Write the ZIP anew"),
        Some(EndProblem::UnneededEnd64 { .. }) => return anew("Write the ZIP anew, without this record"),
        Some(_) => return None,
        None => {}
    }
    let name = finding.location.entry.as_deref()?;
    match finding.problem.downcast_ref()? {
        NameProblem::RepeatedEntry { .. } => anew("Keep one of the entries"),
        NameProblem::NameSpelling { .. } => spelling(entries, names),
        NameProblem::UnsafeName { .. }
            if entries.iter().any(|entry| *entry.name == *name && names::has_backslashes(entry)) =>
        {
            with_slashes(entries, names)
        }
        NameProblem::UnsafeName { .. } => portable(name, names),
        NameProblem::NameNotUtf8 { .. } => {
            let title = "Write the names as UTF-8, read as code page 437, which is a guess";
            let of = entries.iter().filter(|entry| names::is_not_utf8(entry));
            // Then it is another encoding, in which a character ends with the byte of a backslash.
            if of.clone().any(names::has_backslashes) {
                return None;
            }
            let edits = of.map(|entry| EntryEdit::rename(&*entry.name, &*entry.name)).collect();
            Some(Fix { entries: edits, ..Fix::new(title, Applicability::Unsafe) })
        }
        NameProblem::SystemFiles { .. } => {
            let junk = entries.iter().filter(|entry| names::is_junk(entry));
            let edits = junk.map(|entry| EntryEdit::remove(&*entry.name)).collect();
            Some(Fix { entries: edits, ..Fix::new("Leave them out of the ZIP", Applicability::Safe) })
        }
        _ => None,
    }
}

/// Renames entries to their paths without empty parts and `.`; `None` if such a path is already another entry.
fn spelling(entries: &[Entry], names: &BTreeSet<Rc<str>>) -> Option<Fix> {
    let mut edits = Vec::new();
    let mut taken = BTreeSet::new();
    for entry in entries.iter().filter(|entry| names::is_spelled_out(entry)) {
        let path = names::respelled(&entry.name);
        if entry.is_dir {
            edits.push(EntryEdit::remove(&*entry.name));
        } else if names.contains(path.as_str()) || !taken.insert(path.clone()) {
            return None;
        } else {
            edits.push(EntryEdit::rename(&*entry.name, path));
        }
    }
    let title = "Write the paths without \".\" and repeated slashes";
    Some(Fix { entries: edits, ..Fix::new(title, Applicability::Safe) })
}

/// Renames entries to their paths with slashes; `None` if such a path is already another entry, and for names that are not UTF-8: in
/// some encodings a character ends with the byte of a backslash.
fn with_slashes(entries: &[Entry], names: &BTreeSet<Rc<str>>) -> Option<Fix> {
    let mut edits = Vec::new();
    let mut taken = BTreeSet::new();
    for entry in entries.iter().filter(|entry| names::has_backslashes(entry)) {
        let mut path = names::portable(&entry.name);
        if entry.name.ends_with('\\') {
            path.push('/');
        }
        if !entry.utf8 || names.contains(path.as_str()) || !taken.insert(path.clone()) {
            return None;
        }
        edits.push(EntryEdit::rename(&*entry.name, path));
    }
    let title = match edits.as_slice() {
        [edit] => format!("Rename it to \"{}\"", edit.rename.as_deref().unwrap_or_default()),
        _ => "Rename them, with \"/\" between folders".to_owned(),
    };
    Some(Fix { entries: edits, ..Fix::new(title, Applicability::Safe) })
}

/// Renames an entry to a path below the root of the archive. That is a guess for a path with a drive or `..`.
fn portable(name: &str, names: &BTreeSet<Rc<str>>) -> Option<Fix> {
    let mut path = names::portable(name);
    if path.is_empty() || path.contains('\0') {
        return None;
    }
    if name.ends_with(['/', '\\']) {
        path.push('/');
    }
    let is_guess = names::has_drive(name) || name.split(['/', '\\']).any(|part| part == "..");
    let edit = EntryEdit::rename(name, path.as_str());
    let (title, applicability) = if is_guess {
        (format!("Rename it to \"{path}\", which is a guess"), Applicability::Unsafe)
    } else {
        (format!("Rename it to \"{path}\""), Applicability::Safe)
    };
    (!names.contains(path.as_str())).then(|| Fix { entries: vec![edit], ..Fix::new(title, applicability) })
}
