//! An archive: its dataset is streamed while it is inflated, then every other file is read once for its checksum and
//! its kind.

use std::ops::Range;
use std::rc::Rc;

use crate::archive::{Archive, AttachmentCheck, Attachments, Entry, FileContents, Inflater};
use crate::check::state::{CheckState, stop};
use crate::content;
use crate::dataset::Dataset;
use crate::finding::{Finding, Location};
use crate::formats::{Format, Packaging, plain};
use crate::overview::Overview;
use crate::rules::{AnyProblem, FileProblem};
use evalcheck_records::Reader;
use evalcheck_report::view::AttachmentKind;
use evalcheck_report::{Applicability, EntryEdit, Fix};

/// Compressed bytes held at once.
const INPUT: usize = 256 << 10;

/// Inflated bytes requested at once.
const OUTPUT: usize = 256 << 10;

/// The most other files of data that are listed.
pub(super) const MOST_OTHERS: usize = 100;

/// An archive and the dataset in it.
#[derive(Debug)]
pub(crate) struct Opened {
    /// The archive; `None` when its directory can't be read.
    pub(crate) archive: Option<Archive>,
    format: Option<&'static Format>,
    dataset: Option<usize>,
}

impl Opened {
    /// Chooses the dataset, unless it is `entry`. Also returns the problems of the choice.
    pub(super) fn new(
        archive: Option<Archive>,
        format: Option<&'static Format>,
        entry: Option<usize>,
    ) -> (Self, Vec<Finding>) {
        let (dataset, mut findings) = match (&archive, format) {
            _ if entry.is_some() => (entry, Vec::new()),
            (Some(archive), Some(format)) => format.choose_dataset(archive),
            _ => (None, Vec::new()),
        };
        let opened = Self { archive, format, dataset };
        if let Some(format) = format.filter(|format| format.is_plain() && opened.dataset.is_none()) {
            findings.push(Finding::new(FileProblem::no_data(format), Location::file()));
        }
        // Plain data may come in any file, and the user may have chosen one of several.
        let is_alone = |format: &&Format| format.archive.is_none() && !format.is_plain() && entry.is_none();
        if let Some(format) = format.filter(is_alone) {
            let entry = opened.dataset().map(|entry| entry.base_name().to_owned());
            let problem = FileProblem::in_archive(format, entry.as_deref());
            findings.insert(0, Finding::new(problem, Location::file()));
        }
        (opened, findings)
    }

    fn packaging(&self) -> Option<&'static Packaging> {
        self.format?.archive
    }

    /// The files that the dataset may refer to; `None` if the format has no attachments.
    pub(super) fn attachments(&self) -> Option<Attachments> {
        let packaging = self.packaging()?;
        let exempt = |index, entry: &Entry| Some(index) == self.dataset || (packaging.is_dataset)(entry);
        self.archive.as_ref().map(|archive| Attachments::new(archive.entries(), exempt))
    }

    /// The entry that is the dataset.
    pub(crate) fn dataset(&self) -> Option<&Entry> {
        self.entry(self.dataset?)
    }

    /// Whether fixes can rewrite the archive without a loss.
    pub(super) fn is_rewritable(&self) -> bool {
        self.archive.as_ref().is_some_and(Archive::is_rewritable)
    }

    /// The name of the entry that is the dataset.
    pub(super) fn dataset_name(&self) -> Option<Rc<str>> {
        self.dataset().map(|entry| entry.name.clone())
    }

    /// The dataset that the system would load instead of the chosen one.
    pub(super) fn loaded_instead(&self) -> Option<&Entry> {
        let (loaded, _) = (self.packaging()?.choose_dataset)(self.archive.as_ref()?);
        self.entry(loaded.filter(|loaded| Some(*loaded) != self.dataset)?)
    }

    /// The names of other files that may be datasets, if it is of no system or the user chose the dataset.
    pub(super) fn others(&self, is_chosen: bool) -> Vec<String> {
        let Some(archive) = self.archive.as_ref() else { return Vec::new() };
        if !is_chosen && !self.format.is_some_and(Format::is_plain) {
            return Vec::new();
        }
        let others = plain::entries(archive).into_iter().filter(|index| Some(*index) != self.dataset);
        let others = others.filter_map(|index| archive.entries().get(index));
        others.take(MOST_OTHERS).map(|entry| entry.name.to_string()).collect()
    }

    fn entry(&self, index: usize) -> Option<&Entry> {
        self.archive.as_ref()?.entries().get(index)
    }
}

