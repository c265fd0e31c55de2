//! Handles of opened files on disk: every two seconds, the page asks whether the last file that has one changed.

use std::rc::Rc;

use gloo_timers::callback::Interval;
use js_sys::{Date, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::File;
use yew::Callback;

use super::Files;
use crate::platform::handles::DiskFile;
use crate::state::{Action, Dataset, DiskAction, FileKey};

/// Milliseconds between two checks for changes.
const ASK_EVERY_MS: u32 = 2_000;

/// Milliseconds after its last change during which a file may still be written.
const SETTLES_MS: f64 = 500.0;

impl Files {
    /// Keeps the handle of a file, and starts to check whether the file changed.
    fn keep_handle(self: &Rc<Self>, key: FileKey, handle: DiskFile, dispatch: &Callback<Action>) {
        let mut opened = self.0.borrow_mut();
        let Some(file) = opened.list.iter_mut().find(|file| file.key == key) else { return };
        file.on_disk = Some(handle);
        let (files, answer) = (Rc::clone(self), dispatch.clone());
        opened
            .questions
            .get_or_insert_with(|| Interval::new(ASK_EVERY_MS, move || files.ask_for_change(&answer)));
        drop(opened);
        dispatch.emit(DiskAction::HasHandle(key).into());
    }

    /// Keeps the handle of a file, to which a promise resolves if the browser allows it.
    pub(super) async fn keep_handle_of(
        self: Rc<Self>,
        key: FileKey,
        handle: Promise,
        dispatch: Callback<Action>,
    ) {
        // Without a handle the file can be checked, but not read again.
        let handle = JsFuture::from(handle).await.ok().filter(JsValue::is_object);
        if let Some(handle) = handle {
            self.keep_handle(key, handle.unchecked_into(), &dispatch);
        }
    }

    /// Checks whether the last opened file changed on disk, if the browser has a handle of it.
    fn ask_for_change(self: &Rc<Self>, dispatch: &Callback<Action>) {
        let document = web_sys::window().and_then(|window| window.document());
        let is_hidden = document.is_none_or(|document| document.hidden());
        let Some((key, handle)) = self.last_handle().filter(|_| !is_hidden) else { return };
        let (files, dispatch) = (Rc::clone(self), dispatch.clone());
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

    /// The last file that has a handle.
    fn last_handle(&self) -> Option<(FileKey, DiskFile)> {
        let opened = self.0.borrow();
        opened.list.iter().rev().find_map(|file| Some((file.key, file.on_disk.clone()?)))
    }

    /// Adds the current file on disk in place of the one with this key, and moves the handle to it; `None` if it did not change.
    fn replace_changed(&self, key: FileKey, file: File, handle: DiskFile) -> Option<Dataset> {
        {
            let mut opened = self.0.borrow_mut();
            let before = opened.list.iter_mut().find(|before| before.key == key)?;
            let is_same = before.size.total_cmp(&file.size()).is_eq()
                && before.modified_ms.total_cmp(&file.last_modified()).is_eq();
            if is_same || before.on_disk.take().is_none() {
                return None;
            }
        }
        let path = file.name();
        let dataset = self.add(file, path);
        if let Some(added) = self.0.borrow_mut().list.last_mut() {
            added.on_disk = Some(handle);
        }
        Some(dataset)
    }
}
