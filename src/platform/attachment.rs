//! Attachments and their object URLs. The bytes are untrusted, and an object URL has the page's origin, so only kinds that cannot contain
//! scripts get one, with a media type that is set here.

use std::cell::RefCell;

use evalcheck_report::view::{Attachment, AttachmentKind};
use js_sys::{Array, ArrayBuffer, Uint8Array};
use web_sys::{Blob, BlobPropertyBag, Url};
use yew::AttrValue;

use crate::state::AttachmentBody;

/// Images that browsers show and that, unlike SVG, cannot contain scripts.
const IMAGE_TYPES: [&str; 6] =
    ["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/avif"];

/// Recordings and videos that browsers play.
const MEDIA_TYPES: [&str; 8] = [
    "audio/mpeg",
    "audio/ogg",
    "audio/flac",
    "audio/wav",
    "audio/mp4",
    "video/mp4",
    "video/webm",
    "video/quicktime",
];

/// The maximum number of pixels of an image that is shown. A browser takes four bytes of memory for each, however small the file is.
const MOST_PIXELS: u64 = 50_000_000;

/// The object URLs of attachments.
#[derive(Default)]
pub(super) struct ObjectUrls(RefCell<Vec<String>>);

impl ObjectUrls {
    /// Revokes all of them.
    pub(super) fn release(&self) {
        for url in self.0.take() {
            // If this fails, the bytes only stay in memory until the page is closed.
            let _ = Url::revoke_object_url(&url);
        }
    }

    fn create(&self, buffer: &ArrayBuffer, media_type: &str) -> Option<AttrValue> {
        let options = BlobPropertyBag::new();
        options.set_type(media_type);
        let blob = Blob::new_with_buffer_source_sequence_and_options(&Array::of1(buffer), &options).ok()?;
        let url = Url::create_object_url_with_blob(&blob).ok()?;
        self.0.borrow_mut().push(url.clone());
        Some(url.into())
    }
}

/// Returns the preview of an attachment, with an object URL if its kind is safe.
pub(super) fn body(attachment: &Attachment, buffer: &ArrayBuffer, urls: &ObjectUrls) -> AttachmentBody {
    let whole = attachment.bytes_read >= attachment.info.size;
    let of_type = |types: &[&'static str]| {
        let media_type = types.iter().find(|media_type| **media_type == attachment.media_type)?;
        urls.create(buffer, media_type)
    };
    let shown = match attachment.kind {
        AttachmentKind::Text => Some(AttachmentBody::Text(text(buffer))),
        AttachmentKind::Pdf if whole && !attachment.may_have_scripts && is_pdf(buffer) => {
            urls.create(buffer, "application/pdf").map(AttachmentBody::Pdf)
        }
        AttachmentKind::Image if whole && is_of_fair_size(attachment) => {
            of_type(&IMAGE_TYPES).map(AttachmentBody::Image)
        }
        AttachmentKind::Audio if whole => of_type(&MEDIA_TYPES).map(AttachmentBody::Audio),
        AttachmentKind::Video if whole => of_type(&MEDIA_TYPES).map(AttachmentBody::Video),
        _ => None,
    };
    shown.unwrap_or(AttachmentBody::None)
}

fn text(buffer: &ArrayBuffer) -> AttrValue {
    String::from_utf8_lossy(&Uint8Array::new(buffer).to_vec()).into_owned().into()
}

/// Returns true for an image that a browser can decode. An image without dimensions cannot be shown.
fn is_of_fair_size(attachment: &Attachment) -> bool {
    attachment.pixels.is_some_and(|(width, height)| width.saturating_mul(height) <= MOST_PIXELS)
}

/// Checks the content, because a frame would also show HTML.
fn is_pdf(buffer: &ArrayBuffer) -> bool {
    let start = Uint8Array::new(buffer).subarray(0, 5).to_vec();
    start == b"%PDF-"
}
