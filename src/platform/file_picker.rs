//! The file picker for another file beside the shown one.

use std::rc::Rc;

use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::Callback;

use super::files::Files;
use crate::state::{Action, FilePurpose};

/// A file input that is not part of the page, while its picker is open.
pub(super) struct FilePicker {
    _input: HtmlInputElement,
    _listener: EventListener,
}

impl FilePicker {
    /// Opens the picker of the browser; `None` if it has none.
    pub(super) fn open(purpose: FilePurpose, files: &Rc<Files>, dispatch: &Callback<Action>) -> Option<Self> {
        let document = web_sys::window()?.document()?;
        let input: HtmlInputElement = document.create_element("input").ok()?.dyn_into().ok()?;
        input.set_type("file");
        let listener = {
            let (input, files, dispatch) = (input.clone(), Rc::clone(files), dispatch.clone());
            EventListener::once(&input.clone(), "change", move |_| {
                if let Some(file) = input.files().and_then(|list| list.get(0)) {
                    dispatch.emit(purpose.with(files.add_beside(file)));
                }
            })
        };
        input.click();
        Some(Self { _input: input, _listener: listener })
    }
}
