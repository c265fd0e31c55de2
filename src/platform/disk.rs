//! Handles of files on disk, in browsers that have them. Every two seconds the page checks whether a file changed.

use std::rc::Rc;

use js_sys::{Array, Date, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DataTransfer, File};
use yew::Callback;

use super::files::Files;
use crate::state::{Action, DiskAction, FileKey};

/// Milliseconds between two checks for changes.
pub(super) const ASK_EVERY_MS: u32 = 2_000;

/// Milliseconds after its last change during which a file may still be written.
const SETTLES_MS: f64 = 500.0;

// web-sys has these only with a compiler flag.
#[wasm_bindgen]
extern "C" {
    /// A handle of a file on disk.
    #[derive(Clone)]
    pub(super) type DiskFile;

    #[wasm_bindgen(method, getter)]
    pub(super) fn kind(this: &DiskFile) -> String;

    #[wasm_bindgen(method, getter)]
    pub(super) fn name(this: &DiskFile) -> String;

    #[wasm_bindgen(method, catch, js_name = getFile)]
    pub(super) fn get_file(this: &DiskFile) -> Result<Promise, JsValue>;

    type Picker;

    #[wasm_bindgen(method, catch, js_name = showOpenFilePicker)]
    fn show_open_file_picker(this: &Picker, options: &Object) -> Result<Promise, JsValue>;

    #[wasm_bindgen(method, catch, js_name = showDirectoryPicker)]
    fn show_directory_picker(this: &Picker) -> Result<Promise, JsValue>;

    type Item;

    #[wasm_bindgen(method, catch, js_name = getAsFileSystemHandle)]
    fn get_as_file_system_handle(this: &Item) -> Result<Promise, JsValue>;
}

impl DiskFile {
    /// The current file.
    pub(super) async fn read(&self) -> Result<File, JsValue> {
        JsFuture::from(self.get_file()?).await?.dyn_into()
    }
}

/// Keeps the handle of the dropped file, if the browser supports that. Must be called during the event.
pub(super) fn keep_dropped(
    transfer: &DataTransfer,
    key: FileKey,
    files: &Rc<Files>,
    dispatch: &Callback<Action>,
) {
    let Some(item) = transfer.items().get(0) else { return };
    let item: JsValue = item.into();
    if !has_function(&item, "getAsFileSystemHandle") {
        return;
    }
    let Ok(handle) = item.unchecked_ref::<Item>().get_as_file_system_handle() else { return };
    let (files, dispatch) = (Rc::clone(files), dispatch.clone());
    spawn_local(async move {
        // Without a handle the file can be checked, but not read again.
        let handle = JsFuture::from(handle).await.ok().filter(JsValue::is_object);
        if let Some(handle) = handle.map(JsCast::unchecked_into::<DiskFile>)
            && handle.kind() == "file"
        {
            files.keep_handle(key, handle, &dispatch);
        }
    });
}

/// The handles of the dropped folders, if the browser supports that. Must be called during the event.
pub(super) fn dropped_folders(transfer: &DataTransfer) -> Vec<Promise> {
    let items = transfer.items();
    let handle_of = |index| {
        let item: JsValue = items.get(index)?.into();
        let gives_handles = has_function(&item, "getAsFileSystemHandle");
        gives_handles.then(|| item.unchecked_ref::<Item>().get_as_file_system_handle().ok())?
    };
    (0..items.length()).filter_map(handle_of).collect()
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

/// Checks whether the last opened file changed on disk, if the browser has a handle of it.
pub(super) fn ask(files: &Rc<Files>, dispatch: &Callback<Action>) {
    let is_hidden =
        web_sys::window().and_then(|window| window.document()).is_none_or(|document| document.hidden());
    let Some((key, handle)) = files.last_handle().filter(|_| !is_hidden) else { return };
    let (files, dispatch) = (Rc::clone(files), dispatch.clone());
    spawn_local(async move {
        // It may be gone, or in the middle of a write.
        let Ok(file) = handle.read().await else { return };
        if Date::now() - file.last_modified() < SETTLES_MS {
            return;
        }
        if let Some(dataset) = files.replace_changed(key, file, handle) {
            dispatch.emit(DiskAction::Changed { key, dataset }.into());
        }
    });
}

fn has_function(object: &JsValue, name: &str) -> bool {
    Reflect::get(object, &name.into()).is_ok_and(|member| member.is_function())
}
