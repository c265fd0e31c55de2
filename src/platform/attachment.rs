//! Attachments for showing. Their bytes come from a file that anyone may have made, and they are shown from an
//! address of our own origin; so only kinds that can hold no script are given one, under a media type from here.

use std::cell::RefCell;

use evalcheck_wire::view::{Attachment, AttachmentKind};
use js_sys::{Array, ArrayBuffer, Uint8Array};
use web_sys::{Blob, BlobPropertyBag, Url};
use yew::AttrValue;

use crate::state::AttachmentBody;

/// Pictures that browsers show and that can hold no script. SVG is not one of them.
const PICTURES: [&str; 6] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/avif"];

/// The addresses that were made for attachments.
#[derive(Default)]
pub(super) struct ObjectUrls(RefCell<Vec<String>>);

impl ObjectUrls {
    /// Lets go of all of them.
    pub(super) fn release(&self) {
        for url in self.0.take() {
            // A failure would leave the bytes in memory until the page is closed, nothing else.
            let _ = Url::revoke_object_url(&url);
        }
    }

    fn make(&self, buffer: &ArrayBuffer, media_type: &str) -> Option<AttrValue> {
        let options = BlobPropertyBag::new();
        options.set_type(media_type);
        let blob = Blob::new_with_buffer_source_sequence_and_options(&Array::of1(buffer), &options).ok()?;
        let url = Url::create_object_url_with_blob(&blob).ok()?;
        self.0.borrow_mut().push(url.clone());
        Some(url.into())
    }
}

/// How the bytes can be shown.
pub(super) fn body(attachment: &Attachment, buffer: &ArrayBuffer, urls: &ObjectUrls) -> AttachmentBody {
    let whole = attachment.bytes_read >= attachment.info.size;
    let shown = match attachment.kind {
        AttachmentKind::Text => Some(AttachmentBody::Text(text(buffer))),
        AttachmentKind::Pdf if whole && is_pdf(buffer) => {
            urls.make(buffer, "application/pdf").map(AttachmentBody::Pdf)
        }
        AttachmentKind::Image if whole => PICTURES
            .into_iter()
            .find(|picture| *picture == attachment.media_type)
            .and_then(|picture| urls.make(buffer, picture))
            .map(AttachmentBody::Image),
        AttachmentKind::Pdf | AttachmentKind::Image | AttachmentKind::Other => None,
    };
    shown.unwrap_or(AttachmentBody::Nothing)
}

fn text(buffer: &ArrayBuffer) -> AttrValue {
    String::from_utf8_lossy(&Uint8Array::new(buffer).to_vec()).into_owned().into()
}

/// A frame runs what it is given, so the page does not take another's word for it.
fn is_pdf(buffer: &ArrayBuffer) -> bool {
    let start = Uint8Array::new(buffer).subarray(0, 5).to_vec();
    start == b"%PDF-"
}
