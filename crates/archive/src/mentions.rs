//! The files that records with errors may mean: such a record may need one when it is corrected.

use std::collections::BTreeSet;

use memchr::{memchr_iter, memmem};

/// The maximum number of bytes that are searched for names. Beyond it, any file may be meant.
const MOST_BYTES: usize = 1 << 28;

/// The files that records with errors may mean.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    /// The errors of these records.
    errors: u64,
    /// Whether one of the records may mean any file.
    is_any: bool,
    /// The entries whose names are in the records.
    entries: BTreeSet<usize>,
    /// The number of bytes searched for names.
    searched: usize,
}

impl Mentions {
    /// Notes a record with errors. Without its text, it may mean any file. `files` are entries and their paths.
    pub(crate) fn note<'a>(
        &mut self,
        errors: u64,
        text: Option<&[u8]>,
        files: impl Iterator<Item = (usize, &'a str)>,
    ) {
        self.errors += errors;
        let Some(text) = text.filter(|text| is_whole(text)).map(<[u8]>::to_ascii_lowercase) else {
            self.is_any = true;
            return;
        };
        for (entry, path) in files {
            if self.is_any || self.entries.contains(&entry) {
                continue;
            }
            self.searched += text.len();
            self.is_any = self.searched > MOST_BYTES;
            if is_mentioned(path, &text) {
                self.entries.insert(entry);
            }
        }
    }

    /// Whether a record with an error may mean a file of a dataset that has so many errors. An error that is not in a noted record may
    /// hide any reference.
    pub(crate) fn may_mean(&self, entry: usize, errors: u64) -> bool {
        self.is_any || self.errors != errors || self.entries.contains(&entry)
    }
}

/// Whether a text in lower case may contain the name of a file.
fn is_mentioned(path: &str, text: &[u8]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name.is_ascii() {
        return memmem::find(text, name.to_ascii_lowercase().as_bytes()).is_some();
    }
    // Such a name has several spellings.
    !text.is_ascii() || memmem::find(text, b"\\u").is_some()
}

/// Returns false for a text that may be cut off, or that may write letters of ASCII as escapes.
fn is_whole(text: &[u8]) -> bool {
    let count = |byte| memchr_iter(byte, text).count();
    let end = text.trim_ascii_end();
    end.strip_suffix(b",").unwrap_or(end).ends_with(b"}")
        && count(b'{') == count(b'}')
        && count(b'[') == count(b']')
        && memmem::find(text, b"\\u00").is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 4] = ["attachments/a.pdf", "b.png", "attachments/é.pdf", "c.txt"];

    /// The files that records with one error each may mean, of a dataset with so many errors.
    fn meant(records: &[Option<&str>], errors: u64) -> Vec<usize> {
        let mut mentions = Mentions::default();
        for text in records {
            mentions.note(1, text.map(str::as_bytes), FILES.into_iter().enumerate());
        }
        (0..FILES.len()).filter(|entry| mentions.may_mean(*entry, errors)).collect()
    }

    #[test]
    fn files_are_meant_by_records_that_mention_them() {
        assert_eq!(meant(&[], 0), [0_usize; 0]);
        assert_eq!(meant(&[Some(r#"{"path":"Attachments/A.PDF",}"#)], 1), [0]);
        assert_eq!(meant(&[Some(r#"{'path':"b.png"},"#), Some(r#"{"role":"tool"}"#)], 2), [1]);
        assert_eq!(meant(&[Some(r#"{"path":"caf\u2019.pdf",}"#)], 1), [2], "it may be another spelling");
        assert_eq!(meant(&[Some("{\"text\":\"ü\",}")], 1), [2]);
    }

    #[test]
    fn any_file_is_meant_by_what_does_not_show_its_meaning() {
        let all = [0, 1, 2, 3];
        assert_eq!(meant(&[None], 1), all);
        assert_eq!(meant(&[Some(r#"{"path":"attachments/a.p"#)], 1), all, "it is cut off");
        assert_eq!(meant(&[Some(r#"{"path":{"a":1}"#)], 1), all, "it is cut off");
        assert_eq!(meant(&[Some(r#"{"path":"\u0061.pdf",}"#)], 1), all);
        assert_eq!(meant(&[Some(r#"{"role":"tool"}"#)], 2), all, "an error is not in a record");
    }
}
