//! Signatures: how a dataset of a format, or of a system that is known by name only, is identified.

use evalcheck_report::selector::Step;
use evalcheck_report::text::listed;

use super::FileHead;
use crate::diagnose::Value;
use crate::diagnose::select::{self, at_path, steps};

/// The reason if only words of the file are known.
pub const WORDS_OCCUR: &str = "the words {all} occur";

/// Signs that identify a dataset, and the confidence in them.
#[derive(Debug)]
pub struct Signature {
    /// The signs, all required. The reason names the first one.
    signs: &'static [Sign],
    /// Why the file fits, in words that a user checks at a glance: `line {line} has {names}`. `{line}` is the first line with the first
    /// sign, `{name}` and `{names}` are the first one and the first two of its names that occur, `{all}` are all of its names.
    reason: &'static str,
    /// The confidence if one record has the first sign, from 1 to 100.
    one: u8,
    /// The confidence if all records have it.
    all: u8,
    /// The most confidence if the file has the names of another system.
    beside_other: u8,
    /// Keys that rule out the first sign.
    lacks: &'static [&'static str],
    /// The variant of the format.
    variant: usize,
}

impl Signature {
    /// A signature with this confidence.
    pub const fn new(signs: &'static [Sign], confidence: u8, reason: &'static str) -> Self {
        let (one, all) = (confidence, confidence);
        Self { signs, reason, one, all, beside_other: 100, lacks: &[], variant: 0 }
    }

    /// Makes the confidence grow with the share of records that have the first sign, up to this value for all records.
    #[must_use]
    pub const fn up_to(self, all: u8) -> Self {
        Self { all, ..self }
    }

    /// Limits the confidence if the file has the names of a system that is known by name; 0 rules the signature out.
    #[must_use]
    pub const fn beside_other(self, most: u8) -> Self {
        Self { beside_other: most, ..self }
    }

    /// Excludes records and objects with one of these keys.
    #[must_use]
    pub const fn without(self, lacks: &'static [&'static str]) -> Self {
        Self { lacks, ..self }
    }

    /// Sets another variant of the format than the first.
    #[must_use]
    pub const fn of_variant(self, variant: usize) -> Self {
        Self { variant, ..self }
    }

    /// The confidence if all records have the first sign.
    pub const fn confidence(&self) -> u8 {
        self.all
    }

    /// The signs in words, for documents, with each name as `code` writes it: `a record with a and b, and the words c`.
    pub fn in_words(&self, code: impl Fn(&str) -> String) -> String {
        let signs: Vec<String> = self.signs.iter().map(|sign| sign.in_words(&code)).collect();
        let lacks: Vec<String> = self.lacks.iter().map(|key| code(key)).collect();
        let without =
            if lacks.is_empty() { String::new() } else { format!(", without {}", lacks.join(", ")) };
        format!("{}{without}", signs.join(", and "))
    }

    /// The variant.
    pub(super) fn variant(&self) -> usize {
        self.variant
    }

    /// The confidence and the reason, if the file has the signature.
    pub(super) fn find(&self, head: &FileHead<'_>) -> Option<(u8, String)> {
        let [first, others @ ..] = self.signs else { return None };
        // Words are weak evidence, and none in a file that can be read.
        let is_unreadable = first.place != Place::Words || head.lines.is_empty();
        if !is_unreadable
            || !first.is_in(head, self.lacks)
            || !others.iter().all(|sign| sign.is_in(head, &[]))
        {
            return None;
        }
        let other = head.other_system();
        let share = if first.place.is_in_records() { self.share(head) } else { 0 };
        let confidence = confidence(self.one..=self.all, share, other.map_or(100, |_| self.beside_other));
        let reason = first.describe(self.reason, head, self.lacks);
        let reason = match other {
            Some(other) if self.beside_other < 100 => format!("{reason}, but also {}", other.reason()),
            _ => reason,
        };
        (confidence > 0).then_some((confidence, reason))
    }

    /// The share of records with the first sign, from 0 to 100.
    fn share(&self, head: &FileHead<'_>) -> u8 {
        let [first, ..] = self.signs else { return 0 };
        let paths = first.paths();
        head.share(|value| first.is_in_record(value, &paths, self.lacks))
    }

    /// If the first sign is in records: the share of records with it, and its names.
    pub(super) fn of_records(&self, head: &FileHead<'_>) -> Option<(u8, String)> {
        let first = self.signs.first().filter(|sign| sign.place.is_in_records())?;
        Some((self.share(head), first.names.join(" and ")))
    }

    /// Whether it is a signature of archives.
    pub(super) fn is_of_archives(&self) -> bool {
        self.signs.first().is_some_and(|sign| sign.place == Place::Entries)
    }
}

/// The confidence of a signature: between two bounds, by the share of the records that have it (from 0 to 100), and at most `most`.
pub fn confidence(bounds: std::ops::RangeInclusive<u8>, share: u8, most: u8) -> u8 {
    let (one, all) = bounds.into_inner();
    let more = u16::from(all.saturating_sub(one)) * u16::from(share.min(100)) / 100;
    one.saturating_add(u8::try_from(more).unwrap_or(u8::MAX)).min(most)
}

