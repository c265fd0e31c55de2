//! The commands for one dataset, for packages of other languages: `check`, `fix`, `find` and `stats` without arguments, files and
//! outputs. A report is the text that the command writes with `--output json`.
//!
//! ```
//! use evalcheck_cli::api::{self, Dataset, Options};
//!
//! let lines = br#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#;
//! let json = api::check(Dataset::of_bytes("data.jsonl", lines, None), &Options::default())?;
//! assert!(json.contains(r#""valid": true"#));
//! # Ok::<(), api::Error>(())
//! ```

mod parts;

use std::fmt;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use evalcheck_engine::catalogue::{catalogue, rules as rules_with_pages};
use evalcheck_engine::parts::Part;
use evalcheck_engine::search::short_names;
use evalcheck_render::{find as found, json, text};
use evalcheck_report::Report;
use evalcheck_wire::options::{self, CheckOptions, Kind, OPTIONS};
use evalcheck_wire::query::Query;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::args::in_memory;
use crate::check::Show;
use crate::filter::Filter;
use crate::fix::{self, Wanted};
use crate::input::Input;
use crate::listing::Listing;
use crate::{check as checks, decoded, files, find as finds, known, new_file, replaced, texts};

pub use crate::watch::Watch;
pub use evalcheck_engine::parts::USUAL_RANGE;
pub use parts::{check_range, finish, merge, plan};

/// The reason why there is no result.
#[derive(Debug)]
pub enum Error {
    /// An option is invalid: a message for the user.
    Option(String),
    /// The dataset is not in the encoding, or cannot be fixed or searched because it cannot be read to its end: a message for the user.
    Dataset(String),
    /// A file cannot be read or written.
    File(io::Error),
    /// The [`Watch`] stopped the work.
    Stopped,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(message) | Self::Dataset(message) => f.write_str(message),
            Self::File(error) => f.write_str(&texts::describe(error)),
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for Error {}

/// An open dataset.
#[derive(Debug)]
pub struct Dataset(Input);

impl Dataset {
    /// Opens a file. It is read in pieces, when it is checked.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(path: &Path, watch: Option<&Arc<Watch>>) -> Result<Self, Error> {
        opened(Input::open_file(path, watch), watch)
    }

    /// Bytes in memory, which are not copied.
    pub fn of_bytes(
        name: impl Into<String>,
        bytes: impl AsRef<[u8]> + Send + 'static,
        watch: Option<&Arc<Watch>>,
    ) -> Self {
        Self(Input::of_bytes(name.into(), bytes, watch))
    }

    /// Reads a stream to its end. A stream longer than a few megabytes is kept in a temporary file.
    ///
    /// # Errors
    /// The stream cannot be read, or the temporary file cannot be written.
    pub fn of_stream(
        name: impl Into<String>,
        stream: impl Read,
        watch: Option<&Arc<Watch>>,
    ) -> Result<Self, Error> {
        opened(Input::spool(name.into(), stream, watch), watch)
    }

    /// A source with random access, which is not copied.
    ///
    /// # Errors
    /// Its size cannot be determined.
    pub fn of_random_access(
        name: impl Into<String>,
        source: impl Read + Seek + Send + 'static,
        watch: Option<&Arc<Watch>>,
    ) -> Result<Self, Error> {
        opened(Input::of_random_access(name.into(), source, watch), watch)
    }

    /// The same dataset under another name, which its report contains.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.0.info.name = name.into();
        self
    }
}

fn opened(input: io::Result<Input>, watch: Option<&Arc<Watch>>) -> Result<Dataset, Error> {
    input.map(Dataset).map_err(|error| stopped_or(watch.map(Arc::as_ref), error))
}

fn stopped_or(watch: Option<&Watch>, error: io::Error) -> Error {
    if watch.is_some_and(Watch::has_stopped) { Error::Stopped } else { Error::File(error) }
}

/// Classifies an error of the work on an open dataset: if it is not from the operating system, it is about the dataset.
fn failed(watch: Option<&Watch>, error: io::Error) -> Error {
    match stopped_or(watch, error) {
        Error::File(error) if error.raw_os_error().is_none() => Error::Dataset(texts::describe(&error)),
        error => error,
    }
}

/// Options of a check.
#[derive(Debug, Clone, Default)]
pub struct Options {
    declared: options::Options,
    /// Only findings that match this query: `--where`.
    pub filter: Option<String>,
    /// Whether the report contains statistics, as that of `stats` does.
    pub overview: bool,
}

