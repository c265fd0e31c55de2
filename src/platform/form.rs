//! Form fields and the file picker.

use evalcheck_report::view::Mark;
use wasm_bindgen::JsCast;
use web_sys::{
    Element, HtmlDialogElement, HtmlDocument, HtmlElement, HtmlInputElement, HtmlSelectElement,
    HtmlTextAreaElement,
};
use yew::prelude::*;

/// The value of the field that sent an event.
pub(crate) fn value_of(event: &Event) -> String {
    let Some(target) = event.target() else { return String::new() };
    if let Some(field) = target.dyn_ref::<HtmlInputElement>() {
        field.value()
    } else if let Some(field) = target.dyn_ref::<HtmlSelectElement>() {
        field.value()
    } else if let Some(field) = target.dyn_ref::<HtmlTextAreaElement>() {
        field.value()
    } else {
        String::new()
    }
}

/// Returns true for Ctrl+Enter and Cmd+Enter.
pub(crate) fn is_submit_key(event: &KeyboardEvent) -> bool {
    event.key() == "Enter" && (event.ctrl_key() || event.meta_key())
}

/// Focuses an element.
pub(crate) fn focus(element: &NodeRef) {
    if let Some(element) = element.cast::<HtmlElement>() {
        let _ = element.focus();
    }
}

/// Focuses a text field, and selects a part of its text.
pub(crate) fn focus_at(field: &NodeRef, part: Option<Mark>) {
    let Some(area) = field.cast::<HtmlTextAreaElement>() else { return };
    if let Some(Mark { start_utf16, end_utf16 }) = part {
        let unit = |unit: u64| u32::try_from(unit).unwrap_or(u32::MAX);
        // An impossible selection leaves the caret where it is.
        let _ = area.set_selection_range(unit(start_utf16), unit(end_utf16));
    }
    let _ = area.focus();
}

/// The position of the caret of a text field, in UTF-16 code units; `None` if text is selected.
pub(crate) fn caret_of(field: &NodeRef) -> Option<u64> {
    let area = field.cast::<HtmlTextAreaElement>()?;
    let at = area.selection_start().ok().flatten()?;
    (area.selection_end().ok().flatten()? == at).then_some(u64::from(at))
}

/// Replaces a part of a text field as if the user had typed, so that it can be undone. Returns false if the browser does not support that;
/// the text is then replaced without an event and without undo.
pub(crate) fn replace_text(field: &NodeRef, part: Mark, text: &str) -> bool {
    let Some(area) = field.cast::<HtmlTextAreaElement>() else { return true };
    focus_at(field, Some(part));
    let document = area.owner_document().and_then(|document| document.dyn_into::<HtmlDocument>().ok());
    let is_typed = document.is_some_and(|document| {
        // The only way that supports the browser's undo.
        document.exec_command_with_show_ui_and_value("insertText", false, text).unwrap_or(false)
    });
    if !is_typed {
        // The part is within the text.
        let _ = area.set_range_text(text);
    }
    is_typed
}

/// Shows a dialog above everything else, or closes it.
pub(crate) fn show_dialog(dialog: &NodeRef, shows: bool) {
    if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
        if shows {
            // Fails only for a dialog that is already shown.
            let _ = dialog.show_modal();
        } else {
            dialog.close();
        }
    }
}

/// The selectable items of a file picker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pick {
    /// Files.
    Files,
    /// One folder with all its files.
    Folder,
}

/// Opens the browser's file picker of a file input.
pub(super) fn open_picker(input: &NodeRef, pick: Pick) {
    if let Some(input) = input.cast::<HtmlInputElement>() {
        input.set_webkitdirectory(pick == Pick::Folder);
        input.click();
    }
}

/// The value of a text field.
pub(crate) fn text_of(field: &NodeRef) -> String {
    let area = field.cast::<HtmlTextAreaElement>().map(|field| field.value());
    area.or_else(|| field.cast::<HtmlInputElement>().map(|field| field.value())).unwrap_or_default()
}

/// The vertical position of a click in a drawing, from 0 to 1.
pub(crate) fn height_of_click(event: &MouseEvent) -> Option<f64> {
    let element = event.target()?.dyn_into::<Element>().ok()?.closest("svg").ok()??;
    let shape = element.get_bounding_client_rect();
    Some(((f64::from(event.client_y()) - shape.top()) / shape.height().max(1.0)).clamp(0.0, 1.0))
}
