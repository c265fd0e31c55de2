//! What was handed over at once: files to check, and what came with them and is not checked.

use yew::AttrValue;

use super::dataset::Dataset;
use super::number::{counted, grouped};

/// Names that systems leave in folders without being asked.
const JUNK: [&str; 5] = [".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX", ".git"];

/// Names of unreadable entries that are told; of the others only how many.
const TOLD: usize = 3;

/// Files handed over together.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Handed {
    /// The files to check, in the order in which they came.
    pub(crate) files: Vec<Dataset>,
    /// What came with them.
    pub(crate) left_out: LeftOut,
}

impl From<Dataset> for Handed {
    fn from(dataset: Dataset) -> Self {
        Self { files: vec![dataset], left_out: LeftOut::default() }
    }
}

/// What is not checked of that which was handed over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LeftOut {
    junk: Vec<(&'static str, u64)>,
    empty_folders: u64,
    unreadable: Vec<String>,
}

/// The name for which something is no dataset whatever is in it; `None` for everything else.
pub(crate) fn junk(name: &str) -> Option<&'static str> {
    // macOS keeps what other file systems can't hold beside each file, under its name with this before it.
    let beside = name.starts_with("._").then_some("._*");
    JUNK.into_iter().find(|junk| junk.eq_ignore_ascii_case(name)).or(beside)
}

impl LeftOut {
    /// A file or folder of this name was left out.
    pub(crate) fn note_junk(&mut self, name: &'static str) {
        match self.junk.iter_mut().find(|(known, _)| *known == name) {
            Some((_, n)) => *n += 1,
            None => self.junk.push((name, 1)),
        }
    }

    /// A folder had nothing in it.
    pub(crate) fn note_empty_folder(&mut self) {
        self.empty_folders += 1;
    }

    /// This file or folder could not be read.
    pub(crate) fn note_unreadable(&mut self, path: String) {
        self.unreadable.push(path);
    }

    /// All of it in words; `None` when nothing was left out.
    pub(crate) fn words(&self) -> Option<AttrValue> {
        let mut names: Vec<String> = self.junk.iter().map(|(name, n)| times(name, *n)).collect();
        if self.empty_folders > 0 {
            names.push(counted(self.empty_folders, "empty folder"));
        }
        let mut sentences = Vec::new();
        if !names.is_empty() {
            sentences.push(format!("Left out: {}.", names.join(", ")));
        }
        if !self.unreadable.is_empty() {
            let told = self.unreadable.iter().take(TOLD).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = self.unreadable.len().saturating_sub(TOLD);
            let more = if more > 0 { format!(" and {} more", grouped(more as u64)) } else { String::new() };
            sentences.push(format!("The browser could not read {told}{more}: not checked."));
        }
        (!sentences.is_empty()).then(|| sentences.join(" ").into())
    }
}

fn times(name: &str, n: u64) -> String {
    if n == 1 { name.to_owned() } else { format!("{name} ({})", grouped(n)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_systems_leave_behind_is_told_from_datasets() {
        for name in [".DS_Store", "thumbs.db", "__MACOSX", "._samples.jsonl", "desktop.ini"] {
            assert!(junk(name).is_some(), "{name}");
        }
        for name in ["samples.jsonl", ".hidden.jsonl", "Thumbs.db.jsonl", "_.jsonl"] {
            assert!(junk(name).is_none(), "{name}");
        }
    }

    #[test]
    fn what_was_left_out_is_said_in_one_line() {
        let mut left_out = LeftOut::default();
        assert_eq!(left_out.words(), None);
        left_out.note_junk(".DS_Store");
        left_out.note_junk(".DS_Store");
        left_out.note_empty_folder();
        assert_eq!(left_out.words().as_deref(), Some("Left out: .DS_Store (2), 1 empty folder."));
        for n in 0..5 {
            left_out.note_unreadable(format!("x/{n}"));
        }
        assert!(
            left_out
                .words()
                .unwrap()
                .ends_with(" The browser could not read x/0, x/1, x/2 and 2 more: not checked.")
        );
    }
}
