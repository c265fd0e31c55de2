//! Items that were dropped, chosen or pasted at once: files to check, and skipped items.

use evalcheck_wire::user_schema::SchemaFile;

use super::dataset::Dataset;
use crate::display::format_number::{counted, grouped};

/// Names of files and folders that operating systems and tools create.
const SYSTEM_FILES: [&str; 5] = [".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX", ".git"];

/// The number of files that a sentence names; the others are counted.
const MAX_NAMED: usize = 3;

/// The maximum number of skipped files whose paths are kept for the list.
const MAX_LISTED: usize = 1_000;

/// Files opened together.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct DroppedItems {
    /// The files to check, in order.
    pub(crate) files: Vec<Dataset>,
    /// The files of a schema, of which the first is the schema; none if no schema was among the files.
    pub(crate) schema: Vec<SchemaFile>,
    /// Everything else.
    pub(crate) skipped: Skipped,
    /// Whether they are from a folder into which the browser may let the page write.
    pub(crate) is_writable: bool,
}

impl From<Dataset> for DroppedItems {
    fn from(dataset: Dataset) -> Self {
        Self { files: vec![dataset], ..Self::default() }
    }
}

/// Items that are not checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Skipped {
    system_files: Vec<(&'static str, u64)>,
    empty_folders: u64,
    /// The first paths of files that cannot be datasets, and of hidden folders.
    others: Vec<String>,
    /// The number of all such files and folders.
    all_others: u64,
    unreadable: Vec<String>,
}

/// The name by which a file or folder is skipped, regardless of its content; `None` for a file to check.
pub(crate) fn system_file(name: &str) -> Option<&'static str> {
    // macOS writes metadata into a file with this prefix if the file system cannot store it.
    let metadata = name.starts_with("._").then_some("._*");
    SYSTEM_FILES.into_iter().find(|known| known.eq_ignore_ascii_case(name)).or(metadata)
}

impl Skipped {
    /// Adds a file or folder that the operating system created.
    pub(crate) fn add_system_file(&mut self, name: &'static str) {
        match self.system_files.iter_mut().find(|(known, _)| *known == name) {
            Some((_, n)) => *n += 1,
            None => self.system_files.push((name, 1)),
        }
    }

    /// Adds an empty folder.
    pub(crate) fn add_empty_folder(&mut self) {
        self.empty_folders += 1;
    }

    /// Adds a file that cannot be a dataset, or a hidden folder.
    pub(crate) fn add_other(&mut self, path: String) {
        self.all_others += 1;
        if self.others.len() < MAX_LISTED {
            self.others.push(path);
        }
    }

    /// Adds a file or folder that the browser could not read.
    pub(crate) fn add_unreadable(&mut self, path: String) {
        self.unreadable.push(path);
    }

    /// The number of skipped files and folders that are neither empty nor unreadable.
    pub(crate) fn count(&self) -> u64 {
        self.all_others + self.system_files.iter().map(|(_, n)| n).sum::<u64>()
    }

    /// The first paths of files that cannot be datasets, and the number of the others.
    pub(crate) fn others(&self) -> (&[String], u64) {
        (&self.others, self.all_others - self.others.len() as u64)
    }

    /// A description for the user; `None` if nothing was skipped.
    pub(crate) fn describe(&self) -> Option<String> {
        let mut names: Vec<String> = self.system_files.iter().map(|(name, n)| repeated(name, *n)).collect();
        if self.empty_folders > 0 {
            names.push(counted(self.empty_folders, "empty folder"));
        }
        let mut sentences = Vec::new();
        if !names.is_empty() {
            sentences.push(format!("Skipped: {}.", names.join(", ")));
        }
        if self.all_others > 0 {
            let files = counted(self.all_others, "file");
            let names = named(&self.others, self.all_others, MAX_NAMED);
            sentences.push(format!("{files} skipped, which can be no dataset: {names}."));
        }
        if !self.unreadable.is_empty() {
            let names = named(&self.unreadable, self.unreadable.len() as u64, MAX_NAMED);
            sentences.push(format!("Not checked, because the browser could not read it: {names}."));
        }
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }
}

/// The first names, of `all` in total, and the number of the others.
pub(super) fn named(names: &[String], all: u64, most: usize) -> String {
    let first: Vec<&str> = names.iter().take(most).map(String::as_str).collect();
    let more = all - first.len() as u64;
    let more = if more > 0 { format!(" and {} more", grouped(more)) } else { String::new() };
    first.join(", ") + &more
}

fn repeated(name: &str, n: u64) -> String {
    if n == 1 { name.to_owned() } else { format!("{name} ({})", grouped(n)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_files_are_recognised_by_name() {
        for name in [".DS_Store", "thumbs.db", "__MACOSX", "._samples.jsonl", "desktop.ini"] {
            assert!(system_file(name).is_some(), "{name}");
        }
        for name in ["samples.jsonl", ".hidden.jsonl", "Thumbs.db.jsonl", "_.jsonl"] {
            assert!(system_file(name).is_none(), "{name}");
        }
    }

    #[test]
    fn skipped_items_are_described() {
        let mut skipped = Skipped::default();
        assert_eq!(skipped.describe(), None);
        skipped.add_system_file(".DS_Store");
        skipped.add_system_file(".DS_Store");
        skipped.add_empty_folder();
        assert_eq!(skipped.describe().as_deref(), Some("Skipped: .DS_Store (2), 1 empty folder."));
        for n in 0..5 {
            skipped.add_unreadable(format!("x/{n}"));
        }
        let expected = " Not checked, because the browser could not read it: x/0, x/1, x/2 and 2 more.";
        assert!(skipped.describe().unwrap().ends_with(expected));
    }

    #[test]
    fn files_that_can_be_no_dataset_are_counted_and_listed() {
        let mut skipped = Skipped::default();
        for n in 0..1_200 {
            skipped.add_other(format!("x/{n}.png"));
        }
        skipped.add_system_file(".DS_Store");
        assert_eq!(skipped.count(), 1_201);
        let (listed, more) = skipped.others();
        assert_eq!((listed.len(), more), (1_000, 200));
        let expected =
            "1,200 files skipped, which can be no dataset: x/0.png, x/1.png, x/2.png and 1,197 more.";
        assert!(skipped.describe().unwrap().ends_with(expected));
    }
}
