//! The browser's handles of opened files, and files that the page creates. Where the browser has a handle of the last file on disk, the
//! page checks every two seconds whether it changed (`on_disk`).

mod on_disk;

use std::cell::RefCell;
use std::rc::Rc;

use evalcheck_wire::catalogue::ExampleContent;
use gloo_timers::callback::Interval;
use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DataTransfer, Event, File, FileList, HtmlInputElement};
use yew::{AttrValue, Callback};

use super::folder::{self, DroppedItem, dropped_items, has_folder, path_of};
use super::handles::{DiskFile, DiskFolder, dropped_handles};
use super::schema_file;
use super::time::now_ms;
use crate::display::format_number::whole;
use crate::state::{Action, Dataset, DroppedItems, FileKey, FilePurpose, NewFile};

/// Milliseconds after which adding files lets the page do something else.
const SLICE_MS: f64 = 20.0;

/// The browser's handles of the files that the page shows.
#[derive(Default)]
pub(super) struct Files(RefCell<Opened>);

#[derive(Default)]
struct Opened {
    last_key: u32,
    /// Sorted by key.
    list: Vec<FileHandle>,
    /// Counts openings, so that reading a folder stops when something else is opened.
    openings: u32,
    /// The timer that checks whether files changed on disk.
    questions: Option<Interval>,
    /// Folders with handles, each with the keys of the first and the last file opened with it.
    folders: Vec<(FileKey, FileKey, DiskFolder)>,
}

/// A file with its size and time when it was opened. The browser later reports the current values.
#[derive(Clone)]
pub(super) struct FileHandle {
    key: FileKey,
    /// The browser's handle.
    pub(super) file: File,
    /// Its size in bytes.
    pub(super) size: f64,
    /// When it was last modified, in milliseconds since 1970.
    pub(super) modified_ms: f64,
    /// The handle for reading the current file on disk.
    on_disk: Option<DiskFile>,
    /// The size and time on disk after the page has written there.
    pub(super) written: Option<(f64, f64)>,
}

impl Files {
    /// The file with this key.
    pub(super) fn get(&self, key: FileKey) -> Option<FileHandle> {
        let handles = &self.0.borrow().list;
        handles.binary_search_by_key(&key, |handle| handle.key).ok().map(|index| handles[index].clone())
    }

    /// Releases all files that were opened before this one.
    pub(super) fn release_before(&self, key: FileKey) {
        let mut opened = self.0.borrow_mut();
        opened.list.retain(|handle| handle.key >= key);
        opened.folders.retain(|(_, last, _)| *last >= key);
    }

    /// The handle of the folder with this name with which a file was opened.
    pub(super) fn folder_of(&self, key: FileKey, name: &str) -> Option<DiskFolder> {
        let opened = self.0.borrow();
        let is_of = |(first, last, folder): &&(FileKey, FileKey, DiskFolder)| {
            (*first..=*last).contains(&key) && folder.name() == name
        };
        opened.folders.iter().find(is_of).map(|(.., folder)| folder.clone())
    }

    /// Replaces a file with one of the same content.
    pub(super) fn replace(&self, key: FileKey, file: File) {
        self.change(key, |handle| handle.file = file);
    }

    /// Stores the size and time on disk of a file that the page has written.
    pub(super) fn note_written(&self, key: FileKey, written: (f64, f64)) {
        self.change(key, |handle| handle.written = Some(written));
    }

    fn change(&self, key: FileKey, change: impl FnOnce(&mut FileHandle)) {
        if let Some(handle) = self.0.borrow_mut().list.iter_mut().find(|handle| handle.key == key) {
            change(handle);
        }
    }

    /// Releases a file.
    pub(super) fn release(&self, key: FileKey) {
        self.0.borrow_mut().list.retain(|handle| handle.key != key);
    }

    /// The current size and modification time.
    pub(super) fn inspect(&self, key: FileKey) -> Option<(u64, f64)> {
        self.get(key).map(|handle| (whole(handle.file.size()), handle.file.last_modified()))
    }

    /// Creates a file.
    pub(super) fn create(&self, new: &NewFile) -> Action {
        let parts = Array::new();
        match &new.content {
            ExampleContent::Text(text) => parts.push(&text.as_str().into()),
            ExampleContent::Bytes(bytes) => parts.push(&Uint8Array::from(bytes.as_slice())),
        };
        match File::new_with_blob_sequence(&parts, &new.name) {
            Ok(file) => {
                let path = file.name();
                Action::OpenFiles(self.add(file, path).into())
            }
            Err(_) => Action::OpenFailed("The browser could not create a file from this text.".into()),
        }
    }

