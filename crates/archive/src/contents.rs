//! Checks whether the contents of an attachment match its name.

use std::rc::Rc;

use evalcheck_core::content::{self, Content};
use evalcheck_core::finding::{Finding, Location};
use evalcheck_core::rule::AnyProblem;

use crate::entry::Entry;
use crate::problem::EntryProblem;

/// Advice for an attachment whose content does not match its extension.
const REPLACE_OR_RENAME: &str = "Replace it with the right file; or give it the extension of its content, also in the records that reference it.";

/// The first bytes of a JPEG.
const JPEG: &[u8] = b"\xFF\xD8\xFF";

evalcheck_core::rules! {
    /// Problems of the contents of an attachment.
    ContentProblem for Archive {
        Empty = "attachment/empty", Warning {
            summary: "An attached file is empty.",
            message: "the file is empty",
            hint: "Add the file with its contents, or remove it and its references.",
            meaning: "The model gets nothing to read. An empty file is usually the result of a failed export.",
            invalid: "attachments/doc1.pdf of 0 bytes",
            valid: "attachments/doc1.pdf with its contents",
        }
        ContentMismatch { extension: String, found: &'static str, advice: &'static str } = "attachment/content-mismatch", Warning {
            summary: "The content of a file does not match its extension.",
            message: "the name ends with .{extension}, but the content is {found}",
            hint: "{advice}",
            meaning: "Model providers choose how to read a file by its extension. They refuse an HTML page named .pdf, or read it as something else.",
            invalid: "attachments/doc1.pdf that contains an HTML error page",
            valid: "attachments/doc1.pdf that contains a PDF",
        }
    }
}
/// The check of the contents of one file. It takes the output of an [`crate::Inflater`], and keeps only the beginning.
#[derive(Debug)]
pub struct AttachmentCheck {
    name: Rc<str>,
    extension: Option<String>,
    head: Vec<u8>,
    size: u64,
}

impl AttachmentCheck {
    /// The number of bytes at the start of a file that are checked.
    pub const HEAD: usize = 4096;

    /// The number of bytes at the start of a JPEG that are kept: its size in pixels is after its metadata.
    const JPEG_HEAD: usize = 128 << 10;

    /// A check of an entry.
    pub fn new(entry: &Entry) -> Self {
        Self {
            name: entry.name.clone(),
            extension: content::extension(entry.base_name()),
            head: Vec::new(),
            size: 0,
        }
    }

    /// Takes the next bytes of the contents.
    pub fn feed(&mut self, contents: &[u8]) {
        let is_jpeg = contents.starts_with(JPEG) && self.head.is_empty() || self.head.starts_with(JPEG);
        let most = if is_jpeg { Self::JPEG_HEAD } else { Self::HEAD };
        let room = most.saturating_sub(self.head.len());
        self.head.extend_from_slice(contents.get(..room.min(contents.len())).unwrap_or_default());
        self.size += contents.len() as u64;
    }

    /// The type of the file, by the contents so far.
    pub fn content(&self) -> Content {
        content::sniff(self.head.get(..Self::HEAD).unwrap_or(&self.head))
    }

    /// The first bytes of the contents: of a JPEG up to 128 KiB, otherwise up to [`Self::HEAD`].
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The number of bytes of the contents so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the findings, after the contents were read to their end.
    pub fn finish(self) -> Vec<Finding> {
        let problem: AnyProblem = if self.size == 0 {
            ContentProblem::Empty.into()
        } else {
            let found = self.content();
            let extension = self.extension.unwrap_or_default();
            if content::contradicts(&extension, &found) {
                let advice = match content::describe_foreign(&self.head) {
                    Some(foreign) if found == content::LFS_POINTER => foreign.advice,
                    _ => REPLACE_OR_RENAME,
                };
                ContentProblem::ContentMismatch { extension, found: found.description, advice }.into()
            } else if found.media_type == "application/zip" && extension.is_empty() {
                EntryProblem::NestedArchive.into()
            } else {
                return Vec::new();
            }
        };
        vec![Finding::new(problem, Location::entry(self.name))]
    }

    /// Returns the finding if the contents could not be read to their end. It hides the findings that would only follow from it.
    pub fn fail(self, problem: AnyProblem) -> Vec<Finding> {
        vec![Finding::new(problem, Location::entry(self.name))]
    }
}
