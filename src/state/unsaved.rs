//! Unsaved work: fixes that were not downloaded, and typed text. The page asks before it loses any.

use super::State;
use super::action::Action;
use super::batch_task::BatchTask;
use super::dataset::Dataset;
use super::fixes::Fixes;
use crate::display::format_number::{counted, grouped};

/// Work that would be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unsaved {
    /// Fixes that were not downloaded.
    Fixes,
    /// Edits of the text of a record that were not applied.
    Text,
}

/// The question before work is lost.
#[derive(Debug)]
pub(crate) struct LossQuestion {
    /// The work.
    pub(crate) unsaved: Unsaved,
    /// The action that would lose it.
    pub(super) action: Box<Action>,
    /// Whether the action is applied as soon as the fixes are downloaded.
    pub(super) awaits_download: bool,
}

impl LossQuestion {
    /// The file to open, if there is exactly one.
    pub(crate) fn file(&self) -> Option<&Dataset> {
        match &*self.action {
            Action::OpenFiles(items) => match &items.files[..] {
                [file] => Some(file),
                _ => None,
            },
            _ => None,
        }
    }

    /// Asks whether to open what the action opens; `None` if it opens nothing.
    pub(crate) fn opens(&self) -> Option<String> {
        match &*self.action {
            Action::OpenFiles(items) => Some(match self.file() {
                Some(file) => format!("Open {}?", file.name),
                None => format!("Open {}?", counted(items.files.len() as u64, "file")),
            }),
            Action::Disk(_) => Some("Open the changed file?".to_owned()),
            _ => None,
        }
    }
}

impl State {
    /// The fixes of each file that were not downloaded.
    fn unsaved_fixes(&self) -> impl Iterator<Item = &Fixes> {
        let shown = self.check.as_deref();
        let of_shown = shown
            .and_then(|check| check.fixes.as_ref().filter(|fixes| fixes.saved != Some(check.dataset.key)));
        // The batch has an older state of the shown file, from before it was opened.
        let index = shown.and_then(|check| check.batch_index);
        let files = self.batch.as_ref().map_or(&[][..], |batch| &batch.files);
        let others = files.iter().enumerate().filter(move |(other, _)| index != Some(*other));
        let fixed = others.filter_map(|(_, file)| file.fixed.as_ref().filter(|fixed| !fixed.is_saved()));
        of_shown.into_iter().chain(fixed.map(|fixed| &fixed.fixes))
    }

    /// Whether a file has fixes that were not downloaded.
    pub(super) fn has_unsaved_fixes(&self) -> bool {
        self.unsaved_fixes().next().is_some()
    }

    /// Whether files are being fixed.
    pub(super) fn is_changing(&self) -> bool {
        let run = self.batch.as_ref().and_then(|batch| batch.run.as_ref());
        self.fixing.is_some() || run.is_some_and(|run| run.task == BatchTask::Fix)
    }

    /// Describes the fixes that were not downloaded, or that are being applied.
    pub(crate) fn unsaved_in_words(&self) -> String {
        if let Some(fixing) = &self.fixing {
            return format!("{} is being changed.", fixing.check.original().name);
        }
        if self.is_changing() {
            return "The files are being fixed.".to_owned();
        }
        let all: Vec<&Fixes> = self.unsaved_fixes().collect();
        match all[..] {
            [] => String::new(),
            [Fixes { original, applied, left_out: 0, taken_back: 0, saved: None, .. }] => {
                let fixes = if *applied == 1 { "fix that is" } else { "fixes that are" };
                format!("{} has {} {fixes} not downloaded.", original.name, grouped(*applied))
            }
            // Some of them may have been downloaded before.
            [Fixes { original, .. }] => format!("{} has changes that are not downloaded.", original.name),
            _ => format!("{} have fixes that are not downloaded.", counted(all.len() as u64, "file")),
        }
    }

    /// Whether one download saves all fixes that would be lost.
    pub(crate) fn can_save_first(&self) -> bool {
        let is_idle = self.batch.as_ref().is_none_or(|batch| !batch.is_running() && batch.run.is_none());
        let opens = self.question.as_ref().is_some_and(|question| question.opens().is_some());
        // Of several files those that are not shown are packed.
        let is_whole = match &self.check {
            Some(check) => self.unsaved_fixes().map(|fixes| fixes.original.key).eq([check.original().key]),
            None => is_idle,
        };
        opens && is_whole && self.has_unsaved_fixes() && !self.is_changing() && !self.has_typed()
    }
}
