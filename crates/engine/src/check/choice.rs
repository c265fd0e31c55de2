//! The format that a file is checked against, and why.

use evalcheck_core::excerpt::clip_quoted;
use evalcheck_core::order::Order;
use evalcheck_report::{self as report, Alternative};
use evalcheck_wire::worker::CheckOptions;

use crate::check::state::CheckState;
use crate::detect::{FileHead, Match};
use crate::formats::{Format, Formats, Variant};
use crate::rules::{AnyProblem, FileProblem};
use evalcheck_formats::DatasetProblem;
use evalcheck_records::{self as records, Reader};

/// The number of keys or columns that are listed for a file that no format matches.
const NAMES: usize = 5;

/// The number of formats whose expectations a hint describes; the others are named.
const NEAREST: usize = 3;

/// The format that a file is checked against, and why.
#[derive(Debug)]
pub(super) struct Choice {
    /// The formats to choose from.
    formats: Formats,
    /// `None` when no format was detected.
    taken: Option<(&'static Format, &'static Variant)>,
    /// The entry of an archive in which plain data was found.
    pub(super) entry: Option<usize>,
    /// The chosen options that the format has.
    options: Vec<&'static str>,
    /// The chosen options that it does not have.
    unused: Vec<String>,
    detected: bool,
    confidence: u8,
    reason: String,
    others: Vec<Alternative>,
    /// Formats of other systems that are likely too, where none is certain.
    rivals: Vec<String>,
    /// The requested format, if it does not exist.
    unknown: Option<String>,
}

/// The formats that a file fits.
#[derive(Debug)]
pub(super) struct Fits {
    /// The formats of systems, the closest first.
    pub(super) matches: Vec<Match>,
    /// The formats of systems that load data of any keys.
    pub(super) any: Vec<Match>,
    /// The format of plain data, if none of them is likely.
    pub(super) plain: Option<&'static Format>,
    /// The entry of an archive that is of that format.
    pub(super) entry: Option<usize>,
}

impl Choice {
    pub(super) fn none(formats: Formats) -> Self {
        Self {
            formats,
            taken: None,
            entry: None,
            options: Vec::new(),
            unused: Vec::new(),
            detected: true,
            confidence: 0,
            reason: "no known format matches".to_owned(),
            others: Vec::new(),
            rivals: Vec::new(),
            unknown: None,
        }
    }

    /// Takes the requested format, or else the one that fits best.
    pub(super) fn make(formats: Formats, head: &FileHead<'_>, fits: Fits, options: &CheckOptions) -> Self {
        let mut choice = match options.format.as_deref().filter(|&id| id != "auto") {
            Some(id) => {
                let matches = fits.matches.into_iter().chain(fits.any).collect();
                Self::by_hand(formats, head, matches, id, options.version.as_deref())
            }
            None => Self::by_content(formats, head, fits),
        };
        if let Some((format, variant)) = &mut choice.taken {
            let number = format.variants.iter().position(|known| std::ptr::eq(known, *variant));
            (*format, choice.options) = format.with_options(&options.option);
            *variant = number.and_then(|number| format.variants.get(number)).unwrap_or(variant);
        }
        let is_unused = |name: &&String| !choice.options.contains(&name.as_str());
        choice.unused = options.option.iter().filter(is_unused).cloned().collect();
        choice
    }

    fn by_hand(
        formats: Formats,
        head: &FileHead<'_>,
        matches: Vec<Match>,
        id: &str,
        version: Option<&str>,
    ) -> Self {
        let Some(format) = formats.iter().copied().find(|format| format.id == id) else {
            return Self { detected: false, unknown: Some(id.to_owned()), ..Self::none(formats) };
        };
        let detected = matches.iter().find(|found| found.format.id == id);
        let detected = detected.and_then(|found| format.variants.get(found.detection.variant));
        let version = version.filter(|version| format.versions().contains(version));
        // Of the variants of a version, the one in the layout of the file.
        let is_like = |variant: &&Variant| match detected {
            Some(detected) => variant.layout.kind() == detected.layout.kind(),
            None => variant.layout.extensions().iter().any(|own| head.has_extension(own)),
        };
        let of_version = |variant: &&Variant| version.is_none_or(|version| variant.version == version);
        let by_version = || {
            let known = || format.variants.iter().filter(of_version);
            known().find(is_like).or_else(|| known().next())
        };
        let variant = detected.filter(of_version).or_else(by_version).unwrap_or(&format.variants[0]);
        let others = alternatives(matches.into_iter().filter(|found| found.format.id != id));
        Self {
            formats,
            taken: Some((format, variant)),
            detected: false,
            confidence: 100,
            reason: "chosen by hand".to_owned(),
            others,
            ..Self::none(formats)
        }
    }

    /// The format that fits best, or plain data if none is likely.
    fn by_content(formats: Formats, head: &FileHead<'_>, Fits { matches, any, plain, entry }: Fits) -> Self {
        match (matches.first(), plain) {
            (Some(best), None) => Self {
                formats,
                taken: Some((best.format, &best.format.variants[best.detection.variant])),
                confidence: best.detection.confidence,
                reason: best.detection.reason.clone(),
                rivals: rivals(best, &matches),
                others: alternatives(matches.into_iter().skip(1).chain(any)),
                ..Self::none(formats)
            },
            (best, plain) => Self {
                taken: plain.map(|plain| (plain, &plain.variants[0])),
                entry,
                reason: best.map_or_else(|| unknown_reason(head), |best| best.detection.reason.clone()),
                others: if best.is_some() {
                    alternatives(matches.into_iter().chain(any))
                } else {
                    alternatives(any.into_iter()).into_iter().chain(expected(formats, head)).collect()
                },
                ..Self::none(formats)
            },
        }
    }

