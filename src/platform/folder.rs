//! Reads dropped folders recursively.

use evalcheck_wire::folder::{FIRST_BYTES, Kind, begins_as_dataset, is_hidden, kind_of};
use js_sys::{Array, Function, IteratorNext, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DataTransfer, File, FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry};

use super::handles::{DiskFile, DiskFolder};
use crate::state::{Skipped, system_file};

/// A dropped item.
pub(super) enum DroppedItem {
    /// A file.
    File(File),
    /// A folder.
    Folder(FileSystemDirectoryEntry),
    /// A folder with a handle.
    Handle(DiskFolder),
}

/// An unprocessed item.
enum Pending {
    /// A file and its path.
    File(String, File),
    /// An unread folder.
    Folder(FileSystemDirectoryEntry),
    /// An unread folder, and its path.
    Handle(String, DiskFolder),
}

/// An item in a folder: an entry or a handle.
struct Listed {
    path: String,
    name: String,
    is_folder: bool,
    item: Item,
}

/// An entry of a folder, or its handle.
enum Item {
    Entry(FileSystemEntry),
    Handle(JsValue),
}

/// All files with their paths, in the order of names within each folder. `progress` receives the number of files found so far; reading
/// stops when `is_current` returns false.
pub(super) async fn read_folders(
    items: Vec<DroppedItem>,
    progress: impl Fn(u32),
    is_current: impl Fn() -> bool,
) -> (Vec<(String, File)>, Skipped) {
    let mut skipped = Skipped::default();
    let mut files = Vec::new();
    // A stack: the last item is processed next.
    let mut pending = Vec::new();
    for item in items.into_iter().rev() {
        match item {
            DroppedItem::File(file) => {
                let path = path_of(&file);
                let is_system_file = path.split('/').any(|name| skip_system_file(name, &mut skipped));
                if is_system_file {
                    continue;
                }
                // The path of a file that was chosen with its folder begins with that folder.
                if path.split('/').skip(1).any(is_hidden) {
                    skipped.add_other(path);
                } else {
                    pending.push(Pending::File(path, file));
                }
            }
            DroppedItem::Folder(folder) => {
                if !skip_system_file(&folder.name(), &mut skipped) {
                    pending.push(Pending::Folder(folder));
                }
            }
            DroppedItem::Handle(folder) => pending.push(Pending::Handle(folder.name(), folder)),
        }
    }
    while let Some(next) = pending.pop().filter(|_| is_current()) {
        match next {
            Pending::File(path, file) => {
                if is_dataset(&path, &file).await {
                    files.push((path, file));
                } else {
                    skipped.add_other(path);
                }
            }
            folder => {
                let (path, listed) = match folder {
                    Pending::Handle(path, folder) => (path.clone(), listed_handles(&path, &folder).await),
                    Pending::Folder(folder) => (entry_path(&folder), entries(&folder).await),
                    Pending::File(path, _) => (path, Ok(Vec::new())),
                };
                let Ok(mut listed) = listed else {
                    skipped.add_unreadable(path);
                    continue;
                };
                if listed.is_empty() {
                    skipped.add_empty_folder();
                }
                listed.retain(|item| !skip_by_name(item, &mut skipped));
                push_listed(listed, &mut pending, &mut skipped).await;
                let pending_files = pending.iter().filter(|item| matches!(item, Pending::File(..))).count();
                progress(u32::try_from(files.len() + pending_files).unwrap_or(u32::MAX));
            }
        }
    }
    (files, skipped)
}

/// Returns true for a file or folder created by the operating system, and adds it to `skipped`.
fn skip_system_file(name: &str, skipped: &mut Skipped) -> bool {
    let known = system_file(name);
    if let Some(name) = known {
        skipped.add_system_file(name);
    }
    known.is_some()
}

/// Returns true for a file in a folder that cannot be a dataset, and for a hidden folder. Adds it to `skipped`.
fn skip_by_name(item: &Listed, skipped: &mut Skipped) -> bool {
    let Listed { name, path, is_folder, .. } = item;
    if skip_system_file(name, skipped) {
        return true;
    }
    let is_other = if *is_folder {
        is_hidden(name)
    } else {
        matches!(kind_of(name), Kind::Other | Kind::OfTool | Kind::OtherData)
    };
    if is_other {
        skipped.add_other(format!("{path}{}", if *is_folder { "/" } else { "" }));
    }
    is_other
}

/// Returns true for a possible dataset.
async fn is_dataset(path: &str, file: &File) -> bool {
    match kind_of(path.rsplit_once('/').map_or(path, |(_, name)| name)) {
        Kind::Dataset => true,
        Kind::Other | Kind::OfTool | Kind::OtherData => false,
        // A file that cannot be read is not skipped, so that its row shows the error.
        Kind::Unclear => first_bytes(file).await.is_none_or(|first| begins_as_dataset(&first)),
    }
}

async fn first_bytes(file: &File) -> Option<Vec<u8>> {
    let first = file.slice_with_i32_and_i32(0, FIRST_BYTES.into()).ok()?;
    let bytes = JsFuture::from(first.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&bytes).to_vec())
}

