//! Statistics of a dataset as text, with bars.

pub mod sections;

use evalcheck_report::Report;
use evalcheck_report::text::{grouped, one_line};
use unicode_width::UnicodeWidthStr;

use self::sections::{Cell, Content, Row, Section, bar_length, sections, share};
use crate::line::{Line, Role};

/// The maximum width of a label in columns.
const WIDEST_LABEL: usize = 44;

/// The length of the bar of all.
const LONGEST_BAR: usize = 40;

/// The statistics of a file in lines of at most `width` columns; empty if the report has none.
pub fn overview_lines(report: &Report, file: &str, width: usize) -> Vec<Line> {
    let Some(overview) = &report.overview else { return Vec::new() };
    let mut out = Output { lines: Vec::new(), width };
    for (number, Section { heading, content, notes }) in sections(overview).iter().enumerate() {
        match content {
            Content::Bars { rows, total } => {
                out.heading(if number == 0 {
                    format!("{}: {heading}", one_line(file))
                } else {
                    heading.clone()
                });
                out.rows(rows, *total);
            }
            Content::Table { titles, rows } => out.table(heading, titles, rows),
        }
        for note in notes {
            out.push(format!("  {note}"));
        }
    }
    out.lines
}

/// The lines of the output.
struct Output {
    lines: Vec<Line>,
    width: usize,
}

impl Output {
    fn push(&mut self, text: String) {
        self.lines.push(Line::of([(Role::Plain, text)]));
    }

    fn heading(&mut self, text: String) {
        if !self.lines.is_empty() {
            self.push(String::new());
        }
        self.lines.push(Line::of([(Role::Strong, text)]));
    }

    fn rows(&mut self, rows: &[Row], total: u64) {
        let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
        let labels = widest(&mut rows.iter().map(|row| shortened(&row.label).width()));
        let counts = widest(&mut rows.iter().map(|row| grouped(row.count).len()));
        // Two columns before each of three cells, and 7 for the share.
        let room = self.width.saturating_sub(labels + counts + 13).min(LONGEST_BAR);
        for Row { label, count, .. } in rows {
            let bar = "#".repeat(bar(*count, total, room));
            let text = format!(
                "  {}  {:>counts$}  {:>7}  ",
                padded(&shortened(label), labels),
                grouped(*count),
                share(*count, total)
            );
            let text = if bar.is_empty() { text.trim_end().to_owned() } else { text };
            self.lines.push(Line::of([(Role::Plain, text), (Role::Margin, bar)]));
        }
    }

    /// A table. The first column is text, and the last may be.
    fn table(&mut self, heading: &str, titles: &[String], rows: &[Vec<Cell>]) {
        let titles: Vec<String> =
            [heading.to_owned()].into_iter().chain(titles.iter().map(|title| shortened(title))).collect();
        let row = |cells: &Vec<Cell>| {
            let first = format!("  {}", cells.first().map_or_else(String::new, |cell| shortened(&cell.text)));
            [first].into_iter().chain(cells.iter().skip(1).map(|cell| cell.text.clone())).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<String>> = rows.iter().map(row).collect();
        let width = |column: usize| {
            let cells = rows.iter().map(|row| row.get(column).map_or(0, |cell| cell.width()));
            cells.max().unwrap_or(0).max(titles[column].width())
        };
        let widths: Vec<usize> = (0..titles.len()).map(width).collect();
        let line = |cells: &[String]| {
            let mut text = String::new();
            for (column, (cell, &width)) in cells.iter().zip(&widths).enumerate() {
                let is_text = column == 0 || cell.starts_with(|c: char| c.is_alphabetic());
                let spaces = " ".repeat(width.saturating_sub(cell.width()));
                let separator = if column == 0 { "" } else { "  " };
                let parts = if is_text { [separator, cell, &spaces] } else { [separator, &spaces, cell] };
                text.extend(parts);
            }
            text.trim_end().to_owned()
        };
        self.heading(line(&titles));
        for row in &rows {
            self.push(line(row));
        }
    }
}

/// The length of a bar; at least 1 if the count is not 0.
fn bar(count: u64, total: u64, room: usize) -> usize {
    let length = bar_length(count, total, room as u64);
    usize::try_from(length).unwrap_or(room).max(usize::from(count > 0 && room > 0))
}

/// The text on one line, and clipped.
fn shortened(text: &str) -> String {
    let text = one_line(text);
    if text.width() <= WIDEST_LABEL {
        return text;
    }
    let mut clipped = String::new();
    for c in text.chars() {
        if clipped.width() + 3 >= WIDEST_LABEL {
            break;
        }
        clipped.push(c);
    }
    clipped + "..."
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}
