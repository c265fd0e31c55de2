//! A reference to an attachment, and the attachment.

use evalcheck_report::view::{Attachment, AttachmentInfo, Part, Table};
use yew::prelude::*;

use super::icon::Icon;
use super::text;
use crate::display::format_number::{bytes, counted, grouped};
use crate::state::{Action, AttachmentBody, AttachmentState, AttachmentView, FixAction, PreviewAction};

/// The size that a card shows; larger images may be scaled down.
const FITS_WIDTH: u64 = 280;
const FITS_HEIGHT: u64 = 420;

/// A card with the reference and the attachment. `info` describes the entry that the path refers to, if it exists; `view` is the state of
/// its request. A missing file can be added as the entry `added_as`.
pub(crate) fn attachment_card(
    path: &str,
    info: Option<&AttachmentInfo>,
    (suggestion, added_as): (Option<&str>, Option<&str>),
    view: Option<&AttachmentView>,
    dispatch: &Callback<Action>,
) -> Html {
    let Some(info) = info else {
        return html! {
            <div class="file-ref missing" data-testid="attachment" data-state="missing" data-added-as={added_as.map(str::to_owned)}>
                <p class="file-ref-head">
                    { Icon::Clip.draw() }
                    <span class="path">{ text::inline(path) }</span>
                    <span class="badge error">{ Icon::Cross.draw() }{ "Missing" }</span>
                </p>
                if let Some(name) = suggestion {
                    <p>{ "Did you mean " }<span class="path">{ text::inline(name) }</span>{ "?" }</p>
                }
                { added_as.map(|entry| adder(entry, dispatch)) }
            </div>
        };
    };
    let state = view.map(|view| &view.state);
    let description = match state {
        Some(AttachmentState::Loaded(attachment, _)) => {
            let pages =
                attachment.pages.map_or_else(String::new, |pages| format!(", {}", counted(pages, "page")));
            format!("{}{pages}, {}", attachment.description, bytes(info.size))
        }
        _ => bytes(info.size),
    };
    let load = {
        let entry = AttrValue::from(info.entry.clone());
        dispatch.reform(move |_| PreviewAction::LoadAttachment(entry.clone()).into())
    };
    html! {
        <div class="file-ref" data-testid="attachment" data-state={state_name(state)}>
            <p class="file-ref-head">
                { Icon::Clip.draw() }
                <span class="path">{ text::inline(path) }</span>
                <span class="muted">{ description }</span>
                if state.is_none() {
                    <button type="button" onclick={load}>{ "Show" }</button>
                }
            </p>
            {
                match state {
                    Some(AttachmentState::Loaded(attachment, body)) => show(attachment, body),
                    Some(AttachmentState::Failed(why)) => html! { <p class="error">{ text::inline(why) }</p> },
                    Some(AttachmentState::Requested) => html! { <p class="muted waiting">{ "Loading…" }</p> },
                    None => Html::default(),
                }
            }
        </div>
    }
}

/// The button that adds a missing file. The file can also be dropped on the card.
fn adder(entry: &str, dispatch: &Callback<Action>) -> Html {
    let pick = {
        let entry = AttrValue::from(entry.to_owned());
        dispatch.reform(move |_| FixAction::PickFile(entry.clone()).into())
    };
    html! {
        <>
            <p>
                { "Drop the file here. It is added to the ZIP as " }
                <span class="path" data-testid="added-as">{ text::inline(entry) }</span>
                { ", whatever its name is." }
            </p>
            <div class="buttons">
                <button type="button" class="change" data-testid="add-file" onclick={pick}>{ "Add the file…" }</button>
            </div>
        </>
    }
}

/// The object URL of the image that a turn with these parts refers to by this path, if it is loaded.
pub(crate) fn shown_image(path: &str, parts: &[Part], attachments: &[AttachmentView]) -> Option<AttrValue> {
    let entry = parts.iter().find_map(|part| match part {
        Part::File { path: named, attachment: Some(info), .. } if named == path => Some(&info.entry),
        _ => None,
    })?;
    match &attachments.iter().find(|view| view.entry.as_str() == entry)?.state {
        AttachmentState::Loaded(_, AttachmentBody::Image(url)) => Some(url.clone()),
        _ => None,
    }
}

fn text_view(shown: &str) -> Html {
    html! { <pre class="attachment-text" tabindex="0" dir="auto">{ text::block(shown) }</pre> }
}

