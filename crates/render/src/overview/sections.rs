//! The sections of the statistics of a dataset: tables, and rows with bars.

mod loaded;
mod numbers;
mod queries;

use evalcheck_report::ROOT_PATH;
use evalcheck_report::overview::{
    AttachmentFacts, Bucket, Categories, Distribution, Fact, Group, Groups, Histogram, Number, Overview,
    PathFacts, TypeCounts,
};
use evalcheck_report::text::{clip, counted, grouped, one_line};
use evalcheck_wire::query::{CheckKey, Term};

pub use loaded::loaded_sentence;
pub use numbers::{bar_length, decimal, share};

use loaded::{as_loaded, differences};
use numbers::{range, rows_of, summary};
use queries::{has, is, query, size, within};

/// The most values of a category that are listed.
const MOST_VALUES: usize = 10;

/// The most groups of a fact that are listed.
const MOST_GROUPS: usize = 10;

/// The most values of a fact that are columns of its groups.
const MOST_COLUMNS: usize = 4;

/// The most paths whose values are listed.
const MOST_CATEGORIES: usize = 30;

/// The most paths that are listed.
const MOST_PATHS: usize = 60;

/// The most characters of a path that are shown: a key can be a megabyte.
const MOST_OF_PATH: usize = 200;

/// A part of the statistics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its topic.
    pub heading: String,
    /// Its content.
    pub content: Content,
    /// Sentences below it, such as the number of omitted rows.
    pub notes: Vec<String>,
}

/// The content of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Rows with a bar each.
    Bars {
        /// The rows.
        rows: Vec<Row>,
        /// The total of their shares.
        total: u64,
    },
    /// A table.
    Table {
        /// The titles of all columns but the first, which has the heading.
        titles: Vec<String>,
        /// The cells of each row.
        rows: Vec<Vec<Cell>>,
    },
}

/// A cell of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// The query that finds its records, if there is one.
    pub query: Option<String>,
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, query: None }
    }
}

/// A row with a bar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The counted value.
    pub label: String,
    /// Its number of occurrences.
    pub count: u64,
    /// The query that finds its records, if there is one.
    pub query: Option<String>,
}

/// The titles of the columns of [`summary`].
const SUMMARY: [&str; 6] = ["smallest", "25 %", "median", "75 %", "largest", "mean"];

/// All sections, in the order in which they are shown. The first is about the records.
pub fn sections(overview: &Overview) -> Vec<Section> {
    let mut sections = vec![records(overview)];
    if let Some(loaded) = &overview.loaded {
        sections.push(as_loaded(loaded));
        sections.extend(differences(loaded));
    }
    sections.extend(lengths(overview));
    for fact in &overview.facts {
        let path = only_path(fact, overview);
        sections.extend(match &fact.distribution {
            Distribution::Categories(categories) => values(&fact.title, path, categories),
            Distribution::Histogram(histogram) => {
                let path = path.filter(|_| !may_be_rows(overview));
                numbers(&fact.title, path, histogram, None)
            }
        });
        sections.extend(fact.by.as_ref().and_then(|by| groups(fact, path, by)));
    }
    sections.extend(scripts(overview));
    sections.extend(categories(overview));
    sections.extend(keys(overview));
    sections.extend(attachments(overview));
    sections
}

/// The path of the values of a fact; `None` if the records have values at several, which no query can express.
fn only_path<'f>(fact: &'f Fact, overview: &Overview) -> Option<&'f str> {
    let mut paths = fact.paths.iter().filter(|path| overview.paths.iter().any(|known| known.path == **path));
    paths.next().filter(|_| paths.next().is_none()).map(String::as_str)
}

/// Whether the records may be rows, where the statistics see lists in cells, and searches see texts.
fn may_be_rows(overview: &Overview) -> bool {
    let is_of_cells = |facts: &PathFacts| facts.types.string + facts.types.array == facts.types.total();
    overview.paths.iter().all(|facts| facts.path == ROOT_PATH || is_of_cells(facts))
}

fn records(overview: &Overview) -> Section {
    // The labels are those of the language of queries.
    let row = |label: &str, count| Row {
        label: label.to_owned(),
        count,
        query: query(vec![Term::check(CheckKey::Is, label).what]),
    };
    let mut rows = vec![row("valid", overview.valid), row("invalid", overview.invalid)];
    let note = match overview.duplicates {
        Some(0) => None,
        Some(duplicates) => {
            rows.push(row("duplicate", duplicates));
            Some("A duplicate has the same bytes as an earlier record.")
        }
        None => Some("There are too many records to compare their bytes."),
    };
    Section {
        heading: counted(overview.records, "record"),
        content: Content::Bars { rows, total: overview.records },
        notes: note.map(str::to_owned).into_iter().collect(),
    }
}

