//! The files that records may refer to, by their paths.

use std::cell::{Cell, OnceCell, Ref, RefCell};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::rc::Rc;

use evalcheck_core::content::Content;
use evalcheck_core::suggest::{Names, Suggestion};
use evalcheck_core::unicode;
use evalcheck_report::EntryEdit;

use crate::entry::Entry;
use crate::mentions::Mentions;
use crate::names;
use crate::references::{MissingFiles, References};

/// The files of an archive by their paths, with their references. The format defines the form of a valid reference.
#[derive(Debug)]
pub struct Attachments {
    /// In the order of the directory.
    files: Vec<File>,
    /// The files by path; for several of one path, the last.
    by_path: BTreeMap<Rc<str>, usize>,
    /// Files with a path that is not portable, by their [`names::portable`] path.
    by_portable_path: BTreeMap<String, usize>,
    /// Created for the first suggestion.
    names: OnceCell<Names>,
    /// The folder that contains all files, with a slash; empty without one.
    top_folder: String,
    /// The record that is being checked. `None` while a record is only shown: its references do not count.
    record: Cell<Option<u64>>,
    /// Missing files that records refer to.
    missing: RefCell<MissingFiles>,
    /// The files that records with errors may mean.
    mentions: RefCell<Mentions>,
    /// Whether the archive was read to its end.
    is_complete: Cell<bool>,
}

#[derive(Debug)]
struct File {
    entry: usize,
    name: Rc<str>,
    path: Rc<str>,
    references: Cell<References>,
    /// Its contents, once they were read.
    contents: Cell<Option<FileContents>>,
    /// Whether it need not be referenced.
    exempt: bool,
}

/// Facts about the contents of a file, from its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileContents {
    /// Its type.
    pub content: Content,
    /// Width and height of an image, if its first bytes state them.
    pub pixels: Option<(u32, u32)>,
    /// The duration of a recording, if its first bytes state it.
    pub milliseconds: Option<u32>,
}

