//! The files that samples reference.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use evalcheck_wire::view::AttachmentInfo;

use super::{Archive, Entry, dataset, names};
use crate::rules::{Attachment, Zip};
use evalcheck_core::content::{self, Content};
use evalcheck_core::finding::{Finding, Location};
use evalcheck_core::rule::AnyProblem;
use evalcheck_core::suggest::{Names, Reason, Suggestion};
use evalcheck_core::unicode;

/// Where attachments must lie.
const FOLDER: &str = "attachments/";

/// The files of an archive by their paths, and which of them are referenced.
#[derive(Debug)]
pub struct Attachments {
    files: Vec<File>,
    /// By NFC path; of several of one name the last.
    by_path: BTreeMap<Rc<str>, usize>,
    /// By what a path with backslashes, a drive or a leading slash evidently means, where that is no entry's path.
    by_meaning: BTreeMap<String, usize>,
    /// Made at the first reference that leads nowhere.
    names: OnceCell<Names>,
}

#[derive(Debug)]
struct File {
    entry: usize,
    path: Rc<str>,
    name: Rc<str>,
    size: u64,
    used: Cell<bool>,
    /// True when nobody is told that it is not referenced: a dataset, litter, a link (an error already).
    quiet: bool,
}

/// What is wrong with a reference.
#[derive(Debug, Clone, PartialEq)]
pub struct RefProblem {
    /// The problem.
    pub problem: Attachment,
    /// The entry that is evidently meant, where there is one: it counts as referenced, because that nothing refers
    /// to it would only follow from this problem.
    pub meant: Option<usize>,
}

impl From<RefProblem> for AnyProblem {
    fn from(problem: RefProblem) -> Self {
        problem.problem.into()
    }
}

impl Attachments {
    /// The files of an archive that `dataset` may reference.
    pub fn new(archive: &Archive, dataset: Option<usize>) -> Self {
        let mut files = Vec::new();
        for (index, entry) in archive.entries().iter().enumerate().filter(|(_, entry)| entry.is_file()) {
            let path: Rc<str> = if entry.stripped == 0 { entry.nfc.clone() } else { Rc::from(entry.path()) };
            let quiet =
                Some(index) == dataset || entry.litter || entry.symlink || dataset::is_candidate(entry);
            let (name, size) = (entry.name.clone(), entry.size);
            files.push(File { entry: index, path, name, size, used: Cell::new(false), quiet });
        }
        let (mut by_path, mut by_meaning) = (BTreeMap::new(), BTreeMap::new());
        for (at, File { path, .. }) in files.iter().enumerate().rev() {
            by_path.entry(path.clone()).or_insert(at);
            let meaning = meaning(path);
            if *meaning != **path {
                by_meaning.entry(meaning).or_insert(at);
            }
        }
        Self { files, by_path, by_meaning, names: OnceCell::new() }
    }

    /// The entry at a path (compared in NFC), as an index into [`Archive::entries`].
    pub fn find(&self, path: &str) -> Option<usize> {
        self.find_file(path).and_then(|file| self.files.get(file)).map(|file| file.entry)
    }

    /// The entry at a path as a view shows it.
    pub fn info(&self, path: &str) -> Option<AttachmentInfo> {
        let file = self.files.get(self.find_file(path)?)?;
        Some(AttachmentInfo { entry: file.name.to_string(), size: file.size })
    }

    fn find_file(&self, path: &str) -> Option<usize> {
        if path.is_ascii() {
            return self.by_path.get(path).copied();
        }
        self.by_path.get(unicode::nfc(path).as_str()).copied()
    }

    /// Looks a reference up: the entry it names, or what is wrong with it. The entry, or the one that is evidently
    /// meant, counts as referenced from now on.
    ///
    /// # Errors
    /// The path is no path below `attachments/`, or there is no such file.
    pub fn check_reference(&self, path: &str) -> Result<usize, RefProblem> {
        let found = self.look_up(path);
        if let Ok(entry) | Err(RefProblem { meant: Some(entry), .. }) = &found {
            self.mark_used(*entry);
        }
        found
    }

    fn look_up(&self, path: &str) -> Result<usize, RefProblem> {
        let found = self.find(path);
        if let Some(problem) = malformed(path) {
            let meant = found.or_else(|| self.find_meant(path));
            return Err(RefProblem { problem, meant });
        }
        if let Some(entry) = found {
            if path.starts_with(FOLDER) {
                return Ok(entry);
            }
            return Err(RefProblem { problem: Attachment::Outside { path: quoted(path) }, meant: found });
        }
        // An entry whose own name has a backslash, say: that name is the error, the file is not missing.
        if let Some(entry) = self.by_meaning.get(path).and_then(|file| self.files.get(*file)) {
            return Ok(entry.entry);
        }
        let suggestion = self.suggest(path);
        let text = suggestion.as_ref().map(describe).unwrap_or_default();
        let meant = suggestion.filter(|found| found.reason != Reason::Spelling).map(|found| found.index);
        Err(RefProblem { problem: Attachment::Missing { path: quoted(path), suggestion: text }, meant })
    }

    /// The file that a path with backslashes, a leading slash or `..` evidently means.
    fn find_meant(&self, path: &str) -> Option<usize> {
        let meaning = meaning(path);
        self.find(&meaning).or_else(|| {
            let file = self.by_meaning.get(&meaning)?;
            self.files.get(*file).map(|file| file.entry)
        })
    }

