//! The file picker for another version of the file that is shown.

use std::rc::Rc;

use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::Callback;

use super::files::Files;
use crate::state::{Action, CompareAction};

/// A file input that is not part of the page, while its picker is open.
pub(super) struct VersionPicker {
    _input: HtmlInputElement,
    _listener: EventListener,
}

impl VersionPicker {
    /// Opens the picker of the browser. `None` where it has none.
    pub(super) fn open(files: &Rc<Files>, dispatch: &Callback<Action>) -> Option<Self> {
        let document = web_sys::window()?.document()?;
        let input: HtmlInputElement = document.create_element("input").ok()?.dyn_into().ok()?;
        input.set_type("file");
        let listener = {
            let (input, files, dispatch) = (input.clone(), Rc::clone(files), dispatch.clone());
            EventListener::once(&input.clone(), "change", move |_| {
                if let Some(file) = input.files().and_then(|list| list.get(0)) {
                    dispatch.emit(CompareAction::With(files.add_fixed(file)).into());
                }
            })
        };
        input.click();
        Some(Self { _input: input, _listener: listener })
    }
}