/// The first rows of a table.
fn table_view(name: &str, table: &Table) -> Html {
    let columns = table.rows.iter().map(Vec::len).max().unwrap_or_default();
    let mut notes = Vec::new();
    if table.is_cut {
        notes.push(format!("the first {}", counted(table.rows.len() as u64, "row")));
    }
    if table.columns > columns as u64 {
        notes.push(format!("{columns} of {} columns", grouped(table.columns)));
    }
    html! {
        <>
            <div class="attachment-table" tabindex="0" role="group" aria-label={name.to_owned()} data-testid="attachment-table">
                <table>
                    <tbody>
                        for row in &table.rows {
                            <tr>
                                for cell in row {
                                    <td dir="auto">{ text::line(cell) }</td>
                                }
                            </tr>
                        }
                    </tbody>
                </table>
            </div>
            if !notes.is_empty() {
                <p class="muted">{ format!("Shown: {}.", notes.join(", ")) }</p>
            }
        </>
    }
}

fn state_name(state: Option<&AttachmentState>) -> &'static str {
    match state {
        None => "closed",
        Some(AttachmentState::Requested) => "reading",
        Some(AttachmentState::Failed(_)) => "failed",
        Some(AttachmentState::Loaded(_, body)) => match body {
            AttachmentBody::Text(_) => "text",
            AttachmentBody::Image(_) => "image",
            AttachmentBody::Pdf(_) => "pdf",
            AttachmentBody::Audio(_) => "audio",
            AttachmentBody::Video(_) => "video",
            AttachmentBody::None => "not-shown",
        },
    }
}

fn show(attachment: &Attachment, body: &AttachmentBody) -> Html {
    let name = &attachment.info.entry;
    match body {
        AttachmentBody::Text(shown) => html! {
            <>
                if let Some(table) = &attachment.table {
                    { table_view(name, table) }
                    <details>
                        <summary>{ "As text" }</summary>
                        { text_view(shown) }
                    </details>
                } else {
                    { text_view(shown) }
                }
                if attachment.bytes_read < attachment.info.size {
                    <p class="muted">{ format!("Only the first {} are shown.", bytes(attachment.bytes_read)) }</p>
                }
            </>
        },
        AttachmentBody::Image(address) => {
            let is_large =
                attachment.pixels.is_some_and(|(width, height)| width > FITS_WIDTH || height > FITS_HEIGHT);
            html! {
                <>
                    if is_large {
                        <label class="actual-size">
                            <input type="checkbox" data-testid="actual-size" />
                            { "Actual size" }
                        </label>
                    }
                    <div class="image-box" tabindex={is_large.then_some("0")} role="group" aria-label={name.clone()}>
                        <img src={address} alt={format!("Attachment {name}")} decoding="async" />
                    </div>
                </>
            }
        }
        AttachmentBody::Audio(address) => {
            html! { <audio controls=true preload="metadata" src={address} aria-label={name.clone()} /> }
        }
        AttachmentBody::Video(address) => {
            html! { <video controls=true preload="metadata" src={address} aria-label={name.clone()} /> }
        }
        // Chromium does not show PDFs in a sandboxed frame. The platform has checked that the content is a PDF and has set its media type,
        // so no browser interprets it as HTML.
        AttachmentBody::Pdf(address) => {
            // Hides the thumbnails, which take half the width of the card.
            html! { <iframe src={format!("{address}#navpanes=0&view=FitH")} title={format!("Attachment {name}")} /> }
        }
        AttachmentBody::None if attachment.bytes_read < attachment.info.size => html! {
            <p class="muted">{ format!("{}: too large to preview.", attachment.media_type) }</p>
        },
        AttachmentBody::None if attachment.may_have_scripts => html! {
            <p class="muted">{ "This PDF may contain scripts: no preview." }</p>
        },
        AttachmentBody::None if attachment.pixels.is_some() => {
            let (width, height) = attachment.pixels.unwrap_or_default();
            html! {
                <p class="muted">
                    { format!("{}, {} by {} pixels: too large to preview.", attachment.media_type, grouped(width), grouped(height)) }
                </p>
            }
        }
        AttachmentBody::None => {
            html! { <p class="muted">{ format!("{}: no preview for this type.", attachment.media_type) }</p> }
        }
    }
}
