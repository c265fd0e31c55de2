//! The list of the files of the archive: requests to the worker, and its answers.

use std::rc::Rc;

use evalcheck_wire::attachments::{AttachmentList, AttachmentQuery};
use evalcheck_wire::worker::{CheckId, Command, RequestId};

use crate::state::State;
use crate::state::action::Effect;
use crate::state::preview::{AUTO_LOADED_BYTES, Selection};

impl State {
    /// Changes the filter or the order of the list.
    pub(super) fn list_files(&mut self, query: AttachmentQuery, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        Rc::make_mut(&mut check.preview.files).list(query);
        if matches!(check.preview.selection, Some(Selection::File(_))) {
            self.select(None, effects);
        }
    }

    /// Requests the visible files.
    pub(super) fn request_files(&mut self, id: CheckId, effects: &mut Vec<Effect>) {
        let Some(check) = &self.check else { return };
        let of = check.preview.files.query.clone();
        self.request_items(
            |preview| Some(&mut Rc::make_mut(&mut preview.files).cache),
            |request, from, count| Command::ListAttachments { id, request, of: of.clone(), from, count },
            effects,
        );
    }

    /// Stores files.
    pub(super) fn store_files(
        &mut self,
        id: CheckId,
        request: RequestId,
        list: AttachmentList,
        effects: &mut Vec<Effect>,
    ) {
        if let Some(check) = self.check_of(id) {
            Rc::make_mut(&mut check.preview.files).store(request, list);
            self.load_selected_file(effects);
        }
    }

    /// Selects a file of the list, and loads it.
    pub(super) fn select_file(&mut self, number: u64, open: bool, effects: &mut Vec<Effect>) {
        self.select_and_focus(Selection::File(number), open, effects);
        self.load_selected_file(effects);
    }

    /// Loads the selected file, unless it is large.
    fn load_selected_file(&mut self, effects: &mut Vec<Effect>) {
        let file = self.check.as_ref().and_then(|check| check.preview.selected_file());
        let file = file.filter(|file| file.size <= AUTO_LOADED_BYTES);
        if let Some(entry) = file.and_then(|file| file.entry.clone()) {
            self.request_attachment(entry.into(), effects);
        }
    }
}
