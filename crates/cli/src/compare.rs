//! `diff`: compares two versions of a dataset by their records.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use evalcheck_engine::compare::Compare;
use evalcheck_render::compare::comparison_lines;
use evalcheck_render::json;
use evalcheck_wire::compare::Comparison;

use crate::args::{self, DiffOutput, Reading};
use crate::check::CHUNK;
use crate::input::Input;
use crate::{Status, decoded, files, print_error, printer, texts};

/// Runs the command. The status is that of the program `diff`: whether anything changed.
pub(crate) fn run(options: &args::Diff) -> io::Result<Status> {
    let paths = [&*options.old, &*options.new];
    if paths.iter().all(|path| path.as_os_str() == "-") {
        print_error("-", "standard input is one file: it cannot be both versions");
        return Ok(Status::Usage);
    }
    let names = paths.map(|path| path.to_string_lossy().into_owned());
    let files = args::Files::one(options.new.clone());
    let Some(found) = files::expand(&files, &options.reading, &[]) else { return Ok(Status::Usage) };
    // The configuration of the newer version applies to both.
    let settings =
        found.files.into_iter().flatten().next().map(|dataset| dataset.settings).unwrap_or_default();
    let reading = options.reading.with(&settings);
    let (Some(old), Some(new)) = (open(paths[0], &reading), open(paths[1], &reading)) else {
        return Ok(Status::NotChecked);
    };
    let mut inputs = [old, new];
    let files = inputs.each_ref().map(|input| input.info.clone());
    let mut compare = Compare::new(files, reading.check_options(), options.limit);
    while compare.step(&mut inputs, CHUNK) {}
    for input in &mut inputs {
        input.progress.end();
    }
    let compared = compare.finish(&mut inputs);
    for (input, name) in inputs.iter().zip(&names) {
        // Both reads had the same bytes only if the file is unchanged.
        if let Some(why) = input.error().map(str::to_owned).or_else(|| input.changed()) {
            print_error(name, &why);
            return Ok(Status::NotChecked);
        }
    }
    let comparison = compared?;
    write(&comparison, [&names[0], &names[1]], options.output)?;
    let is_same =
        comparison.changed + comparison.added + comparison.removed == 0 && !comparison.header_changed;
    Ok(match (comparison.complete, is_same) {
        (false, _) => Status::NotChecked,
        (true, true) => Status::Clean,
        (true, false) => Status::Findings,
    })
}

/// Opens a version, or reports the reason why it cannot be opened.
fn open(path: &Path, reading: &Reading) -> Option<Input> {
    match decoded::open(path, &reading.options) {
        Ok(input) => Some(input),
        Err(error) => {
            print_error(&path.to_string_lossy(), &texts::describe(&error));
            None
        }
    }
}

fn write(comparison: &Comparison, names: [&str; 2], form: DiffOutput) -> io::Result<()> {
    let (out, coloured) = printer::standard_output();
    let mut out = BufWriter::new(out);
    match form {
        DiffOutput::Json => json::write_comparison(&mut out, comparison)?,
        DiffOutput::Text => {
            for line in comparison_lines(comparison, names, printer::width_of_output()) {
                printer::write_line(&mut out, &line, coloured)?;
            }
        }
    }
    out.flush()
}
