//! The options of a check, declared once. The command, the configuration, the JavaScript API and the Python package read options by these
//! declarations; CONTRIBUTING.md, "Adding an option of a check".

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Deserializer};

use crate::fix::Selection;
use crate::user_schema::SchemaFile;

/// The value of `format` that detects the format from the content.
pub const AUTO: &str = "auto";

/// The commands that read a dataset.
const READING: &[&str] = &["check", "fix", "find", "stats", "diff", "loaded", "schema", "plan"];

/// Those of them that read the entry of a ZIP; a plan is for JSONL.
const OPENING: &[&str] = &["check", "fix", "find", "stats", "diff", "loaded", "schema"];

/// Those that hold records against a schema.
const JUDGING: &[&str] = &["check", "fix", "find", "stats", "plan"];

/// The commands that list findings.
const LISTING: &[&str] = &["check", "fix", "merge"];

/// The values of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The id of a format.
    Format,
    /// A version of a format.
    Version,
    /// The path of a file in a ZIP.
    Entry,
    /// The name of an encoding.
    Encoding,
    /// Names of options of a format.
    FormatOptions,
    /// The files of a JSON Schema; a driver reads them.
    Schema,
    /// Codes of rules or categories.
    Codes,
    /// A whole number.
    Number,
    /// True or false.
    Flag,
}

impl Kind {
    /// Returns the expected values in words, and their type in a JSON Schema.
    pub const fn expected(self) -> (&'static str, &'static str) {
        match self {
            Self::Format | Self::Version | Self::Entry | Self::Encoding => ("a string", "string"),
            Self::Schema => ("a JSON Schema, or a list of its files", "array"),
            Self::FormatOptions | Self::Codes => ("an array of strings", "array"),
            Self::Number => ("a whole number from 0 on", "integer"),
            Self::Flag => ("a boolean", "boolean"),
        }
    }

    /// Returns true if the values are a list.
    pub const fn is_list(self) -> bool {
        matches!(self, Self::FormatOptions | Self::Schema | Self::Codes)
    }
}

/// The name and the documentation of an option in JavaScript.
pub type Member = (&'static str, &'static str);

/// An option in all interfaces. The Python package has every option.
#[derive(Debug)]
pub struct Declaration {
    /// The name in Rust and Python: `max_findings`.
    pub name: &'static str,
    /// The values.
    pub kind: Kind,
    /// The commands that have the option.
    pub commands: &'static [&'static str],
    /// The help of these commands.
    pub help: &'static str,
    /// The description in the schema of the configuration; `None` if a configuration cannot set the option.
    pub config: Option<&'static str>,
    /// The member of `CheckOptions`, if JavaScript has the option.
    pub javascript: Option<Member>,
    /// The member of `FixOptions`, if only `fix` has the option.
    pub javascript_fix: Option<Member>,
    /// The name of an option that cannot be used together with this one.
    pub conflict: Option<&'static str>,
}

impl Declaration {
    /// Returns the name for the command and the configuration: `max-findings`.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }
}

const fn first<T: Copy>(given: &[T]) -> Option<T> {
    if let [first, ..] = given { Some(*first) } else { None }
}

