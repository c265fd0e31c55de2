//! The statistics of a dataset in its report.

use std::fmt::Write;

use evalcheck_report::overview::{Overview, PathFacts};
use evalcheck_report::text::grouped;

use super::escaped;
use crate::overview::sections::{Cell, Content, Row, Section, bar_length, sections, share};

/// The length of the bar of all, in units of its drawing.
const LONGEST: u64 = 1_000;

/// Adds the statistics. Without `quotes_data`, they contain no value of the dataset.
pub(super) fn write(html: &mut String, overview: &Overview, quotes_data: bool) {
    html.push_str("<section class=\"overview\">\n<h2>Overview</h2>\n");
    let sections = if quotes_data { sections(overview) } else { sections(&without_values(overview)) };
    for Section { heading, content, notes } in &sections {
        match content {
            Content::Bars { rows, total } => bars(html, heading, rows, *total),
            Content::Table { titles, rows } => table(html, heading, titles, rows),
        }
        for note in notes {
            let _ = writeln!(html, "<p>{}</p>", escaped(note));
        }
    }
    html.push_str("</section>\n");
}

/// The statistics without values: the facts of the format, the numbers, and the values of categories.
fn without_values(overview: &Overview) -> Overview {
    let without = |facts: &PathFacts| PathFacts { values: None, numbers: None, ..facts.clone() };
    let paths = overview.paths.iter().map(without).collect();
    Overview { facts: Vec::new(), paths, ..overview.clone() }
}

fn bars(html: &mut String, heading: &str, rows: &[Row], total: u64) {
    let _ = writeln!(html, "<table>\n<caption>{}</caption>", escaped(heading));
    for Row { label, count, .. } in rows {
        let label = if label.is_empty() { "(empty)".to_owned() } else { escaped(label) };
        let width = bar_length(*count, total, LONGEST);
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{label}</th><td>{}</td><td>{}</td><td>\
             <svg viewBox=\"0 0 {LONGEST} 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><path d=\"M0 0h{width}v8h-{width}z\"/></svg></td></tr>",
            grouped(*count),
            share(*count, total)
        );
    }
    html.push_str("</table>\n");
}

fn table(html: &mut String, heading: &str, titles: &[String], rows: &[Vec<Cell>]) {
    let _ = write!(html, "<table>\n<tr><th scope=\"col\">{}</th>", escaped(heading));
    for title in titles {
        let _ = write!(html, "<th scope=\"col\">{}</th>", escaped(title));
    }
    html.push_str("</tr>\n");
    for row in rows {
        html.push_str("<tr>");
        for (column, Cell { text, .. }) in row.iter().enumerate() {
            let (start, end) = if column == 0 { ("<th scope=\"row\">", "</th>") } else { ("<td>", "</td>") };
            let _ = write!(html, "{start}{}{end}", escaped(text));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</table>\n");
}
