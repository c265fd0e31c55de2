//! Fixes: edits of a record that resolve a finding.
//!
//! A fix is made together with its finding, from the same facts as its hint. It is *safe* if there is one plausible reading of the bytes,
//! and the fix invents nothing, moves nothing into another field or record, and loses nothing. Otherwise its title says what it loses or
//! guesses.

mod around;
mod composed;
mod joined;
pub(super) mod members;
pub(super) mod no_value;
mod step;
pub(super) mod strings;
pub(super) mod syntax;
pub(super) mod text;
pub(super) mod value;

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use evalcheck_report::{Applicability, Conversion, Edit, EntryEdit, Fix};

use super::value::{Member, Value};

pub use joined::join_lines;
pub use syntax::fix_syntax;
pub use value::{is_one_entry, localized, quoted};

/// Edits that resolve a finding of a record.
///
/// ```
/// # use evalcheck_diagnose::RecordFix;
/// let fix = RecordFix::safe("Delete the comma").replace(3..4, "");
/// assert_eq!(fix.apply(b"[1,,2]"), b"[1,2]");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordFix {
    /// The effect of the edits, as an instruction.
    pub title: Cow<'static, str>,
    /// Whether they may be applied without asking the user.
    pub applicability: Applicability,
    /// Spans of the record with their replacements, in the order of the bytes. No span touches another.
    pub edits: Vec<(Range<usize>, String)>,
    /// A conversion of the whole file, instead of edits.
    pub convert: Option<Conversion>,
    /// Edits of entries of the ZIP.
    pub entries: Vec<EntryEdit>,
}

impl RecordFix {
    /// A fix that loses and guesses nothing, without edits yet.
    pub fn safe(title: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Applicability::Safe).titled(title)
    }

    /// A fix that loses or guesses something, as the title says; without edits yet.
    pub fn not_safe(title: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Applicability::Unsafe).titled(title)
    }

    /// A fix that is safe if it is certain; otherwise its title says that it is a guess.
    ///
    /// ```
    /// # use evalcheck_diagnose::RecordFix;
    /// assert_eq!(RecordFix::safe_if(false, "Rename it".to_owned()).title, "Rename it, which is a guess");
    /// ```
    pub fn safe_if(is_certain: bool, title: String) -> Self {
        let applicability = if is_certain { Applicability::Safe } else { Applicability::Unsafe };
        Self::new(applicability).titled_by_safety(title)
    }

    /// A fix without title or edits.
    pub(super) fn new(applicability: Applicability) -> Self {
        Self { title: "".into(), applicability, edits: Vec::new(), convert: None, entries: Vec::new() }
    }

    /// Sets its title, which says what it loses or guesses.
    pub(super) fn titled(self, title: impl Into<Cow<'static, str>>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Sets its title, and adds that it is a guess if the fix is unsafe.
    pub(super) fn titled_by_safety(self, title: String) -> Self {
        match self.applicability {
            Applicability::Safe => self.titled(title),
            Applicability::Unsafe => self.titled(format!("{title}, which is a guess")),
        }
    }

    /// Adds an edit of an entry of the ZIP.
    #[must_use]
    pub fn with_entry(mut self, edit: EntryEdit) -> Self {
        self.entries.push(edit);
        self
    }

    /// Adds an edit, in the order of the bytes.
    #[must_use]
    pub fn replace(mut self, span: Range<usize>, text: impl Into<String>) -> Self {
        let at = self.edits.partition_point(|(other, _)| other.start <= span.start);
        self.edits.insert(at, (span, text.into()));
        self
    }

    /// Sets a conversion of the whole file.
    #[must_use]
    pub fn convert(self, conversion: Conversion) -> Self {
        Self { convert: Some(conversion), ..self }
    }

    /// Adds the removal of a member of an object.
    #[must_use]
    pub fn delete_member(self, members: &[Member<'_>], index: usize) -> Self {
        self.replace(members::with_comma(members, index), "")
    }

    /// Adds the removal of an element of a list.
    #[must_use]
    pub fn delete_element(self, elements: &[Value<'_>], index: usize) -> Self {
        self.replace(members::element_with_comma(elements, index), "")
    }

    /// The record after the edits.
    pub fn apply(&self, record: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(record.len());
        let mut at = 0;
        for (span, text) in &self.edits {
            out.extend_from_slice(&record[at..span.start]);
            out.extend_from_slice(text.as_bytes());
            at = span.end;
        }
        out.extend_from_slice(&record[at..]);
        out
    }

    /// The fix for a record that begins at this offset of the dataset.
    pub fn locate(self, offset: u64) -> Fix {
        let edit = |(span, text): (Range<usize>, String)| Edit {
            start: offset + span.start as u64,
            end: offset + span.end as u64,
            text,
        };
        let edits = self.edits.into_iter().map(edit).collect();
        let Self { title, applicability, convert, entries, .. } = self;
        Fix { title: title.into_owned(), applicability, edits, convert, entries }
    }
}

/// A text as a JSON string with quotes.
pub fn json_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        push_escaped(&mut out, c);
    }
    out.push('"');
    out
}

/// Appends a character of a JSON string, escaped if necessary.
fn push_escaped(out: &mut String, c: char) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if c < ' ' => {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        }
        c => out.push(c),
    }
}
