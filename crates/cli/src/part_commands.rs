//! `plan`, `part` and `merge`: a check in parts.

use std::io;
use std::path::{Path, PathBuf};

use evalcheck_engine::parts::{self, Part};
use evalcheck_render::json::InertJson;
use evalcheck_wire::plan::Plan;

use crate::args::{self, Args};
use crate::check::Dataset;
use crate::file_again::FileAgain;
use crate::parts::{Failed, Parts, check_state, failed, make, of_merge, read};
use crate::texts::{describe, read_text};
use crate::{Status, ahead, check_command, files, new_file, print_error, printer, replaced};

/// The longest plan that is read, in MiB.
const MOST_OF_PLAN: u64 = 64;

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
    if options.reading.options.encoding.is_some() {
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
    let dataset = parts.dataset();
    let path = options.file.clone().unwrap_or_else(|| PathBuf::from(&dataset.file));
    let unchanged = FileAgain::of(&path).map_err(|error| describe(&error)).and_then(|file| {
        check_state(dataset, file.size(), file.state().as_deref()).map_err(|why| why.to_string())
    });
    if let Err(why) = unchanged {
        *status = report((path, why));
        return Ok(());
    }
    check_command::run_with_parts(&options.check(path, dataset), args, parts, status)
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
