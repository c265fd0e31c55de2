//! The files of a folder.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use evalcheck_engine::formats::FORMATS;
use evalcheck_engine::formats::detect::{FileHead, HEAD};
use evalcheck_wire::folder::{FIRST_BYTES, Kind, begins_as_dataset, is_made_for_datasets, kind_of};
use ignore::WalkBuilder;

use crate::links::{self, Lead};
use crate::replaced;

/// A file of a folder, or the reason why it is not read.
pub(super) type InFolder = Result<Walked, (Option<PathBuf>, io::Error)>;

/// A file of a folder that may be a dataset.
#[derive(Debug)]
pub(super) struct Walked {
    pub(super) path: PathBuf,
    /// Its target, if it is a link.
    pub(super) target: Option<PathBuf>,
    /// The reason why it is not a dataset, by its name.
    pub(super) by_name: Option<&'static str>,
}

impl Walked {
    /// The reason why it is not a dataset, if that is certain. The user did not name a file in a folder, so it is not reported as
    /// invalid.
    pub(super) fn something_else(&self) -> Option<&'static str> {
        if self.by_name.is_some() {
            return self.by_name;
        }
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        // The check reports a file that cannot be read.
        let head = first_bytes(&self.path, HEAD as u64).ok()?;
        // A dataset may begin like an output of evalcheck, too.
        let is_near = || FileHead::new(&name, &head).is_near(FORMATS);
        if replaced::is_own(&head) {
            return (!is_near()).then_some("a file that evalcheck has written");
        }
        let is_else = !is_made_for_datasets(&name) && !is_near();
        is_else.then_some("no key or column is one of a format, or near one")
    }
}

/// Links that a walk did not follow: the path and the target of the first, and their number.
#[derive(Debug, Default)]
pub(super) struct Passed {
    pub(super) first: Option<(PathBuf, PathBuf)>,
    pub(super) count: u64,
}

impl Passed {
    fn add(&mut self, path: &Path, target: PathBuf) {
        self.count += 1;
        self.first.get_or_insert_with(|| (path.to_owned(), target));
    }
}

/// The selected files of a folder and its subfolders that may be datasets.
pub(super) fn in_folder(
    folder: &Path,
    follows: bool,
    passed: &mut Passed,
    is_meant: impl Fn(&Path) -> bool,
) -> Vec<InFolder> {
    // The walk reads these files of the folders above too.
    let above = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    if let Some(why) = above.ancestors().find_map(links::not_walked) {
        return vec![Err((None, io::Error::other(why)))];
    }
    let not_walked: Arc<Mutex<Vec<InFolder>>> = Arc::default();
    let noted = Arc::clone(&not_walked);
    let mut walk = WalkBuilder::new(folder);
    walk.sort_by_file_path(Path::cmp).filter_entry(move |entry| {
        let why =
            entry.file_type().filter(fs::FileType::is_dir).and_then(|_| links::not_walked(entry.path()));
        why.map(|why| {
            let error = (Some(entry.path().to_owned()), io::Error::other(why));
            noted.lock().unwrap_or_else(PoisonError::into_inner).push(Err(error));
        })
        .is_none()
    });
    let mut all = Vec::new();
    for entry in walk.build() {
        match entry {
            // The first entry is the folder that the user named.
            Ok(entry) if entry.depth() == 0 || entry.file_type().is_some_and(|kind| kind.is_dir()) => {}
            Ok(entry) => {
                let path = entry.path().strip_prefix("./").unwrap_or(entry.path());
                if is_meant(path) {
                    all.extend(in_file(path, follows, passed));
                }
            }
            Err(error) => {
                let why = error.to_string();
                all.push(Err((None, error.into_io_error().unwrap_or_else(|| io::Error::other(why)))));
            }
        }
    }
    all.append(&mut not_walked.lock().unwrap_or_else(PoisonError::into_inner));
    all
}

/// A path of a folder, if it may be a dataset.
fn in_file(path: &Path, follows: bool, passed: &mut Passed) -> Option<InFolder> {
    let kind = kind_of(&path.file_name().unwrap_or_default().to_string_lossy());
    let refused = |error| (kind == Kind::Dataset).then(|| Err((Some(path.to_owned()), error)));
    match links::lead(path, follows) {
        Ok(Lead::File(target)) => {
            let may_be_dataset = match kind {
                Kind::Dataset | Kind::OfTool | Kind::OtherData => true,
                Kind::Other => false,
                Kind::Unclear => {
                    first_bytes(path, FIRST_BYTES.into()).is_ok_and(|first| begins_as_dataset(&first))
                }
            };
            let by_name = match kind {
                Kind::OfTool => Some("a file of another tool"),
                Kind::OtherData => Some("data that evalcheck does not read"),
                Kind::Dataset | Kind::Other | Kind::Unclear => None,
            };
            let file = || Walked { path: path.to_owned(), target, by_name };
            may_be_dataset.then(|| Ok(file()))
        }
        Ok(Lead::Folder(target)) => {
            passed.add(path, target);
            None
        }
        Ok(Lead::NotFollowed(target)) => {
            if kind == Kind::Dataset {
                passed.add(path, target);
            }
            None
        }
        Ok(Lead::Closed(why)) => refused(io::Error::other(why)),
        Err(error) => refused(error),
    }
}

fn first_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut first = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut first)?;
    Ok(first)
}
