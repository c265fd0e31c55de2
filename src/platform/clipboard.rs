//! The clipboard.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Document, HtmlDocument, HtmlTextAreaElement};
use yew::Callback;

/// Copies a text to the clipboard; passes whether that worked to `done`.
pub(super) fn copy(text: String, done: Callback<bool>) {
    let Some(window) = web_sys::window() else { return done.emit(false) };
    let clipboard = window.navigator().clipboard();
    // Pages loaded over plain HTTP from another machine have no clipboard API.
    let missing = JsValue::is_undefined(clipboard.as_ref());
    spawn_local(async move {
        let written = !missing && JsFuture::from(clipboard.write_text(&text)).await.is_ok();
        done.emit(
            written || window.document().and_then(|document| copy_by_selection(&document, &text)).is_some(),
        );
    });
}

/// The older API: selects the text in a field and executes the copy command.
fn copy_by_selection(document: &Document, text: &str) -> Option<()> {
    let field = document.create_element("textarea").ok()?.dyn_into::<HtmlTextAreaElement>().ok()?;
    field.set_value(text);
    field.set_class_name("visually-hidden");
    let body = document.body()?;
    body.append_child(&field).ok()?;
    field.select();
    let copied = document.dyn_ref::<HtmlDocument>().and_then(|document| document.exec_command("copy").ok());
    field.remove();
    copied.filter(|copied| *copied).map(|_| ())
}
