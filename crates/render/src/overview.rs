//! Statistics of a dataset as text, with bars.

use evalcheck_wire::overview::{
    AttachmentFacts, Categories, Distribution, Fact, Group, Histogram, Number, Overview, PathFacts,
    bucket_start,
};
use evalcheck_wire::report::Report;
use evalcheck_wire::text::{count, one_line};
use unicode_width::UnicodeWidthStr;

use crate::line::{Line, Role};

/// Values of a category that are listed.
const MOST_VALUES: usize = 10;

/// Groups of a fact that are listed.
const MOST_GROUPS: usize = 10;

/// Rows of a histogram.
const MOST_ROWS: usize = 12;

/// Paths whose values are listed.
const MOST_CATEGORIES: usize = 30;

/// Paths that are listed.
const MOST_PATHS: usize = 60;

/// Steps of an octave.
const OCTAVE: i32 = 16;

/// Columns that a label has at most.
const WIDEST_LABEL: usize = 44;

/// The longest bar.
const LONGEST_BAR: usize = 40;

/// A row with a bar.
struct Row {
    label: String,
    count: u64,
}

/// The statistics of a file in lines of at most so many columns; nothing where the report has none.
pub fn overview_lines(report: &Report, file: &str, width: usize) -> Vec<Line> {
    let Some(overview) = &report.overview else { return Vec::new() };
    let mut out = Output { lines: Vec::new(), width };
    out.records(overview, file);
    out.lengths(overview);
    for fact in &overview.facts {
        out.fact(fact);
    }
    let scripts = overview.texts.scripts.iter();
    let scripts: Vec<Row> =
        scripts.map(|count| Row { label: count.script.name().to_owned(), count: count.texts }).collect();
    let texts = overview.texts.characters.as_ref().map_or(0, |characters| characters.count);
    out.section("Scripts of texts", &scripts, texts);
    out.categories(overview);
    out.keys(overview);
    out.attachments(overview);
    out.lines
}

