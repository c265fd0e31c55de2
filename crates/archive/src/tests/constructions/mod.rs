//! Archives that two programs may read differently, in each known way: the classes of ambiguity in "My ZIP isn't your ZIP" (You et al.,
//! USENIX Security 2025), and others that were observed. Each exists for the dataset and for an attachment.

#![allow(
    unreachable_pub,
    dead_code,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::wildcard_imports,
    missing_docs,
    reason = "shared with an example"
)]

mod ends;
mod fields;
mod names;
mod streams;

use super::build::*;

/// An archive, and the way in which it is ambiguous.
pub struct Construction {
    /// The name of the way, which several constructions share.
    pub family: &'static str,
    /// The unique name of the construction.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The entry that a construction makes ambiguous.
#[derive(Debug, Clone, Copy)]
pub enum Target {
    Dataset,
    Attachment,
}

/// Either of two contents of the same length.
#[derive(Debug, Clone, Copy)]
pub enum Contents {
    One,
    Two,
}

use Contents::{One, Two};

impl Target {
    pub fn name(self) -> &'static str {
        match self {
            Self::Dataset => "samples.jsonl",
            Self::Attachment => "attachments/a.txt",
        }
    }

    /// Contents that are valid for the entry.
    pub fn contents(self, which: Contents) -> Vec<u8> {
        let word = match which {
            One => "first",
            Two => "other",
        };
        match self {
            Self::Dataset => format!(
                "{{\"input\":{{\"messages\":[{{\"role\":\"user\",\"content\":[{{\"type\":\"text\",\"text\":\"{word}\"}},\
                 {{\"type\":\"file_ref\",\"path\":\"attachments/a.txt\"}}]}}]}},\"usage_output\":null}}\n"
            )
            .into_bytes(),
            Self::Attachment => format!("The {word} text.\n").into_bytes(),
        }
    }

    /// The unambiguous entry.
    pub fn part(self) -> Part {
        self.at(self.name(), One)
    }

    /// An entry under another name.
    pub fn at(self, name: &str, which: Contents) -> Part {
        stored(name, &self.contents(which))
    }

    pub fn deflated(self) -> Part {
        deflated(self.name(), &self.contents(One))
    }

    /// These entries and, before or after them, the entry of the other target.
    pub fn with(self, parts: impl IntoIterator<Item = Part>) -> Vec<Part> {
        let mut parts: Vec<Part> = parts.into_iter().collect();
        match self {
            Self::Dataset => parts.push(Self::Attachment.part()),
            Self::Attachment => parts.insert(0, Self::Dataset.deflated()),
        }
        parts
    }

    pub fn pack(self, parts: impl IntoIterator<Item = Part>) -> Vec<u8> {
        pack(&self.with(parts))
    }
}

/// Collects the constructions of one way.
pub struct Family {
    name: &'static str,
    made: Vec<Construction>,
}

impl Family {
    fn new(name: &'static str) -> Self {
        Self { name, made: Vec::new() }
    }

    fn add(&mut self, target: Target, what: impl std::fmt::Display, bytes: Vec<u8>) {
        let name = format!("{}-{what}-{}", self.name, format!("{target:?}").to_lowercase());
        self.made.push(Construction { family: self.name, name, bytes });
    }

    /// Adds the archive of `parts` and of the entry of the other target.
    fn parts(&mut self, target: Target, what: impl std::fmt::Display, parts: impl IntoIterator<Item = Part>) {
        self.add(target, what, target.pack(parts));
    }
}

/// Makes the constructions of one way for one target.
pub type Make = fn(&mut Family, Target);

/// The ways, by name.
pub const FAMILIES: &[(&str, Make)] = &[
    ("method", fields::methods),
    ("size", fields::sizes),
    ("two-64-bit-fields", fields::two_64_bit_fields),
    ("encryption", fields::encryption),
    ("version", fields::versions),
    ("checksum", fields::checksums),
    ("local-name", names::local_names),
    ("unicode-name", names::unicode_names),
    ("kind", names::kinds),
    ("same-name", names::same_names),
    ("byte-in-name", names::bytes),
    ("path", names::paths),
    ("file-and-folder", names::files_and_folders),
    ("unlisted", streams::unlisted),
    ("hidden-in-data", streams::hidden_in_data),
    ("hidden-in-comment", streams::hidden_in_comments),
    ("several-ends", ends::several_ends),
    ("count", ends::counts),
    ("directory-place", ends::directory_places),
    ("64-bit-end", ends::ends_of_64_bits),
];

/// All constructions.
pub fn all() -> Vec<Construction> {
    let mut made = Vec::new();
    for (name, make) in FAMILIES {
        let mut family = Family::new(name);
        for target in [Target::Dataset, Target::Attachment] {
            make(&mut family, target);
        }
        made.extend(family.made);
    }
    made
}