fn lengths(overview: &Overview) -> Option<Section> {
    let texts = &overview.texts;
    let lengths = [
        ("bytes of a record", &overview.bytes),
        ("characters of a record", &overview.characters),
        ("characters of a text", &texts.characters),
        ("tokens of a text (estimate)", &texts.estimated_tokens),
    ];
    let rows = lengths.into_iter().enumerate().filter_map(|(row, (label, histogram))| {
        let histogram = histogram.as_ref()?;
        let cells = summary_cells(histogram, |bytes| query(vec![size(bytes)]).filter(|_| row == 0));
        Some([label.to_owned().into()].into_iter().chain(cells).collect())
    });
    table("Lengths".to_owned(), &SUMMARY, rows.collect())
}

/// The distribution of a fact for each value at another path.
fn groups(fact: &Fact, path: Option<&str>, by: &Groups) -> Option<Section> {
    let heading = format!("{} by {}", fact.title, by.path);
    let of_group = |group: &str| is(&by.path, group);
    let first = |group: &str| Cell { text: group.to_owned(), query: query(vec![of_group(group)]) };
    let listed = by.groups.iter().take(MOST_GROUPS);
    let section = match &fact.distribution {
        Distribution::Histogram(_) => {
            let rows = listed.filter_map(|Group { value, distribution }| {
                let Distribution::Histogram(histogram) = distribution else { return None };
                let cells = summary_cells(histogram, |number| {
                    query(vec![of_group(value), within(path?, number, number)])
                });
                Some([first(value), grouped(histogram.count).into()].into_iter().chain(cells).collect())
            });
            let titles: Vec<&str> = ["values"].into_iter().chain(SUMMARY).collect();
            table(heading, &titles, rows.collect())
        }
        Distribution::Categories(all) => {
            let columns = all.values.iter().take(MOST_COLUMNS).map(|category| &*category.value);
            let columns: Vec<&str> = columns.collect();
            let rows = listed.filter_map(|Group { value, distribution }| {
                let Distribution::Categories(of_value) = distribution else { return None };
                let total = of_value.total();
                let cell = |column: &&str| {
                    let found = of_value.values.iter().find(|category| category.value == *column);
                    let Some(found) = found else { return "0".to_owned().into() };
                    let text = format!("{} ({})", grouped(found.count), share(found.count, total));
                    let query = path.and_then(|path| query(vec![of_group(value), is(path, column)]));
                    Cell { text, query }
                };
                let cells = [first(value), grouped(total).into()];
                Some(cells.into_iter().chain(columns.iter().map(cell)).collect())
            });
            let titles: Vec<&str> = ["values"].into_iter().chain(columns.iter().copied()).collect();
            table(heading, &titles, rows.collect())
        }
    };
    with_left_out(section, by.groups.len().saturating_sub(MOST_GROUPS), "group")
}

/// The cells of [`SUMMARY`]. The query for the smallest and the largest number is that of `of_number`.
fn summary_cells(histogram: &Histogram, of_number: impl Fn(Number) -> Option<String>) -> [Cell; 6] {
    let mut cells = summary(histogram).map(Cell::from);
    cells[0].query = of_number(histogram.min);
    cells[4].query = of_number(histogram.max);
    cells
}

fn values(title: &str, path: Option<&str>, categories: &Categories) -> Option<Section> {
    let row = |label: &str, count| Row {
        label: label.to_owned(),
        count,
        query: path.and_then(|path| query(vec![is(path, label)])),
    };
    let listed = categories.values.iter().take(MOST_VALUES);
    let mut rows: Vec<Row> = listed.map(|category| row(&category.value, category.count)).collect();
    let others = categories.total() - rows.iter().map(|row| row.count).sum::<u64>();
    if others > 0 {
        rows.push(Row { label: "(others)".to_owned(), count: others, query: None });
    }
    bars(title, rows, categories.total())
}

/// A histogram; `values` are the same numbers one by one, if they are known.
fn numbers(
    title: &str,
    path: Option<&str>,
    histogram: &Histogram,
    values: Option<&Categories>,
) -> Option<Section> {
    let row = |Bucket { from, to, count, .. }: Bucket| Row {
        label: range(from, to),
        count,
        query: path.and_then(|path| query(vec![within(path, from, to)])),
    };
    let rows = rows_of(histogram, values).into_iter().map(row).collect();
    let mut section = bars(title, rows, histogram.count)?;
    let [min, _, median, _, max, mean] = summary(histogram);
    section.notes.push(format!("smallest {min}, median {median}, largest {max}, mean {mean}"));
    Some(section)
}

fn scripts(overview: &Overview) -> Option<Section> {
    let scripts = overview.texts.scripts.iter();
    let row = |label: &str, count| Row { label: label.to_owned(), count, query: None };
    let texts = overview.texts.characters.as_ref().map_or(0, |characters| characters.count);
    bars("Scripts of texts", scripts.map(|count| row(count.script.name(), count.texts)).collect(), texts)
}