    /// Adds a file that was created from another one, or chosen beside it.
    pub(super) fn add_beside(&self, file: File) -> Dataset {
        let name = file.name();
        self.add(file, name)
    }

    /// Opens the files chosen in a file input, if any. The input is cleared, so that the same file can be chosen again.
    pub(super) fn open_input(self: &Rc<Self>, event: &Event, dispatch: &Callback<Action>) -> Option<Action> {
        let input = event.target()?.dyn_into::<HtmlInputElement>().ok()?;
        let files = list(input.files());
        input.set_value("");
        self.open_kept(files.into_iter().map(DroppedItem::File).collect(), dispatch)
    }

    /// Opens files by their handles: from the operating system, which passes them to the installed page, or from a picker.
    pub(super) async fn open_handles(self: &Rc<Self>, handles: &[DiskFile], dispatch: &Callback<Action>) {
        let mut items = Vec::new();
        for handle in handles {
            let Ok(file) = handle.read().await else {
                return dispatch.emit(Action::OpenFailed("The browser could not open the files.".into()));
            };
            items.push(DroppedItem::File(file));
        }
        let kept = match handles {
            [handle] => {
                let handle: &JsValue = handle.as_ref();
                vec![Promise::resolve(handle)]
            }
            _ => Vec::new(),
        };
        if let Some(action) = self.open(items, kept, dispatch) {
            dispatch.emit(action);
        }
    }

    /// Opens a file, or takes it as a schema.
    async fn open_read(
        self: Rc<Self>,
        file: File,
        handle: Option<Promise>,
        opening: u32,
        dispatch: Callback<Action>,
    ) {
        let schema = schema_file::read_if_schema(&file).await;
        if self.0.borrow().openings != opening {
            return;
        }
        if let Some(schema) = schema {
            let schema = vec![schema];
            return dispatch.emit(Action::OpenFiles(DroppedItems { schema, ..DroppedItems::default() }));
        }
        let path = path_of(&file);
        let dataset = self.add(file, path);
        let key = dataset.key;
        dispatch.emit(Action::OpenFiles(dataset.into()));
        if let Some(handle) = handle {
            self.keep_handle_of(key, handle, dispatch).await;
        }
    }

    /// Opens dropped or pasted files, folders or text. Folders are read asynchronously.
    pub(super) fn open_transfer(
        self: &Rc<Self>,
        transfer: &DataTransfer,
        dispatch: &Callback<Action>,
    ) -> Option<Action> {
        // The items are only available during the event.
        let items = dropped_items(transfer);
        let is_one = items.len() == 1;
        let handles = if is_one || has_folder(&items) { dropped_handles(transfer) } else { Vec::new() };
        self.open(items, handles, dispatch).or_else(|| {
            let text = transfer.get_data("text/plain").ok().filter(|text| !text.trim().is_empty())?;
            Some(Action::CheckText(text))
        })
    }

    /// Adds the file that was dropped on the card of a missing file to the archive, as the entry with this name.
    pub(super) fn add_dropped(&self, transfer: &DataTransfer, entry: AttrValue) -> Action {
        match &mut dropped_items(transfer)[..] {
            [DroppedItem::File(file)] => FilePurpose::Entry(entry).with(self.add_beside(file.clone())),
            _ => Action::OpenFailed("Drop one file to add it.".into()),
        }
    }

    /// Opens files and folders that were chosen, or dropped before this code ran.
    pub(super) fn open_kept(
        self: &Rc<Self>,
        items: Vec<DroppedItem>,
        dispatch: &Callback<Action>,
    ) -> Option<Action> {
        self.open(items, Vec::new(), dispatch)
    }

    /// Opens one file at once, unless it has to be read first because it may be a schema, and starts to read several files and folders. `handles` resolve
    /// to the handles of the items, if the browser has any.
    fn open(
        self: &Rc<Self>,
        items: Vec<DroppedItem>,
        handles: Vec<Promise>,
        dispatch: &Callback<Action>,
    ) -> Option<Action> {
        let opening = self.next_opening();
        match &items[..] {
            [] => None,
            [DroppedItem::File(file)] if schema_file::may_be(file) => {
                let (file, handle) = (file.clone(), handles.into_iter().next());
                spawn_local(Rc::clone(self).open_read(file, handle, opening, dispatch.clone()));
                Some(Action::DragOver(None))
            }
            [DroppedItem::File(file)] => {
                let action = Action::OpenFiles(self.add(file.clone(), path_of(file)).into());
                if let (Some(key), Some(handle)) = (only_file(&action), handles.into_iter().next()) {
                    spawn_local(Rc::clone(self).keep_handle_of(key, handle, dispatch.clone()));
                }
                Some(action)
            }
            _ => Some(self.open_items(items, handles, opening, dispatch)),
        }
    }

