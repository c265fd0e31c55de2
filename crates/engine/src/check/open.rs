//! Opens a file: reads its first bytes, detects its format, and prepares its check.

use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::rc::Rc;

use evalcheck_archive::{Archive, Entry, SourceProblem};
use evalcheck_core::excerpt::clip_quoted;
use evalcheck_core::suggest::nearest;
use evalcheck_formats::plain;
use evalcheck_records::Visit;
use evalcheck_report::{Conversion, Fix};
use evalcheck_wire::worker::CheckOptions;

use super::archive::{Opened, Packed};
use super::choice::{Choice, Fits};
use super::state::CheckState;
use super::{Check, Content, FileInfo, STANDARD_INPUT, known_lines};
use crate::content;
use crate::detect::{FileHead, HEAD, Match, detect, detect_any, detect_archive};
use crate::environment::Environment;
use crate::finding::{Finding, Location};
use crate::formats::Formats;
use crate::overview::{Counting, Overview};
use crate::read_position::{ReadPosition, Shorter};
use crate::rules::{AnyProblem, FileProblem};
use crate::user_schema::{SchemaSource, misfit};

/// A record on the first line is read to its end if it has at most this many bytes.
const LONGEST_FIRST_LINE: usize = 8 << 20;

impl Check {
    /// Reads the first bytes of the file, and the directory of a ZIP, and prepares the check. Never fails: a file that cannot be
    /// read leads to a finding and a report with `checked: false`.
    ///
    /// `source` is used for these few reads only; the bulk comes through [`Check::buffer`] and [`Check::commit`].
    pub fn open<R: Read + Seek>(source: &mut R, file: FileInfo, options: CheckOptions) -> Self {
        Self::open_in(&Environment::default(), source, file, options)
    }

    /// As [`Check::open`], with what a driver lends: without a compiler of schemas, a check with the user's own schema is refused.
    #[expect(clippy::needless_pass_by_value, reason = "options of a check belong to it")]
    pub fn open_in<R: Read + Seek>(
        environment: &Environment,
        source: &mut R,
        file: FileInfo,
        options: CheckOptions,
    ) -> Self {
        let formats = environment.formats;
        let most = options.max_findings_per_code.filter(|_| !options.all);
        let mut check = Self {
            file,
            choice: Choice::none(formats),
            checker: Choice::none(formats).reader(most),
            content: Content::Done,
            cut_short: false,
            archive: None,
            other_entries: Vec::new(),
            notes: Vec::new(),
            reader: ReadPosition::default(),
            header: None,
            schema: SchemaSource::of(&options, environment),
        };
        let head = match read_head(source, check.file.size) {
            Ok(head) => head,
            Err(error) => {
                check.stop(0, FileProblem::NotRead { byte: 0, why: error.to_string() });
                return check;
            }
        };
        let archive = open_archive(source, &check.file, &head);
        let chosen = match options.entry.as_deref().map(|name| entry_of(archive.as_ref(), name)) {
            Some(Err(problem)) => {
                check.cut_short = true;
                check.refuse(problem);
                return check;
            }
            Some(Ok(entry)) => Some(entry),
            None => None,
        };
        // Of an entry that cannot be read, the names decide; the archive's finding says why.
        let in_entry = chosen.as_ref().and_then(|(_, entry)| entry.read_start(source, HEAD).ok());
        let name = check.file.name.clone();
        let file_head = match (&chosen, &in_entry, &archive) {
            (Some((_, entry)), Some(head), _) => FileHead::new(entry.base_name(), head),
            (_, _, Some(_)) => FileHead::new(&name, &[]),
            (_, _, None) => FileHead::new(&name, &head),
        };
        let searched = archive.as_ref().filter(|_| in_entry.is_none());
        let must_be_certain = options.format.is_none() && check.schema.is_some();
        let bytes = in_entry.as_deref().unwrap_or(&head);
        let fits = fits(formats, source, &file_head, bytes, searched, must_be_certain);
        check.choice = Choice::make(formats, &file_head, fits, &options);
        check.checker = check.choice.reader(most);
        let CheckState { checks, observers, dataset, .. } = check.checker.visitor_mut();
        if checks.needs_statistics() {
            observers.add(Overview::of_run(dataset, Counting::for_checks()), dataset);
        }
        let name = Some(&check.file.name).filter(|&name| name != STANDARD_INPUT);
        check.checker.visitor_mut().dataset.file_name = name.cloned();
        if options.all {
            check.collector_mut().keep_every_cause();
        }
        let readable =
            in_entry.as_ref().filter(|head| no_dataset(head).is_none() && !head.trim_ascii().is_empty());
        let unknown = readable.and_then(|head| check.choice.problem(head));
        let chosen = chosen.map(|(index, _)| index);
        if let Some(problem) = unknown {
            check.refuse(problem);
        } else if let Some(opened) = archive {
            check.begin_archive(source, opened, chosen);
        } else if let Some(foreign) = content::describe_foreign(&head) {
            let advice = if content::is_tabbed_utf16(&head) {
                "This looks like Excel's \"Unicode text\", which has tabs between the columns. Save it as \"CSV UTF-8 (comma delimited)\"."
            } else {
                foreign.advice
            };
            let problem = not_text(&foreign, advice);
            let fix = content::utf16(&head).map(|big_endian| Fix {
                convert: Some(Conversion::Utf16 { big_endian }),
                ..Fix::safe("Write the text in UTF-8", Vec::new())
            });
            check.refuse_fixed(problem, fix);
        } else if head.is_empty() {
            check.finish_dataset();
        } else if let Some(problem) = check.choice.problem(&head) {
            check.refuse(problem);
        } else if let Err(problem) = check.begin_schema(|| file_head) {
            check.cut_short = true;
            check.refuse(problem);
        } else {
            check.checker.visitor_mut().begin(&head);
            check.content = Content::Plain { at: 0 };
            let limits = check.dataset().format.rules.limits;
            if let Some(problem) = limits.check_bytes(check.file.size) {
                check.checker.visitor_mut().report(Finding::new(problem, Location::file()));
            }
            let state = check.checker.visitor();
            check.header = known_lines::header(state.dataset.format, state.dataset.variant, &head);
        }
        check
    }

