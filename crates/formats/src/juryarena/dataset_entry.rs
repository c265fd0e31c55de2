//! The choice of the dataset among the entries of a ZIP.

use std::collections::BTreeSet;
use std::fmt::Write;

use evalcheck_archive::{Archive, Entry};
use evalcheck_core::content::extension;
use evalcheck_core::finding::{Finding, Location};
use evalcheck_report::{Applicability, EntryEdit, Fix};

evalcheck_core::rules! {
    /// Problems of the dataset in a ZIP.
    DatasetEntryProblem {
        NoDataset { found: String, advice: String } = "zip/no-dataset", Error {
            summary: "The ZIP holds no `.jsonl` at its root.",
            message: "no samples.jsonl in the ZIP; found {found}",
            hint: "{advice}",
            fix: Either,
            meaning: "The system reads its samples from one `.jsonl` at the root of the ZIP (a single top folder is ignored). Without it there is nothing to read.",
            invalid: "dataset.zip with only attachments/a.pdf",
            valid: "dataset.zip with samples.jsonl and attachments/a.pdf",
        }
        DatasetName = "zip/dataset-name", Warning {
            summary: "The dataset in the ZIP is not named samples.jsonl.",
            message: "the dataset should be named samples.jsonl; under this name it still loads",
            hint: "Rename it to samples.jsonl.",
            fix: Safe,
            meaning: "The document asks for samples.jsonl. The loader accepts any one `.jsonl` at the root.",
            invalid: "dataset.zip with data.jsonl",
            valid: "dataset.zip with samples.jsonl",
        }
        SeveralDatasets { taken: String, others: String } = "zip/several-datasets", Warning {
            summary: "The ZIP contains several `.jsonl` at its root.",
            message: "several .jsonl files at the root of the ZIP: \"{taken}\" is used; ignored: {others}",
            hint: "Keep one dataset in the ZIP, named samples.jsonl.",
            fix: Unsafe,
            meaning: "One dataset is read from an archive. The records in the other files are not loaded.",
            invalid: "dataset.zip with samples.jsonl and more.jsonl",
            valid: "dataset.zip with one samples.jsonl that has the lines of both",
        }
    }
}

/// The name that the document requires.
const DATASET_NAME: &str = "samples.jsonl";

/// The number of names that a message lists.
const LISTED: usize = 5;

/// Whether an entry could be the dataset: a `.jsonl` at the root.
pub(super) fn is_candidate(entry: &Entry) -> bool {
    entry.is_file() && !entry.path().contains('/') && extension(entry.path()).as_deref() == Some("jsonl")
}

/// The entry that is the dataset, as an index into [`Archive::entries`], and the problems of the choice. [`Entry::is_readable`] is not
/// tested.
///
/// It is the `.jsonl` at the root: of several, `samples.jsonl`, else the first. Of several entries of one name it is the last.
pub(super) fn choose(archive: &Archive) -> (Option<usize>, Vec<Finding>) {
    let mut candidates: Vec<(usize, &Entry)> = Vec::new();
    let mut unlisted = 0;
    for (index, entry) in archive.entries().iter().enumerate().filter(|(_, entry)| is_candidate(entry)) {
        let same = candidates.iter().position(|(_, other)| other.path() == entry.path());
        if let Some(same) = same.and_then(|at| candidates.get_mut(at)) {
            *same = (index, entry);
        } else if candidates.len() <= LISTED || entry.path() == DATASET_NAME {
            candidates.push((index, entry));
        } else {
            // Only counted: a hostile archive may have any number of them.
            unlisted += 1;
        }
    }
    let named = candidates.iter().find(|(_, entry)| entry.path() == DATASET_NAME);
    let Some(&(index, chosen)) = named.or(candidates.first()) else {
        let advice = match compressed(archive) {
            Some(name) => {
                format!("Decompress {name}, and put what is in it at the root of the ZIP as samples.jsonl.")
            }
            None => "Put the dataset at the root of the ZIP as samples.jsonl.".to_owned(),
        };
        let problem = DatasetEntryProblem::NoDataset { found: contents(archive), advice };
        let fix = missing_dataset(archive).filter(|_| archive.is_rewritable());
        return (None, vec![Finding::new(problem, Location::file()).with_fix(fix)]);
    };
    let mut findings = Vec::new();
    if candidates.len() > 1 {
        let others = candidates.iter().filter(|(other, _)| *other != index).map(|(_, entry)| entry.path());
        let mut others = list(others, usize::MAX);
        if unlisted > 0 {
            let _ = write!(others, " and {unlisted} more");
        }
        let problem = DatasetEntryProblem::SeveralDatasets { taken: chosen.path().to_owned(), others };
        let others = archive.entries().iter();
        let others = others.filter(|entry| is_candidate(entry) && entry.path() != chosen.path());
        let title = "Leave the other files out of the ZIP, and lose their records";
        let fix = Fix {
            entries: others.map(|entry| EntryEdit::remove(&*entry.name)).collect(),
            ..Fix::new(title, Applicability::Unsafe)
        };
        findings
            .push(Finding::new(problem, Location::file()).with_fix(archive.is_rewritable().then_some(fix)));
    }
    if chosen.path() != DATASET_NAME {
        let fix = Fix {
            entries: vec![EntryEdit::rename(&*chosen.name, [chosen.top_folder(), DATASET_NAME].concat())],
            ..Fix::new("Rename it to samples.jsonl", Applicability::Safe)
        };
        let finding = Finding::new(DatasetEntryProblem::DatasetName, Location::entry(chosen.name.clone()));
        findings.push(finding.with_fix(archive.is_rewritable().then_some(fix)));
    }
    (Some(index), findings)
}

