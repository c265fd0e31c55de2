//! `check --watch`: waits until a file or its configuration changes.

use std::fs;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use crate::args::Check;
use crate::files;
use crate::settings::Settings;

/// The time between two polls of the files.
const EVERY: Duration = Duration::from_millis(250);

/// The inputs of a check: its files with their sizes, modification times and options, or the reason why there are none.
#[derive(PartialEq)]
pub(crate) struct Snapshot(Result<Vec<State>, String>);

#[derive(PartialEq)]
struct State {
    path: PathBuf,
    /// `None` if there is no file.
    stamp: Option<(u64, Option<SystemTime>)>,
    settings: Rc<Settings>,
}

impl Snapshot {
    /// The current state.
    pub(crate) fn of(options: &Check) -> Self {
        let found =
            files::expanded(&options.files, &options.reading, &options.written()).map(|all| all.files);
        let state = |found: files::Found| {
            let (path, settings) = match found {
                Ok(dataset) => (dataset.path, dataset.settings),
                Err((path, _)) => (path, Rc::default()),
            };
            let stamp = fs::metadata(&path).ok().map(|metadata| (metadata.len(), metadata.modified().ok()));
            State { path, stamp, settings }
        };
        Self(found.map(|found| found.into_iter().map(state).collect()))
    }

    /// Waits until one of them changes.
    pub(crate) fn wait(&self, options: &Check) {
        while *self == Self::of(options) {
            std::thread::sleep(EVERY);
        }
    }
}