    /// Begins with the dataset of an archive: the entry that the user chose, or that plain data was found in, or that the format chooses.
    fn begin_archive<R: Read + Seek>(
        &mut self,
        source: &mut R,
        archive: evalcheck_archive::Opened,
        chosen: Option<usize>,
    ) {
        let mut findings = archive.findings;
        self.cut_short = findings.iter().any(|finding| finding.problem.is::<SourceProblem>());
        let entry = chosen.or(self.choice.entry);
        let (opened, choice) = Opened::new(archive.archive, self.choice.archive_format(), entry);
        findings.extend(choice);
        if let Some(loaded) = opened.loaded_instead().filter(|_| chosen.is_some() && self.choice.is_taken()) {
            let name = clip_quoted(loaded.name.as_ref());
            self.notes.push(format!("The system would load {name} from this ZIP, and not the chosen file."));
        }
        self.other_entries = opened.others(chosen.is_some());
        let attachments = opened.attachments();
        let is_packaged = attachments.is_some();
        self.checker.visitor_mut().dataset.set_archive(
            attachments,
            opened.dataset_name(),
            opened.is_rewritable(),
        );
        if let Some(dataset) = opened.dataset().filter(|_| !is_packaged) {
            // The name of the dataset after it is extracted.
            self.checker.visitor_mut().dataset.file_name = Some(dataset.base_name().to_owned());
        }
        for finding in findings {
            self.collector_mut().add(finding);
        }
        let opened = Rc::new(opened);
        let needs_head = self.checker.visitor().needs_head() || self.schema.is_some();
        let most = if needs_head { HEAD } else { crate::archive::AttachmentCheck::HEAD };
        let head = opened.dataset().and_then(|entry| entry.read_start(source, most).ok());
        self.checker.visitor_mut().begin(head.as_deref().unwrap_or_default());
        if let Some(problem) = head.as_deref().and_then(no_dataset) {
            let location = opened.dataset_name().map_or_else(Location::file, Location::entry);
            self.checker.visitor_mut().report(Finding::new(problem, location));
            self.archive = Some(opened);
            return;
        }
        let name = opened.dataset().map_or("", Entry::base_name);
        let begun = self.begin_schema(|| FileHead::new(name, head.as_deref().unwrap_or_default()));
        if let Err(problem) = begun {
            self.archive = Some(opened);
            self.cut_short = true;
            self.refuse(problem);
            return;
        }
        let mut packed = Packed::new(opened.clone());
        packed.begin(&mut *self.checker);
        self.archive = Some(opened);
        self.content = Content::Packed(Box::new(packed));
        self.settle_archive();
    }

