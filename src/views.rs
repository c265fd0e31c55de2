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
