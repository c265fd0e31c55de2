//! Detection of a file's format, from its first bytes.
//!
//! Content decides; the name and its extension only break ties. Each format declares its signatures ([`Detector`]); the best match is
//! chosen, the others are offered.

mod near;
mod signature;

use std::collections::BTreeMap;
use std::io::{Read, Seek};
use std::mem::take;

use evalcheck_core::content::extension;
use evalcheck_core::order::Order;
use evalcheck_report as report;
use memchr::memmem;

use crate::diagnose::{self, Value};
use crate::{Format, Formats};
use evalcheck_archive::{Archive, Entry};
use evalcheck_json::schema::Types;
use evalcheck_json::tokens::{TokenKind, significant};
use evalcheck_records::Layout;
use evalcheck_records::csv::{Column, separator};

pub use signature::{Sign, Signature, WORDS_OCCUR, confidence};

/// The number of bytes that are read from the beginning of a file.
pub const HEAD: usize = 256 << 10;

/// The most confidence in a format that does not come in a ZIP, if the content of the dataset in one is not certain; also if its header is
/// below titles.
const IN_ARCHIVE: u8 = 45;

/// The most confidence in a format whose columns are named below the first row.
const BELOW_TITLES: u8 = 45;

/// The most confidence in a ZIP by the names of its entries, where the dataset in it is something else.
const OF_ANOTHER: u8 = 50;

/// The types that a record may have.
const RECORDS: Types = Types::OBJECT.or(Types::ARRAY);

/// Quotes around the name of a column.
const QUOTES: [char; 9] = ['"', '\'', '“', '”', '„', '‘', '’', '«', '»'];

/// The number of lines above a header that are searched.
const MOST_TITLES: usize = 20;

/// The number of lines that are parsed.
const LINES: usize = 40;

/// How the files of a format are recognized.
#[derive(Debug)]
pub struct Detector {
    /// Extensions of the files that hold it, without a dot.
    pub extensions: &'static [&'static str],
    /// The content that a file needs to be detected as this format, as a noun phrase: `lines with "messages"`.
    pub expected: &'static str,
    /// Signatures in order: the first that a file has decides.
    pub signatures: &'static [Signature],
    /// For a system that loads data of any keys: the variant for data in a layout. Such a format is never detected; it is named after those that
    /// are.
    pub any: fn(&Layout) -> Option<usize>,
    /// Chooses the variant, given the variant of the signature, and says why in words that follow the reason of the signature.
    pub variant: fn(&FileHead<'_>, usize) -> (usize, String),
}

impl Detector {
    /// A detector for a format that is never detected.
    pub const NONE: Self =
        Self { extensions: &[], expected: "", signatures: &[], any: |_| None, variant: Self::AS_SIGNED };

    /// Keeps the variant of the signature.
    pub const AS_SIGNED: fn(&FileHead<'_>, usize) -> (usize, String) = |_, variant| (variant, String::new());

    /// The names that [`expected`](Self::expected) quotes.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.expected.split('"').skip(1).step_by(2)
    }

    /// Whether a file has one of the extensions, by its name.
    pub fn is_named(&self, head: &FileHead<'_>) -> bool {
        self.extensions.iter().any(|extension| head.has_extension(extension))
    }

    /// Whether an entry of an archive could be a dataset, by its name.
    pub fn is_named_entry(&self, entry: &Entry) -> bool {
        let extension = extension(entry.path());
        let is_own = self.extensions.iter().any(|own| extension.as_deref() == Some(own));
        is_own && entry.is_file() && !entry.system_file
    }

    /// How well a file fits: the best variant, the confidence and the reason; `None` if it does not fit.
    pub fn detect(&self, head: &FileHead<'_>) -> Option<Detection> {
        if head.archive.is_some() { self.in_archive(head) } else { self.by(head, |of| !of.is_of_archives()) }
    }

    fn by(&self, head: &FileHead<'_>, is_used: impl Fn(&Signature) -> bool) -> Option<Detection> {
        let signatures = self.signatures.iter().filter(|signature| is_used(signature));
        let mut found = signatures.filter_map(|signature| Some((signature, signature.find(head)?)));
        let (signature, (confidence, reason)) = found.next()?;
        let share_of = |signature: &Signature| signature.of_records(head).map(|(share, _)| share);
        let is_likely = |confidence: u8| confidence >= report::Format::LIKELY;
        // Records of another kind are of the format too.
        let shares = found.filter(|(_, (confidence, _))| is_likely(*confidence));
        let share = match share_of(signature) {
            Some(few) if few < 50 => shares.filter_map(|(other, _)| share_of(other)).max().max(Some(few)),
            share => share,
        };
        let (variant, why) = (self.variant)(head, signature.variant());
        let reason = if why.is_empty() { reason } else { format!("{reason}; {why}") };
        Some(Detection { variant, confidence, share, reason })
    }

