//! An attachment for showing.

use std::io::{Read, Seek};

use evalcheck_report::view::{Attachment, AttachmentInfo, AttachmentKind};

use super::{View, limits, pdf, table};
use crate::content;

impl<R: Read + Seek> View<'_, R> {
    /// An attachment of the archive, by the name of its entry, and at most `most` bytes of it.
    ///
    /// # Errors
    /// The problem of the entry, in words for the user.
    pub fn attachment(&mut self, name: &str, most: usize) -> Result<(Attachment, Vec<u8>), String> {
        let Some(archive) = self.archive else {
            return Err("The dataset is not in an archive, so it has no attachments.".to_owned());
        };
        let entry = archive
            .entries()
            .iter()
            .find(|entry| &*entry.name == name)
            .ok_or_else(|| format!("The archive has no entry called {name}."))?;
        let mut bytes = entry.read_start(self.source, most).map_err(|error| error.to_string())?;
        let content = content::sniff(&bytes);
        if content.kind == AttachmentKind::Text {
            bytes.truncate(limits::text_end(&bytes));
        }
        let is_whole = bytes.len() as u64 == entry.size;
        let table = match content.kind {
            AttachmentKind::Text => table::read(entry.base_name(), &bytes, is_whole),
            _ => None,
        };
        let pages = match content.kind {
            AttachmentKind::Pdf if is_whole => pdf::pages(&bytes),
            _ => None,
        };
        let pixels = match content.kind {
            AttachmentKind::Image => imagesize::blob_size(&bytes).ok(),
            _ => None,
        };
        let info = AttachmentInfo { entry: entry.name.to_string(), size: entry.size };
        let attachment = Attachment {
            info,
            kind: content.kind,
            media_type: content.media_type.to_owned(),
            description: content.description.to_owned(),
            bytes_read: bytes.len() as u64,
            pages,
            table,
            may_have_scripts: content.kind == AttachmentKind::Pdf && pdf::may_have_scripts(&bytes),
            pixels: pixels.map(|size| (size.width as u64, size.height as u64)),
        };
        Ok((attachment, bytes))
    }
}