/// Names that occur at a place of a file.
#[derive(Debug)]
pub struct Sign {
    place: Place,
    names: &'static [&'static str],
    /// The number of names that suffice.
    least: usize,
}

/// The place where names are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Paths of a record.
    Record,
    /// Paths of strings of a record.
    Strings,
    /// The keys of the first object.
    Object,
    /// The columns.
    Columns,
    /// The columns, ignoring case and white space.
    LooseColumns,
    /// The columns of a file that has a header, otherwise the keys of the first object.
    Names,
    /// Anywhere in the text.
    Words,
    /// The extension of the file.
    Extension,
    /// The entries of an archive: files, and folders with their slash.
    Entries,
}

impl Place {
    fn is_in_records(self) -> bool {
        matches!(self, Self::Record | Self::Strings)
    }
}

impl Sign {
    const fn all(place: Place, names: &'static [&'static str]) -> Self {
        Self { place, names, least: names.len() }
    }

    /// A record has these paths: `input.messages`; `turns.*.prompt` for some element of an array.
    pub const fn record(paths: &'static [&'static str]) -> Self {
        Self::all(Place::Record, paths)
    }

    /// A record has strings at these paths.
    pub const fn strings(paths: &'static [&'static str]) -> Self {
        Self::all(Place::Strings, paths)
    }

    /// The first object has these keys, whether or not it is complete or on one line.
    pub const fn object(keys: &'static [&'static str]) -> Self {
        Self::all(Place::Object, keys)
    }

    /// The first row names these columns. `__expected*` matches any name that begins with `__expected`.
    pub const fn columns(names: &'static [&'static str]) -> Self {
        Self::all(Place::Columns, names)
    }

    /// The first row names these columns, in any case and with any white space around them.
    pub const fn loose_columns(names: &'static [&'static str]) -> Self {
        Self::all(Place::LooseColumns, names)
    }

    /// The first row names these columns, or the first object has these keys.
    pub const fn names(names: &'static [&'static str]) -> Self {
        Self::all(Place::Names, names)
    }

    /// These words occur. If it is the first sign, only in a file without a readable line.
    pub const fn words(words: &'static [&'static str]) -> Self {
        Self::all(Place::Words, words)
    }

    /// The name of the file has one of these extensions.
    pub const fn extension(extensions: &'static [&'static str]) -> Self {
        Self::all(Place::Extension, extensions).at_least(1)
    }

    /// An archive has these entries; folders end with a slash.
    pub const fn entries(paths: &'static [&'static str]) -> Self {
        Self::all(Place::Entries, paths)
    }

    /// Requires only this number of the names.
    #[must_use]
    pub const fn at_least(self, least: usize) -> Self {
        Self { least, ..self }
    }

    /// The place and the names in words; see [`Signature::in_words`].
    fn in_words(&self, code: &impl Fn(&str) -> String) -> String {
        let names: Vec<String> = self.names.iter().map(|name| code(name)).collect();
        let names = match (self.least, names.len()) {
            (_, 1) => names.concat(),
            (1, _) => format!("one of {}", names.join(", ")),
            (least, all) if least < all => format!("{least} of {}", names.join(", ")),
            _ => listed(&names),
        };
        match self.place {
            Place::Record => format!("a record with {names}"),
            Place::Strings => format!("a record with the text {names}"),
            Place::Object => format!("a first object with {names}"),
            Place::Columns | Place::LooseColumns => format!("a header with {names}"),
            Place::Names => format!("a header or a first object with {names}"),
            Place::Words => format!("the words {names}"),
            Place::Extension => format!("a name that ends with {names}"),
            Place::Entries => format!("a ZIP with {names}"),
        }
    }

    /// The names as a list in a sentence.
    pub(crate) fn listed(&self) -> String {
        listed(self.names)
    }

    /// Whether the sign has one name.
    pub(crate) fn is_one(&self) -> bool {
        self.names.len() == 1
    }

    /// Whether the file has the sign, in a record or an object without the keys `lacks`.
    pub(crate) fn is_in(&self, head: &FileHead<'_>, lacks: &[&str]) -> bool {
        if self.place.is_in_records() {
            return self.first_line(head, lacks).is_some();
        }
        let is_without = lacks.is_empty() || !lacks.iter().any(|key| head.has_key(key));
        is_without
            && (self.place != Place::Entries || head.archive.is_some())
            && self.holds(|name| self.has(name, head))
    }

    fn holds(&self, has: impl Fn(&str) -> bool) -> bool {
        self.names.iter().filter(|name| has(name)).count() >= self.least
    }

    /// Whether the file has a name, for a sign that is not in records.
    fn has(&self, name: &str, head: &FileHead<'_>) -> bool {
        let column = |is_it: &dyn Fn(&str) -> bool| head.header.iter().flatten().any(|cell| is_it(cell));
        match self.place {
            Place::Record | Place::Strings => false,
            Place::Columns => column(&|cell| match name.strip_suffix('*') {
                Some(begin) => cell.starts_with(begin),
                None => cell == name,
            }),
            Place::LooseColumns => column(&|cell| cell.trim().eq_ignore_ascii_case(name)),
            Place::Names if head.header.is_some() => column(&|cell| cell == name),
            Place::Object | Place::Names => head.has_key(name),
            Place::Words => head.mentions_early(name),
            Place::Extension => head.has_extension(name),
            Place::Entries => head.archive.is_some_and(|archive| {
                let is_it = |path: &str| path == name || (name.ends_with('/') && path.starts_with(name));
                archive.entries().iter().any(|entry| !entry.ignored && is_it(entry.path()))
            }),
        }
    }

    /// Its names, if they are paths.
    fn paths(&self) -> Vec<Vec<Step>> {
        self.names.iter().map(|path| steps(path)).collect()
    }

    /// Whether a record has the sign, whose names are these paths.
    fn is_in_record(&self, record: &Value<'_>, paths: &[Vec<Step>], lacks: &[&str]) -> bool {
        let is_string = self.place == Place::Strings;
        let mut missing = paths.iter().filter(|path| !has_path(record, path, is_string));
        missing.nth(paths.len() - self.least).is_none() && !lacks.iter().any(|key| record.get(key).is_some())
    }

    fn first_line(&self, head: &FileHead<'_>, lacks: &[&str]) -> Option<u64> {
        let paths = self.paths();
        head.first_line(|value| self.is_in_record(value, &paths, lacks))
    }

    /// A reason, with the line and the names that occur.
    fn describe(&self, reason: &str, head: &FileHead<'_>, lacks: &[&str]) -> String {
        let mut line = 0;
        let names: Vec<&str> = if self.place.is_in_records() {
            let paths = self.paths();
            let mut records = head.lines.iter();
            let found = records.find(|(_, value)| self.is_in_record(value, &paths, lacks));
            line = found.map_or(0, |(number, _)| *number);
            let has = |path: &[Step]| found.is_some_and(|(_, value)| has_path(value, path, false));
            self.names.iter().zip(&paths).filter(|(_, path)| has(path)).map(|(name, _)| *name).collect()
        } else {
            self.names.iter().filter(|name| self.has(name, head)).copied().collect()
        };
        let two = names.iter().take(2).copied().collect::<Vec<_>>().join(" and ");
        let one = names.first().copied().unwrap_or_default();
        let reason = reason.replace("{line}", &line.to_string()).replace("{all}", &self.listed());
        reason.replace("{names}", &two).replace("{name}", one)
    }
}

