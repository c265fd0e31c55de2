//! Handles of files and folders on disk, in browsers that have them.

use js_sys::{AsyncIterator, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{DataTransfer, File};

// web-sys has these only with a compiler flag.
#[wasm_bindgen]
extern "C" {
    /// A handle of a file on disk.
    #[derive(Clone)]
    pub(super) type DiskFile;

    #[wasm_bindgen(method, getter)]
    pub(super) fn name(this: &DiskFile) -> String;

    #[wasm_bindgen(method, catch, js_name = getFile)]
    pub(super) fn get_file(this: &DiskFile) -> Result<Promise, JsValue>;

    /// A handle of a folder on disk.
    #[derive(Clone)]
    pub(super) type DiskFolder;

    #[wasm_bindgen(method, getter)]
    pub(super) fn kind(this: &DiskFolder) -> String;

    #[wasm_bindgen(method, getter)]
    pub(super) fn name(this: &DiskFolder) -> String;

    /// The handles of its items.
    #[wasm_bindgen(method, catch)]
    pub(super) fn values(this: &DiskFolder) -> Result<AsyncIterator, JsValue>;

    #[wasm_bindgen(method, catch, js_name = getDirectoryHandle)]
    async fn folder(this: &DiskFolder, name: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch, js_name = getFileHandle)]
    async fn file(this: &DiskFolder, name: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch, js_name = requestPermission)]
    async fn request_permission(this: &DiskFolder, options: &Object) -> Result<JsValue, JsValue>;

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

impl DiskFolder {
    /// The handle of a file, by its path below this folder.
    pub(super) async fn find(&self, path: &str) -> Result<DiskFile, JsValue> {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut folder = self.clone();
        for name in folders.split('/').filter(|name| !name.is_empty()) {
            folder = folder.folder(name).await?.unchecked_into();
        }
        Ok(folder.file(name).await?.unchecked_into())
    }

    /// Requests permission to write. The browser asks the user if needed.
    pub(super) async fn may_write(&self) -> bool {
        let options = Object::new();
        // Setting a property of a new object does not fail.
        let _ = Reflect::set(&options, &"mode".into(), &"readwrite".into());
        self.request_permission(&options).await.is_ok_and(|answer| answer == "granted")
    }
}

/// The handles of the dropped files and folders, if the browser supports that. Must be called during the event.
pub(super) fn dropped_handles(transfer: &DataTransfer) -> Vec<Promise> {
    let items = transfer.items();
    let handle_of = |index| {
        let item: JsValue = items.get(index)?.into();
        let gives_handles = has_function(&item, "getAsFileSystemHandle");
        gives_handles.then(|| item.unchecked_ref::<Item>().get_as_file_system_handle().ok())?
    };
    (0..items.length()).filter_map(handle_of).collect()
}

/// Whether an object of the browser has a function.
pub(super) fn has_function(object: &JsValue, name: &str) -> bool {
    Reflect::get(object, &name.into()).is_ok_and(|member| member.is_function())
}
