//! The views: the tabs of the results, each in a file of its own, with its list, its choices and its words.
//!
//! A new view is a file here, a line in [`ALL`], and its styles. The page knows views by [`crate::state::View`] alone.

mod attachment_fields;
pub(crate) mod attachments;
mod changes;
pub(crate) mod compared;
mod finding_groups;
pub(crate) mod findings;
pub(crate) mod fixes;
pub(crate) mod lines;
pub(crate) mod overview;
pub(crate) mod records;
mod schema;
mod systems;

use crate::state::Views;

/// All views, in the order of their tabs: first those that most files have, so that their keys stay the same.
pub(crate) const ALL: Views = Views(&[
    &findings::FindingsView,
    &records::RecordsView,
    &overview::OverviewView,
    &lines::LinesView,
    &attachments::AttachmentsView,
    &fixes::FixesView,
    &changes::ChangesView,
    &compared::ComparedView,
    &schema::SchemaView,
    &systems::SystemsView,
]);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{State, Theme};

    #[test]
    fn no_two_views_or_shortcuts_have_an_id_or_a_key_in_common() {
        let mut ids: Vec<&str> = ALL.0.iter().map(|view| view.about().id.0).collect();
        let (state, _) = State::new(ALL, Theme::Auto, None, None);
        let of_tabs = (1..=ids.len()).map(|number| number.to_string());
        let others = state.shortcuts().flat_map(|shortcut| shortcut.keys).map(|key| (*key).to_owned());
        let keys: Vec<String> = of_tabs.chain(others).collect();
        let mut keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        for all in [&mut ids, &mut keys] {
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count, "{all:?}");
        }
    }
}
