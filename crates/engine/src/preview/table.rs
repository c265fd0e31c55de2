//! The first rows of an attachment that is a table.

use evalcheck_json::csv::{Boundary, split};
use evalcheck_json::scan::BOM;
use evalcheck_records::csv::separator::SEPARATORS;
use evalcheck_report::view::Table;

use crate::content;
use crate::diagnose::clip;

/// The maximum number of rows and columns that are shown.
const ROWS: usize = 100;
const COLUMNS: usize = 30;

/// The maximum number of characters of a cell.
const CELL: usize = 200;

/// The beginning of a table, by the name of its entry and its text. `None` for a file with another extension, and for one with
/// quotes that readers take in several ways. The last row counts only if the text is not cut off.
pub(super) fn read(name: &str, text: &[u8], is_whole: bool) -> Option<Table> {
    let mut rest = text.strip_prefix(BOM).unwrap_or(text);
    let separator = match content::extension(name)?.as_str() {
        "csv" => separator(rest),
        "tsv" => b'\t',
        _ => return None,
    };
    let mut table = Table { is_cut: !is_whole, ..Table::default() };
    let mut cells = Vec::new();
    while !rest.is_empty() {
        let end = Boundary::default().find(rest, separator);
        if end.is_none() && !is_whole {
            break;
        }
        if table.rows.len() == ROWS {
            table.is_cut = true;
            break;
        }
        let (row, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after.get(1..).unwrap_or_default();
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        if split(row, separator, true, &mut cells).is_some() {
            return None;
        }
        if !row.is_empty() {
            table.columns = table.columns.max(cells.len() as u64);
            table.rows.push(cells.iter().take(COLUMNS).map(|cell| clip(&cell.text(row), CELL)).collect());
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// The separator that makes most cells of the first row; of several, the most common one.
fn separator(text: &[u8]) -> u8 {
    let mut cells = Vec::new();
    let count = |(separator, _): &(u8, &str)| {
        let end = Boundary::default().find(text, *separator).unwrap_or(text.len());
        split(&text[..end], *separator, true, &mut cells);
        cells.len()
    };
    SEPARATORS.into_iter().rev().max_by_key(count).map_or(b',', |(separator, _)| separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_separated_by_what_makes_most_of_them() {
        let rows = |name: &str, text: &str| read(name, text.as_bytes(), true).map(|table| table.rows);
        assert_eq!(
            rows("a.csv", "a;b,c;d\r\n\r\n1;2;\"3\n;\"\"\"").unwrap(),
            [["a", "b,c", "d"], ["1", "2", "3\n;\""]]
        );
        assert_eq!(rows("a.TSV", "a,b\tc").unwrap(), [["a,b", "c"]]);
        assert_eq!(rows("a.csv", "\u{FEFF}a\nb").unwrap(), [["a"], ["b"]]);
        assert_eq!(rows("a.txt", "a,b"), None);
        assert_eq!(rows("a.csv", "\n\n"), None);
        assert_eq!(rows("a.csv", "a,b\n\"c\"d,e\n"), None, "it can be read in two ways");
        assert_eq!(rows("a.csv", "a,\"b\n"), None);
    }

    #[test]
    fn a_large_table_is_cut() {
        let table = read("a.csv", b"a,b\n1,\"2", false).unwrap();
        assert_eq!((table.rows.len(), table.columns, table.is_cut), (1, 2, true));
        let row = format!("{}\n", vec!["x".repeat(300); 40].join(","));
        let table = read("a.csv", row.repeat(101).as_bytes(), true).unwrap();
        assert_eq!((table.rows.len(), table.rows[0].len(), table.columns, table.is_cut), (100, 30, 40, true));
        assert_eq!(table.rows[0][0].chars().count(), 201);
    }
}