/// The name of a compressed dataset in the ZIP, in quotes.
fn compressed(archive: &Archive) -> Option<String> {
    let is_compressed = |entry: &&Entry| {
        let Some((stem, compression)) = entry.base_name().rsplit_once('.') else { return false };
        entry.is_file()
            && extension(stem).as_deref() == Some("jsonl")
            && ["gz", "bz2", "xz", "zst"].contains(&compression)
    };
    archive.entries().iter().find(is_compressed).map(|entry| list([entry.path()].into_iter(), 1))
}

/// Moves the only file that can be meant as the dataset to the root as samples.jsonl; unless that is a guess, with the other entries of its
/// folder.
fn missing_dataset(archive: &Archive) -> Option<Fix> {
    let is_kind = |entry: &&Entry, kinds: &[&str]| {
        let kind = extension(entry.base_name()).unwrap_or_default();
        entry.is_file() && !entry.system_file && kinds.contains(&kind.as_str())
    };
    let only = |kinds: &[&str]| {
        let mut found = archive.entries().iter().filter(|entry| is_kind(entry, kinds));
        found.next().filter(|_| found.next().is_none())
    };
    let is_attachment = |entry: &Entry| entry.path().starts_with("attachments/");
    let (dataset, is_guess) = match only(&["jsonl"]) {
        Some(dataset) => (dataset, is_attachment(dataset)),
        None => (only(&["ndjson", "json", "txt"]).filter(|entry| !is_attachment(entry))?, true),
    };
    let folder = dataset.path().strip_suffix(dataset.base_name())?;
    let mut edits = Vec::new();
    for entry in archive.entries().iter().filter(|entry| !entry.ignored) {
        let Some(inside) = entry.path().strip_prefix(folder) else { continue };
        let to = if std::ptr::eq(entry, dataset) {
            DATASET_NAME
        } else if is_guess || folder.is_empty() {
            continue;
        } else {
            inside
        };
        edits.push(if to.is_empty() {
            EntryEdit::remove(&*entry.name)
        } else {
            EntryEdit::rename(&*entry.name, [dataset.top_folder(), to].concat())
        });
    }
    // Nothing is moved if other entries have these names or are in these folders.
    let moved: BTreeSet<&str> = edits.iter().map(|edit| edit.entry.as_str()).collect();
    let staying = archive.entries().iter().filter(|entry| !moved.contains(&*entry.name));
    let names: BTreeSet<&str> = staying.map(|entry| entry.name.trim_end_matches('/')).collect();
    let is_taken = edits.iter().filter_map(|edit| edit.rename.as_deref()).any(|name| names.contains(name));
    let (title, applicability) = if is_guess {
        (format!("Rename \"{}\" to samples.jsonl, which is a guess", dataset.path()), Applicability::Unsafe)
    } else if edits.len() == 1 {
        ("Move the dataset to the root of the ZIP".to_owned(), Applicability::Safe)
    } else {
        ("Move the dataset, and what is beside it, to the root of the ZIP".to_owned(), Applicability::Safe)
    };
    (!is_taken).then(|| Fix { entries: edits, ..Fix::new(title, applicability) })
}