    /// Opens a folder by its handle.
    pub(super) fn open_folder(self: &Rc<Self>, folder: DiskFolder, dispatch: &Callback<Action>) {
        let handle: &JsValue = folder.as_ref();
        let handle = Promise::resolve(handle);
        let opening = self.next_opening();
        dispatch.emit(self.open_items(vec![DroppedItem::Handle(folder)], vec![handle], opening, dispatch));
    }

    /// Starts to read folders and several files. `handles` resolve to the handles of the items.
    fn open_items(
        self: &Rc<Self>,
        items: Vec<DroppedItem>,
        handles: Vec<Promise>,
        opening: u32,
        dispatch: &Callback<Action>,
    ) -> Action {
        spawn_local(Rc::clone(self).open_folders(items, handles, opening, dispatch.clone()));
        Action::ReadingFolder(0)
    }

    /// Reads folders and several files, unless something else is opened meanwhile.
    async fn open_folders(
        self: Rc<Self>,
        items: Vec<DroppedItem>,
        handles: Vec<Promise>,
        opening: u32,
        dispatch: Callback<Action>,
    ) {
        let is_current = || self.0.borrow().openings == opening;
        let progress = |found: u32| {
            if is_current() {
                dispatch.emit(Action::ReadingFolder(found));
            }
        };
        let (files, skipped) = folder::read_folders(items, progress, is_current).await;
        let (files, schema) = schema_file::take_schema(files).await;
        let mut folders: Vec<DiskFolder> = Vec::new();
        for handle in handles {
            let handle = JsFuture::from(handle).await.ok().filter(JsValue::is_object);
            let folder = handle.map(JsCast::unchecked_into::<DiskFolder>);
            folders.extend(folder.filter(|folder| folder.kind() == "directory"));
        }
        let Some(files) = self.add_all(files, is_current).await else { return };
        let is_writable = !folders.is_empty();
        if let (Some(first), Some(last)) = (files.first(), files.last()) {
            let folders = folders.into_iter().map(|folder| (first.key, last.key, folder));
            self.0.borrow_mut().folders.extend(folders);
        }
        dispatch.emit(Action::OpenFiles(DroppedItems { files, schema, skipped, is_writable }));
    }

    /// Adds files, and lets the page do something else in between; `None` if something else is opened meanwhile.
    async fn add_all(
        &self,
        files: Vec<(String, File)>,
        is_current: impl Fn() -> bool,
    ) -> Option<Vec<Dataset>> {
        let mut added = Vec::with_capacity(files.len());
        let mut start = now_ms();
        for (path, file) in files {
            if !is_current() {
                return None;
            }
            added.push(self.add(file, path));
            if now_ms() - start > SLICE_MS {
                TimeoutFuture::new(0).await;
                start = now_ms();
            }
        }
        is_current().then_some(added)
    }

    /// Opens a file of the host page.
    pub(super) fn open_for_host(&self, file: File) -> Dataset {
        self.next_opening();
        let path = file.name();
        self.add(file, path)
    }

    fn add(&self, file: File, path: String) -> Dataset {
        let mut files = self.0.borrow_mut();
        files.last_key += 1;
        let key = FileKey(files.last_key);
        let (size, modified_ms) = (file.size(), file.last_modified());
        let name = file.name().into();
        let dataset = Dataset { key, name, path: path.into(), size: whole(size), modified_ms };
        files.list.push(FileHandle { key, file, size, modified_ms, on_disk: None, written: None });
        dataset
    }

    fn next_opening(&self) -> u32 {
        let mut files = self.0.borrow_mut();
        files.openings = files.openings.wrapping_add(1);
        files.openings
    }
}

/// The key of the file that an action of [`Files::open`] opens at once.
fn only_file(action: &Action) -> Option<FileKey> {
    match action {
        Action::OpenFiles(items) => items.files.first().map(|file| file.key),
        _ => None,
    }
}

/// Converts a file list of the browser.
pub(super) fn list(list: Option<FileList>) -> Vec<File> {
    let Some(list) = list else { return Vec::new() };
    (0..list.length()).filter_map(|index| list.get(index)).collect()
}
