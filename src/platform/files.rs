//! Files that were handed over, and files that the page makes.

use std::cell::RefCell;
use std::rc::Rc;

use evalcheck_wire::catalogue::ExampleContent;
use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{DataTransfer, Event, File, FileList, FileSystemEntry, HtmlInputElement};
use yew::Callback;

use super::folder::{self, Found};
use crate::state::number::whole;
use crate::state::{Action, Dataset, FileKey, Handed, LeftOut, NewFile, junk};

/// The browser's handles of the files that the page shows.
#[derive(Default)]
pub(super) struct Files(RefCell<Shelf>);

#[derive(Default)]
struct Shelf {
    last: u32,
    /// By growing key.
    held: Vec<Held>,
    /// Counts what was handed over, so that a folder that is still being read is given up for what came later.
    hands: u32,
}

/// A file with its size and time as they were when it was handed over: what the browser says later may be of what
/// it has become.
#[derive(Clone)]
pub(super) struct Held {
    key: FileKey,
    /// The browser's handle.
    pub(super) file: File,
    /// Its size in bytes.
    pub(super) size: f64,
    /// When it was last changed, in milliseconds since 1970.
    pub(super) modified_ms: f64,
}

impl Files {
    /// The file of a key.
    pub(super) fn hold(&self, key: FileKey) -> Option<Held> {
        let held = &self.0.borrow().held;
        held.binary_search_by_key(&key, |held| held.key).ok().map(|at| held[at].clone())
    }

    /// Lets go of all files that came before this one.
    pub(super) fn forget_before(&self, key: FileKey) {
        self.0.borrow_mut().held.retain(|held| held.key >= key);
    }

    /// Size and time of change as the browser has them now.
    pub(super) fn look(&self, key: FileKey) -> Option<(u64, f64)> {
        self.hold(key).map(|held| (whole(held.file.size()), held.file.last_modified()))
    }

    /// A file of the page's own.
    pub(super) fn make(&self, new: &NewFile) -> Action {
        let parts = Array::new();
        match &new.content {
            ExampleContent::Text(text) => parts.push(&text.as_str().into()),
            ExampleContent::Bytes(bytes) => parts.push(&Uint8Array::from(bytes.as_slice())),
        };
        match File::new_with_blob_sequence(&parts, &new.name) {
            Ok(file) => {
                let path = file.name();
                Action::Take(self.take(file, path).into())
            }
            Err(_) => Action::Refuse("The browser could not make a file of this text.".into()),
        }
    }

    /// The files chosen in a file input, if any. The input is emptied, so that the same file can be chosen again.
    pub(super) fn take_from_input(&self, event: &Event) -> Option<Action> {
        let input = event.target()?.dyn_into::<HtmlInputElement>().ok()?;
        self.next_hand();
        let action = self.take_from_list(input.files().as_ref());
        input.set_value("");
        action
    }

    /// Files that the system opens with the page.
    pub(super) fn take_opened(&self, opened: Vec<File>) -> Action {
        self.next_hand();
        let files = opened.into_iter().map(|file| {
            let path = file.name();
            self.take(file, path)
        });
        Action::Take(Handed { files: files.collect(), left_out: LeftOut::default() })
    }

    /// What was dropped or pasted, if it is anything to check: files, folders, or text. A folder is read later.
    pub(super) fn take_from_transfer(
        self: &Rc<Self>,
        transfer: &DataTransfer,
        dispatch: &Callback<Action>,
    ) -> Option<Action> {
        let hand = self.next_hand();
        // Items are gone once the event is over, so all of them are taken now.
        let found = found_in(transfer);
        if found.iter().any(|found| matches!(found, Found::Folder(_))) {
            let (files, dispatch) = (Rc::clone(self), dispatch.clone());
            spawn_local(async move {
                let is_last = || files.0.borrow().hands == hand;
                let progress = |found: u32| {
                    if is_last() {
                        dispatch.emit(Action::Gathering(found));
                    }
                };
                let (gathered, left_out) = folder::gather(found, progress, is_last).await;
                if is_last() {
                    let taken = gathered.into_iter().map(|(path, file)| files.take(file, path)).collect();
                    dispatch.emit(Action::Take(Handed { files: taken, left_out }));
                }
            });
            return Some(Action::Gathering(0));
        }
        self.take_from_list(transfer.files().as_ref()).or_else(|| {
            let text = transfer.get_data("text/plain").ok().filter(|text| !text.trim().is_empty())?;
            Some(Action::CheckText(text))
        })
    }

    fn take_from_list(&self, list: Option<&FileList>) -> Option<Action> {
        let list = list.filter(|list| list.length() > 0)?;
        let mut left_out = LeftOut::default();
        let mut files = Vec::new();
        for file in (0..list.length()).filter_map(|at| list.get(at)) {
            let path = path_of(&file);
            match path.split('/').find_map(junk).filter(|_| list.length() > 1) {
                Some(name) => left_out.note_junk(name),
                None => files.push(self.take(file, path)),
            }
        }
        Some(Action::Take(Handed { files, left_out }))
    }

    /// A file of the page around this one.
    pub(super) fn take_asked(&self, file: File) -> Dataset {
        self.next_hand();
        let path = file.name();
        self.take(file, path)
    }

    fn take(&self, file: File, path: String) -> Dataset {
        let mut files = self.0.borrow_mut();
        files.last += 1;
        let key = FileKey(files.last);
        let (size, modified_ms) = (file.size(), file.last_modified());
        let name = file.name().into();
        let dataset = Dataset { key, name, path: path.into(), size: whole(size), modified_ms };
        files.held.push(Held { key, file, size, modified_ms });
        dataset
    }

    fn next_hand(&self) -> u32 {
        let mut files = self.0.borrow_mut();
        files.hands = files.hands.wrapping_add(1);
        files.hands
    }
}

/// The name of a file with its folders, where a folder was chosen.
fn path_of(file: &File) -> String {
    let relative = Reflect::get(file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
    relative.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name())
}

/// The files and folders among what was dropped.
fn found_in(transfer: &DataTransfer) -> Vec<Found> {
    let items = transfer.items();
    let of_item = |at: u32| {
        let item = items.get(at)?;
        match item.webkit_get_as_entry().ok().flatten() {
            Some(entry) if FileSystemEntry::is_directory(&entry) => {
                Some(Found::Folder(entry.unchecked_into()))
            }
            _ => item.get_as_file().ok().flatten().map(Found::File),
        }
    };
    (0..items.length()).filter_map(of_item).collect()
}
