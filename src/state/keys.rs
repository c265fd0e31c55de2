//! The keyboard shortcuts: one table for binding and listing them.

use evalcheck_report::view::Direction;

use super::view_id::ViewId;

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
    View(ViewId),
    /// Moves from the list to the details, and back.
    OtherPane,
    /// Returns to the list.
    Back,
    /// Lists the shortcuts.
    Help,
}

/// A shortcut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shortcut {
    /// Keys with the same effect, as the browser names them; `Ctrl+` also means the command key.
    pub(crate) keys: &'static [&'static str],
    /// Its effect.
    pub(crate) does: Key,
    /// Its description for the user.
    pub(crate) help: &'static str,
}

/// The shortcuts before those of the views, in the order of the list.
pub(super) const BEFORE_VIEWS: [Shortcut; 10] = [
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
];

/// The keys of the tabs, in their order.
pub(super) const OF_VIEWS: [&[&str]; 9] =
    [&["1"], &["2"], &["3"], &["4"], &["5"], &["6"], &["7"], &["8"], &["9"]];

/// The shortcuts after those of the views.
pub(super) const AFTER_VIEWS: [Shortcut; 3] = [
    shortcut(&["F6"], Key::OtherPane, "Between the list and the details"),
    shortcut(&["Escape"], Key::Back, "Close what is open, or return to the list"),
    shortcut(&["?"], Key::Help, "This list"),
];

/// A shortcut.
pub(super) const fn shortcut(keys: &'static [&'static str], does: Key, help: &'static str) -> Shortcut {
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
    /// The list or the details, whichever is in front.
    Front,
    /// The field for the filter.
    FilterField,
    /// The field for the number of a record or a line.
    NumberField,
}
