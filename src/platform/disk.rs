//! The browser's pickers of files and folders on disk, which return handles.

use std::rc::Rc;

use js_sys::{Array, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::Callback;

use super::files::Files;
use super::handles::{DiskFile, has_function};
use crate::state::Action;

// web-sys has these only with a compiler flag.
#[wasm_bindgen]
extern "C" {
    type Picker;

    #[wasm_bindgen(method, catch, js_name = showOpenFilePicker)]
    fn show_open_file_picker(this: &Picker, options: &Object) -> Result<Promise, JsValue>;

    #[wasm_bindgen(method, catch, js_name = showDirectoryPicker)]
    fn show_directory_picker(this: &Picker) -> Result<Promise, JsValue>;
}

/// A picker of the browser; `None` in a frame, or if the browser has none of this name.
fn picker(name: &str) -> Option<Picker> {
    let window = web_sys::window()?;
    let is_framed = window.parent().ok().flatten().is_none_or(|parent| parent != window);
    (!is_framed && has_function(&window, name)).then(|| window.unchecked_into())
}

/// Opens a picker that returns the handle of a folder. Returns false if the browser has none, or only outside of frames.
pub(super) fn pick_folder(files: &Rc<Files>, dispatch: &Callback<Action>) -> bool {
    let Some(Ok(picked)) = picker("showDirectoryPicker").map(|picker| picker.show_directory_picker()) else {
        return false;
    };
    let (files, dispatch) = (Rc::clone(files), dispatch.clone());
    spawn_local(async move {
        // The user may pick nothing.
        if let Ok(folder) = JsFuture::from(picked).await {
            files.open_folder(folder.unchecked_into(), &dispatch);
        }
    });
    true
}

/// Opens a picker that returns file handles. Returns false if the browser has none, or only outside of frames.
pub(super) fn pick(files: &Rc<Files>, dispatch: &Callback<Action>) -> bool {
    let Some(window) = picker("showOpenFilePicker") else { return false };
    let options = Object::new();
    // Setting a property of a new object does not fail.
    let _ = Reflect::set(&options, &"multiple".into(), &true.into());
    let Ok(picked) = window.show_open_file_picker(&options) else { return false };
    let (files, dispatch) = (Rc::clone(files), dispatch.clone());
    spawn_local(async move {
        // The user may pick nothing.
        let Ok(picked) = JsFuture::from(picked).await else { return };
        let handles: Vec<DiskFile> = Array::from(&picked).iter().map(JsCast::unchecked_into).collect();
        files.open_handles(&handles, &dispatch).await;
    });
    true
}
