//! The columns of a CSV as a table.

use super::markdown::{code, row, table, values};
use crate::records::csv::Columns;

/// The table.
pub(super) fn section(columns: &Columns) -> String {
    let mut out = table(&["Column", "Also read", "Required", "Values", "Meaning"]);
    for column in columns.columns {
        out.push_str(&row(&[
            &code(column.name),
            &values(column.aliases.iter().copied()),
            if column.required { "yes" } else { "no" },
            if column.not_blank { "not blank" } else { "" },
            column.doc,
        ]));
    }
    out
}
