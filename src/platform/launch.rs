//! Files that the operating system opens with the installed page.

use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use super::files::Files;
use super::handles::DiskFile;
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

}

/// Opens the files as if they were dropped.
pub(super) fn listen(files: &Rc<Files>, dispatch: &Callback<Action>) {
    let (files, dispatch) = (Rc::clone(files), dispatch.clone());
    let consumer = Closure::<dyn Fn(LaunchParams)>::new(move |params: LaunchParams| {
        // Opening the installed page itself is a launch without files.
        let Some(handles) = params.files().filter(|handles| handles.length() > 0) else { return };
        let (files, dispatch) = (Rc::clone(&files), dispatch.clone());
        let handles: Vec<DiskFile> = handles.iter().map(JsCast::unchecked_into).collect();
        spawn_local(async move { files.open_handles(&handles, &dispatch).await });
    });
    LAUNCH_QUEUE.with(|queue| {
        if let Some(queue) = queue {
            queue.set_consumer(&consumer.into_js_value());
        }
    });
}
