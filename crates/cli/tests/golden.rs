//! Golden cases: `tests/cases/<format>/<case>/` holds an input and its expected results. Each is a separate test, named after its
//! folders: `cargo test -p evalcheck-cli --test golden quest/roles`.
//!
//! - `input.jsonl`, `input.zip`, ...: the file, byte for byte; or `input/`: a folder that is packed to `input.zip`; or
//!   `input.recipe.json`: a recipe that makes it, see `support/recipe.rs`.
//! - `options.json`: options of the check, unless the format is that of the folder's name (in the folder `auto` it is detected).
//! - `schema.json`: a JSON Schema of the user's own, and `schema-*.json`: files that it names.
//! - `expected.txt`, `expected.json`: the plain text and the report.
//! - `fixed.jsonl`, `fixed-unsafe.jsonl`, ...: the input with its safe fixes applied, and with all fixes, if it has any; for a ZIP, a
//!   list of its entries, `fixed.zip.txt`.
//!
//! All results come from the command. `UPDATE_EXPECT=1 cargo test -p evalcheck-cli --test golden` rewrites the expected results; review
//! the diff before you commit it. Every report is also validated against the schema, its counts and places are computed again here, and
//! the engine must make the same report in whatever pieces the file arrives. The results of `find`, `loaded` and `stats`, the other
//! outputs, and the file without its invalid records must be consistent with the report, also for spoiled files.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};

use evalcheck_cli::api::{self, Dataset, Options, find};
use evalcheck_render::text::report_text;
use evalcheck_report::view::{ChangeKind, Hit, LoadedChange};
use evalcheck_report::{Finding, Report, Severity};
use evalcheck_wire::worker::CheckOptions;
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use serde_json::Value;
use support::agreement::{self, SPOILED, Told, contradictions, contradictions_of, differing_outputs};
use support::attachments::assert_list_fits_report;
use support::cases::{self, Case, diff};
use support::invariants::{assert_counts_add_up, assert_in_order, assert_place_is_right};
use support::listing::listing;
use support::suite::rounds;
use tempfile::TempDir;

/// The placeholder for the version, which changes with every release.
const ANY_VERSION: &str = "0.0.0";

/// The most findings of a rule that the command lists in JSON. No case has more, and the engine alone has no limit.
const LIMIT_OF_THE_COMMAND: u64 = 10_000;

/// The sizes of the pieces in which a file arrives: whole, and such that a piece ends at every byte.
const PIECES: [usize; 4] = [1 << 20, 1, 7, 64];

/// The variable with a folder to which the files of all cases are written, for tests that are not in Rust; nothing is checked then.
const FILES_VARIABLE: &str = "EVALCHECK_CASES_INTO";

/// The index of these files: a JSON array with name, file and options of each case.
const INDEX: &str = "index.json";