impl Attachments {
    /// The files among the entries of an archive. Files that are `exempt` need not be referenced, nor files of operating systems, nor links
    /// (which are already an error).
    pub fn new(entries: &[Entry], exempt: impl Fn(usize, &Entry) -> bool) -> Self {
        let mut files = Vec::new();
        for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.is_file()) {
            let path: Rc<str> = if entry.stripped == 0 { entry.nfc.clone() } else { Rc::from(entry.path()) };
            let exempt = entry.system_file || entry.symlink || exempt(index, entry);
            files.push(File {
                entry: index,
                name: entry.name.clone(),
                path,
                references: Cell::default(),
                contents: Cell::new(None),
                exempt,
            });
        }
        let (mut by_path, mut by_portable_path) = (BTreeMap::new(), BTreeMap::new());
        for (at, File { path, .. }) in files.iter().enumerate().rev() {
            by_path.entry(path.clone()).or_insert(at);
            let portable = names::portable(path);
            if *portable != **path {
                by_portable_path.entry(portable).or_insert(at);
            }
        }
        let top_folder = entries.iter().find(|entry| !entry.ignored).map_or("", Entry::top_folder).to_owned();
        Self {
            files,
            by_path,
            by_portable_path,
            names: OnceCell::new(),
            top_folder,
            record: Cell::new(None),
            missing: RefCell::default(),
            mentions: RefCell::default(),
            is_complete: Cell::new(false),
        }
    }

    /// The entry at a path (compared in NFC), as an index into [`crate::Archive::entries`].
    pub fn find(&self, path: &str) -> Option<usize> {
        let found = if path.is_ascii() {
            self.by_path.get(path)
        } else {
            self.by_path.get(unicode::nfc(path).as_str())
        };
        self.entry(*found?)
    }

    /// The entry with a path that is not portable, such as one with a backslash, by its portable form.
    pub fn find_unportable(&self, path: &str) -> Option<usize> {
        self.entry(*self.by_portable_path.get(path)?)
    }

    /// The entry with the nearest path. Its `index` is an index into [`crate::Archive::entries`].
    pub fn suggest(&self, path: &str) -> Option<Suggestion> {
        let names = self.names.get_or_init(|| {
            let files = self.files.iter().filter(|file| !file.exempt);
            Names::new(files.map(|file| (file.entry, file.path.clone())))
        });
        names.nearest(path)
    }

    /// Whether there is no file that a record may refer to.
    pub fn is_empty(&self) -> bool {
        self.files.iter().all(|file| file.exempt)
    }

    /// Whether the folder has files. Its name ends with a slash.
    pub fn has_folder(&self, folder: &str) -> bool {
        let from = (Bound::Included(folder), Bound::Unbounded);
        self.by_path.range::<str, _>(from).next().is_some_and(|(path, _)| path.starts_with(folder))
    }

    /// The path of an entry, as a reference must write it.
    pub fn path(&self, entry: usize) -> Option<&str> {
        self.file(entry).map(|file| &*file.path)
    }

    /// The edit that moves a file to another path; `None` if that path is taken.
    pub fn moved(&self, entry: usize, path: &str) -> Option<EntryEdit> {
        let file = self.file(entry)?;
        let is_free = self.find(path).is_none() && !self.has_folder(&[path, "/"].concat());
        is_free.then(|| EntryEdit::rename(&*file.name, [&self.top_folder, path].concat()))
    }

    /// The name of the entry for a new file at this path; `None` if readers would not find it there: the path is taken, or they ignore it
    /// or read it as another one.
    pub fn added(&self, path: &str) -> Option<String> {
        let name = [&self.top_folder, path].concat();
        let mut folders = path.match_indices('/').filter_map(|(end, _)| path.get(..end));
        let is_free = self.find(path).is_none()
            && !self.has_folder(&[path, "/"].concat())
            && !folders.any(|folder| self.find(folder).is_some());
        (is_free && names::is_plain(path) && u16::try_from(name.len()).is_ok()).then_some(name)
    }

    /// Sets the record of the following references. With `None`, references are not noted.
    pub fn set_record(&self, record: Option<u64>) {
        self.record.set(record);
    }

    /// Notes that the record refers to an entry. `is_right` is false if the reference has to be corrected.
    pub fn note_reference(&self, entry: usize, is_right: bool) {
        if let (Some(record), Some(file)) = (self.record.get(), self.file(entry)) {
            let mut references = file.references.get();
            references.note(record, is_right);
            file.references.set(references);
        }
    }

    /// Notes that the record refers to a missing file, and the entry with the nearest path. `is_usable`: the format accepts references to
    /// this path.
    pub fn note_missing(&self, path: &str, nearest: Option<usize>, is_usable: bool) {
        if let Some(record) = self.record.get() {
            self.missing.borrow_mut().note(path, nearest, is_usable, record);
        }
    }

    /// Notes a record with errors. It may mean the files that its text names; without a text, any file.
    pub fn note_errors(&self, errors: u64, text: Option<&[u8]>) {
        let files = self.files.iter().map(|file| (file.entry, &*file.path));
        self.mentions.borrow_mut().note(errors, text, files);
    }

    /// Whether a record with an error may need an entry when it is corrected. `errors` is the number of all errors of the dataset.
    pub fn may_be_meant(&self, entry: usize, errors: u64) -> bool {
        self.mentions.borrow().may_mean(entry, errors)
    }

    /// Notes the contents of an entry.
    pub fn note_contents(&self, entry: usize, contents: FileContents) {
        if let Some(file) = self.file(entry) {
            file.contents.set(Some(contents));
        }
    }

    /// Notes that the archive was read to its end.
    pub fn complete(&self) {
        self.is_complete.set(true);
    }

    /// Whether the archive was read to its end. Before that, a file without references may still get some.
    pub fn is_complete(&self) -> bool {
        self.is_complete.get()
    }

    /// The missing files that records refer to.
    pub fn missing(&self) -> Ref<'_, MissingFiles> {
        self.missing.borrow()
    }

    /// The records that refer to an entry.
    pub fn references(&self, entry: usize) -> References {
        self.file(entry).map(|file| file.references.get()).unwrap_or_default()
    }

    /// The contents of an entry; `None` if it was not read, or not to its end.
    pub fn contents(&self, entry: usize) -> Option<FileContents> {
        self.file(entry)?.contents.get()
    }

    /// The entries that have to be referenced but are not, in the order of the directory. Of several entries with one path, none if the
    /// last one is referenced.
    pub fn unreferenced(&self) -> impl Iterator<Item = usize> + '_ {
        let unreferenced = |(at, file): (usize, &File)| {
            let last = self.by_path.get(&file.path).copied().unwrap_or(at);
            let is_referenced = |file: &File| file.references.get().records > 0;
            let referenced = is_referenced(file) || is_referenced(self.files.get(last)?);
            (!referenced && !file.exempt).then_some(file.entry)
        };
        self.files.iter().enumerate().filter_map(unreferenced)
    }

    fn file(&self, entry: usize) -> Option<&File> {
        let at = self.files.binary_search_by_key(&entry, |file| file.entry).ok()?;
        self.files.get(at)
    }

    fn entry(&self, file: usize) -> Option<usize> {
        self.files.get(file).map(|file| file.entry)
    }
}