/// An archive that is being read.
#[derive(Debug)]
pub(super) struct Packed {
    opened: Rc<Opened>,
    /// Entries still to be read, the next one last; the dataset is read first.
    queue: Vec<usize>,
    current: Option<Current>,
    inflater: Option<Inflater>,
    input: Vec<u8>,
    output: Vec<u8>,
    read: u64,
    total: u64,
    finished: bool,
}

/// The contents of a file, by its first bytes.
fn contents_of(check: &AttachmentCheck) -> FileContents {
    let content = check.content();
    let size = Some(check.head()).filter(|_| content.kind == AttachmentKind::Image);
    let size = size.and_then(|head| imagesize::blob_size(head).ok());
    let pixels = size.and_then(|size| Some((size.width.try_into().ok()?, size.height.try_into().ok()?)));
    let milliseconds = content::milliseconds(content.media_type, check.head(), check.size());
    FileContents { content, pixels, milliseconds }
}

/// The entry that is read now.
#[derive(Debug)]
struct Current {
    entry: usize,
    /// Bytes of the file that are still to be read.
    left: Range<u64>,
    /// `None` for the dataset.
    check: Option<AttachmentCheck>,
}

impl Packed {
    pub(super) fn new(opened: Rc<Opened>) -> Self {
        let mut queue = Vec::new();
        let mut total = 0;
        if let (Some(archive), Some(dataset)) = (&opened.archive, opened.dataset) {
            queue.push(dataset);
            let others = archive.entries().iter().enumerate();
            queue
                .extend(others.filter(|(index, e)| *index != dataset && e.is_file()).map(|(index, _)| index));
            queue.retain(|&index| archive.entries()[index].is_readable() || index == dataset);
            queue.reverse();
            total = queue.iter().map(|&index| archive.entries()[index].compressed_size).sum();
        }
        Self {
            opened,
            queue,
            current: None,
            inflater: None,
            input: Vec::new(),
            output: Vec::new(),
            read: 0,
            total,
            finished: false,
        }
    }

    /// Begins with the dataset. To be called once, before anything is read.
    pub(super) fn begin(&mut self, checker: &mut dyn Reader<CheckState>) {
        self.next_entry(checker);
    }

    pub(super) fn next_range(&self) -> Option<Range<u64>> {
        self.current.as_ref().map(|current| current.left.clone())
    }

    pub(super) fn progress(&self) -> (u64, u64) {
        (self.read.min(self.total), self.total)
    }

    pub(super) fn buffer(&mut self, room: usize) -> &mut [u8] {
        let room = room.min(INPUT);
        if self.input.len() < room {
            self.input.resize(room, 0);
        }
        &mut self.input[..room]
    }

    pub(super) fn commit(&mut self, n: usize, checker: &mut dyn Reader<CheckState>) {
        self.read += n as u64;
        let Some(current) = &mut self.current else { return };
        current.left.start += n as u64;
        let input = std::mem::take(&mut self.input);
        self.pump(&input[..n.min(input.len())], checker);
        self.input = input;
    }

    /// Inflates the bytes that were read. Goes to the next entry at the end of this one.
    fn pump(&mut self, mut input: &[u8], checker: &mut dyn Reader<CheckState>) {
        loop {
            let (Some(current), Some(inflater)) = (&mut self.current, &mut self.inflater) else { return };
            let step = match &mut current.check {
                None => {
                    let step = inflater.push(input, checker.buffer(OUTPUT));
                    if let Ok(step) = &step {
                        checker.commit(step.produced);
                    }
                    step
                }
                Some(check) => {
                    self.output.resize(OUTPUT, 0);
                    let step = inflater.push(input, &mut self.output);
                    if let Ok(step) = &step {
                        check.feed(&self.output[..step.produced]);
                    }
                    step
                }
            };
            let end = match step {
                Ok(step) => {
                    input = &input[step.consumed..];
                    if !step.done {
                        if input.is_empty() && step.produced == 0 && !current.left.is_empty() {
                            return;
                        }
                        continue;
                    }
                    Ok(())
                }
                Err(problem) => Err(problem),
            };
            self.end_entry(end, checker);
            return self.next_entry(checker);
        }
    }