/// Declares [`Options`] with a field for each option, and [`OPTIONS`].
macro_rules! options {
    ($(
        $(#[doc = $help:literal])+
        $(#[config = $config:literal])?
        $(#[javascript($member:ident) = $doc:literal])?
        $(#[javascript_fix($fix_member:ident) = $fix_doc:literal])?
        $(#[conflict = $conflict:ident])?
        $option:ident: $type:ty, $kind:ident, $commands:ident;
    )*) => {
        /// The options of a check.
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct Options { $($(#[doc = $help])+ pub $option: $type,)* }

        /// The declarations, in the order of the help.
        pub static OPTIONS: &[Declaration] = &[$(Declaration {
            name: stringify!($option),
            kind: Kind::$kind,
            commands: $commands,
            help: concat!($($help),+),
            config: first(&[$($config)?]),
            javascript: first(&[$((stringify!($member), $doc))?]),
            javascript_fix: first(&[$((stringify!($fix_member), $fix_doc))?]),
            conflict: first(&[$(stringify!($conflict))?]),
        },)*];

        impl Options {
            /// Sets the option with this name, if there is one.
            ///
            /// # Errors
            /// The value is of another type.
            pub fn set<'de, D: Deserializer<'de>>(&mut self, name: &str, value: D) -> Result<(), D::Error> {
                match name {
                    $(stringify!($option) => self.$option = Deserialize::deserialize(value)?,)*
                    _ => {}
                }
                Ok(())
            }

            fn has(&self, name: &str) -> bool {
                match name {
                    $(stringify!($option) => self.$option != Self::default().$option,)*
                    _ => false,
                }
            }

            fn fill(&mut self, other: Self) {
                $(if !self.has(stringify!($option)) {
                    self.$option = other.$option;
                })*
            }
        }
    };
}

options! {
    /// The format; `auto` detects it from the content [default: auto]
    #[config = "The format; auto detects it from the content."]
    #[javascript(format) = "The id of a format, see `formats()`. By default the format is detected from the content."]
    format: Option<String>, Format, READING;

    /// The version of the format [default: detected from the content]
    #[config = "The version of the format."]
    format_version: Option<String>, Version, READING;

    /// Options of the format, such as `azure`; FORMATS.md lists them
    #[config = "Options of the format, such as azure for openai-finetune."]
    #[javascript(formatOptions) = "Options of the format, such as `azure` for `openai-finetune`."]
    option: Option<Vec<String>>, FormatOptions, READING;

    /// The file of a ZIP to check, as if it was unpacked [default: the dataset of a system, else the
    /// largest file of data]
    #[javascript(entry) = "The path of the file in a ZIP to check, as if it was unpacked. By default the dataset of a system, or else the largest file of data."]
    entry: Option<String>, Entry, OPENING;

    /// The encoding of the dataset, such as `shift_jis` [default: utf-8]; `check` and `loaded` read it
    /// as that, `fix` writes it as UTF-8
    encoding: Option<String>, Encoding, READING;

    /// A JSON Schema that every record has to follow too; after it, files that it names in `$ref`
    #[config = "The file of a JSON Schema that every record has to follow too, or a list of its files; from the folder of this file."]
    #[javascript(schema) = "A JSON Schema that every record has to follow too: its text, an object `{ name, text }`, the schema itself as an object, or a list of these whose first is the schema and names the others in `$ref`. One that cannot be used is the finding `schema/unusable` of a report with `checked: false`."]
    schema: Option<Vec<SchemaFile>>, Schema, JUDGING;

    /// Hold strings against `format` in that schema, which JSON Schema takes as a remark
    #[config = "Hold strings against format in the schema."]
    #[javascript(schemaFormats) = "Hold strings against `format` in the schema, which JSON Schema takes as a remark."]
    schema_formats: bool, Flag, JUDGING;

    /// Only these rules or categories, such as `json` or `json/comment,csv`
    #[config = "Only these rules or categories."]
    #[javascript_fix(select) = "Only fixes of these rules or categories (`json/comment`, `json`)."]
    select: Option<Vec<String>>, Codes, LISTING;

    /// All but these rules or categories
    #[config = "All but these rules or categories."]
    #[javascript_fix(ignore) = "No fixes of these."]
    ignore: Option<Vec<String>>, Codes, LISTING;

    /// List at most N findings of each rule; counts stay exact
    #[config = "The most findings of each rule that are listed."]
    #[javascript(maxFindingsPerCode) = "The most findings that are listed for each code; counts stay exact. By default there is no limit."]
    max_findings: Option<u64>, Number, LISTING;

    /// List every finding, also those that follow from the same mistake as another
    #[javascript(all) = "List every finding. By default, of findings that follow from one mistake outside of the records, such as a wrong number in a header, only the first is listed. Not together with `maxFindingsPerCode`."]
    #[conflict = max_findings]
    all: bool, Flag, LISTING;
}

impl Options {
    /// Adds the options of `other` that are not set. A version belongs to the format that is named with it; all findings have no limit.
    #[must_use]
    pub fn or(mut self, other: &Self) -> Self {
        let format_version = other.format_version.clone().filter(|_| self.format.is_none());
        let max_findings = other.max_findings.filter(|_| !self.all);
        self.fill(Self { format_version, max_findings, ..other.clone() });
        self
    }

    /// Returns two options that are set and cannot be used together, if there are any.
    pub fn conflict(&self) -> Option<[&'static Declaration; 2]> {
        let set = || OPTIONS.iter().filter(|option| self.has(option.name));
        set().find_map(|option| Some([option, set().find(|other| Some(other.name) == option.conflict)?]))
    }

    /// Returns the selected fixes.
    pub fn fixes(&self, not_safe: bool) -> Selection {
        let of = |codes: &Option<Vec<String>>| codes.clone().unwrap_or_default();
        Selection { not_safe, select: of(&self.select), ignore: of(&self.ignore), ..Selection::default() }
    }

    /// Returns the options for the engine.
    pub fn check(&self) -> CheckOptions {
        CheckOptions {
            format: self.format.clone().filter(|format| format != AUTO),
            version: self.format_version.clone(),
            option: self.option.clone().unwrap_or_default(),
            entry: self.entry.clone(),
            schema: self.schema.clone().unwrap_or_default(),
            schema_formats: self.schema_formats,
            max_findings_per_code: self.max_findings,
            all: self.all,
        }
    }
}

/// How the engine checks a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Deserialize)]
#[serde(default)]
pub struct CheckOptions {
    /// A format of the catalogue; `None` detects it from the content.
    pub format: Option<String>,
    /// A version of that format; `None` detects it from the content.
    pub version: Option<String>,
    /// Options of the format; those that it does not have change nothing.
    pub option: Vec<String>,
    /// The path of the file in a ZIP that is the dataset; `None` chooses it by the format.
    pub entry: Option<String>,
    /// The files of the user's own schema: the schema, then those that it refers to. Empty without one.
    pub schema: Vec<SchemaFile>,
    /// Whether formats of strings in that schema are held against them.
    pub schema_formats: bool,
    /// The most findings that are kept for one code; `None` keeps all.
    pub max_findings_per_code: Option<u64>,
    /// Whether all findings are kept, including those whose cause another one reports. There is no cap then.
    pub all: bool,
}
