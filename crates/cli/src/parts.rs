//! `plan`, `part` and `merge`: a check in parts; and the parts of a file that several threads read, or that grows.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use evalcheck_engine::check::Check;
use evalcheck_engine::check::known_lines::FoundLines;
use evalcheck_engine::parts::{self, FEWEST, Part, PartProblem, PartScanner};
use evalcheck_engine::source::Source;
use evalcheck_render::json::InertJson;
use evalcheck_wire::plan::{Plan, PlannedDataset};

use crate::args::{self, Args, Reading};
use crate::check::Dataset;
use crate::file_again::FileAgain;
use crate::input::{describe, read_text};
use crate::{Status, ahead, check_command, files, new_file, print_error, printer, replaced};

/// The number of bytes read at once.
const PIECE: usize = 256 << 10;

/// The size of a part that a thread makes. The parts of a range are merged.
const RANGE: u64 = 8 << 20;

/// The longest plan that is read, in MiB.
const MOST_OF_PLAN: u64 = 64;

/// The reason why a part cannot be made or used, and the file with the problem.
type Failed = (PathBuf, String);

/// Writes the plan of a check, or its ranges if the plan is written to a file.
pub(crate) fn plan(options: &args::Plan) -> io::Result<Status> {
    let inputs = [&*options.file].into_iter().chain(options.reading.config.as_deref());
    if !replaced::prepare(&options.output.as_deref().into_iter().collect::<Vec<_>>(), inputs) {
        return Ok(Status::Usage);
    }
    let made = planned(options).and_then(|plan| {
        let mut json = Vec::new();
        serde_json::to_writer(InertJson::new(&mut json), &plan)
            .map_err(|error| failed(&options.file)(&error))?;
        let text = String::from_utf8_lossy(&json);
        // A line for each range.
        let text =
            text.replace("\"ranges\":[", "\"ranges\":[\n").replace("],[", "],\n[").replace("]]", "]\n]");
        Ok((plan, text + "\n"))
    });
    let (plan, text) = match made {
        Ok(made) => made,
        Err(why) => return Ok(report(why)),
    };
    let Some(path) = &options.output else { return printer::page(&text).map(|()| Status::Clean) };
    let status = written(path, text.as_bytes());
    if status == Status::Clean {
        let ranges = plan.ranges.iter().map(|(start, end)| format!("{start}-{end}"));
        printer::page(&(ranges.collect::<Vec<_>>().join("\n") + "\n"))?;
    }
    Ok(status)
}

fn planned(options: &args::Plan) -> Result<Plan, Failed> {
    let file = &options.file;
    if options.reading.encoding.is_some() {
        return Err((file.clone(), "a plan is for a file in UTF-8: convert it first".to_owned()));
    }
    let found = files::expanded(&args::Files::one(file.clone()), &options.reading, &[])
        .map_err(|why| (PathBuf::from("configuration"), why))?;
    let dataset = found.files.into_iter().next().ok_or_else(|| (file.clone(), "no such file".to_owned()))?;
    let opened = dataset.and_then(|dataset| dataset.open(&options.reading));
    let (_, input, reading) = opened.map_err(|(path, error)| (path, describe(&error)))?;
    let Some(again) = input.again().cloned() else {
        return Err((file.clone(), "a plan is for a file, which can be read anywhere".to_owned()));
    };
    let state = if options.without_time { None } else { again.state() };
    let check_options = reading.check_options();
    let check = Dataset::open(input, check_options.clone());
    Ok(parts::plan(check.check(), &file.to_string_lossy(), state, &check_options, options.bytes))
}

/// Checks a range, and writes its part.
pub(crate) fn part(options: &args::Part) -> Status {
    let output = options.output();
    if !replaced::prepare(&[output.as_path()], [&*options.file, &*options.plan].into_iter()) {
        return Status::Usage;
    }
    match made(options) {
        Ok(part) => written(&output, &part.to_bytes()),
        Err(why) => report(why),
    }
}

