//! Folders: all that is in them, however much.

use js_sys::{Array, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry};

use crate::state::{LeftOut, junk};

/// Something that was handed over.
pub(super) enum Found {
    /// A file.
    File(File),
    /// A folder.
    Folder(FileSystemDirectoryEntry),
}

/// What is still to be looked at.
enum Open {
    /// A file that is here, under its path.
    Here(String, File),
    /// A folder that was not read.
    Folder(FileSystemDirectoryEntry),
}

/// All files, folders walked through in the order of names, with their paths. `progress` is told how many were found
/// so far; nothing more is read once `wanted` says no.
pub(super) async fn gather(
    found: Vec<Found>,
    progress: impl Fn(u32),
    wanted: impl Fn() -> bool,
) -> (Vec<(String, File)>, LeftOut) {
    let mut left_out = LeftOut::default();
    let mut files = Vec::new();
    // The last one is the next.
    let mut open = Vec::new();
    for found in found.into_iter().rev() {
        match found {
            Found::File(file) => open.extend(unless_junk(&file.name(), &mut left_out).then(|| {
                let path = file.name();
                Open::Here(path, file)
            })),
            Found::Folder(folder) => {
                open.extend(unless_junk(&folder.name(), &mut left_out).then_some(Open::Folder(folder)));
            }
        }
    }
    while let Some(next) = open.pop().filter(|_| wanted()) {
        match next {
            Open::Here(path, file) => files.push((path, file)),
            Open::Folder(folder) => {
                let Ok(mut entries) = entries(&folder).await else {
                    left_out.note_unreadable(path_of(&folder));
                    continue;
                };
                if entries.is_empty() {
                    left_out.note_empty_folder();
                }
                entries.retain(|entry| unless_junk(&entry.name(), &mut left_out));
                open_all(entries, &mut open, &mut left_out).await;
                let here = open.iter().filter(|open| matches!(open, Open::Here(..))).count();
                progress(u32::try_from(files.len() + here).unwrap_or(u32::MAX));
            }
        }
    }
    (files, left_out)
}

fn unless_junk(name: &str, left_out: &mut LeftOut) -> bool {
    let junk = junk(name);
    if let Some(name) = junk {
        left_out.note_junk(name);
    }
    junk.is_none()
}

/// The path from what was dropped on.
fn path_of(entry: &FileSystemEntry) -> String {
    entry.full_path().trim_start_matches('/').to_owned()
}

/// All entries of a folder, in the order of their names. A browser gives them a hundred at a time, and none at the end.
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
    // Sorted there and not here: a second sort is 10 kB of wasm.
    let order = |a: FileSystemEntry, b: FileSystemEntry| a.name().cmp(&b.name()) as i32;
    Ok(entries.sort_by(&mut { order }).iter().collect())
}

/// Puts entries before everything that is still open, the first of them first. Their files are asked for together.
async fn open_all(entries: Vec<FileSystemEntry>, open: &mut Vec<Open>, left_out: &mut LeftOut) {
    let asked = Array::new();
    for entry in entries.iter().filter(|entry| !entry.is_directory()) {
        let entry: &FileSystemFileEntry = entry.unchecked_ref();
        asked.push(&promise(|resolve, reject| {
            entry.file_with_callback_and_callback(resolve, reject);
            Ok(())
        }));
    }
    let settled = JsFuture::from(Promise::all_settled(&asked)).await.unwrap_or_default();
    let answers: Vec<JsValue> = Array::from(&settled).to_vec();
    let mut answers = answers.into_iter().rev();
    for entry in entries.into_iter().rev() {
        if entry.is_directory() {
            open.push(Open::Folder(entry.unchecked_into()));
            continue;
        }
        let file = answers.next().and_then(|answer| Reflect::get(&answer, &"value".into()).ok());
        match file.and_then(|file| file.dyn_into::<File>().ok()) {
            Some(file) => open.push(Open::Here(path_of(&entry), file)),
            None => left_out.note_unreadable(path_of(&entry)),
        }
    }
}

/// A promise of what a function with two callbacks gives.
fn promise(mut ask: impl FnMut(&js_sys::Function, &js_sys::Function) -> Result<(), JsValue>) -> Promise {
    Promise::new(&mut |resolve, reject| {
        if let Err(why) = ask(&resolve, &reject) {
            let _ = reject.call1(&JsValue::UNDEFINED, &why);
        }
    })
}