    /// The format that a ZIP is read as. If none was chosen, the first format that allows a ZIP: its names are searched for.
    pub(super) fn archive_format(&self) -> Option<&'static Format> {
        let taken = self.taken.map(|(format, _)| format);
        taken.or_else(|| self.formats.iter().copied().find(|format| format.archive.is_some()))
    }

    /// A reader for the dataset. Without a format, it only holds the findings.
    pub(super) fn reader(&self, most_per_code: Option<u64>) -> Box<dyn Reader<CheckState>> {
        let (format, variant) = self.taken.unwrap_or_else(|| (self.formats[0], &self.formats[0].variants[0]));
        records::reader(&variant.layout, variant.schema, CheckState::new(format, variant, most_per_code))
    }

    /// The problem that prevents a check, if there is one.
    pub(super) fn problem(&self, head: &[u8]) -> Option<AnyProblem> {
        if let Some(id) = &self.unknown {
            let known: Vec<&str> = self.formats.iter().map(|format| format.id).collect();
            return Some(FileProblem::UnknownFormat { id: id.clone(), known: known.join(", ") }.into());
        }
        if self.taken.is_some() {
            return None;
        }
        if head.trim_ascii().is_empty() {
            return Some(DatasetProblem::NoRecords { noun: "record" }.into());
        }
        let (nearest, others) = self.others.split_at(self.others.len().min(NEAREST));
        let nearest: Vec<String> =
            nearest.iter().map(|other| format!("{} expects {}", other.id, other.reason)).collect();
        let others: Vec<&str> = others.iter().map(|other| other.id.as_str()).collect();
        let mut expected = nearest.join("; ");
        if !others.is_empty() {
            expected = format!("{expected}. The others are {}", others.join(", "));
        }
        Some(FileProblem::NotRecognised { reason: self.reason.clone(), expected }.into())
    }

    /// The remarks on the choice for the user.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        let format = self.taken.map_or("no format", |(format, _)| format.id);
        self.unused
            .iter()
            .map(move |name| format!("The option {name} changes nothing: the file is checked as {format}."))
    }

    /// Whether there is a format.
    pub(super) fn is_taken(&self) -> bool {
        self.taken.is_some()
    }

    pub(super) fn to_wire(&self) -> report::Format {
        report::Format {
            id: self.taken.map_or_else(String::new, |(format, _)| format.id.to_owned()),
            version: self.taken.map_or_else(String::new, |(_, variant)| variant.version.to_owned()),
            options: self.options.iter().map(|&name| name.to_owned()).collect(),
            detected: self.detected,
            reason: self.reason.clone(),
            confidence: self.confidence,
            others: self.others.clone(),
            plain: self.taken.is_some_and(|(format, _)| format.is_plain()),
            rivals: self.rivals.clone(),
            schema: None,
        }
    }
}

/// The formats of other systems that are likely too; none if the best one is certain.
fn rivals(best: &Match, matches: &[Match]) -> Vec<String> {
    let is_rival =
        |other: &&Match| other.detection.is_likely() && other.format.about.system != best.format.about.system;
    let is_open = !best.detection.is_certain();
    matches.iter().filter(|_| is_open).filter(is_rival).map(|other| other.format.id.to_owned()).collect()
}

fn alternatives(matches: impl Iterator<Item = Match>) -> Vec<Alternative> {
    matches
        .map(|Match { format, detection }| Alternative {
            id: format.id.to_owned(),
            confidence: detection.confidence,
            reason: detection.reason,
        })
        .collect()
}

/// The expectations of all formats, the nearest first: by the number of their quoted words that occur.
fn expected(formats: Formats, head: &FileHead<'_>) -> Vec<Alternative> {
    let nearness = |format: &Format| format.detection.names().filter(|name| head.mentions(&[name])).count();
    let formats = formats.iter().copied().filter(|format| !format.takes_any_data());
    // A count reads the whole beginning of the file.
    let mut formats: Vec<(usize, &Format)> = formats.map(|format| (nearness(format), format)).collect();
    formats.order_by_key(|(near, format)| (std::cmp::Reverse(*near), !format.detection.is_named(head)));
    formats
        .into_iter()
        .map(|(_, format)| Alternative {
            id: format.id.to_owned(),
            confidence: 0,
            reason: format.detection.expected.to_owned(),
        })
        .collect()
}

/// The keys or columns of the file that no format matches, or the mark of another system.
fn unknown_reason(head: &FileHead<'_>) -> String {
    if let Some(system) = head.other_system() {
        return format!("the file has {}", system.reason());
    }
    let (names, what) = match &head.header {
        Some(header) if head.has_extension("csv") || head.has_extension("tsv") => {
            (header.iter().map(String::as_str).collect(), "the first row has the column")
        }
        _ => (head.keys.clone(), "the first object has the key"),
    };
    if names.is_empty() {
        return "the first lines have no keys and no columns of a known format".to_owned();
    }
    let shown: Vec<String> = names.iter().take(NAMES).map(|name| clip_quoted(name)).collect();
    let more = if names.len() > NAMES { ", ..." } else { "" };
    let plural = if names.len() == 1 { "" } else { "s" };
    format!("{what}{plural} {}{more}", shown.join(", "))
}
