//! Reads dropped folders recursively.

use evalcheck_wire::folder::{FIRST_BYTES, Kind, begins_as_dataset, is_hidden, kind_of};
use js_sys::{Array, Function, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry};

use super::files::path_of;
use crate::state::{Skipped, system_file};

/// A dropped item.
pub(super) enum DroppedItem {
    /// A file.
    File(File),
    /// A folder.
    Folder(FileSystemDirectoryEntry),
}

/// An item that has not been processed.
enum Pending {
    /// A file and its path.
    File(String, File),
    /// A folder that was not read.
    Folder(FileSystemDirectoryEntry),
}

/// All files with their paths, folders in the order of names. `progress` receives the number of files found so far;
/// reading stops when `is_current` returns false.
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
                // The path of a file that was chosen with its folder has that folder.
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
            Pending::Folder(folder) => {
                let Ok(mut entries) = entries(&folder).await else {
                    skipped.add_unreadable(entry_path(&folder));
                    continue;
                };
                if entries.is_empty() {
                    skipped.add_empty_folder();
                }
                entries.retain(|entry| !skip_by_name(entry, &mut skipped));
                push_entries(entries, &mut pending, &mut skipped).await;
                let pending_files = pending.iter().filter(|item| matches!(item, Pending::File(..))).count();
                progress(u32::try_from(files.len() + pending_files).unwrap_or(u32::MAX));
            }
        }
    }
    (files, skipped)
}

/// True for a file or folder that the operating system created; it is added to `skipped`.
fn skip_system_file(name: &str, skipped: &mut Skipped) -> bool {
    let known = system_file(name);
    if let Some(name) = known {
        skipped.add_system_file(name);
    }
    known.is_some()
}

/// True for an entry of a folder that can be no dataset, or is a hidden folder; it is added to `skipped`.
fn skip_by_name(entry: &FileSystemEntry, skipped: &mut Skipped) -> bool {
    let name = entry.name();
    if skip_system_file(&name, skipped) {
        return true;
    }
    let is_folder = entry.is_directory();
    let is_other = if is_folder { is_hidden(&name) } else { kind_of(&name) == Kind::Other };
    if is_other {
        skipped.add_other(entry_path(entry) + if is_folder { "/" } else { "" });
    }
    is_other
}

/// True for a file to check: one that is in no folder, or that may be a dataset.
async fn is_dataset(path: &str, file: &File) -> bool {
    let Some((_, name)) = path.rsplit_once('/') else { return true };
    match kind_of(name) {
        Kind::Dataset => true,
        Kind::Other => false,
        // One that cannot be read is not checked, and has a row that says so.
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
async fn entries(folder: &FileSystemDirectoryEntry) -> Result<Vec<FileSystemEntry>, JsValue> {
    let reader = folder.create_reader();
    let entries: Array<FileSystemEntry> = Array::new_typed();
    loop {
        let some = promise(|resolve, reject| reader.read_entries_with_callback_and_callback(resolve, reject));
        let some: Array = JsFuture::from(some).await?.unchecked_into();
        if some.length() == 0 {
            break;
        }
        for entry in some.iter() {
            entries.push(entry.unchecked_ref());
        }
    }
    // Sorted by JavaScript, because a sort of the standard library takes 10 kB of wasm.
    let mut order = |a: FileSystemEntry, b: FileSystemEntry| a.name().cmp(&b.name()) as i32;
    Ok(entries.sort_by(&mut order).iter().collect())
}

/// Pushes entries onto the stack, the first one on top. Their files are requested together.
async fn push_entries(entries: Vec<FileSystemEntry>, pending: &mut Vec<Pending>, skipped: &mut Skipped) {
    let requests = Array::new();
    for entry in entries.iter().filter(|entry| !entry.is_directory()) {
        let entry: &FileSystemFileEntry = entry.unchecked_ref();
        requests.push(&promise(|resolve, reject| {
            entry.file_with_callback_and_callback(resolve, reject);
            Ok(())
        }));
    }
    let settled = JsFuture::from(Promise::all_settled(&requests)).await.unwrap_or_default();
    let answers: Vec<JsValue> = Array::from(&settled).to_vec();
    let mut answers = answers.into_iter().rev();
    for entry in entries.into_iter().rev() {
        if entry.is_directory() {
            pending.push(Pending::Folder(entry.unchecked_into()));
            continue;
        }
        let file = answers.next().and_then(|answer| Reflect::get(&answer, &"value".into()).ok());
        match file.and_then(|file| file.dyn_into::<File>().ok()) {
            Some(file) => pending.push(Pending::File(entry_path(&entry), file)),
            None => skipped.add_unreadable(entry_path(&entry)),
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