/// Lines that are written.
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

    fn records(&mut self, overview: &Overview, file: &str) {
        let rows = [("valid", overview.valid), ("invalid", overview.invalid)];
        let rows: Vec<Row> = rows.map(|(label, count)| Row { label: label.to_owned(), count }).into();
        self.heading(format!("{}: {}", one_line(file), count(overview.records, "record")));
        self.rows(&rows, overview.records);
        match overview.duplicates {
            Some(0) => {}
            Some(duplicates) => self.push(format!("  {duplicates} with the same bytes as an earlier one")),
            None => self.push("  too many to compare their bytes".to_owned()),
        }
    }

    fn lengths(&mut self, overview: &Overview) {
        let texts = &overview.texts;
        let lengths = [
            ("bytes of a record", &overview.bytes),
            ("characters of a record", &overview.characters),
            ("characters of a text", &texts.characters),
            ("tokens of a text (estimate)", &texts.estimated_tokens),
        ];
        let rows = lengths.into_iter().filter_map(|(label, histogram)| {
            let histogram = histogram.as_ref()?;
            let cells = summary(histogram);
            Some([label.to_owned()].into_iter().chain(cells).collect())
        });
        let titles = ["Lengths", "smallest", "25 %", "median", "75 %", "largest", "mean"];
        self.table(&titles, &rows.collect::<Vec<_>>());
    }

    fn fact(&mut self, fact: &Fact) {
        self.distribution(&fact.title, &fact.distribution);
        let Some(by) = &fact.by else { return };
        let heading = format!("{} by {}", fact.title, by.path);
        let listed = by.groups.iter().take(MOST_GROUPS);
        match &fact.distribution {
            Distribution::Histogram(_) => {
                let rows = listed.filter_map(|Group { value, distribution }| {
                    let Distribution::Histogram(histogram) = distribution else { return None };
                    let cells = [shortened(value), histogram.count.to_string()];
                    Some(cells.into_iter().chain(summary(histogram)).collect())
                });
                let rows: Vec<_> = rows.collect();
                self.table(
                    &[&*heading, "values", "smallest", "25 %", "median", "75 %", "largest", "mean"],
                    &rows,
                );
            }
            Distribution::Categories(all) => {
                let columns: Vec<&str> = all.values.iter().take(4).map(|category| &*category.value).collect();
                let rows = listed.filter_map(|Group { value, distribution }| {
                    let Distribution::Categories(of_group) = distribution else { return None };
                    let total = of_group.total();
                    let cell = |column: &&str| {
                        let found = of_group.values.iter().find(|category| category.value == *column);
                        share(found.map_or(0, |category| category.count), total)
                    };
                    let cells = [shortened(value), total.to_string()];
                    Some(cells.into_iter().chain(columns.iter().map(cell)).collect())
                });
                let rows: Vec<_> = rows.collect();
                let shown: Vec<String> = columns.iter().map(|column| shortened(column)).collect();
                let names = shown.iter().map(|name| &**name);
                let titles: Vec<&str> = [&*heading, "values"].into_iter().chain(names).collect();
                self.table(&titles, &rows);
            }
        }
        self.left_out(by.groups.len().saturating_sub(MOST_GROUPS), "group");
    }

    fn distribution(&mut self, title: &str, distribution: &Distribution) {
        match distribution {
            Distribution::Categories(categories) => self.values(title, categories),
            Distribution::Histogram(histogram) => {
                self.section(title, &histogram_rows(histogram), histogram.count);
            }
        }
    }

    fn values(&mut self, title: &str, categories: &Categories) {
        let listed = categories.values.iter().take(MOST_VALUES);
        let rows = listed.map(|category| Row { label: shortened(&category.value), count: category.count });
        let mut rows: Vec<Row> = rows.collect();
        let others = categories.total() - rows.iter().map(|row| row.count).sum::<u64>();
        if others > 0 {
            rows.push(Row { label: "(others)".to_owned(), count: others });
        }
        self.section(title, &rows, categories.total());
    }

    /// The values of paths that are a category and belong to no fact.
    fn categories(&mut self, overview: &Overview) {
        let is_of_fact =
            |path: &str| overview.facts.iter().any(|fact| fact.paths.iter().any(|of| of == path));
        let paths = overview.paths.iter().filter(|facts| facts.values.is_some() && !is_of_fact(&facts.path));
        for PathFacts { path, values, .. } in paths.clone().take(MOST_CATEGORIES) {
            if let Some(values) = values {
                self.values(&one_line(path), values);
            }
        }
        self.left_out(paths.count().saturating_sub(MOST_CATEGORIES), "such path");
    }

    fn keys(&mut self, overview: &Overview) {
        let row = |facts: &PathFacts| {
            let total = facts.types.total();
            let types = facts.types.named().into_iter().filter(|(_, count)| *count > 0);
            let types = types.map(|(name, count)| match count {
                _ if count == total => name.to_owned(),
                _ => format!("{name} {}", share(count, total)),
            });
            let types = types.collect::<Vec<_>>().join(", ");
            vec![
                shortened(&facts.path),
                facts.records.to_string(),
                share(facts.records, overview.records),
                types,
            ]
        };
        let rows: Vec<_> = overview.paths.iter().take(MOST_PATHS).map(row).collect();
        self.table(&["Keys", "records", "share", "types"], &rows);
        self.left_out(overview.paths.len().saturating_sub(MOST_PATHS), "path");
        if overview.at_other_paths > 0 {
            self.push(format!("  and {} at further paths", count(overview.at_other_paths, "value")));
        }
    }

    fn attachments(&mut self, overview: &Overview) {
        let row = |facts: &AttachmentFacts| {
            let cells = [shortened(&facts.description), facts.bytes.count.to_string()];
            cells.into_iter().chain(summary(&facts.bytes)).collect()
        };
        let rows: Vec<_> = overview.attachments.iter().map(row).collect();
        let titles =
            ["Bytes of attachments", "files", "smallest", "25 %", "median", "75 %", "largest", "mean"];
        self.table(&titles, &rows);
    }

    fn left_out(&mut self, left_out: usize, noun: &str) {
        if left_out > 0 {
            self.push(format!("  and {} more", count(left_out as u64, noun)));
        }
    }

    /// Rows under a heading; nothing without rows.
    fn section(&mut self, title: &str, rows: &[Row], total: u64) {
        if !rows.is_empty() {
            self.heading(title.to_owned());
            self.rows(rows, total);
        }
    }

    fn rows(&mut self, rows: &[Row], total: u64) {
        let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
        let labels = widest(&mut rows.iter().map(|row| row.label.width()));
        let counts = widest(&mut rows.iter().map(|row| row.count.to_string().len()));
        let most = rows.iter().map(|row| row.count).max().unwrap_or(0).max(1);
        // Two columns before each of three, and 7 of the share.
        let room = self.width.saturating_sub(labels + counts + 13).min(LONGEST_BAR);
        for Row { label, count, .. } in rows {
            let bar = "#".repeat(bar(*count, most, room));
            let text =
                format!("  {}  {count:>counts$}  {:>7}  ", padded(label, labels), share(*count, total));
            let text = if bar.is_empty() { text.trim_end().to_owned() } else { text };
            self.lines.push(Line::of([(Role::Plain, text), (Role::Margin, bar)]));
        }
    }

    /// A table whose first column is text and whose last may be; nothing without rows.
    fn table(&mut self, titles: &[&str], rows: &[Vec<String>]) {
        if rows.is_empty() {
            return;
        }
        let widths: Vec<usize> = (0..titles.len())
            .map(|column| {
                let cells = rows.iter().map(|row| row.get(column).map_or(0, |cell| cell.width()));
                let indent = if column == 0 { 2 } else { 0 };
                (cells.max().unwrap_or(0) + indent).max(titles[column].width())
            })
            .collect();
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let mut text = String::new();
            for (column, (cell, &width)) in cells.zip(&widths).enumerate() {
                let is_text = column == 0 || cell.starts_with(|c: char| c.is_alphabetic());
                let spaces = " ".repeat(width.saturating_sub(cell.width()));
                let separator = if column == 0 { "" } else { "  " };
                let parts = if is_text { [separator, cell, &spaces] } else { [separator, &spaces, cell] };
                text.extend(parts);
            }
            text.trim_end().to_owned()
        };
        self.heading(line(&mut titles.iter().copied()));
        for row in rows {
            let first = format!("  {}", row.first().map_or("", String::as_str));
            let cells = [&*first].into_iter().chain(row.iter().skip(1).map(String::as_str));
            let text = line(&mut cells.into_iter());
            self.push(text);
        }
    }
}

