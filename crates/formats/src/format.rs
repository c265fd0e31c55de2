//! What is known of a format.

use std::cmp::Reverse;

use evalcheck_archive::{Archive, Entry};
use evalcheck_core::Loss;
use evalcheck_core::content::extension;
use evalcheck_core::finding::Finding;
use evalcheck_core::rule::{AnyProblem, Rule};
use evalcheck_json::diagnose::TextProblem;
use evalcheck_json::scan::TextPolicy;
use evalcheck_json::schema::Schema;
use evalcheck_records::Layout;
use evalcheck_wire::catalogue::ExampleContent;
use evalcheck_wire::view::Sample;

use crate::checks::Checks;
use crate::detect::{Detection, FileHead};
use crate::limits::Limits;
use crate::loaded::Loader;
use crate::preview::Shown;

/// Formats to choose from, at least one.
pub type Formats = &'static [&'static Format];

/// One format: all that is known of it, and nothing of it is known elsewhere.
#[derive(Debug)]
pub struct Format {
    /// Stable id.
    pub id: &'static str,
    /// Its name in a list.
    pub title: &'static str,
    /// The system that reads it.
    pub system: &'static str,
    /// Where the system documents it; empty where no public address is known.
    pub link: &'static str,
    /// One sentence: what a record is.
    pub summary: &'static str,
    /// Extensions of the files that hold it, without a dot.
    pub extensions: &'static [&'static str],
    /// The ways in which it is written: versions, and kinds of file. The first is the usual one.
    pub variants: &'static [Variant],
    /// How the format comes in a ZIP; `None` where it does not.
    pub archive: Option<&'static Packaging>,
    /// How well a file fits: the best variant, how sure, and why; `None` for not at all.
    pub detect: fn(&FileHead<'_>) -> Option<Detection>,
    /// What a file needs to be detected as this format, as a noun phrase: `lines with "messages"`.
    pub expected: &'static str,
    /// What strings of a record must not hold.
    pub texts: TextPolicy,
    /// Makes the checks of one dataset.
    pub checks: fn(&'static Variant) -> Checks,
    /// The rules that only this format has, by group. Formats that share a group all list it.
    pub rules: &'static [&'static [Rule]],
    /// A record as a conversation, for showing; `None` when there is nothing of one in it.
    pub preview: fn(&Shown<'_>) -> Option<Sample>,
    /// What the system holds of a record once it is loaded.
    pub loader: Loader,
    /// Whose words the message of a finding in a record is, where it is verbatim what the system's own loader says: `zod`.
    pub says: fn(&Finding) -> Option<&'static str>,
    /// What the system loses for a finding where it loads the dataset all the same: what its rule says ([`rule_loss`]), or more.
    pub loss: fn(&Finding) -> Option<Loss>,
    /// The number of records: how many are too many.
    pub limits: Limits,
    /// What the format calls a record, in the singular: `sample`, `query`.
    pub noun: &'static str,
    /// Built-in examples.
    pub examples: &'static [Example],
}

/// The loss that the rule of a finding declares.
pub fn rule_loss(finding: &Finding) -> Option<Loss> {
    finding.problem.rule().loss
}

/// The same for a system whose reader keeps integers of any size, or is not known to lose them.
pub fn loss_of_exact_reader(finding: &Finding) -> Option<Loss> {
    let is_inexact = matches!(finding.problem.downcast_ref(), Some(TextProblem::InexactInteger { .. }));
    rule_loss(finding).filter(|_| !is_inexact)
}

impl Format {
    /// The versions that there are, without repeats; empty where the format has no versions.
    pub fn versions(&self) -> Vec<&'static str> {
        let mut versions = Vec::new();
        for variant in self.variants {
            if !variant.version.is_empty() && !versions.contains(&variant.version) {
                versions.push(variant.version);
            }
        }
        versions
    }

    /// The entry of an archive that is the dataset, as an index into [`Archive::entries`], and what is wrong with the
    /// choice. For a format that does not come in a ZIP it is the largest file that the format could be in.
    pub fn choose_dataset(&self, archive: &Archive) -> (Option<usize>, Vec<Finding>) {
        if let Some(packaging) = self.archive {
            return (packaging.choose_dataset)(archive);
        }
        let could_be = |entry: &Entry| {
            let extension = extension(entry.path());
            entry.is_file()
                && !entry.system_file
                && self.extensions.iter().any(|own| extension.as_deref() == Some(own))
        };
        let entries = archive.entries().iter().enumerate();
        let largest = entries
            .filter(|(_, entry)| could_be(entry))
            .max_by_key(|(index, entry)| (entry.size, Reverse(*index)));
        (largest.map(|(index, _)| index), Vec::new())
    }
}

/// One way in which a format is written.
#[derive(Debug)]
pub struct Variant {
    /// The version, where the format has several; otherwise empty.
    pub version: &'static str,
    /// How records stand in the file.
    pub layout: Layout,
    /// What one record looks like. Where a header or a list decides, the usual one.
    pub schema: &'static Schema,
}

/// How a format comes in a ZIP.
#[derive(Debug)]
pub struct Packaging {
    /// The entry that is the dataset, as an index into [`Archive::entries`], and what is wrong with the choice.
    pub choose_dataset: fn(&Archive) -> (Option<usize>, Vec<Finding>),
    /// True for an entry that could be the dataset, so that no record has to refer to it.
    pub is_dataset: fn(&Entry) -> bool,
    /// The problem of a file that no record refers to.
    pub unreferenced: fn() -> AnyProblem,
}

/// A built-in dataset.
#[derive(Debug)]
pub struct Example {
    /// `minimal`, `full` or `broken`.
    pub id: &'static str,
    /// What it shows, a few words.
    pub title: &'static str,
    /// The name it is checked under.
    pub file_name: &'static str,
    /// Makes its content.
    pub content: fn() -> ExampleContent,
}
