//! Whether a file of no detected format may be meant for a known format.

use evalcheck_diagnose::may_be_meant;
use evalcheck_records::Layout;
use memchr::memmem;

use super::{FileHead, HEAD, detect, header_cells};
use crate::{Format, Formats};

/// Names of keys and columns in any data.
const OF_ANY_DATA: [&str; 6] = ["id", "_id", "uid", "uuid", "name", "type"];

/// Names of formats that other files use too: at the top they may be meant as those of a format, deeper they prove nothing.
const COMMON: [&str; 7] = ["input", "prompt", "system", "response", "sample", "feedback", "timestamp"];

/// The number of lines among which the header of a table is searched: titles may be above it.
const LINES_OF_HEADER: usize = 10;

impl FileHead<'_> {
    /// Whether a format is detected, or a key or a column may be meant as one of a format: it is misspelt, has the name that another system
    /// gives it, or is too deep in the file. Content that is not text is near, because it proves nothing.
    ///
    /// ```
    /// use evalcheck_formats::{FORMATS, detect::FileHead};
    ///
    /// let is_near = |head: &str| FileHead::new("a", head.as_bytes()).is_near(FORMATS);
    /// assert!(is_near(r#"[{"mesages": []}]"#));
    /// assert!(is_near("question,answer\nHow far?,12 km\n"));
    /// assert!(!is_near(r#"{"name": "France", "capital": "Paris"}"#));
    /// assert!(!is_near("city,inhabitants\nParis,2100000\n"));
    /// ```
    pub fn is_near(&self, formats: Formats) -> bool {
        let is_text =
            std::str::from_utf8(self.head).map_or_else(|error| error.error_len().is_none(), |_| true);
        if !is_text || self.head.contains(&0) || self.head.trim_ascii().is_empty() {
            return true;
        }
        if self.other_system().is_some() || !detect(formats, self).is_empty() {
            return true;
        }
        // The relevant part may be in the rest of a document.
        if self.header.is_none() && self.head.len() >= HEAD {
            return true;
        }
        let rows: Vec<Vec<String>> = match self.header {
            Some(_) => self
                .head
                .split(|byte| *byte == b'\n')
                .filter_map(header_cells)
                .take(LINES_OF_HEADER)
                .collect(),
            None => Vec::new(),
        };
        let cells = rows.iter().flatten().map(String::as_str);
        let written: Vec<&str> =
            cells.chain(self.keys.iter().copied()).filter(|name| !OF_ANY_DATA.contains(name)).collect();
        formats.iter().flat_map(|format| names(format)).any(|name| {
            let is_meant = |written: &&str| may_be_meant(&written.to_lowercase(), name);
            written.iter().any(is_meant) || (!COMMON.contains(&name) && self.has_key_anywhere(name))
        })
    }

    /// Whether a name in double quotes is before a colon.
    fn has_key_anywhere(&self, name: &str) -> bool {
        let quoted = format!("\"{name}\"");
        memmem::find_iter(self.head, quoted.as_bytes())
            .any(|at| self.head[at + quoted.len()..].trim_ascii_start().starts_with(b":"))
    }
}

/// The names that identify a format: those of its detector, and the columns that it requires.
fn names(format: &Format) -> impl Iterator<Item = &'static str> {
    let columns = format.variants.iter().filter_map(|variant| match variant.layout {
        Layout::Csv(columns) => Some(columns),
        Layout::Jsonl | Layout::JsonlWithHeader(_) | Layout::Json(_) => None,
    });
    let required = columns.flat_map(|columns| columns.columns.iter().filter(|column| column.required));
    format.detection.names().chain(required.map(|column| column.name))
}