    /// In an archive, the names of its entries and the dataset decide together.
    fn in_archive(&self, head: &FileHead<'_>) -> Option<Detection> {
        let by_entries = self.by(head, Signature::is_of_archives)?;
        let Some((share, names)) = self.signatures.iter().find_map(|signature| signature.of_records(head))
        else {
            return Some(by_entries);
        };
        if share > by_entries.confidence {
            let reason = format!("the dataset in the ZIP has {names}");
            return Some(Detection { confidence: share, reason, ..by_entries });
        }
        let fits = head.lines.is_empty() || self.by(head, |of| !of.is_of_archives()).is_some();
        if fits {
            return Some(by_entries);
        }
        let but = match head.other_system() {
            Some(system) => format!("the dataset has {}", system.reason()),
            None => format!("no line of the dataset has {names}"),
        };
        let sure = by_entries.confidence;
        let confidence = confidence(sure..=sure, 100, OF_ANOTHER);
        Some(Detection { confidence, reason: format!("{}, but {but}", by_entries.reason), ..by_entries })
    }
}

/// How well a file fits a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detection {
    /// The index of the variant in [`Format::variants`].
    pub variant: usize,
    /// The confidence, from 1 to 100. Above [`report::Format::CERTAIN`] the content can hardly be meant for another format; below
    /// [`report::Format::LIKELY`] it is a guess from words in a file that cannot be read.
    pub confidence: u8,
    /// The share of the records that are of the format, from 0 to 100; `None` if records do not show their format.
    pub share: Option<u8>,
    /// The reason, in words that a person checks at a glance: `line 1 has input.messages`.
    pub reason: String,
}

impl Detection {
    /// Whether the content can hardly be meant for another format.
    pub fn is_certain(&self) -> bool {
        self.confidence > report::Format::CERTAIN
    }

    /// Whether it is more than a guess.
    pub fn is_likely(&self) -> bool {
        self.confidence >= report::Format::LIKELY
    }
}

/// The beginning of a file, prepared for detection.
#[derive(Debug)]
pub struct FileHead<'a> {
    /// The file's name.
    pub name: &'a str,
    /// Its first bytes, without a byte order mark.
    pub head: &'a [u8],
    /// The first non-blank lines that are whole JSON values: line number and value.
    pub lines: Vec<(u64, Value<'a>)>,
    /// The number of non-blank lines that were looked at, JSON or not.
    pub looked_at: usize,
    /// The keys of the first JSON object, whether or not the object is complete or on one line.
    pub keys: Vec<&'a str>,
    /// The archive that the file is. All other fields then describe the entry that would be the dataset.
    pub archive: Option<&'a Archive>,
    /// The cells of the first line, if it can be the header of a CSV: it begins with neither `{` nor `[`.
    pub header: Option<Vec<String>>,
}

impl<'a> FileHead<'a> {
    /// Prepares the first bytes of a file.
    pub fn new(name: &'a str, head: &'a [u8]) -> Self {
        let whole = head.len() < HEAD;
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let mut lines = Vec::new();
        let mut looked_at = 0;
        let mut pieces = head.split(|&byte| byte == b'\n').zip(1..).peekable();
        while let Some((line, number)) = pieces.next() {
            // The last piece may be cut off at the end of the head.
            let cut = pieces.peek().is_none() && !whole;
            if line.trim_ascii().is_empty() || cut {
                continue;
            }
            looked_at += 1;
            // Text before the record is a mistake; it does not depend on the format.
            let record = || diagnose::parse(&line[diagnose::after_text(line, RECORDS)?..]).ok();
            if let Some(parsed) = diagnose::parse(line).ok().or_else(record) {
                lines.push((number, parsed.value));
            }
            if looked_at == LINES {
                break;
            }
        }
        let first = significant(head).next().map_or(head.len(), |token| token.span.start);
        let first = &head[first..];
        let header = match first.first() {
            None | Some(b'{' | b'[') => None,
            // A document without its first brace is no header.
            Some(_) => header_cells(first).filter(|cells| !cells.iter().any(|cell| cell.contains("\":"))),
        };
        // Objects in the cells of a CSV do not show its format.
        let keys = if header.is_some() { Vec::new() } else { top_keys(first) };
        Self { name, head, lines, looked_at, keys, archive: None, header }
    }

    /// Whether the file name has this extension, in any case.
    pub fn has_extension(&self, extension: &str) -> bool {
        self.name.rsplit_once('.').is_some_and(|(_, found)| found.eq_ignore_ascii_case(extension))
    }