impl Options {
    /// The names of the declared options.
    pub fn names() -> Vec<&'static str> {
        OPTIONS.iter().map(|option| option.name).collect()
    }

    /// Reads the [declared options](evalcheck_wire::options) from a JSON object. One that is null is not set. Codes may be a text, as in
    /// an argument.
    ///
    /// # Errors
    /// An option is unknown or invalid.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let given: Map<String, Value> =
            serde_json::from_str(text).map_err(|error| wrong("options", &error.to_string()))?;
        let mut declared = options::Options::default();
        for (name, value) in given.iter().filter(|(_, value)| !value.is_null()) {
            let option = OPTIONS.iter().find(|option| option.name == name);
            let option = option.ok_or_else(|| wrong(name, "there is no such option"))?;
            let value = match value {
                Value::String(names) if option.kind.is_list() && option.kind != Kind::Schema => {
                    names.split(',').collect()
                }
                value => value.clone(),
            };
            known::set(&mut declared, option, &value, Path::new("")).map_err(|why| wrong(name, &why))?;
        }
        if let Some([option, other]) = declared.conflict() {
            return Err(wrong(option.name, &format!("cannot be used with {}", other.name)));
        }
        let option = if declared.format_version.is_some() { "format_version" } else { "option" };
        known::check_format(&declared).map_err(|why| wrong(option, &why))?;
        Ok(Self { declared, ..Self::default() })
    }

    /// How the dataset is checked. A filter has to see all findings.
    fn check(&self) -> CheckOptions {
        CheckOptions {
            max_findings_per_code: in_memory(&self.declared).filter(|_| self.filter.is_none()),
            all: self.declared.all || self.filter.is_some(),
            ..self.declared.check()
        }
    }
}

fn wrong(option: &str, why: &str) -> Error {
    Error::Option(format!("{option}: {why}"))
}

fn read_query(option: &str, text: &str) -> Result<Query, Error> {
    Query::parse(text, &short_names()).map_err(|error| {
        let lines = found::error_lines(&error, text).map(|line| line.to_string());
        wrong(option, &lines.join("\n"))
    })
}

/// Checks a dataset and returns its report: the text that the command writes with `--output json`.
///
/// # Errors
/// An invalid filter; an encoding that does not match the dataset. A dataset that cannot be read to its end is no error: its report
/// describes the problem.
pub fn check(dataset: Dataset, options: &Options) -> Result<String, Error> {
    let watch = dataset.0.watch.clone();
    let input = decoded::to_utf8(dataset.0, &options.declared);
    report_of(input.map_err(|error| failed(watch.as_deref(), error))?, options, None)
        .map(|(report, _)| report)
}

/// The report of an input, and the input again. `part` holds the known lines of the input.
fn report_of(input: Input, options: &Options, part: Option<Part>) -> Result<(String, Input), Error> {
    let watch = input.watch.clone();
    let most = in_memory(&options.declared);
    let filter = options
        .filter
        .as_ref()
        .map(|text| Ok(Filter { text: text.clone(), query: read_query("where", text)?, most }));
    let filter = filter.transpose()?;
    let mut dataset = checks::Dataset::open(input, options.check());
    if options.overview {
        dataset.count_overview();
    }
    let filtered = filter.as_ref().map(|filter| dataset.filter(filter)).transpose();
    let filtered = filtered.map_err(|error| wrong("where", &error.message))?;
    if let Some(part) = part {
        part.check_plan(dataset.check()).map_err(|why| wrong("parts", &why.to_string()))?;
        dataset.pass_over(part.into_found());
    }
    let outcome = checks::check(dataset, filtered, None::<Show<checks::Unused>>)
        .map_err(|error| stopped_or(watch.as_deref(), error))?;
    if watch.is_some_and(|watch| watch.has_stopped()) {
        return Err(Error::Stopped);
    }
    let mut listing = Listing::new(most);
    let selection = options.declared.fixes(false);
    let selected = outcome.report.findings.iter().filter(|finding| selection.selects(&finding.code));
    selected.for_each(|finding| listing.add(finding));
    let mut text = Vec::new();
    json::write_report(&mut text, &listing.into_report(&outcome.report)).map_err(Error::File)?;
    Ok((in_utf8(text), outcome.dataset.into_input()))
}