/// The path below the dropped item.
fn entry_path(entry: &FileSystemEntry) -> String {
    entry.full_path().trim_start_matches('/').to_owned()
}

/// All entries of a folder, sorted by name. A browser returns a hundred at a time, and none at the end.
async fn entries(folder: &FileSystemDirectoryEntry) -> Result<Vec<Listed>, JsValue> {
    let reader = folder.create_reader();
    let entries = Array::new();
    loop {
        let some = promise(|resolve, reject| reader.read_entries_with_callback_and_callback(resolve, reject));
        let some: Array = JsFuture::from(some).await?.unchecked_into();
        if some.length() == 0 {
            break;
        }
        for entry in some.iter() {
            entries.push(&entry);
        }
    }
    let listed = |entry: JsValue| {
        let entry: FileSystemEntry = entry.unchecked_into();
        Listed {
            path: entry_path(&entry),
            name: entry.name(),
            is_folder: entry.is_directory(),
            item: Item::Entry(entry),
        }
    };
    Ok(by_name(&entries).iter().map(listed).collect())
}

/// All handles of a folder with this path, sorted by name.
async fn listed_handles(path: &str, folder: &DiskFolder) -> Result<Vec<Listed>, JsValue> {
    let handles = Array::new();
    let values = folder.values()?;
    loop {
        let next: IteratorNext = JsFuture::from(values.next()?).await?.unchecked_into();
        if next.done() {
            break;
        }
        handles.push(&next.value());
    }
    let listed = |item: JsValue| {
        let handle: &DiskFolder = item.unchecked_ref();
        let (name, is_folder) = (handle.name(), handle.kind() == "directory");
        Listed { path: format!("{path}/{name}"), name, is_folder, item: Item::Handle(item) }
    };
    Ok(by_name(&handles).iter().map(listed).collect())
}

/// Sorts entries or handles by name. JavaScript does it, because a sort of the standard library takes 10 kB of wasm.
fn by_name(items: &Array) -> Array {
    let name = |item: &JsValue| item.unchecked_ref::<DiskFolder>().name();
    items.sort_by(&mut |a: JsValue, b: JsValue| name(&a).cmp(&name(&b)) as i32)
}

/// Pushes the items of a folder onto the stack, the first one on top. Files are requested together.
async fn push_listed(listed: Vec<Listed>, pending: &mut Vec<Pending>, skipped: &mut Skipped) {
    let requests = Array::new();
    for Listed { item, .. } in listed.iter().filter(|listed| !listed.is_folder) {
        let request: Promise = match item {
            Item::Entry(entry) => promise(|resolve, reject| {
                let entry: &FileSystemFileEntry = entry.unchecked_ref();
                entry.file_with_callback_and_callback(resolve, reject);
                Ok(())
            }),
            Item::Handle(handle) => {
                handle.unchecked_ref::<DiskFile>().get_file().unwrap_or_else(|error| Promise::reject(&error))
            }
        };
        requests.push(&request);
    }
    let settled = JsFuture::from(Promise::all_settled(&requests)).await.unwrap_or_default();
    let answers: Vec<JsValue> = Array::from(&settled).to_vec();
    let mut answers = answers.into_iter().rev();
    for Listed { path, is_folder, item, .. } in listed.into_iter().rev() {
        if is_folder {
            pending.push(match item {
                Item::Entry(entry) => Pending::Folder(entry.unchecked_into()),
                Item::Handle(handle) => Pending::Handle(path, handle.unchecked_into()),
            });
            continue;
        }
        let file = answers.next().and_then(|answer| Reflect::get(&answer, &"value".into()).ok());
        match file.and_then(|file| file.dyn_into::<File>().ok()) {
            Some(file) => pending.push(Pending::File(path, file)),
            None => skipped.add_unreadable(path),
        }
    }
}

/// Wraps a function with two callbacks in a promise.
fn promise(mut call: impl FnMut(&Function, &Function) -> Result<(), JsValue>) -> Promise {
    Promise::new(&mut |resolve, reject| {
        if let Err(why) = call(&resolve, &reject) {
            let _ = reject.call1(&JsValue::UNDEFINED, &why);
        }
    })
}

/// The name of a file, with its folders if a folder was chosen.
pub(super) fn path_of(file: &File) -> String {
    let relative = Reflect::get(file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
    relative.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name())
}

/// Returns true if there is a folder, or a file that was chosen with its folder.
pub(super) fn has_folder(items: &[DroppedItem]) -> bool {
    items.iter().any(|item| match item {
        DroppedItem::Folder(_) | DroppedItem::Handle(_) => true,
        DroppedItem::File(file) => path_of(file).contains('/'),
    })
}

/// The dropped files and folders.
pub(super) fn dropped_items(transfer: &DataTransfer) -> Vec<DroppedItem> {
    let items = transfer.items();
    let entry_of = |index: u32| {
        let item = items.get(index)?;
        match item.webkit_get_as_entry().ok().flatten() {
            Some(entry) if FileSystemEntry::is_directory(&entry) => {
                Some(DroppedItem::Folder(entry.unchecked_into()))
            }
            _ => item.get_as_file().ok().flatten().map(DroppedItem::File),
        }
    };
    (0..items.length()).filter_map(entry_of).collect()
}