    /// The nearest name to a path that is not in the archive; `index` of it is an index into [`Archive::entries`].
    pub fn suggest(&self, path: &str) -> Option<Suggestion> {
        let names = self.names.get_or_init(|| {
            Names::new(
                self.files.iter().filter(|file| !file.quiet).map(|file| (file.entry, file.path.clone())),
            )
        });
        names.nearest(path)
    }

    /// The path of an entry, as a reference has to write it.
    pub fn path(&self, entry: usize) -> Option<&str> {
        self.file(entry).map(|file| &*file.path)
    }

    /// An entry is referenced.
    pub fn mark_used(&self, entry: usize) {
        if let Some(file) = self.file(entry) {
            file.used.set(true);
        }
    }

    fn file(&self, entry: usize) -> Option<&File> {
        let at = self.files.binary_search_by_key(&entry, |file| file.entry).ok()?;
        self.files.get(at)
    }

    /// True when an entry is referenced.
    pub fn is_used(&self, entry: usize) -> bool {
        self.file(entry).is_some_and(|file| file.used.get())
    }

    /// The entries that are referenced, in the order of the directory.
    pub fn used(&self) -> impl Iterator<Item = usize> + '_ {
        self.files.iter().filter(|file| file.used.get()).map(|file| file.entry)
    }

    /// The entries that nothing references, in the order of the directory: neither the dataset nor litter of
    /// operating systems, and of several entries of one name none if one is referenced.
    pub fn unused(&self) -> impl Iterator<Item = usize> + '_ {
        self.files.iter().enumerate().filter(|(_, file)| !file.used.get() && !file.quiet).filter_map(
            |(at, file)| {
                let taken = self.by_path.get(&file.path).copied().unwrap_or(at);
                let taken = self.files.get(taken)?;
                (!taken.used.get()).then_some(file.entry)
            },
        )
    }
}

/// What is wrong with a path whatever the archive holds.
fn malformed(path: &str) -> Option<Attachment> {
    let shown = || quoted(path);
    if path.trim().is_empty() {
        Some(Attachment::EmptyPath)
    } else if is_url(path) {
        Some(Attachment::Url { path: shown() })
    } else if names::has_drive(path) || path.starts_with(['/', '\\']) {
        Some(Attachment::Absolute { path: shown() })
    } else if path.contains('\\') {
        Some(Attachment::Backslash { path: shown() })
    } else if path.split('/').any(|part| part == "..") {
        Some(Attachment::Traversal { path: shown() })
    } else {
        None
    }
}

/// True for `scheme://…`, `data:…` and the like. A single letter before the colon is a drive.
fn is_url(path: &str) -> bool {
    let Some((scheme, rest)) = path.split_once(':') else { return false };
    let is_scheme = scheme.len() > 1
        && scheme.len() < 16
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let opaque =
        ["data", "blob", "file", "mailto", "urn"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    is_scheme && (rest.starts_with("//") || opaque)
}

/// A path without what does not belong in it: `/` between folders, no drive, no `.`, `..` resolved.
fn meaning(path: &str) -> String {
    let path = if names::has_drive(path) { path.get(2..).unwrap_or_default() } else { path };
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

fn describe(found: &Suggestion) -> String {
    format!("; did you mean \"{}\"? ({})", quoted(&found.name), found.reason)
}

/// A path for a message, at most a few hundred bytes of it.
fn quoted(path: &str) -> String {
    const MOST: usize = 300;
    if path.len() <= MOST {
        return path.to_owned();
    }
    let whole = (0..=MOST).rev().find(|at| path.is_char_boundary(*at)).unwrap_or(0);
    format!("{}…", path.get(..whole).unwrap_or_default())
}

/// The check of one file by its contents. It is fed what comes out of an [`super::Inflater`] and keeps only the
/// beginning.
#[derive(Debug)]
pub struct AttachmentCheck {
    name: Rc<str>,
    extension: Option<String>,
    head: Vec<u8>,
    size: u64,
}

impl AttachmentCheck {
    /// How many bytes of a file are looked at.
    pub const HEAD: usize = 4096;

    /// For an entry.
    pub fn new(entry: &Entry) -> Self {
        Self {
            name: entry.name.clone(),
            extension: content::extension(entry.base_name()),
            head: Vec::new(),
            size: 0,
        }
    }

    /// Takes the next bytes of the contents.
    pub fn feed(&mut self, contents: &[u8]) {
        let room = Self::HEAD - self.head.len();
        self.head.extend_from_slice(contents.get(..room.min(contents.len())).unwrap_or_default());
        self.size += contents.len() as u64;
    }

    /// What the file is by the contents seen so far.
    pub fn content(&self) -> Content {
        content::sniff(&self.head)
    }

    /// The contents were read to their end: what is wrong with them.
    pub fn finish(self) -> Vec<Finding> {
        let problem: AnyProblem = if self.size == 0 {
            Attachment::Empty.into()
        } else {
            let found = self.content();
            let extension = self.extension.unwrap_or_default();
            if content::contradicts(&extension, &found) {
                Attachment::ContentMismatch { extension, found: found.description }.into()
            } else if found.media_type == "application/zip" && extension.is_empty() {
                Zip::NestedArchive.into()
            } else {
                return Vec::new();
            }
        };
        vec![Finding::new(problem, Location::entry(self.name))]
    }

    /// The contents could not be read to their end: that, and nothing that only follows from it.
    pub fn fail(self, problem: AnyProblem) -> Vec<Finding> {
        vec![Finding::new(problem, Location::entry(self.name))]
    }
}
