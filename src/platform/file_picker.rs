//! The file picker for another file beside the shown one, or for a schema.

use std::rc::Rc;

use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{File, HtmlInputElement};
use yew::Callback;

use super::files::{Files, list};
use super::schema_file;
use crate::state::{Action, FilePurpose};

/// A file input that is not part of the page, while its picker is open.
pub(super) struct FilePicker {
    _input: HtmlInputElement,
    _listener: EventListener,
}

impl FilePicker {
    /// Opens the picker of the browser for one file; `None` if it has none.
    pub(super) fn open(purpose: FilePurpose, files: &Rc<Files>, dispatch: &Callback<Action>) -> Option<Self> {
        let (files, dispatch) = (Rc::clone(files), dispatch.clone());
        Self::open_for(false, move |chosen| {
            if let Some(file) = chosen.into_iter().next() {
                dispatch.emit(purpose.with(files.add_beside(file)));
            }
        })
    }

    /// Opens the picker of the browser for the files of a schema; `None` if it has none.
    pub(super) fn open_for_schema(dispatch: &Callback<Action>) -> Option<Self> {
        let dispatch = dispatch.clone();
        Self::open_for(true, move |chosen| {
            spawn_local(async move { dispatch.emit(schema_file::read_chosen(chosen).await) });
        })
    }

    fn open_for(is_multiple: bool, on_chosen: impl FnOnce(Vec<File>) + 'static) -> Option<Self> {
        let document = web_sys::window()?.document()?;
        let input: HtmlInputElement = document.create_element("input").ok()?.dyn_into().ok()?;
        input.set_type("file");
        input.set_multiple(is_multiple);
        let listener = {
            let input = input.clone();
            EventListener::once(&input.clone(), "change", move |_| {
                let chosen = list(input.files());
                if !chosen.is_empty() {
                    on_chosen(chosen);
                }
            })
        };
        input.click();
        Some(Self { _input: input, _listener: listener })
    }
}