fn made(options: &args::Part) -> Result<Part, Failed> {
    let of_plan = |why: &dyn ToString| (options.plan.clone(), why.to_string());
    let text = read_text(&options.plan, MOST_OF_PLAN).map_err(|error| of_plan(&describe(&error)))?;
    let plan: Plan = serde_json::from_str(&text).map_err(|error| of_plan(&format!("not a plan: {error}")))?;
    parts::check_version(&plan).map_err(|why| of_plan(&why))?;
    let of_file = failed(&options.file);
    let again = FileAgain::of(&options.file).map_err(|error| of_file(&describe(&error)))?;
    check_state(&plan.dataset, again.size(), again.state().as_deref()).map_err(|why| of_file(&why))?;
    let jobs = options.jobs.unwrap_or_else(ahead::cores).get();
    make(&again, &plan.dataset, options.range, jobs).map_err(|why| of_file(&why))
}

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
    PartScanner::new(dataset, range, FEWEST)?;
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
    let mut scanner = PartScanner::new(dataset, range, FEWEST)?;
    while scanner.read_piece(source, PIECE)? {}
    Ok(scanner.finish())
}

/// Merges parts, and writes the report, or one part.
pub(crate) fn merge(options: &args::Merge, args: &Args, status: &mut Status) -> io::Result<()> {
    if let Some(path) = &options.into {
        if !replaced::prepare(&[path.as_path()], options.parts.iter().map(PathBuf::as_path)) {
            *status = Status::Usage;
            return Ok(());
        }
        let parts = options.parts.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>();
        let merged = parts.and_then(|parts| Part::merge_all(parts).map_err(|why| of_merge(&why)));
        *status = match merged {
            Ok(part) => written(path, &part.to_bytes()),
            Err(why) => report(why),
        };
        return Ok(());
    }
    let parts = match Parts::open(&options.parts) {
        Ok(parts) => parts,
        Err(why) => {
            *status = report(why);
            return Ok(());
        }
    };
    let dataset = parts.whole.dataset();
    let path = options.file.clone().unwrap_or_else(|| PathBuf::from(&dataset.file));
    let unchanged = FileAgain::of(&path).map_err(|error| describe(&error)).and_then(|file| {
        check_state(dataset, file.size(), file.state().as_deref()).map_err(|why| why.to_string())
    });
    if let Err(why) = unchanged {
        *status = report((path, why));
        return Ok(());
    }
    let reading = Reading {
        format: dataset.format.clone(),
        format_version: dataset.format_version.clone(),
        encoding: None,
        config: None,
        isolated: false,
        stdin_filename: None,
    };
    check_command::run_with_parts(&options.check(path, reading), args, parts, status)
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
    fn open(paths: &[PathBuf]) -> Result<Self, Failed> {
        let without_lines = |part: Part| Part::unread(part.dataset().clone(), part.range());
        let opened = paths.iter().map(|path| Ok((without_lines(read(path)?), path.clone())));
        let mut parts = opened.collect::<Result<Vec<_>, Failed>>()?;
        parts.sort_by_key(|(part, _)| part.range());
        let (parts, paths): (_, Vec<_>) = parts.into_iter().unzip();
        let whole = Part::whole(parts).map_err(|why| of_merge(&why))?;
        Ok(Self { whole, paths })
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

fn of_merge(why: &PartProblem) -> Failed {
    (PathBuf::from("merge"), why.to_string())
}

fn read(path: &Path) -> Result<Part, Failed> {
    let bytes = fs::read(path).map_err(|error| failed(path)(&describe(&error)))?;
    Part::from_bytes(&bytes).map_err(|why| failed(path)(&why))
}

fn failed(path: &Path) -> impl Fn(&dyn ToString) -> Failed + '_ {
    |why| (path.to_owned(), why.to_string())
}

fn report((about, why): Failed) -> Status {
    print_error(&about.to_string_lossy(), &why);
    Status::NotChecked
}

/// Writes a file, or reports the reason why it cannot be written.
fn written(path: &Path, bytes: &[u8]) -> Status {
    match new_file::write(path, bytes) {
        Ok(()) => Status::Clean,
        Err(error) => {
            print_error(&path.to_string_lossy(), &describe(&error));
            Status::Usage
        }
    }
}
