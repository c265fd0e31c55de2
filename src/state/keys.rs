//! The keyboard shortcuts: one table for binding and listing them.

use evalcheck_wire::report::Fix;

use super::action::{Action, Effect, FixAction, PreviewAction};
use super::check::Check;
use super::preview::{Focus, ListKind};
use super::{Direction, State};

/// The effect of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    /// Selects the next or previous row of the shown list.
    Row(Direction),
    /// Selects the next or previous match of a search, or item with an error.
    GoOn(Direction),
    /// Goes to the field for the filter.
    Search,
    /// Goes to the field for the number of a record or a line.
    GoTo,
    /// Applies the fix of the shown finding.
    ApplyFix,
    /// Edits the shown record.
    Edit,
    /// Switches between rendered and source texts of the shown record.
    Rendered,
    /// Takes back the last change.
    Undo,
    /// Shows a list.
    List(ListKind),
    /// Moves from the list to the details, and back.
    OtherPane,
    /// Returns to the list.
    Back,
    /// Lists the shortcuts.
    Help,
}

/// A shortcut.
#[derive(Debug)]
pub(crate) struct Shortcut {
    /// Keys with the same effect, as the browser names them; `Ctrl+` also means the command key.
    pub(crate) keys: &'static [&'static str],
    /// Its effect.
    pub(crate) does: Key,
    /// Its description for the user.
    pub(crate) help: &'static str,
}

/// All shortcuts, in the order of the list.
pub(crate) const SHORTCUTS: [Shortcut; 21] = [
    shortcut(&["j"], Key::Row(Direction::Next), "Next row of the list"),
    shortcut(&["k"], Key::Row(Direction::Previous), "Previous row of the list"),
    shortcut(&["n"], Key::GoOn(Direction::Next), "Next match, or next invalid record"),
    shortcut(&["p"], Key::GoOn(Direction::Previous), "Previous match, or previous invalid record"),
    shortcut(&["/", "Ctrl+f"], Key::Search, "Filter and search"),
    shortcut(&["g"], Key::GoTo, "Go to a record or a line by its number"),
    shortcut(&["f"], Key::ApplyFix, "Apply the fix of the finding shown"),
    shortcut(&["e"], Key::Edit, "Edit the record shown"),
    shortcut(&["m"], Key::Rendered, "Render Markdown in the record shown"),
    shortcut(&["Ctrl+z"], Key::Undo, "Undo the last fix"),
    shortcut(&["1"], Key::List(ListKind::Findings), "Findings"),
    shortcut(&["2"], Key::List(ListKind::Records), "Records"),
    shortcut(&["3"], Key::List(ListKind::Lines), "Lines"),
    shortcut(&["4"], Key::List(ListKind::Fixes), "Fixes"),
    shortcut(&["5"], Key::List(ListKind::Overview), "Overview"),
    shortcut(&["6"], Key::List(ListKind::Attachments), "Attachments"),
    shortcut(&["7"], Key::List(ListKind::Changes), "Changes"),
    shortcut(&["8"], Key::List(ListKind::Compared), "Comparison with another version"),
    shortcut(&["F6"], Key::OtherPane, "Between the list and the details"),
    shortcut(&["Escape"], Key::Back, "Close what is open, or return to the list"),
    shortcut(&["?"], Key::Help, "This list"),
];

const fn shortcut(keys: &'static [&'static str], does: Key, help: &'static str) -> Shortcut {
    Shortcut { keys, does, help }
}

/// Whether the shortcuts are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum KeyList {
    /// They are not listed.
    #[default]
    Hidden,
    /// A dialog lists them.
    Shown,
}

/// The target of the focus after a key, once the page has rendered its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The shown list.
    List,
    /// The details.
    Details,
    /// The field for the filter.
    FilterField,
    /// The field for the number of a record or a line.
    NumberField,
}

impl State {
    /// The keys that currently have an effect. All others are left to the browser.
    pub(super) fn bound_keys(&self) -> Vec<Key> {
        // A dialog has its own keys, and a file cannot be used while it is changed.
        if self.question.is_some() || self.keys == KeyList::Shown || self.fixing.is_some() {
            return Vec::new();
        }
        SHORTCUTS.iter().map(|shortcut| shortcut.does).filter(|key| self.is_bound(*key)).collect()
    }

    fn is_bound(&self, key: Key) -> bool {
        if key == Key::Help {
            return true;
        }
        let Some(check) = &self.check else {
            return matches!(key, Key::Row(_)) && self.batch.is_some();
        };
        match key {
            Key::Help | Key::Row(_) | Key::OtherPane => true,
            Key::GoOn(_) if check.lists_matches() => true,
            Key::GoOn(_) => {
                check.has_list(ListKind::Lines)
                    && check.report().is_some_and(|report| report.counts.invalid > 0)
            }
            Key::Search => check.report().is_some() && check.answering,
            Key::GoTo => check.has_list(ListKind::Lines),
            Key::List(list) => check.has_list(list),
            Key::ApplyFix => shown_fix(check).is_some(),
            Key::Edit => check.is_editable() && check.preview.editing.is_none(),
            Key::Rendered => check.preview.has_rendered_switch(),
            Key::Undo => check.fixes.is_some() && !check.is_running(),
            Key::Back => check.preview.focus == Focus::Details,
        }
    }

    /// The action of a key that was pressed in a pane.
    pub(super) fn key_action(&self, key: Key, pane: Focus, effects: &mut Vec<Effect>) -> Option<Action> {
        if !self.bound_keys().contains(&key) {
            return None;
        }
        let mut lead_to = |place| effects.push(Effect::MoveFocus(place));
        Some(match key {
            Key::Row(direction) => {
                effects.push(Effect::MoveInList(direction));
                return None;
            }
            Key::GoOn(direction) => PreviewAction::GoOn(direction).into(),
            Key::Search => {
                lead_to(Place::FilterField);
                let list = self.check.as_ref()?.preview.list;
                // These lists have no filter field.
                let has_none = matches!(list, ListKind::Fixes | ListKind::Attachments | ListKind::Compared);
                let list = if has_none { ListKind::Records } else { list };
                PreviewAction::ShowList(list).into()
            }
            Key::GoTo => {
                lead_to(Place::NumberField);
                let check = self.check.as_ref()?;
                // The list of matches has no number field, because it does not contain all numbers.
                let is_records = check.preview.list == ListKind::Records && !check.lists_hits();
                let list = if is_records { ListKind::Records } else { ListKind::Lines };
                PreviewAction::ShowList(list).into()
            }
            Key::List(list) => {
                lead_to(Place::List);
                PreviewAction::ShowList(list).into()
            }
            Key::ApplyFix => FixAction::ApplyOne(Box::new(shown_fix(self.check.as_ref()?)?.clone())).into(),
            Key::Edit => PreviewAction::StartEditing.into(),
            Key::Rendered => Action::SetTextMode(self.text_mode.other()),
            Key::Undo => FixAction::Undo.into(),
            Key::OtherPane if pane == Focus::List => {
                lead_to(Place::Details);
                PreviewAction::ShowDetails.into()
            }
            Key::OtherPane | Key::Back => {
                lead_to(Place::List);
                PreviewAction::BackToList.into()
            }
            Key::Help => Action::ShowKeys(KeyList::Shown),
        })
    }
}

/// The fix in the details.
fn shown_fix(check: &Check) -> Option<&Fix> {
    let preview = &check.preview;
    let is_shown = preview.tab() == super::Tab::Source || preview.line().is_none();
    check.shown_finding().filter(|_| is_shown && !check.is_running())?.fix.as_deref()
}