    /// Reports on the entry that was read to its end, or as far as it could be.
    fn end_entry(&mut self, end: Result<(), AnyProblem>, checker: &mut dyn Reader<CheckState>) {
        let Some(current) = self.current.take() else { return };
        // Bytes of a damaged entry that need not be read any more.
        self.read += current.left.end - current.left.start;
        let findings = match (current.check, end) {
            (None, Ok(())) => {
                checker.finish();
                return;
            }
            (None, Err(problem)) => {
                // The bytes before the damage were checked; a line that it cuts off is not checked.
                stop(checker);
                let name = self.opened.entry(current.entry).map(|entry| entry.name.clone());
                vec![Finding::new(problem, Location { entry: name, ..Location::default() })]
            }
            (Some(check), Ok(())) => {
                if let Some(attachments) = &checker.visitor().dataset.attachments {
                    attachments.note_contents(current.entry, contents_of(&check));
                }
                if let Some(overview) = checker.visitor_mut().observers.get_mut::<Overview>() {
                    overview.count_attachment(check.content(), check.size());
                }
                check.finish()
            }
            (Some(check), Err(problem)) => check.fail(problem),
        };
        for finding in findings {
            checker.visitor_mut().dataset.collector.add(finding);
        }
    }

    fn next_entry(&mut self, checker: &mut dyn Reader<CheckState>) {
        let opened = self.opened.clone();
        while let Some(index) = self.queue.pop() {
            let Some(entry) = opened.entry(index) else { continue };
            let is_dataset = Some(index) == opened.dataset;
            match &mut self.inflater {
                Some(inflater) => inflater.restart(entry),
                none => *none = Some(Inflater::new(entry)),
            }
            let left = entry.data.clone().unwrap_or(0..0);
            let check = (!is_dataset).then(|| AttachmentCheck::new(entry));
            let readable = entry.is_readable() && !left.is_empty();
            self.current = Some(Current { entry: index, left, check });
            if readable {
                return;
            }
            if entry.is_readable() {
                // Nothing to read: an empty file is at its end at once.
                let end = self
                    .inflater
                    .as_mut()
                    .map_or(Ok(()), |inflater| inflater.push(&[], &mut [0]).map(|_| ()));
                self.end_entry(end, checker);
            } else {
                // A finding of the archive says why.
                self.current = None;
                stop(checker);
            }
        }
        if !self.finished {
            self.finished = true;
            self.unreferenced(checker);
        }
    }

    /// Reports files that nothing refers to, unless no record could be read.
    fn unreferenced(&self, checker: &mut dyn Reader<CheckState>) {
        if checker.visitor().dataset.collector.records() == 0 {
            return;
        }
        let Some(packaging) = self.opened.packaging() else { return };
        checker.visitor().dataset.attachments.iter().for_each(Attachments::complete);
        let Dataset { attachments, collector, .. } = &checker.visitor().dataset;
        let Some(attachments) = attachments else { return };
        // A record with an error may refer to a file when it is corrected.
        let is_fixable =
            |index| self.opened.is_rewritable() && !attachments.may_be_meant(index, collector.errors());
        let unreferenced: Vec<(usize, bool)> =
            attachments.unreferenced().map(|index| (index, is_fixable(index))).collect();
        for (index, is_fixable) in unreferenced {
            let Some(entry) = self.opened.entry(index) else { continue };
            let fix = is_fixable.then(|| Fix {
                entries: vec![EntryEdit::remove(&*entry.name)],
                ..Fix::new("Leave the file out of the ZIP, which loses it", Applicability::Unsafe)
            });
            let finding = Finding::new((packaging.unreferenced)(), Location::entry(entry.name.clone()));
            checker.visitor_mut().dataset.collector.add(finding.with_fix(fix));
        }
    }
}