fn main() -> ExitCode {
    if let Some(folder) = std::env::var_os(FILES_VARIABLE) {
        write_files(Path::new(&folder));
        return ExitCode::SUCCESS;
    }
    let ways = rounds(SPOILED, 1);
    let trials = cases::folders()
        .into_iter()
        .enumerate()
        .map(|(number, folder)| {
            let spoiled = (number % ways..SPOILED).step_by(ways);
            Trial::test(cases::name(&folder), move || Checked::new(&folder).run(spoiled))
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Writes the file of each case into its own folder.
fn write_files(into: &Path) {
    let mut index = Vec::new();
    for (number, folder) in cases::folders().iter().enumerate() {
        let case = Case::load(folder);
        let of_case = into.join(number.to_string());
        fs::create_dir_all(&of_case).unwrap();
        let path = of_case.join(&case.file_name);
        fs::write(&path, &case.bytes).unwrap();
        let options = serde_json::json!({
            "format": case.options.format,
            "version": case.options.version,
            "option": case.options.option,
            "entry": case.options.entry,
            "schema": case.options.schema.iter().map(|file| &file.name).collect::<Vec<_>>(),
            "schema_formats": case.options.schema_formats,
            "max_findings_per_code": case.options.max_findings_per_code,
        });
        index.push(serde_json::json!({ "name": case.name, "file": path, "options": options }));
    }
    fs::write(into.join(INDEX), serde_json::to_vec(&index).unwrap()).unwrap();
}

/// A case, its file on the disk, and the report of the command.
struct Checked {
    case: Case,
    path: PathBuf,
    /// A folder for files of the test.
    scratch: TempDir,
    report: Report,
    /// The report as SARIF, `JUnit` and HTML, in this order.
    outputs: [String; 3],
}

/// A line of `evalcheck loaded`.
#[derive(Debug, Deserialize)]
struct LoadedLine {
    line: u64,
    state: String,
    changes: Vec<LoadedChange>,
}

impl Checked {
    fn new(folder: &Path) -> Self {
        let case = Case::load(folder);
        let scratch = TempDir::new().unwrap();
        let mut path = folder.join(&case.file_name);
        // The file is packed, or made by a recipe.
        if !path.is_file() {
            path = scratch.path().join(&case.file_name);
            fs::write(&path, &case.bytes).unwrap();
        }
        let files = ["sarif", "junit", "html"].map(|form| (form, scratch.path().join(form)));
        let outputs = files.iter().map(|(form, file)| format!("{form}={}", file.display()));
        let outputs: Vec<String> = outputs.flat_map(|file| ["--output-file".to_owned(), file]).collect();
        let report = check(&case, &path, &outputs.iter().map(String::as_str).collect::<Vec<_>>());
        let outputs = files.map(|(_, file)| fs::read_to_string(file).unwrap());
        Self { case, path, scratch, report, outputs }
    }

    /// Also checks the file spoiled in these ways.
    fn run(&self, spoiled: impl Iterator<Item = usize>) -> Result<(), Failed> {
        let Self { case, report, .. } = self;
        assert_counts_add_up(&case.name, report);
        assert_in_order(&case.name, report);
        let dataset = case.dataset(report);
        for finding in &report.findings {
            assert_place_is_right(&case.name, finding, report, &dataset);
        }
        self.does_not_depend_on_pieces();
        let refused = case.findings_by_inferred_schema();
        assert!(refused.is_empty(), "{}: the schema that was made of it refuses it: {refused:#?}", case.name);
        assert_list_fits_report(case, report);
        let loaded = self.loaded();
        self.what_is_lost_is_missing_from_what_is_loaded(&loaded);
        self.outputs_agree(&loaded);
        // Other cases are large, with thousands of records without differences.
        let is_small = case.recipe.is_none();
        if is_small && !case.is_zip() {
            for way in spoiled {
                let differing = contradictions_of(case, &agreement::spoiled(&case.bytes, way));
                assert!(differing.is_empty(), "{}, spoiled in the way {way}: {differing:#?}", case.name);
            }
        }
        if is_small && !case.is_zip() {
            self.no_record_is_invalid_once_the_invalid_ones_are_left_out();
        }
        let mut differences = vec![
            case.compare(
                "expected.txt",
                Some(case.without_folder(&report_text(report, &report.file.name)).as_bytes()),
            ),
            case.compare("expected.json", Some(case.without_folder(&json(report)).as_bytes())),
        ];
        if is_small || case.is_zip() {
            differences.extend([
                self.compare_fixed("fixed", &[]),
                self.compare_fixed("fixed-unsafe", &["--unsafe"]),
            ]);
        }
        let differences: Vec<String> = differences.into_iter().flatten().collect();
        if differences.is_empty() { Ok(()) } else { Err(differences.join("\n").into()) }
    }

    fn does_not_depend_on_pieces(&self) {
        let Self { case, report, .. } = self;
        let expected = json(report);
        // A large file in tiny pieces tests nothing that a small one does not.
        for piece in PIECES.into_iter().filter(|piece| case.bytes.len() / piece < 200_000) {
            let report = json(&case.check(&case.bytes, piece));
            assert!(report == expected, "{} in pieces of {piece}:\n{}", case.name, diff(&expected, &report));
        }
    }

    fn outputs_agree(&self, loaded: &[LoadedLine]) {
        let Self { case, path, report, outputs: [sarif, junit, html], .. } = self;
        let differing = differing_outputs(report, &read(sarif.as_bytes()), junit, html);
        assert!(differing.is_empty(), "{}: {differing:#?}", case.name);
        if !agreement::is_comparable(report) {
            return;
        }
        let CheckOptions { format, version, option, entry, schema, schema_formats, .. } =
            case.options.clone();
        let schema: Vec<String> = schema.into_iter().map(|file| file.name).collect();
        let options = serde_json::json!({
            "format": format,
            "format_version": version,
            "option": option,
            "entry": entry,
            "schema": Some(schema).filter(|files| !files.is_empty()),
            "schema_formats": schema_formats,
        });
        let mut options = Options::from_json(&options.to_string()).unwrap();
        options.overview = true;
        let find = |query: &str| -> Vec<Hit> {
            let hits = find(Dataset::open(path, None).unwrap(), query, &options);
            let hits = hits.unwrap_or_else(|error| panic!("{}: {error}", case.name));
            hits.iter().map(|hit| read(hit.as_bytes())).collect()
        };
        let counted: Report =
            read(api::check(Dataset::open(path, None).unwrap(), &options).unwrap().as_bytes());
        assert_eq!(counted.counts, report.counts, "{}: the counts with statistics", case.name);
        let state = |state: &str| ["held", "dropped", "refused"].into_iter().find(|known| *known == state);
        let loaded = loaded.iter().map(|line| (line.line, state(&line.state).unwrap())).collect();
        let overview = counted.overview.as_ref().unwrap();
        let differing = contradictions(&Told { report, overview, loaded, find: &find });
        assert!(differing.is_empty(), "{}: {differing:#?}", case.name);
    }

    /// The lines of `evalcheck loaded`.
    fn loaded(&self) -> Vec<LoadedLine> {
        let output = evalcheck(&self.case, "loaded", &self.path, &[]);
        output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(read).collect()
    }

    fn what_is_lost_is_missing_from_what_is_loaded(&self, lines: &[LoadedLine]) {
        let Self { case, report, .. } = self;
        // A dataset that is refused as a whole loses nothing.
        if !report.checked || report.findings.iter().any(is_error_of_the_whole) {
            return;
        }
        let missing = lines.iter().filter(|line| match line.state.as_str() {
            // A dataset with an error loses only lines: it is refused, or loaded without them.
            "held" => report.valid && line.changes.iter().any(|change| change.kind == ChangeKind::Removed),
            // A repeated list is reported once, by its key.
            "dropped" => !report.counts.by_code.contains_key("document/duplicate-key"),
            "refused" => false,
            state => panic!("{}: a record is {state}", case.name),
        });
        let missing = missing.count();
        let loss = report.counts.loss;
        if missing > 0 {
            assert!(!loss.is_empty(), "{}: no finding says that something is lost: {lines:#?}", case.name);
        }
        // Values of a record with errors are not checked.
        if loss.keys > 0 && report.valid {
            assert!(missing > 0, "{}: nothing is missing where {loss:?} is lost: {lines:#?}", case.name);
        }
    }

    fn no_record_is_invalid_once_the_invalid_ones_are_left_out(&self) {
        let Self { case, path, report, .. } = self;
        // Problems outside of records keep the others from being read, or affect them. Without a valid record nothing is written.
        let counts = &report.counts;
        if !report.checked
            || report.findings.iter().any(is_error_of_the_whole)
            || counts.invalid == 0
            || counts.valid == 0
        {
            return;
        }
        let rest = self.without_invalid_records(path, "rest");
        let bytes = fs::read(&rest).unwrap();
        if case.extension() == "json" {
            // An element without a known end cannot be removed, so it is kept.
            let again = fs::read(self.without_invalid_records(&rest, "again")).unwrap();
            assert_eq!(again, bytes, "{}: more is left out of the rest", case.name);
            return;
        }
        assert!(bytes.len() < case.bytes.len(), "{}: nothing is left out", case.name);
        let report = check(case, &rest, &["--all"]);
        let is_of_a_record =
            |finding: &&Finding| finding.severity == Severity::Error && finding.record.is_some();
        let invalid = report.findings.iter().find(is_of_a_record);
        assert!(invalid.is_none(), "{}, the rest: {invalid:#?}", case.name);
    }

    /// The file without its invalid records, not fixed, in a folder of this name.
    fn without_invalid_records(&self, path: &Path, folder: &str) -> PathBuf {
        let out = self.scratch.path().join(folder).join(&self.case.file_name);
        fs::create_dir(out.parent().unwrap()).unwrap();
        // No fix has this code, so nothing is fixed before.
        let options = ["--select", "none", "--drop-invalid", "--output", out.to_str().unwrap()];
        evalcheck(&self.case, "fix", path, &options);
        out
    }

    /// Compares the fixed input of the command with the file of that name.
    fn compare_fixed(&self, name: &str, options: &[&str]) -> Option<String> {
        let Self { case, path, report, .. } = self;
        let out = self.scratch.path().join(name);
        let output = evalcheck(case, "fix", path, &[options, &["--output", out.to_str().unwrap()]].concat());
        // An archive with damaged data cannot be rewritten.
        let is_written = output.status.code() <= Some(1) || !report.format.rivals.is_empty();
        let fixed = is_written.then(|| fs::read(&out).unwrap());
        let fixed = fixed.filter(|fixed| *fixed != case.bytes);
        let mut file = format!("{name}.{}", case.extension());
        if !case.is_zip() {
            return case.compare(&file, fixed.as_deref());
        }
        // The compression does not matter.
        file += ".txt";
        case.compare(&file, fixed.map(|zip| listing(&zip)).as_deref())
    }
}

/// Returns true for an error that is not about a single record.
fn is_error_of_the_whole(finding: &Finding) -> bool {
    finding.severity == Severity::Error && finding.record.is_none()
}

/// The report of the command on a file, checked as the case is.
fn check(case: &Case, path: &Path, options: &[&str]) -> Report {
    let most = case.options.max_findings_per_code.map(|most| most.to_string());
    let most: Vec<&str> = most.iter().flat_map(|most| ["--max-findings", most]).collect();
    let output = evalcheck(case, "check", path, &[options, &["--output", "json"], &most].concat());
    assert!(output.stderr.is_empty(), "{}: {output:?}", case.name);
    support::assert_follows_schema(&read::<Value>(&output.stdout), &case.name);
    let mut report: Report = read(&output.stdout);
    report.max_findings_per_code = report.max_findings_per_code.filter(|most| *most != LIMIT_OF_THE_COMMAND);
    let is_success = report.valid && !report.format.is_fallback() && report.format.rivals.is_empty();
    assert_eq!(output.status.success(), is_success, "{}: the exit status", case.name);
    report
}

/// Runs a command on a file, with the format of the case.
fn evalcheck(case: &Case, command: &str, path: &Path, options: &[&str]) -> Output {
    let mut process = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    process.arg(command).args(options);
    let format = [
        ("--format", &case.options.format),
        ("--format-version", &case.options.version),
        ("--entry", &case.options.entry),
    ];
    for (name, value) in format {
        process.args(value.iter().flat_map(|value| [name, value]));
    }
    if command != "loaded" {
        process.args(case.options.schema.iter().flat_map(|file| ["--schema", &file.name]));
        process.args(case.options.schema_formats.then_some("--schema-formats"));
    }
    process.args(case.options.option.iter().flat_map(|name| ["--option", name]));
    process.arg(path).stdin(Stdio::null()).output().unwrap()
}

fn read<T: for<'de> Deserialize<'de>>(json: &[u8]) -> T {
    serde_json::from_slice(json).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(json)))
}

/// The report in its committed form.
fn json(report: &Report) -> String {
    let mut report = report.clone();
    ANY_VERSION.clone_into(&mut report.tool.version);
    serde_json::to_string_pretty(&report).unwrap() + "\n"
}
