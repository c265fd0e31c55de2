//! The formats and rules, in a form that a page can show. The engine makes it from its catalogue.

use std::collections::BTreeMap;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

use evalcheck_report::Severity;
pub use evalcheck_report::view::ExampleContent;

/// All formats, and the names of all rules; the worker sends it once, when it is ready.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
pub struct Catalogue {
    /// The formats, in the order in which a selector lists them.
    pub formats: Vec<FormatInfo>,
    /// The rules, ordered by code.
    pub rules: Vec<RuleName>,
}

impl Catalogue {
    /// The format with this id.
    pub fn format(&self, id: &str) -> Option<&FormatInfo> {
        self.formats.iter().find(|format| format.id == id)
    }

    /// The rule with this code.
    pub fn rule(&self, code: &str) -> Option<&RuleName> {
        self.rules.iter().find(|rule| rule.code == code)
    }

    /// The problem of the value at the path of a finding, if the rule has words for it: see [`RuleInfo::title`].
    pub fn title(&self, code: &str) -> Option<&str> {
        self.rule(code)?.title.as_deref()
    }
}

/// A format, as the user chooses it.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct FormatInfo {
    /// Stable id, `juryarena`.
    pub id: String,
    /// Its name in a list, `JuryArena dataset`.
    pub title: String,
    /// The system that reads it, `JuryArena`.
    pub system: String,
    /// Where the system documents the format.
    pub link: String,
    /// The content of a file that is detected as this format, as a noun phrase: `lines with "messages"`.
    #[serde(default)]
    pub expected: String,
    /// Extensions of files in this format, without a dot.
    pub extensions: Vec<String>,
    /// Versions, newest last; empty if there is only one.
    pub versions: Vec<String>,
    /// Options that change its rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<FormatOption>,
    /// One sentence that defines a record.
    pub summary: String,
    /// The source of the knowledge about how the system loads a record, as a sentence.
    #[serde(default)]
    pub loader: String,
    /// Whether it is known how the system loads a record.
    #[serde(default)]
    pub is_loader_known: bool,
    /// Whether files are detected as this format. Otherwise it is named beside others, because any data may be meant for it.
    #[serde(default)]
    pub is_detected: bool,
    /// Short names of values, for searches.
    #[serde(default)]
    pub names: Vec<ShortName>,
    /// Built-in examples.
    pub examples: Vec<Example>,
}

/// A choice of the user that changes rules of a format.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct FormatOption {
    /// Its name, `azure`.
    pub name: String,
    /// The title of the format with it, `Azure, fine-tuning`.
    pub title: String,
    /// The differences that it makes, as a sentence.
    pub help: String,
}

/// A short name of a value in a record, for searches: `role:user`.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct ShortName {
    /// The name.
    pub name: String,
    /// The paths of the value in a record; `*` is any key or index.
    pub paths: Vec<String>,
    /// The meaning of the value, as a sentence.
    pub help: String,
}

/// A dataset that is built in.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Example {
    /// `minimal`, `full` or `broken`.
    pub id: String,
    /// Its topic, a few words.
    pub title: String,
    /// The name it is checked under.
    pub file_name: String,
    /// Its content: the text of a text file, the bytes of a ZIP.
    pub content: ExampleContent,
}

/// A rule in lists of findings.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
pub struct RuleName {
    /// Stable code, `shape/missing-key`.
    pub code: String,
    /// How much a finding of it weighs.
    pub severity: Severity,
    /// One line.
    pub summary: String,
    /// The problem of the value at the path of a finding: see [`RuleInfo::title`].
    pub title: Option<String>,
}

/// A rule and its page.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema), schemars(rename = "Rule"))]
pub struct RuleInfo {
    /// Stable code, `shape/missing-key`.
    pub code: String,
    /// How much a finding of it weighs.
    pub severity: Severity,
    /// One line.
    pub summary: String,
    /// The problem of the value at the path of a finding, as the end of a sentence that begins with the path: `is missing`. Absent if the
    /// message says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The meaning of a finding, and why the system cares.
    pub meaning: String,
    /// How common loaders word the same problem.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_words: Vec<String>,
    /// The fixes that its findings may have: `safe`, `unsafe` or `safe or unsafe`; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// An example with the problem.
    pub invalid: String,
    /// The same example without the problem.
    pub valid: String,
    /// Examples for other formats, by their ids, if the one above does not fit them. Only rules that formats share have some.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub examples: BTreeMap<String, RuleExample>,
}

/// An example of a rule.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct RuleExample {
    /// With the problem.
    pub invalid: String,
    /// Without it.
    pub valid: String,
}

impl RuleInfo {
    /// The example for a format: the text with the problem, and without.
    pub fn example(&self, format: &str) -> (&str, &str) {
        self.examples
            .get(format)
            .map_or((&self.invalid, &self.valid), |example| (&example.invalid, &example.valid))
    }
}
