//! The parts of a file, made by several threads or read from files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use evalcheck_engine::check::Check;
use evalcheck_engine::check::known_lines::FoundLines;
use evalcheck_engine::parts::{FEWEST, Part, PartProblem, PartScanner};
use evalcheck_engine::source::Source;
use evalcheck_wire::plan::{Plan, PlannedDataset};

use crate::compilers::ENVIRONMENT;
use crate::file_again::FileAgain;
use crate::texts::describe;

/// The number of bytes read at once.
const PIECE: usize = 256 << 10;

/// The size of a part that a thread makes. The parts of a range are merged.
const RANGE: u64 = 8 << 20;

/// The reason why a part cannot be made or used, and the file with the problem.
pub(crate) type Failed = (PathBuf, String);

/// Fails if a file with this size and state is not the planned one.
pub(crate) fn check_state(
    planned: &PlannedDataset,
    size: u64,
    state: Option<&str>,
) -> Result<(), PartProblem> {
    if size != planned.size {
        return Err(PartProblem::OtherSize { found: size, planned: planned.size });
    }
    match (&planned.state, state) {
        (Some(planned), Some(state)) if planned != state => Err(PartProblem::Changed),
        _ => Ok(()),
    }
}

/// Makes the part of a range with `jobs` threads.
///
/// # Errors
/// The file cannot be read or was changed, or the range is not in it.
pub(crate) fn make(
    file: &FileAgain,
    dataset: &PlannedDataset,
    range: (u64, u64),
    jobs: usize,
) -> Result<Part, PartProblem> {
    // Fails if the range itself is invalid.
    PartScanner::in_environment(&ENVIRONMENT, dataset, range, FEWEST)?;
    let (start, end) = range;
    let ranges: Vec<_> =
        Plan::cut(end - start, RANGE).into_iter().map(|(from, to)| (start + from, start + to)).collect();
    let made: Mutex<Vec<Part>> = Mutex::default();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut opened = file.open().map_err(|error| PartProblem::NotRead(describe(&error)))?;
        while let Some(range) = ranges.get(next.fetch_add(1, Ordering::Relaxed)) {
            let part = scan(&mut opened, dataset, *range)?;
            made.lock().map_err(|error| PartProblem::NotRead(error.to_string()))?.push(part);
        }
        // If the file is unchanged, all reads were of the same file.
        file.open().map(drop).map_err(|error| PartProblem::NotRead(describe(&error)))
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.min(ranges.len())).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or(Err(PartProblem::Changed)))
    })?;
    Part::merge_all(made.into_inner().map_err(|error| PartProblem::NotRead(error.to_string()))?)
}

/// Makes the part of a range.
///
/// # Errors
/// The range is not in the file, or cannot be read.
pub(crate) fn scan(
    source: &mut (impl Source + ?Sized),
    dataset: &PlannedDataset,
    range: (u64, u64),
) -> Result<Part, PartProblem> {
    let mut scanner = PartScanner::in_environment(&ENVIRONMENT, dataset, range, FEWEST)?;
    while scanner.read_piece(source, PIECE)? {}
    Ok(scanner.finish())
}

/// The parts of a whole file, in files. Only one is in memory at a time.
#[derive(Debug, Clone)]
pub(crate) struct Parts {
    /// All parts merged, without their lines.
    whole: Part,
    /// The files, in the order of the parts.
    paths: Vec<PathBuf>,
}

impl Parts {
    /// Reads each part once, and checks that they cover a whole file.
    pub(crate) fn open(paths: &[PathBuf]) -> Result<Self, Failed> {
        let without_lines = |part: Part| Part::unread(part.dataset().clone(), part.range());
        let opened = paths.iter().map(|path| Ok((without_lines(read(path)?), path.clone())));
        let mut parts = opened.collect::<Result<Vec<_>, Failed>>()?;
        parts.sort_by_key(|(part, _)| part.range());
        let (parts, paths): (_, Vec<_>) = parts.into_iter().unzip();
        let whole = Part::whole(parts).map_err(|why| of_merge(&why))?;
        Ok(Self { whole, paths })
    }

    /// The dataset.
    pub(crate) fn dataset(&self) -> &PlannedDataset {
        self.whole.dataset()
    }

    /// See [`Part::check_plan`].
    ///
    /// # Errors
    /// Those of [`Part::check_plan`].
    pub(crate) fn check_plan(&self, check: &Check) -> Result<(), PartProblem> {
        self.whole.check_plan(check)
    }

    /// The lines of all parts. If a part is gone, the check reads its lines.
    pub(crate) fn into_found(self) -> impl Iterator<Item = FoundLines> + Send + 'static {
        let Self { whole, paths } = self;
        let parts = paths.into_iter().filter_map(|path| read(&path).ok());
        let dataset = whole.dataset().clone();
        parts.filter(move |part| *part.dataset() == dataset).flat_map(Part::into_found)
    }
}

/// The problem of merging parts.
pub(crate) fn of_merge(why: &PartProblem) -> Failed {
    (PathBuf::from("merge"), why.to_string())
}

/// Reads a part.
pub(crate) fn read(path: &Path) -> Result<Part, Failed> {
    let bytes = fs::read(path).map_err(|error| failed(path)(&describe(&error)))?;
    Part::from_bytes(&bytes).map_err(|why| failed(path)(&why))
}

/// Adds the file to the reason.
pub(crate) fn failed(path: &Path) -> impl Fn(&dyn ToString) -> Failed + '_ {
    |why| (path.to_owned(), why.to_string())
}
