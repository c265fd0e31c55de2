//! Records as JSON for a validator.

use std::fmt::Write;

use evalcheck_diagnose::{Kind, Value, json_string};
use evalcheck_records::ScannedRow;

/// Writes a value as JSON that every reader reads: of equal keys the last, lone surrogates as U+FFFD, numbers as they are written.
pub(super) fn write_value(out: &mut String, value: &Value<'_>) {
    match &value.kind {
        Kind::Null => out.push_str("null"),
        Kind::Boolean(value) => {
            let _ = write!(out, "{value}");
        }
        // Beyond a double, the largest one.
        Kind::Number(number, _) if number.is_infinite() => {
            let _ = write!(out, "{:e}", f64::MAX.copysign(*number));
        }
        Kind::Number(_, text) => out.push_str(text),
        Kind::String(text) => out.push_str(&json_string(text)),
        Kind::Array(elements) => {
            out.push('[');
            separated(out, elements.iter(), |out, element| write_value(out, element));
            out.push(']');
        }
        Kind::Object(_) => {
            out.push('{');
            separated(out, value.live_members(), |out, member| {
                out.push_str(&json_string(&member.key));
                out.push(':');
                write_value(out, &member.value);
            });
            out.push('}');
        }
    }
}

fn separated<T>(out: &mut String, items: impl Iterator<Item = T>, write: impl Fn(&mut String, T)) {
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(out, item);
    }
}

/// A row as an object of its cells. Of several columns with one name, readers see the last.
pub(super) fn row_text(row: &[u8], ScannedRow { cells, table }: ScannedRow<'_>) -> String {
    let mut out = String::with_capacity(2 * row.len());
    out.push('{');
    let columns = cells.iter().zip(&table.columns).filter(|(_, column)| !column.shadowed);
    separated(&mut out, columns, |out, (cell, column)| {
        out.push_str(&json_string(&column.name));
        out.push(':');
        out.push_str(&json_string(&cell.text(row)));
    });
    out.push('}');
    out
}