    /// Compiles the user's own schema, if there is one, for a dataset that begins so.
    fn begin_schema<'h>(&mut self, head: impl FnOnce() -> FileHead<'h>) -> Result<(), AnyProblem> {
        let Some(source) = &self.schema else { return Ok(()) };
        let dataset = &mut self.checker.visitor_mut().dataset;
        let (schema, head) = (source.compile(dataset.format, dataset.variant)?, head());
        let is_in_document = dataset.has_lists() && head.head.trim_ascii_start().first() == Some(&b'{');
        if !is_in_document && let Some(problem) = misfit(&schema, &head) {
            return Err(problem.into());
        }
        let are_arrays =
            !dataset.has_lists() && head.first_line(|value| value.as_array().is_some()).is_some();
        self.notes.extend(schema.note(are_arrays));
        dataset.set_user_schema(schema);
        Ok(())
    }

    /// Ends the check with a finding that says why the file cannot be checked.
    fn refuse(&mut self, problem: impl Into<AnyProblem>) {
        self.refuse_fixed(problem, None);
    }

    fn refuse_fixed(&mut self, problem: impl Into<AnyProblem>, fix: Option<Fix>) {
        self.checker.visitor_mut().report(Finding::new(problem, Location::file()).with_fix(fix));
        self.content = Content::Done;
    }
}

/// The problem of an entry that begins with these bytes: it is of another type, or a ZIP itself.
fn no_dataset(head: &[u8]) -> Option<FileProblem> {
    let foreign = content::describe_foreign(head).map(|foreign| not_text(&foreign, foreign.advice));
    foreign.or_else(|| {
        content::is_zip(head).then(|| FileProblem::NotText {
            kind: "a ZIP archive".to_owned(),
            wanted: "a dataset",
            advice: "Unpack it, and check the files in it.".to_owned(),
        })
    })
}

/// Detects the formats of a file that begins with `bytes`, or of the dataset of an archive that is `searched`. With `must_be_certain`, a file is plain data
/// unless its system is certain.
fn fits<R: Read + Seek>(
    formats: Formats,
    source: &mut R,
    head: &FileHead<'_>,
    bytes: &[u8],
    searched: Option<&evalcheck_archive::Opened>,
    must_be_certain: bool,
) -> Fits {
    let matches = match searched {
        Some(opened) => {
            let none = Archive::default();
            detect_archive(formats, source, head.name, opened.archive.as_ref().unwrap_or(&none))
        }
        None => detect(formats, head),
    };
    let is_likely = matches.first().is_some_and(|Match { detection, .. }| {
        if must_be_certain { detection.is_certain() } else { detection.is_likely() }
    });
    let of_head = plain::of(head);
    let found = match searched {
        _ if is_likely => None,
        Some(opened) => {
            let found = opened.archive.as_ref().and_then(|archive| plain::in_archive(source, archive));
            found.map(|(plain, entry)| (plain, Some(entry)))
        }
        None => of_head.filter(|_| no_dataset(bytes).is_none()).map(|plain| (plain, None)),
    };
    let found = found.filter(|(plain, _)| formats.iter().any(|format| std::ptr::eq(*format, *plain)));
    let (plain, entry) = found.unzip();
    let any = if searched.is_some() {
        Vec::new()
    } else {
        // An array of records of a format in lines is a document.
        let is_array = head.head.trim_ascii_start().starts_with(b"[");
        let document = of_head.filter(|plain| is_array && plain.id == plain::JSON.id);
        let variant = document.or(plain).map(|plain| &plain.variants[0]);
        let detected = || matches.first().map(|found| &found.format.variants[found.detection.variant]);
        variant.or_else(detected).map_or_else(Vec::new, |variant| detect_any(formats, &variant.layout))
    };
    Fits { matches, any, plain, entry: entry.flatten() }
}