/// Whether a value has a value, or a string, at a path.
fn has_path(value: &Value<'_>, path: &[Step], is_string: bool) -> bool {
    let is_there = |value: &Value<'_>| (!is_string || value.as_str().is_some()).then_some(());
    at_path(value, path, &select::Place::Record, &mut |value, _| is_there(value)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::parse;

    #[test]
    fn confidence_grows_with_the_records_and_is_bounded_by_what_speaks_against_it() {
        assert_eq!(confidence(60..=100, 0, 100), 60);
        assert_eq!(confidence(60..=100, 50, 100), 80);
        assert_eq!(confidence(60..=100, 100, 100), 100);
        assert_eq!(confidence(60..=100, 100, 45), 45);
        assert_eq!(confidence(40..=40, 100, 0), 0);
    }

    #[test]
    fn paths_lead_through_objects_and_arrays() {
        let parsed = parse(br#"{"a":{"b":[{"c":"x"},{"d":1}]}}"#).unwrap();
        for (path, is_there, is_text) in [
            ("a", true, false),
            ("a.b", true, false),
            ("a.b.*.c", true, true),
            ("a.b.*.d", true, false),
            ("a.b.*.e", false, false),
            ("a.*.b", false, false),
            ("b", false, false),
        ] {
            assert_eq!(has_path(&parsed.value, &steps(path), false), is_there, "{path}");
            assert_eq!(has_path(&parsed.value, &steps(path), true), is_text, "{path}");
        }
    }

    #[test]
    fn what_speaks_against_a_signature_weakens_or_removes_it() {
        static SIGNS: &[Sign] = &[Sign::record(&["input.messages"])];
        let find = |signature: Signature, head: &str| signature.find(&FileHead::new("a", head.as_bytes()));
        let record = r#"{"input":{"messages":[]}}"#;
        let other = r#"{"input":{"messages":[]},"target":1}"#;
        let signature = || Signature::new(SIGNS, 60, "line {line} has {name}").up_to(100);
        assert_eq!(find(signature(), record), Some((100, "line 1 has input.messages".to_owned())));
        assert_eq!(find(signature(), &format!("{record}\n{{}}\n")).unwrap().0, 80);
        let beside = find(signature().beside_other(50), other).unwrap();
        assert_eq!(beside.0, 50);
        assert!(beside.1.contains("as in datasets of Inspect AI"), "{}", beside.1);
        assert_eq!(find(signature().beside_other(0), other), None);
        assert_eq!(find(signature().without(&["target"]), other), None);
    }
}
