//! Files that were handed over, and files that the page makes.

use std::cell::RefCell;

use evalcheck_wire::catalogue::ExampleContent;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsCast;
use web_sys::{DataTransfer, Event, File, FileList, HtmlInputElement};

use crate::state::number::whole;
use crate::state::{Action, Dataset, FileKey, NewFile};

/// The browser's handles. Only the file that is checked is held.
#[derive(Default)]
pub(super) struct Files(RefCell<Shelf>);

#[derive(Default)]
struct Shelf {
    last: u32,
    held: Vec<Held>,
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
    /// The file of a key; every other one is let go.
    pub(super) fn hold(&self, key: FileKey) -> Option<Held> {
        let held = &mut self.0.borrow_mut().held;
        held.retain(|other| other.key == key);
        held.first().cloned()
    }

    /// Size and time of change as the browser has them now.
    pub(super) fn look(&self, key: FileKey) -> Option<(u64, f64)> {
        let files = self.0.borrow();
        let held = files.held.iter().find(|other| other.key == key)?;
        Some((whole(held.file.size()), held.file.last_modified()))
    }

    /// A file of the page's own.
    pub(super) fn make(&self, new: &NewFile) -> Action {
        let parts = Array::new();
        match &new.content {
            ExampleContent::Text(text) => parts.push(&text.as_str().into()),
            ExampleContent::Bytes(bytes) => parts.push(&Uint8Array::from(bytes.as_slice())),
        };
        match File::new_with_blob_sequence(&parts, &new.name) {
            Ok(file) => Action::Take(self.take(file, 0)),
            Err(_) => Action::Refuse("The browser could not make a file of this text.".into()),
        }
    }

    /// The file chosen in a file input, if any. The input is emptied, so that the same file can be chosen again.
    pub(super) fn take_from_input(&self, event: &Event) -> Option<Action> {
        let input = event.target()?.dyn_into::<HtmlInputElement>().ok()?;
        let action = self.take_from_list(input.files().as_ref());
        input.set_value("");
        action
    }

    /// What was dropped or pasted, if it is anything to check: a file, or text.
    pub(super) fn take_from_transfer(&self, transfer: &DataTransfer) -> Option<Action> {
        if is_folder(transfer) {
            let why = "That is a folder. Drop one file: a .jsonl, or a .zip of the folder.";
            return Some(Action::Refuse(why.into()));
        }
        self.take_from_list(transfer.files().as_ref()).or_else(|| {
            let text = transfer.get_data("text/plain").ok().filter(|text| !text.trim().is_empty())?;
            Some(Action::CheckText(text))
        })
    }

    fn take_from_list(&self, list: Option<&FileList>) -> Option<Action> {
        let list = list?;
        let file = list.get(0)?;
        Some(Action::Take(self.take(file, list.length() - 1)))
    }

    fn take(&self, file: File, ignored: u32) -> Dataset {
        let mut files = self.0.borrow_mut();
        files.last += 1;
        let key = FileKey(files.last);
        let (size, modified_ms) = (file.size(), file.last_modified());
        let dataset = Dataset { key, name: file.name().into(), size: whole(size), modified_ms, ignored };
        files.held.push(Held { key, file, size, modified_ms });
        dataset
    }
}

/// True when the first thing handed over is a folder: browsers give it as a file of no kind that can't be read.
fn is_folder(transfer: &DataTransfer) -> bool {
    transfer
        .items()
        .get(0)
        .and_then(|item| item.webkit_get_as_entry().ok().flatten())
        .is_some_and(|entry| entry.is_directory())
}