/// The values at paths of no fact: categories, and numbers with many different values.
fn categories(overview: &Overview) -> Vec<Section> {
    let is_of_fact = |path: &str| overview.facts.iter().any(|fact| fact.paths.iter().any(|of| of == path));
    let is_listed = |facts: &&PathFacts| facts.values.is_some() || many_numbers(facts).is_some();
    let paths = overview.paths.iter().filter(|facts| !is_of_fact(&facts.path)).filter(is_listed);
    let section = |facts: &PathFacts| {
        let PathFacts { path, values: known, .. } = facts;
        match many_numbers(facts) {
            Some(histogram) => numbers(&named(path), Some(path), histogram, known.as_ref()),
            None => values(&named(path), Some(path), known.as_ref()?),
        }
    };
    let mut sections: Vec<Section> = paths.clone().take(MOST_CATEGORIES).filter_map(section).collect();
    let last = sections.pop();
    sections.extend(with_left_out(last, paths.count().saturating_sub(MOST_CATEGORIES), "such path"));
    sections
}

/// The values of a path if they are numbers, and too many to list each.
fn many_numbers(facts: &PathFacts) -> Option<&Histogram> {
    let PathFacts { types, values, .. } = facts;
    let are_numbers = types.number + types.null == types.total() && types.number > MOST_VALUES as u64;
    let are_listed = values.as_ref().is_some_and(|values| values.values.len() <= MOST_VALUES);
    facts.numbers.as_ref().filter(|_| are_numbers && !are_listed)
}

fn keys(overview: &Overview) -> Option<Section> {
    let may_be_rows = may_be_rows(overview);
    let row = |facts: &PathFacts| {
        let types = types_in_words(&facts.types);
        // Records in which it is null count, and no query finds them.
        let is_found = facts.types.null == 0 && !(may_be_rows && facts.path.contains('*'));
        let query = query(vec![has(&facts.path)]).filter(|_| is_found);
        let first = Cell { text: named(&facts.path), query };
        let cells = [grouped(facts.records), share(facts.records, overview.records), types];
        [first].into_iter().chain(cells.map(Cell::from)).collect()
    };
    let rows = overview.paths.iter().take(MOST_PATHS).map(row).collect();
    let section = table("Keys".to_owned(), &["records", "share", "types"], rows);
    let mut section = with_left_out(section, overview.paths.len().saturating_sub(MOST_PATHS), "path");
    if let Some(section) = section.as_mut().filter(|_| overview.at_other_paths > 0) {
        section.notes.push(format!("and {} at further paths", counted(overview.at_other_paths, "value")));
    }
    section
}

/// The types of values, with their shares if there are several: `string 95.0 %, null 5.0 %`.
pub fn types_in_words(types: &TypeCounts) -> String {
    let total = types.total();
    let types = types.named().into_iter().filter(|(_, count)| *count > 0);
    let types = types.map(|(name, count)| match count {
        _ if count == total => name.to_owned(),
        _ => format!("{name} {}", share(count, total)),
    });
    types.collect::<Vec<_>>().join(", ")
}

fn attachments(overview: &Overview) -> Option<Section> {
    let row = |facts: &AttachmentFacts| {
        let cells = [facts.description.clone(), grouped(facts.bytes.count)];
        cells.into_iter().chain(summary(&facts.bytes)).map(Cell::from).collect()
    };
    let titles: Vec<&str> = ["files"].into_iter().chain(SUMMARY).collect();
    table("Bytes of attachments".to_owned(), &titles, overview.attachments.iter().map(row).collect())
}

/// A path on one line, clipped.
fn named(path: &str) -> String {
    one_line(&clip(path, MOST_OF_PATH))
}

/// Rows with bars under a heading; `None` without rows.
fn bars(title: &str, rows: Vec<Row>, total: u64) -> Option<Section> {
    let content = Content::Bars { rows, total };
    let is_empty = matches!(&content, Content::Bars { rows, .. } if rows.is_empty());
    (!is_empty).then(|| Section { heading: title.to_owned(), content, notes: Vec::new() })
}

/// A table; `None` without rows.
fn table(heading: String, titles: &[&str], rows: Vec<Vec<Cell>>) -> Option<Section> {
    if rows.is_empty() {
        return None;
    }
    let titles = titles.iter().map(|title| (*title).to_owned()).collect();
    Some(Section { heading, content: Content::Table { titles, rows }, notes: Vec::new() })
}

fn with_left_out(section: Option<Section>, left_out: usize, noun: &str) -> Option<Section> {
    let mut section = section?;
    if left_out > 0 {
        section.notes.push(format!("and {} more", counted(left_out as u64, noun)));
    }
    Some(section)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_is_clipped() {
        assert_eq!(named("a\nb"), "a\\u{000a}b");
        assert_eq!(named(&"é".repeat(1_000_000)), format!("{}…", "é".repeat(MOST_OF_PATH)));
        assert_eq!(named(&"é".repeat(MOST_OF_PATH)), "é".repeat(MOST_OF_PATH));
    }
}