/// The entry of an archive with this path, and its index.
fn entry_of<'a>(
    archive: Option<&'a evalcheck_archive::Opened>,
    name: &str,
) -> Result<(usize, &'a Entry), FileProblem> {
    let archive = archive.and_then(|opened| opened.archive.as_ref());
    let files =
        || archive.iter().flat_map(|archive| archive.entries()).enumerate().filter(|(_, e)| e.is_file());
    // Of several with one name, most readers see the last. A fix of names writes `/`.
    let named = |name: &str| files().filter(|(_, entry)| *entry.name == *name).last();
    let found = named(name).or_else(|| named(&name.replace('\\', "/")));
    found.ok_or_else(|| {
        let mut alike = files().filter(|(_, entry)| entry.base_name() == name);
        let alike = alike.next().filter(|_| alike.next().is_none()).map(|(_, entry)| &*entry.name);
        let near = alike.or_else(|| nearest(name, files().map(|(_, entry)| &*entry.name)));
        let place = match near {
            Some(near) => format!(" in the ZIP; did you mean {}?", clip_quoted(near)),
            None if archive.is_none() => ": the dataset is no ZIP".to_owned(),
            None => " in the ZIP".to_owned(),
        };
        FileProblem::NoEntry { entry: clip_quoted(name), place }
    })
}

/// The file as an archive, if it is one: by its first bytes, by its name, or by the end record of a directory after data of another
/// kind (a self-extracting archive, say).
fn open_archive<R: Read + Seek>(
    source: &mut R,
    file: &FileInfo,
    head: &[u8],
) -> Option<evalcheck_archive::Opened> {
    let named = file.name.to_ascii_lowercase().ends_with(".zip");
    let begins = content::is_zip(head);
    let foreign = content::describe_foreign(head).is_some();
    // An Office document is a ZIP, but not an archive of a dataset.
    let office = head.starts_with(b"PK") && foreign;
    if office || !(begins || named || foreign) {
        return None;
    }
    let opened = Archive::open(source, file.size);
    (begins || (named && !foreign) || opened.archive.is_some()).then_some(opened)
}

/// The problem of a file that is not a dataset.
fn not_text(foreign: &content::Foreign, advice: &str) -> FileProblem {
    let wanted = if foreign.content.is_text() && !foreign.what.starts_with("UTF") {
        "a dataset"
    } else {
        "a dataset in UTF-8"
    };
    FileProblem::NotText { kind: foreign.what.into(), wanted, advice: advice.into() }
}

/// The first bytes: [`HEAD`] of them, or the first line if that is a longer record, because its last keys may tell its format.
fn read_head<R: Read + Seek>(source: &mut R, size: u64) -> std::io::Result<Vec<u8>> {
    let of_file = |most: usize| usize::try_from(size).map_or(most, |size| size.min(most));
    source.seek(SeekFrom::Start(0))?;
    let mut head = Vec::new();
    read_up_to(source, &mut head, of_file(HEAD))?;
    if head.trim_ascii_start().first() != Some(&b'{') || memchr::memchr(b'\n', &head).is_some() {
        return Ok(head);
    }
    let short = head.len();
    while head.len() < of_file(LONGEST_FIRST_LINE) {
        let searched = head.len();
        read_up_to(source, &mut head, of_file((2 * searched).min(LONGEST_FIRST_LINE)))?;
        if let Some(end) = memchr::memchr(b'\n', &head[searched..]) {
            head.truncate(searched + end + 1);
            return Ok(head);
        }
    }
    if head.len() as u64 == size {
        // The line ends with the file.
        head.push(b'\n');
    } else {
        head.truncate(short);
    }
    Ok(head)
}

/// Reads until there are this many bytes.
fn read_up_to<R: Read>(source: &mut R, head: &mut Vec<u8>, most: usize) -> std::io::Result<()> {
    let from = head.len();
    head.resize(most, 0);
    source.read_exact(&mut head[from..]).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => std::io::Error::other(Shorter),
        _ => error,
    })
}