    /// The number of the first line whose value satisfies a test.
    pub fn first_line(&self, mut test: impl FnMut(&Value<'a>) -> bool) -> Option<u64> {
        self.lines.iter().find(|(_, value)| test(value)).map(|(number, _)| *number)
    }

    /// The share of the lines looked at whose value satisfies a test, from 0 to 100.
    pub fn share(&self, mut test: impl FnMut(&Value<'a>) -> bool) -> u8 {
        let fitting = self.lines.iter().filter(|(_, value)| test(value)).count();
        u8::try_from(fitting * 100 / self.looked_at.max(1)).unwrap_or(100)
    }

    /// Whether each of these words occurs in the head: a weak sign, for files that are not JSON.
    pub fn mentions(&self, words: &[&str]) -> bool {
        words.iter().all(|word| memmem::find(self.head, word.as_bytes()).is_some())
    }

    /// Whether a word occurs in the first 64 KiB. Signatures search for many words, so they read no more than that.
    pub fn mentions_early(&self, word: &str) -> bool {
        memmem::find(&self.head[..self.head.len().min(64 << 10)], word.as_bytes()).is_some()
    }

    /// Whether the first object has this key.
    pub fn has_key(&self, key: &str) -> bool {
        self.keys.contains(&key)
    }
}

/// A format and how well the file fits it.
#[derive(Debug, Clone)]
pub struct Match {
    /// The format.
    pub format: &'static Format,
    /// The fit.
    pub detection: Detection,
}

/// All formats that fit, the closest first. A few records of another format are a mistake in the file, so the format of most records comes
/// first. Of two equal fits, the format whose extensions include the file's comes first, then the first in the catalogue.
pub fn detect(formats: Formats, head: &FileHead<'_>) -> Vec<Match> {
    let matches = detect_head(formats, head);
    if matches.is_empty() { detect_below_titles(formats, head) } else { matches }
}

/// The formats of systems that load data of any keys, for data in this layout.
pub fn detect_any(formats: Formats, layout: &Layout) -> Vec<Match> {
    let found = |format: &&'static Format| {
        let variant = (format.detection.any)(layout)?;
        let reason = format!("it loads {}", format.detection.expected);
        Some(Match { format, detection: Detection { variant, confidence: 1, share: None, reason } })
    };
    formats.iter().filter_map(found).collect()
}

/// The formats whose columns a later row names, if titles are above the header.
fn detect_below_titles(formats: Formats, head: &FileHead<'_>) -> Vec<Match> {
    let lines = head.head.split(|byte| *byte == b'\n').zip(1_u64..).take(MOST_TITLES);
    let mut rows = lines.skip(1).filter(|_| head.header.is_some()).filter_map(|(line, number)| {
        let cells =
            cells_of(line).filter(|cells| cells.iter().filter(|cell| !cell.is_empty()).count() > 1)?;
        let (lines, keys, archive) = (Vec::new(), Vec::new(), None);
        let below = FileHead { lines, keys, archive, header: Some(cells), ..*head };
        let mut matches = detect_head(formats, &below);
        // One word may be the text of a record.
        matches.retain(|found| names_columns(found.format, &below) > 1);
        for Match { detection, .. } in &mut matches {
            detection.confidence = detection.confidence.min(BELOW_TITLES);
            detection.reason = detection.reason.replace("the first row", &format!("line {number}"));
        }
        Some(matches).filter(|matches| !matches.is_empty())
    });
    rows.next().unwrap_or_default()
}

/// The number of columns of a format that a header names.
fn names_columns(format: &Format, head: &FileHead<'_>) -> usize {
    let columns = format.variants.iter().flat_map(|variant| match variant.layout {
        Layout::Csv(columns) => columns.columns,
        _ => &[],
    });
    let is_named = |column: &&Column| {
        let cells = || head.header.iter().flatten();
        cells().any(|cell| cell == column.name || column.aliases.contains(&&**cell))
    };
    let mut named: Vec<&str> = columns.filter(is_named).map(|column| column.name).collect();
    named.sort_unstable();
    named.dedup();
    named.len()
}

fn detect_head(formats: Formats, head: &FileHead<'_>) -> Vec<Match> {
    let matches =
        formats.iter().filter_map(|format| Some(Match { format, detection: format.detection.detect(head)? }));
    let mut matches: Vec<Match> = matches.collect();
    let likely = matches.iter().filter(|found| found.detection.is_likely());
    let most = likely.filter_map(|found| found.detection.share).max().unwrap_or(0);
    matches.order_by_key(|found| {
        // Records that are of both formats decide nothing.
        let has_few = found.detection.share.is_some_and(|share| share < most && share + most <= 100);
        (has_few, std::cmp::Reverse(found.detection.confidence), !found.format.detection.is_named(head))
    });
    matches
}

/// All formats that an archive fits, the closest first. A format sees the entries and the first bytes of the entry that would be its
/// dataset. A format that does not come in a ZIP has to fit well, and comes after one that does if it is not certain.
pub fn detect_archive<R: Read + Seek>(
    formats: Formats,
    source: &mut R,
    name: &str,
    archive: &Archive,
) -> Vec<Match> {
    // Most formats would read the same entry.
    let mut by_dataset: BTreeMap<Option<usize>, Vec<&'static Format>> = BTreeMap::new();
    for &format in formats {
        let (dataset, _) = format.choose_dataset(archive);
        if dataset.is_some() || format.archive.is_some() {
            by_dataset.entry(dataset).or_default().push(format);
        }
    }
    let mut matches = Vec::new();
    for (dataset, formats) in by_dataset {
        let dataset = dataset.and_then(|index| archive.entries().get(index));
        // If it cannot be read, the names alone decide; the check reports why.
        let head = dataset.and_then(|entry| entry.read_start(source, HEAD).ok()).unwrap_or_default();
        let mut head = FileHead::new(name, &head);
        for format in formats {
            let comes_in_zip = format.archive.is_some();
            head.name = dataset.filter(|_| !comes_in_zip).map_or(name, Entry::base_name);
            head.archive = Some(archive).filter(|_| comes_in_zip);
            let Some(mut detection) = format.detection.detect(&head) else { continue };
            if !comes_in_zip && !detection.is_certain() {
                if !detection.is_likely() {
                    continue;
                }
                let sure = detection.confidence;
                detection.confidence = confidence(sure..=sure, 100, IN_ARCHIVE);
            }
            matches.push(Match { format, detection });
        }
    }
    matches.order_by_key(|found| std::cmp::Reverse(found.detection.confidence));
    matches
}

/// The keys of the object that begins here, as far as it goes. Nothing is checked; keys in other quotes and without quotes count too,
/// because a file with such mistakes must also be detected.
fn top_keys(bytes: &[u8]) -> Vec<&str> {
    let mut keys = Vec::new();
    let mut depth = 0_usize;
    let mut expects_key = false;
    for token in significant(bytes) {
        match token.kind {
            // An array around objects: the keys of the first object count.
            TokenKind::Punctuation(b'[') if depth == 0 && keys.is_empty() => {}
            TokenKind::Punctuation(byte @ (b'{' | b'[')) => {
                depth += 1;
                expects_key = depth == 1 && byte == b'{';
            }
            TokenKind::Punctuation(b'}' | b']') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            TokenKind::Punctuation(b',') if depth == 1 => expects_key = true,
            TokenKind::String { content: key, .. } if depth == 1 && take(&mut expects_key) => {
                keys.extend(std::str::from_utf8(&bytes[key]));
            }
            TokenKind::Word if depth == 1 && take(&mut expects_key) => {
                keys.extend(std::str::from_utf8(&bytes[token.span]));
            }
            _ => {}
        }
    }
    keys
}

/// The cells of the first line that is neither blank nor Excel's hint of the separator.
fn header_cells(head: &[u8]) -> Option<Vec<String>> {
    let is_header = |line: &&[u8]| {
        let line = line.trim_ascii();
        !line.is_empty() && !separator::is_hint(line)
    };
    cells_of(head.split(|&byte| byte == b'\n').find(is_header)?)
}

/// The cells of a line, split at its most frequent separator.
fn cells_of(line: &[u8]) -> Option<Vec<String>> {
    let line = std::str::from_utf8(line).ok()?.trim_end_matches('\r');
    let count = |separator| line.matches(separator).count();
    let separators = separator::SEPARATORS.iter().map(|(separator, _)| char::from(*separator));
    let separator = separators.max_by_key(|&separator| count(separator))?;
    // Typographic quotes do not quote a cell of a CSV: that is a mistake, which does not depend on the format.
    let unquoted = |cell: &str| cell.trim().trim_matches(QUOTES).to_owned();
    Some(line.split(separator).map(unquoted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_a_cut_object_are_found() {
        assert_eq!(
            top_keys(br#"{"queries": [{"query_id": "a"}], "documents": [{"#),
            ["queries", "documents"]
        );
        assert_eq!(top_keys(b"{\n  'input': {'messages': []},\n 'x"), ["input", "x"]);
        assert_eq!(top_keys(b"{ // it's {\n a: [1], /* b: */ 'c': 2}"), ["a", "c"]);
        assert_eq!(top_keys(br#"[{"id": 1, "text": "a\"}"}, {"b": 2}]"#), ["id", "text"]);
    }
}
