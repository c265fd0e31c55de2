//! The fields above the list of the files of the archive.

use evalcheck_wire::attachments::{AttachmentFilter, AttachmentOrder, AttachmentQuery, AttachmentSummary};
use yew::prelude::*;

use crate::components::list_toolbar::{choice, name_field};
use crate::display::format_number::grouped;
use crate::platform::value_of;

/// The orders to choose from: their labels, and whether they are reversed.
const ORDERS: [(&str, AttachmentOrder, bool); 7] = [
    ("Archive order", AttachmentOrder::Archive, false),
    ("Name", AttachmentOrder::Path, false),
    ("Type", AttachmentOrder::Type, false),
    ("Largest first", AttachmentOrder::Size, true),
    ("Smallest first", AttachmentOrder::Size, false),
    ("Most records first", AttachmentOrder::Records, true),
    ("Fewest records first", AttachmentOrder::Records, false),
];

/// The fields for a part of the names, the filter and the order. `list` receives what they say.
pub(super) fn draw(
    query: &AttachmentQuery,
    summary: &AttachmentSummary,
    list: &Callback<AttachmentQuery>,
) -> Html {
    let named = query.clone();
    let oninput =
        list.reform(move |event: InputEvent| AttachmentQuery { name: value_of(&event), ..named.clone() });
    html! {
        <div class="list-toolbar">
            { name_field("attachment-name", query.name.clone().into(), oninput) }
            { filter_field(query, summary, list) }
            { order_field(query, list) }
        </div>
    }
}

/// The field for the filter.
fn filter_field(
    query: &AttachmentQuery,
    summary: &AttachmentSummary,
    list: &Callback<AttachmentQuery>,
) -> Html {
    let mut filters = vec![
        (AttachmentFilter::All, "All files".to_owned(), summary.files + summary.missing),
        (AttachmentFilter::Missing, "Missing".to_owned(), summary.missing),
        (AttachmentFilter::Unused, "Unused".to_owned(), summary.unused),
        (AttachmentFilter::Repeated, "Same content".to_owned(), summary.repeated),
    ];
    filters.extend(summary.types.iter().map(|of_type| {
        (AttachmentFilter::Type(of_type.media_type.clone()), of_type.description.clone(), of_type.files)
    }));
    filters.retain(|(filter, _, files)| *files > 0 || *filter == query.filter);
    let selected = filters.iter().position(|(filter, ..)| *filter == query.filter);
    let labels = filters.iter().map(|(_, name, files)| format!("{name} ({})", grouped(*files)));
    let labels: Vec<String> = labels.collect();
    let query = query.clone();
    let choose = list.reform(move |number: usize| {
        let filter = filters.get(number).map(|(filter, ..)| filter.clone()).unwrap_or_default();
        AttachmentQuery { filter, ..query.clone() }
    });
    choice("Show", "attachment-filter", labels, selected, &choose)
}

/// The field for the order.
fn order_field(query: &AttachmentQuery, list: &Callback<AttachmentQuery>) -> Html {
    let is_shown = |(_, order, is_descending): &(&str, AttachmentOrder, bool)| {
        *order == query.order && *is_descending == query.is_descending
    };
    let selected = ORDERS.iter().position(is_shown);
    let query = query.clone();
    let choose = list.reform(move |number: usize| {
        let (_, order, is_descending) = ORDERS.get(number).copied().unwrap_or_default();
        AttachmentQuery { order, is_descending, ..query.clone() }
    });
    choice("Sort", "attachment-order", ORDERS.map(|(label, ..)| label.to_owned()), selected, &choose)
}