/// The files in the archive, for a message that the dataset is missing: files that look like a dataset first.
fn contents(archive: &Archive) -> String {
    let files = || archive.entries().iter().filter(|entry| entry.is_file());
    let near = || files().filter(|entry| extension(entry.base_name()).as_deref() == Some("jsonl"));
    let total = files().count();
    if total == 0 {
        return "no file at all".to_owned();
    }
    if near().next().is_some() {
        return format!("{} in a folder", list(near().map(Entry::path), LISTED));
    }
    list(files().map(Entry::path), LISTED)
}

/// `"a", "b" and 3 more`.
fn list<'a>(names: impl Iterator<Item = &'a str>, most: usize) -> String {
    let mut out = String::new();
    let mut more = 0usize;
    for (n, name) in names.enumerate() {
        if n >= most {
            more += 1;
            continue;
        }
        if n > 0 {
            out.push_str(", ");
        }
        out.push('"');
        out.push_str(name);
        out.push('"');
    }
    if more > 0 {
        let _ = write!(out, " and {more} more");
    }
    out
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::FORMAT;
    use super::*;
    use crate::detect::FileHead;

    fn archive(names: &[&str]) -> Archive {
        let files = names.iter().map(|name| (*name, b"{}\n".as_slice()));
        let mut bytes = evalcheck_archive::write(files).unwrap();
        // Writers do not allow repeated names, so a letter of a name is replaced by a mark, which the test puts back.
        for byte in bytes.iter_mut().filter(|byte| **byte == b'~') {
            *byte = b's';
        }
        Archive::open(&mut Cursor::new(&bytes), bytes.len() as u64).archive.unwrap()
    }

    #[test]
    fn the_dataset_is_chosen() {
        let choose = |names: &[&str]| {
            let (index, findings) = choose(&archive(names));
            let messages: Vec<String> = findings.iter().map(|finding| finding.problem.message()).collect();
            (index, messages.join("; "))
        };
        assert_eq!(choose(&["attachments/a.pdf", "samples.jsonl"]), (Some(1), String::new()));
        assert_eq!(choose(&["top/attachments/a.pdf", "top/samples.jsonl"]), (Some(1), String::new()));
        assert_eq!(
            choose(&["data.jsonl", "attachments/a"]),
            (Some(0), "the dataset should be named samples.jsonl; under this name it still loads".to_owned())
        );
        assert_eq!(
            choose(&["a.jsonl", "samples.jsonl", "b.jsonl"]),
            (
                Some(1),
                "several .jsonl files at the root of the ZIP: \"samples.jsonl\" is used; ignored: \"a.jsonl\", \"b.jsonl\""
                    .to_owned()
            )
        );
        assert_eq!(choose(&["samples.jsonl", "a", "~amples.jsonl"]).0, Some(2));
        assert_eq!(
            choose(&["a/data.jsonl", "b"]),
            (None, "no samples.jsonl in the ZIP; found \"a/data.jsonl\" in a folder".to_owned())
        );
        assert_eq!(
            choose(&["a", "b", "c", "d", "e", "f", "g/"]),
            (
                None,
                "no samples.jsonl in the ZIP; found \"a\", \"b\", \"c\", \"d\", \"e\" and 1 more".to_owned()
            )
        );
    }

    #[test]
    fn an_archive_is_detected_by_its_entries() {
        let confidence = |archive: &Archive| {
            let head = FileHead { archive: Some(archive), ..FileHead::new("data.zip", b"") };
            FORMAT.detection.detect(&head).unwrap().confidence
        };
        assert_eq!(confidence(&archive(&["top/samples.jsonl", "top/x"])), 90);
        assert_eq!(confidence(&archive(&["data.jsonl", "attachments/a.pdf"])), 75);
        assert_eq!(confidence(&archive(&["photos/a.jpg", "photos/b.jpg"])), 20);
        assert_eq!(confidence(&Archive::default()), 20);
    }
}