/// JSON that was just serialized.
fn in_utf8(json: Vec<u8>) -> String {
    String::from_utf8(json).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// A dataset with its fixes applied.
#[derive(Debug)]
pub struct Fixed {
    /// The number of fixes applied.
    pub fixes: u64,
    /// The report of the fixed dataset, as [`check`] returns it.
    pub report: String,
    input: Input,
    /// The file that was fixed.
    path: Option<PathBuf>,
}

impl Fixed {
    /// Replaces the file that was fixed, atomically.
    ///
    /// # Errors
    /// The dataset is not a file, is a link out of its folder, or cannot be written.
    pub fn write_in_place(&mut self) -> Result<(), Error> {
        let Some(path) = self.path.clone() else {
            return Err(Error::Option("in_place: only a file can be replaced".to_owned()));
        };
        files::check_in_place(&path, path.parent().unwrap_or(&path)).map_err(Error::File)?;
        self.write(|input| new_file::copy(&path, input))
    }

    /// Writes the fixed dataset to a file, which exists once it is complete. With `overwrites`, it may replace another dataset.
    ///
    /// # Errors
    /// The file is the one that was fixed, or another dataset ([`io::ErrorKind::AlreadyExists`]); it cannot be written.
    pub fn write_file(&mut self, path: &Path, overwrites: bool) -> Result<(), Error> {
        if self.path.as_deref().is_some_and(|input| replaced::is_same(input, path)) {
            return Err(Error::Option("output: this is the dataset itself: replace it in place".to_owned()));
        }
        self.write(|input| {
            replaced::allow(path, overwrites, input)
                .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
            input.rewind()?;
            new_file::copy(path, input)
        })
    }

    /// Writes the fixed dataset.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_to(&mut self, out: &mut impl Write) -> Result<(), Error> {
        self.write(|input| io::copy(input, out).map(drop))
    }

    fn write(&mut self, write: impl FnOnce(&mut Input) -> io::Result<()>) -> Result<(), Error> {
        let written = self.input.rewind().and_then(|()| write(&mut self.input));
        written.map_err(|error| stopped_or(self.input.watch.as_deref(), error))
    }
}

/// Applies the safe fixes of the selected rules, or all fixes, round by round until there are none.
///
/// # Errors
/// Those of [`check`]; the dataset cannot be read to its end.
pub fn fix(dataset: Dataset, options: &Options, not_safe: bool) -> Result<Fixed, Error> {
    let watch = dataset.0.watch.clone();
    let path = dataset.0.again().map(|file| file.path().to_owned());
    let wanted = Wanted { options: &options.declared, not_safe, rejects: false };
    let fixed = fix::fixed(dataset.0, &wanted).map_err(|error| failed(watch.as_deref(), error))?;
    let (report, input) = report_of(fixed.input, options, None)?;
    Ok(Fixed { fixes: fixed.fixes, report, input, path })
}

/// The records that match a query, as JSON without line breaks.
///
/// # Errors
/// Those of [`check`]; the query is invalid, or the dataset cannot be searched to its end.
pub fn find(dataset: Dataset, query: &str, options: &Options) -> Result<Vec<String>, Error> {
    let query = read_query("query", query)?;
    let watch = dataset.0.watch.clone();
    let failed = |error| failed(watch.as_deref(), error);
    let mut input = decoded::to_utf8(dataset.0, &options.declared).map_err(failed)?;
    let mut hits = Vec::new();
    let searched = finds::search(&mut input, &query, options.check(), 1, |hit| {
        hits.push(serde_json::to_string(&hit)?);
        Ok(())
    });
    let report = searched.map_err(failed)?.map_err(|error| wrong("query", &error.message))?;
    if watch.is_some_and(|watch| watch.has_stopped()) {
        return Err(Error::Stopped);
    }
    match finds::not_searched(&report, &input, &report.file.name) {
        Some(why) => Err(Error::Dataset(why)),
        None => Ok(hits),
    }
}

/// All formats, as a JSON array.
pub fn formats() -> String {
    as_json(&catalogue().formats)
}

/// All rules, as a JSON array.
pub fn rules() -> String {
    as_json(&rules_with_pages())
}

/// The rule with a code, as JSON.
///
/// # Errors
/// No rule has the code: the message names similar ones.
pub fn explain(code: &str) -> Result<String, Error> {
    let rules = rules_with_pages();
    match rules.iter().find(|rule| rule.code == code) {
        Some(rule) => Ok(as_json(rule)),
        None => Err(Error::Option(crate::catalogue::unknown_rule(&rules, code))),
    }
}

