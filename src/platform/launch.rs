//! Files that the operating system opens with the installed page.

use std::rc::Rc;

use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::File;
use yew::Callback;

use super::files::Files;
use crate::state::Action;

#[wasm_bindgen]
extern "C" {
    type LaunchQueue;

    // Only browsers that install pages have a launch queue.
    #[wasm_bindgen(thread_local_v2, js_name = launchQueue)]
    static LAUNCH_QUEUE: Option<LaunchQueue>;

    #[wasm_bindgen(method, js_name = setConsumer)]
    fn set_consumer(this: &LaunchQueue, consumer: &JsValue);

    type LaunchParams;

    #[wasm_bindgen(method, getter)]
    fn files(this: &LaunchParams) -> Option<Array>;

    type FileHandle;

    #[wasm_bindgen(method, catch, js_name = getFile)]
    fn get_file(this: &FileHandle) -> Result<Promise, JsValue>;
}

/// Opens them as if they were dropped.
pub(super) fn listen(files: &Rc<Files>, dispatch: &Callback<Action>) {
    let (files, dispatch) = (Rc::clone(files), dispatch.clone());
    let consumer = Closure::<dyn Fn(LaunchParams)>::new(move |params: LaunchParams| {
        // Opening the installed page itself is a launch without files.
        let Some(handles) = params.files().filter(|handles| handles.length() > 0) else { return };
        let (files, dispatch) = (Rc::clone(&files), dispatch.clone());
        spawn_local(async move {
            let requests: Array = handles
                .iter()
                .map(|handle| {
                    handle.unchecked_ref::<FileHandle>().get_file().map_or_else(|why| why, JsValue::from)
                })
                .collect();
            let opened = JsFuture::from(Promise::all(&requests)).await;
            let opened: Option<Vec<File>> = opened
                .ok()
                .and_then(|opened| Array::from(&opened).iter().map(|file| file.dyn_into().ok()).collect());
            dispatch.emit(match opened {
                Some(opened) => files.open_launched(opened),
                None => Action::OpenFailed("The browser could not open the files.".into()),
            });
        });
    });
    LAUNCH_QUEUE.with(|queue| {
        if let Some(queue) = queue {
            queue.set_consumer(&consumer.into_js_value());
        }
    });
}
