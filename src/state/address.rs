//! The content of the fragment of the page's address: the place in the results. It contains no data of a dataset, except text that the user
//! typed into the filter.

use yew::AttrValue;

use super::check::Check;
use super::findings::Grouping;
use super::preview::{Focus, Selection};
use super::theme::Theme;

/// A place in the results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Address {
    /// The name of the view in front.
    pub(crate) view: AttrValue,
    /// The text of the filter.
    pub(crate) filter: AttrValue,
    /// Whether findings are listed singly or by group, if the user has chosen.
    pub(crate) grouping: Option<Grouping>,
    /// The line of the selected item, from 1.
    pub(crate) line: Option<u64>,
    /// The selected record, from 0.
    pub(crate) record: Option<u64>,
    /// Whether the details are shown on a narrow screen.
    pub(crate) has_details: bool,
    /// The theme, unless it is the system's.
    pub(crate) theme: Option<Theme>,
    /// The name of the shown built-in example, such as `juryarena/broken`.
    pub(crate) example: Option<AttrValue>,
}

/// The effect of a change of the address on the history of the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Changes the current entry.
    Same,
    /// Changes the current entry at once, because it names another screen.
    Replaced,
    /// Adds an entry, so that Back returns to the previous address.
    New,
    /// Adds an entry on a narrow screen.
    NewIfNarrow,
}

impl Address {
    /// The place in the results of a check, once there are results.
    pub(super) fn of(check: &Check, theme: Theme) -> Option<Self> {
        check.report()?;
        let preview = &check.preview;
        let record = match preview.selection {
            Some(Selection::Record { record, .. }) => Some(record),
            _ => None,
        };
        Some(Self {
            view: AttrValue::Static(preview.view.0),
            filter: preview.filter.text.clone(),
            grouping: preview.findings.grouping,
            line: preview.line(),
            record,
            has_details: preview.focus == Focus::Details,
            theme: (theme != Theme::Auto).then_some(theme),
            example: None,
        })
    }

    /// How the history records it after another address.
    pub(super) fn step_from(&self, before: &Self) -> Step {
        let place = |address: &Self| (address.view.clone(), address.filter.clone(), address.grouping);
        if place(self) != place(before) {
            Step::New
        } else if self.has_details != before.has_details {
            // Returning to the list also goes back in the history.
            if self.has_details { Step::NewIfNarrow } else { Step::Same }
        } else {
            Step::Same
        }
    }
}
