//! The comparison with another version of the file.

use std::rc::Rc;

use crate::state::State;
use crate::state::action::CompareAction;
use crate::state::comparing::Comparing;
use crate::state::dataset::Dataset;
use crate::state::effect::{Effect, FilePurpose};
use crate::state::view_id::ViewId;

impl State {
    /// Compares the shown file with another version, or ends the comparison.
    pub(super) fn update_comparison(&mut self, action: CompareAction, effects: &mut Vec<Effect>) {
        match action {
            CompareAction::Pick => effects.push(Effect::PickFile(FilePurpose::Version)),
            CompareAction::With(other) => {
                let is_newer = self.check.as_ref().is_some_and(|check| is_newer(&other, check.original()));
                self.compare(Comparing { other: Rc::new(other), is_other_newer: is_newer }, effects);
            }
            CompareAction::WithPrevious => {
                if let Some(previous) = &self.previous {
                    let other = Rc::clone(&previous.dataset);
                    self.compare(Comparing { other, is_other_newer: false }, effects);
                }
            }
            // The question was already answered.
            CompareAction::WithDropped => {}
            CompareAction::Swap => {
                let shown = self.check.as_ref().and_then(|check| check.preview.comparing());
                if let Some(Comparing { other, is_other_newer }) = shown {
                    self.compare(Comparing { other, is_other_newer: !is_other_newer }, effects);
                }
            }
            CompareAction::End => self.end_comparison(None, effects),
        }
    }

    /// Compares the shown file, as it is now, with another version.
    fn compare(&mut self, comparing: Comparing, effects: &mut Vec<Effect>) {
        self.end_comparison(Some(&comparing.other), effects);
        let Some(check) = self.check.as_mut().filter(|check| check.can_compare()).map(Rc::make_mut) else {
            return effects.push(Effect::ReleaseFile(comparing.other.key));
        };
        check.preview.chosen.change(|shown| *shown = Some(comparing));
        check.preview.view = ViewId::COMPARED;
    }

    /// Ends the shown comparison, and releases the other version unless it is still needed.
    pub(super) fn end_comparison(&mut self, needed: Option<&Dataset>, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut() else { return };
        let Some(ended) = check.preview.comparing() else { return };
        let check = Rc::make_mut(check);
        check.preview.chosen.change::<Option<Comparing>>(|shown| *shown = None);
        if check.preview.view == ViewId::COMPARED {
            check.preview.view = if check.has_records() { ViewId::RECORDS } else { ViewId::FINDINGS };
        }
        let key = ended.other.key;
        let mut others = needed.into_iter().chain(self.previous.as_ref().map(|previous| &*previous.dataset));
        if !others.any(|other| other.key == key) {
            effects.push(Effect::ReleaseFile(key));
        }
    }
}

/// The version with the later modification time is the newer one.
fn is_newer(other: &Dataset, shown: &Dataset) -> bool {
    other.modified_ms > shown.modified_ms
}