/// The smallest number, the quartiles, the largest number and the mean.
fn summary(histogram: &Histogram) -> [String; 6] {
    let [first, median, third] = histogram.quartiles;
    let numbers = [histogram.min, first, median, third, histogram.max].map(|number| decimal(number.get()));
    let [min, first, median, third, max] = numbers;
    [min, first, median, third, max, decimal(histogram.mean())]
}

/// The rows of a histogram: its steps where they are few, else whole octaves.
fn histogram_rows(histogram: &Histogram) -> Vec<Row> {
    let is_fine = histogram.buckets.len() <= MOST_ROWS;
    let mut rows: Vec<(i32, Row)> = Vec::new();
    for bucket in &histogram.buckets {
        let octave =
            if bucket.index > 0 { (bucket.index - 1).div_euclid(OCTAVE) * OCTAVE + 1 } else { bucket.index };
        let first = if is_fine { bucket.index } else { octave };
        match rows.last_mut() {
            Some((last, row)) if *last == first => row.count += bucket.count,
            _ => {
                let label = if is_fine {
                    decimal(bucket.from.get())
                } else {
                    let (from, to) = (bucket_start(first), bucket_start(first + OCTAVE));
                    format!("{} to {}", decimal(from), decimal(to))
                };
                rows.push((first, Row { label, count: bucket.count }));
            }
        }
    }
    rows.into_iter().map(|(_, row)| row).collect()
}

/// A number with at most three digits after the point.
fn decimal(number: f64) -> String {
    let text = format!("{:.3}", Number::new(number).get());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A share in per cent.
#[expect(clippy::cast_precision_loss, reason = "it is rounded anyway")]
fn share(count: u64, total: u64) -> String {
    if total == 0 { String::new() } else { format!("{:.1} %", count as f64 * 100.0 / total as f64) }
}

/// The length of a bar; at least 1 for what there is.
fn bar(count: u64, most: u64, room: usize) -> usize {
    let length = u128::from(count) * room as u128 / u128::from(most);
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
