//! The description of a format.

use std::cmp::Reverse;

use evalcheck_archive::{Archive, Entry};
use evalcheck_core::finding::Finding;
use evalcheck_core::rule::{AnyProblem, Rule};
use evalcheck_json::scan::TextPolicy;
use evalcheck_json::schema::Schema;
use evalcheck_records::Layout;
use evalcheck_report::view::ExampleContent;
use evalcheck_report::view::Sample;

use crate::checks::{Checks, NoChecks};
use crate::detect::Detector;
use crate::fields::Field;
use crate::limits::Limits;
use crate::loaded::Loader;
use crate::preview::Shown;

/// Formats to choose from, at least one.
pub type Formats = &'static [&'static Format];

/// One format. Everything about it is here and nowhere else.
#[derive(Debug)]
pub struct Format {
    /// Stable id.
    pub id: &'static str,
    /// The texts for users.
    pub about: About,
    /// The ways in which it is written: versions, and kinds of file. The first is the usual one.
    pub variants: &'static [Variant],
    /// The options that the user may choose.
    pub options: &'static [FormatOption],
    /// How the format comes in a ZIP; `None` if it does not.
    pub archive: Option<&'static Packaging>,
    /// Content that the strings of a record must not hold.
    pub texts: TextPolicy,
    /// The identification of its files.
    pub detection: Detector,
    /// The checks beyond the schema.
    pub rules: Rules,
    /// A record as a conversation, for display; `None` if it contains none.
    pub preview: fn(&Shown<'_>) -> Option<Sample>,
    /// Values of its records by name, with their uses.
    pub fields: &'static [Field],
    /// How the system loads a record.
    pub loader: Loader,
    /// Built-in examples.
    pub examples: &'static [Example],
}

/// The texts about a format for users.
#[derive(Debug)]
pub struct About {
    /// Its name in a list.
    pub title: &'static str,
    /// The system that reads it.
    pub system: &'static str,
    /// The address of the system's documentation; empty if none is public.
    pub link: &'static str,
    /// One sentence that describes a record.
    pub summary: &'static str,
    /// The name of a record in the format, in the singular: `sample`, `query`.
    pub noun: &'static str,
}

/// The checks beyond the schema.
#[derive(Debug)]
pub struct Rules {
    /// Makes the checks of one dataset.
    pub checks: fn(&'static Variant) -> Checks,
    /// The rules that only this format has, by group. Formats that share a group all list it.
    pub own: &'static [&'static [Rule]],
    /// The limits on the number of records.
    pub limits: Limits,
}

impl Rules {
    /// No checks beyond the schema.
    pub const NONE: Self =
        Self { checks: |_| Checks::new(NoChecks, NoChecks), own: &[], limits: Limits::NONE };

    /// Whether only this format, or formats with the same group, have a rule.
    pub fn has(&self, rule: &Rule) -> bool {
        self.own.iter().any(|group| group.contains(rule))
    }
}

impl Format {
    /// A format with a layout and nothing else. Other code sets the rest.
    pub const fn new(id: &'static str, variants: &'static [Variant]) -> Self {
        Self {
            id,
            about: About { title: "", system: "", link: "", summary: "", noun: "record" },
            variants,
            options: &[],
            archive: None,
            texts: TextPolicy::NONE,
            detection: Detector::NONE,
            rules: Rules::NONE,
            preview: |_| None,
            fields: &[],
            loader: Loader::UNKNOWN,
            examples: &[],
        }
    }

    /// Whether it is plain data, of no system.
    pub const fn is_plain(&self) -> bool {
        self.about.system.is_empty()
    }

    /// Whether records may have any keys.
    pub const fn takes_any_data(&self) -> bool {
        self.detection.signatures.is_empty()
    }

    /// Whether files are detected as this format. Otherwise it is only named beside others, because any data may be meant for it.
    pub const fn is_detected(&self) -> bool {
        self.is_plain() || !self.takes_any_data()
    }

    /// The format with those of these options that it has, and their names.
    pub fn with_options(&'static self, names: &[String]) -> (&'static Self, Vec<&'static str>) {
        let (mut format, mut taken) = (self, Vec::new());
        for name in names {
            if let Some(option) = format.options.iter().find(|option| option.name == name) {
                format = option.format;
                taken.push(option.name);
            }
        }
        (format, taken)
    }

    /// The versions, without repeats; empty if the format has no versions.
    pub fn versions(&self) -> Vec<&'static str> {
        let mut versions = Vec::new();
        for variant in self.variants {
            if !variant.version.is_empty() && !versions.contains(&variant.version) {
                versions.push(variant.version);
            }
        }
        versions
    }

    /// The entry of an archive that is the dataset, as an index into [`Archive::entries`], and the problems of the choice. For a format
    /// that does not come in a ZIP it is the largest file with an extension of the format.
    pub fn choose_dataset(&self, archive: &Archive) -> (Option<usize>, Vec<Finding>) {
        if let Some(packaging) = self.archive {
            return (packaging.choose_dataset)(archive);
        }
        let entries = archive.entries().iter().enumerate();
        let largest = entries
            .filter(|(_, entry)| self.detection.is_named_entry(entry))
            .max_by_key(|(index, entry)| (entry.size, Reverse(*index)));
        (largest.map(|(index, _)| index), Vec::new())
    }
}

/// A choice of the user that changes rules of a format: another service that reads the same files, for instance.
#[derive(Debug)]
pub struct FormatOption {
    /// Its name: `azure`.
    pub name: &'static str,
    /// The differences that it makes, as a sentence.
    pub help: &'static str,
    /// The format with it. Its own options are those that may be added.
    pub format: &'static Format,
}

/// One way in which a format is written.
#[derive(Debug)]
pub struct Variant {
    /// The version, if the format has several; otherwise empty.
    pub version: &'static str,
    /// The layout of records in the file.
    pub layout: Layout,
    /// The schema of a record. If a header or a list decides, the usual one.
    pub schema: &'static Schema,
}

/// How a format comes in a ZIP.
#[derive(Debug)]
pub struct Packaging {
    /// Chooses the entry that is the dataset, as an index into [`Archive::entries`], and returns the problems of the choice.
    pub choose_dataset: fn(&Archive) -> (Option<usize>, Vec<Finding>),
    /// Whether an entry could be the dataset, so that no record has to refer to it.
    pub is_dataset: fn(&Entry) -> bool,
    /// The problem of a file that no record refers to.
    pub unreferenced: fn() -> AnyProblem,
}

/// A built-in dataset.
#[derive(Debug)]
pub struct Example {
    /// `minimal`, `full` or `broken`.
    pub id: &'static str,
    /// A title of a few words.
    pub title: &'static str,
    /// The name under which it is checked.
    pub file_name: &'static str,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Text(&'static str),
    Bytes(&'static [u8]),
}

impl Example {
    /// A text file.
    pub const fn text(
        id: &'static str,
        title: &'static str,
        file_name: &'static str,
        text: &'static str,
    ) -> Self {
        Self { id, title, file_name, content: Content::Text(text) }
    }

    /// A file that is not a text.
    pub const fn bytes(
        id: &'static str,
        title: &'static str,
        file_name: &'static str,
        bytes: &'static [u8],
    ) -> Self {
        Self { id, title, file_name, content: Content::Bytes(bytes) }
    }

    /// Its content.
    pub fn content(&self) -> ExampleContent {
        match self.content {
            Content::Text(text) => ExampleContent::Text(text.to_owned()),
            Content::Bytes(bytes) => ExampleContent::Bytes(bytes.to_vec()),
        }
    }
}
