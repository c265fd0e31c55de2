//! `schema --infer`: the JSON Schema that fits a dataset.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use evalcheck_engine::check::Check;
use evalcheck_engine::formats::Layout;
use evalcheck_engine::overview::Overview;
use evalcheck_render::json::InertJson;
use evalcheck_render::text;
use evalcheck_wire::user_schema::SchemaFile;
use evalcheck_wire::worker::CheckOptions;

use crate::args::{Files, Reading};
use crate::check::read_piece;
use crate::compilers::ENVIRONMENT;
use crate::input::Input;
use crate::texts;
use crate::{Status, ahead, files, print_error};

/// Runs the command. The status says whether there is a schema, not whether the dataset has errors.
pub(crate) fn run(path: &Path, reading: &Reading) -> io::Result<Status> {
    let Some(files) = files::expand(&Files::one(path.to_owned()), reading, &[]) else {
        return Ok(Status::Usage);
    };
    let mut files = files.noted();
    let (Some(found), true) = (files.pop(), files.is_empty()) else {
        print_error("--infer", "a schema is made of one dataset");
        return Ok(Status::Usage);
    };
    let (dataset, input, reading) = match found.and_then(|dataset| dataset.open(reading)) {
        Ok(opened) => opened,
        Err((path, error)) => {
            print_error(&path.to_string_lossy(), &texts::describe(&error));
            return Ok(Status::NotChecked);
        }
    };
    let file = dataset.path.to_string_lossy();
    match schema(&file, input, reading.check_options()) {
        Ok((schema, note)) => {
            if let Some(note) = note {
                print_error(&file, &note);
            }
            let mut out = BufWriter::new(io::stdout().lock());
            InertJson::new(&mut out).write_all(schema.as_bytes())?;
            out.flush()?;
            Ok(Status::Clean)
        }
        Err(why) => {
            print_error(&file, &why);
            Ok(Status::NotChecked)
        }
    }
}

/// The schema of a dataset, and what it does not describe.
fn schema(file: &str, mut input: Input, options: CheckOptions) -> Result<(String, Option<String>), String> {
    let info = input.info.clone();
    // The file is read as a check against a schema will read it.
    let schema = vec![SchemaFile { name: String::new(), text: "true".to_owned() }];
    let options = CheckOptions { max_findings_per_code: Some(1), schema, ..options };
    let mut check = Check::open_in(&ENVIRONMENT, &mut input, info, options);
    check.observe(Overview::new(check.dataset()));
    if let Some(rules) = check.line_rules() {
        input.look_ahead(&rules, ahead::cores().get());
    }
    while read_piece(&mut check, &mut input) {}
    let report = check.report();
    if let Some(why) = input.error() {
        return Err(why.to_owned());
    }
    if !report.checked || report.format.id.is_empty() {
        let verdict = text::verdict_line(&report, file);
        return Err(format!("not read to its end, so there is no schema: {verdict}"));
    }
    let name = report.file.entry.as_deref().unwrap_or(&report.file.name);
    let are_rows = matches!(check.dataset().variant.layout, Layout::Csv(_));
    let overview = check.observer::<Overview>();
    let schema = overview.and_then(|overview| overview.to_schema(name, report.counts.records, are_rows));
    let schema = schema.ok_or("it has no record that can be read, so there is no schema")?;
    let unread = overview.map_or(0, |overview| report.counts.records.saturating_sub(overview.read()));
    let note = (unread > 0).then(|| {
        let records = report.counts.records;
        format!("{unread} of {records} records could not be read: the schema does not describe them")
    });
    Ok((schema, note))
}
