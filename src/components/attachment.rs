//! A reference to an attachment, and what it leads to.

use evalcheck_wire::view::{Attachment, AttachmentInfo};
use yew::prelude::*;

use super::icon::Icon;
use super::text;
use crate::state::number::bytes;
use crate::state::{Action, AttachmentBody, AttachmentState, AttachmentView};

/// The reference as a card, with the attachment in it: `info` is what the path leads to, where it leads anywhere;
/// `view` is what was asked about it.
pub(super) fn file_ref(
    path: &str,
    info: Option<&AttachmentInfo>,
    suggestion: Option<&str>,
    view: Option<&AttachmentView>,
    dispatch: &Callback<Action>,
) -> Html {
    let Some(info) = info else {
        return html! {
            <div class="file-ref missing" data-testid="attachment" data-state="missing">
                <p class="file-ref-head">
                    { Icon::Clip.draw() }
                    <span class="path">{ text::inline(path) }</span>
                    <span class="badge error">{ Icon::Cross.draw() }{ "Missing" }</span>
                </p>
                if let Some(name) = suggestion {
                    <p>{ "Did you mean " }<span class="path">{ text::inline(name) }</span>{ "?" }</p>
                }
            </div>
        };
    };
    let state = view.map(|view| &view.state);
    let described = match state {
        Some(AttachmentState::Here(attachment, _)) => {
            format!("{}, {}", attachment.description, bytes(info.size))
        }
        _ => bytes(info.size),
    };
    let ask = {
        let entry = AttrValue::from(info.entry.clone());
        dispatch.reform(move |_| Action::ReadAttachment(entry.clone()))
    };
    html! {
        <div class="file-ref" data-testid="attachment" data-state={word(state)}>
            <p class="file-ref-head">
                { Icon::Clip.draw() }
                <span class="path">{ text::inline(path) }</span>
                <span class="muted">{ described }</span>
                if state.is_none() {
                    <button type="button" onclick={ask}>{ "Show" }</button>
                }
            </p>
            {
                match state {
                    Some(AttachmentState::Here(attachment, body)) => show(attachment, body),
                    Some(AttachmentState::Failed(why)) => html! { <p class="error">{ text::inline(why) }</p> },
                    Some(AttachmentState::Asked(_)) => html! { <p class="muted waiting">{ "Reading." }</p> },
                    None => Html::default(),
                }
            }
        </div>
    }
}

fn word(state: Option<&AttachmentState>) -> &'static str {
    match state {
        None => "closed",
        Some(AttachmentState::Asked(_)) => "reading",
        Some(AttachmentState::Failed(_)) => "failed",
        Some(AttachmentState::Here(_, body)) => match body {
            AttachmentBody::Text(_) => "text",
            AttachmentBody::Image(_) => "image",
            AttachmentBody::Pdf(_) => "pdf",
            AttachmentBody::Nothing => "described",
        },
    }
}

fn show(attachment: &Attachment, body: &AttachmentBody) -> Html {
    let name = &attachment.info.entry;
    match body {
        AttachmentBody::Text(shown) => html! {
            <>
                <pre class="attachment-text" tabindex="0">{ text::block(shown) }</pre>
                if attachment.bytes_read < attachment.info.size {
                    <p class="muted">{ format!("The first {} are shown.", bytes(attachment.bytes_read)) }</p>
                }
            </>
        },
        AttachmentBody::Image(address) => html! { <img src={address} alt={format!("Attachment {name}")} /> },
        // Chromium shows no PDF in a sandboxed frame. What is in this one was found to be a PDF by its content and
        // is typed as one, so no browser reads it as a document of ours.
        AttachmentBody::Pdf(address) => {
            // Without the pane of thumbnails, which takes half of the card.
            html! { <iframe src={format!("{address}#navpanes=0&view=FitH")} title={format!("Attachment {name}")} /> }
        }
        AttachmentBody::Nothing if attachment.bytes_read < attachment.info.size => html! {
            <p class="muted">{ format!("{}: too large to be shown here.", attachment.media_type) }</p>
        },
        AttachmentBody::Nothing => {
            html! { <p class="muted">{ format!("{}: not a kind that is shown.", attachment.media_type) }</p> }
        }
    }
}
