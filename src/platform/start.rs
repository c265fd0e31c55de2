//! Calls `www/boot/start.js`, which keeps files that are dropped or chosen before this code runs.

use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::File;
use yew::Callback;

use super::files::Files;
use super::folder::DroppedItem;
use crate::state::Action;

// It can be missing: a page built in another way has no such script.
#[wasm_bindgen(js_namespace = evalcheckStart)]
extern "C" {
    #[wasm_bindgen(catch, js_name = takeOver)]
    fn take_over_js(callback: &JsValue) -> Result<(), JsValue>;
}

/// Takes over from the script, and opens the files and folders that it has kept.
pub(super) fn take_over(files: &Rc<Files>, dispatch: &Callback<Action>) {
    let (files, dispatch) = (Rc::clone(files), dispatch.clone());
    let callback = Closure::<dyn Fn(Array)>::new(move |kept: Array| {
        let item = |item: JsValue| match item.dyn_into::<File>() {
            Ok(file) => DroppedItem::File(file),
            Err(folder) => DroppedItem::Folder(folder.unchecked_into()),
        };
        if let Some(action) = files.open_kept(kept.iter().map(item).collect(), &dispatch) {
            dispatch.emit(action);
        }
    });
    let _ = take_over_js(&callback.into_js_value());
}