fn as_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A report as text: a line for each listed finding, and the verdict in the last line.
///
/// # Errors
/// The text is not a report.
pub fn text(report: &str) -> Result<String, Error> {
    let report: Report = serde_json::from_str(report).map_err(|error| Error::Option(error.to_string()))?;
    Ok(text::file_text(&report, &report.file.name))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const RECORD: &[u8] = b"{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}}\n";

    #[test]
    fn a_stream_and_bytes_have_the_same_report() {
        let of = |dataset: Dataset| check(dataset, &Options::default()).unwrap();
        let bytes = of(Dataset::of_bytes("a.jsonl", RECORD, None));
        assert_eq!(bytes, of(Dataset::of_stream("a.jsonl", RECORD, None).unwrap()));
        assert_eq!(text(&bytes).unwrap().lines().count(), 1, "only the verdict");
    }

    #[test]
    fn a_wrong_option_names_the_nearest() {
        let of = |options: Result<Options, Error>| {
            let dataset = Dataset::of_bytes("a", RECORD, None);
            options.and_then(|options| check(dataset, &options)).unwrap_err().to_string()
        };
        let of_json = |options: &str| of(Options::from_json(options));
        assert_eq!(
            of_json(r#"{"format":"juryarana"}"#),
            "format: no format has the id \"juryarana\"; did you mean \"juryarena\"?"
        );
        assert!(of_json(r#"{"select":["json/coment"]}"#).contains("did you mean \"json/comment\"?"));
        assert_eq!(of_json(r#"{"format_version":"1"}"#), "format_version: a version needs a format");
        assert_eq!(of_json(r#"{"all":1}"#), "all: expected a boolean, not 1");
        assert_eq!(of_json(r#"{"al":true}"#), "al: there is no such option");
        assert_eq!(of_json(r#"{"all":true,"max_findings":1}"#), "all: cannot be used with max_findings");
        let filter = Some("role:".to_owned());
        assert!(of(Ok(Options { filter, ..Options::default() })).starts_with("where: "));
        assert!(explain("shape/missing-ke").unwrap_err().to_string().contains("shape/missing-key"));
    }

    #[test]
    fn a_dataset_of_no_format_is_not_searched() {
        let error = find(Dataset::of_bytes("a", b"?", None), "x", &Options::default()).unwrap_err();
        assert!(matches!(error, Error::Dataset(_)), "{error}");
    }

    #[test]
    fn what_is_fixed_has_the_report_of_what_it_is_now() {
        let dataset = Dataset::of_bytes(
            "a.jsonl",
            [RECORD, b"{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]},}"].concat(),
            None,
        );
        let mut fixed = fix(dataset, &Options::default(), false).unwrap();
        let mut bytes = Vec::new();
        fixed.write_to(&mut bytes).unwrap();
        assert_eq!(bytes, [RECORD, RECORD.trim_ascii_end()].concat());
        assert_eq!(fixed.fixes, 1);
        let report = check(Dataset::of_bytes("a.jsonl", bytes, None), &Options::default()).unwrap();
        assert_eq!(fixed.report, report);
    }

    #[test]
    fn a_watch_ends_the_work() {
        type Work<'a> = &'a dyn Fn(Dataset) -> Result<(), Error>;
        let lines = RECORD.repeat(100_000);
        let (options, overview) = (Options::default(), Options { overview: true, ..Options::default() });
        let works: [Work<'_>; 4] = [
            &|dataset| check(dataset, &options).map(drop),
            &|dataset| check(dataset, &overview).map(drop),
            &|dataset| find(dataset, "nothing", &options).map(drop),
            &|dataset| fix(dataset, &options, false).map(drop),
        ];
        let lines_of = |watch: &Arc<Watch>| Dataset::of_bytes("a.jsonl", lines.clone(), Some(watch));
        for stops_at in [0, 1, 20] {
            let watch = || {
                let read = AtomicUsize::new(0);
                Arc::new(Watch::new(move || read.fetch_add(1, Ordering::Relaxed) >= stops_at))
            };
            for (number, work) in works.iter().enumerate() {
                let done = work(lines_of(&watch()));
                assert!(matches!(done, Err(Error::Stopped)), "{number} stopped at {stops_at}: {done:?}");
            }
            let dataset = Dataset::of_stream("a.jsonl", lines.as_slice(), Some(&watch()));
            assert!(matches!(dataset, Err(Error::Stopped)), "{stops_at}");
        }
    }
}
