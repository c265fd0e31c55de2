//! Which entry of an archive is the dataset.

use std::fmt::Write;

use super::{Archive, Entry};
use crate::rules::Zip;
use evalcheck_core::content::extension;
use evalcheck_core::finding::{Finding, Location};

/// The name that the document asks for.
pub(super) const DATASET_NAME: &str = "samples.jsonl";

/// How many names a message lists.
const LISTED: usize = 5;

/// True for what could be the dataset: a `.jsonl` at the root.
pub(super) fn is_candidate(entry: &Entry) -> bool {
    entry.is_file() && !entry.path().contains('/') && extension(entry.path()).as_deref() == Some("jsonl")
}

impl Archive {
    /// The entry that is the dataset, as an index into [`Archive::entries`], and what is to be said about the
    /// choice. Whether the entry can be read is another question: [`Entry::is_readable`].
    ///
    /// It is the `.jsonl` at the root: `samples.jsonl` where there are several, else the first of them. Of several
    /// entries of one name it is the last.
    pub fn choose_dataset(&self) -> (Option<usize>, Vec<Finding>) {
        let mut candidates: Vec<(usize, &Entry)> = Vec::new();
        let mut unlisted = 0;
        for (index, entry) in self.entries.iter().enumerate().filter(|(_, entry)| is_candidate(entry)) {
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
        let Some(&(index, taken)) = named.or(candidates.first()) else {
            return (None, vec![Finding::new(Zip::NoDataset { found: self.found() }, Location::file())]);
        };
        let mut findings = Vec::new();
        if candidates.len() > 1 {
            let others =
                candidates.iter().filter(|(other, _)| *other != index).map(|(_, entry)| entry.path());
            let mut others = list(others, usize::MAX);
            if unlisted > 0 {
                let _ = write!(others, " and {unlisted} more");
            }
            let problem = Zip::SeveralDatasets { taken: taken.path().to_owned(), others };
            findings.push(Finding::new(problem, Location::file()));
        }
        if taken.path() != DATASET_NAME {
            findings.push(Finding::new(Zip::DatasetName, Location::entry(taken.name.clone())));
        }
        (Some(index), findings)
    }

    /// What is in the archive, for a message that the dataset is not: anything that looks like it first.
    fn found(&self) -> String {
        let files = || self.entries.iter().filter(|entry| entry.is_file());
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
