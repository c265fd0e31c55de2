//! The columns of a CSV as a table.

use evalcheck_engine::records::csv::Columns;

use crate::markdown::{code, row, table, values};

/// The table.
pub(crate) fn section(columns: &Columns) -> String {
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
