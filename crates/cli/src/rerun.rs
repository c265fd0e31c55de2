//! `check --watch`: waits until a file or its configuration changes.

use std::fs;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use crate::args::Check;
use crate::config::Settings;
use crate::files;

/// Time between two looks at the files.
const EVERY: Duration = Duration::from_millis(250);

/// What a check depends on: its files with sizes and times of change and with their options, or why there are none.
#[derive(PartialEq)]
pub(crate) struct Snapshot(Result<Vec<State>, String>);

#[derive(PartialEq)]
struct State {
    path: PathBuf,
    /// `None` where there is no file.
    stamp: Option<(u64, Option<SystemTime>)>,
    settings: Rc<Settings>,
}

impl Snapshot {
    /// As things are.
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

    /// Waits until something changed.
    pub(crate) fn wait(&self, options: &Check) {
        while *self == Self::of(options) {
            std::thread::sleep(EVERY);
        }
    }
}
