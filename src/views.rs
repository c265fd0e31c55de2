//! The views: the tabs of the results, each in a file of its own, with its list, its choices and its words.
//!
//! A new view is a file here, a line in [`ALL`], and its styles. The page knows views by [`crate::state::View`] alone.

pub(crate) mod attachments;
mod changes;
pub(crate) mod compared;
mod finding_groups;
pub(crate) mod findings;
pub(crate) mod fixes;
mod hits;
pub(crate) mod lines;
pub(crate) mod overview;
pub(crate) mod records;
mod schema;

use crate::state::Views;

/// All views, in the order of their tabs.
pub(crate) const ALL: Views = Views(&[
    &findings::FindingsView,
    &records::RecordsView,
    &lines::LinesView,
    &fixes::FixesView,
    &changes::ChangesView,
    &compared::ComparedView,
    &overview::OverviewView,
    &schema::SchemaView,
    &attachments::AttachmentsView,
]);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{State, Theme};

    #[test]
    fn no_two_views_or_shortcuts_have_an_id_or_a_key_in_common() {
        let mut ids: Vec<&str> = ALL.0.iter().map(|view| view.about().id.0).collect();
        let (state, _) = State::new(ALL, Theme::Auto, None, None);
        let mut keys: Vec<&str> = state.shortcuts().flat_map(|shortcut| shortcut.keys).copied().collect();
        for all in [&mut ids, &mut keys] {
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count, "{all:?}");
        }
    }
}
