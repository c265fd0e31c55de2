//! The sections of the statistics of a dataset: tables, and rows with bars.

use evalcheck_report::overview::{
    AttachmentFacts, Bucket, Categories, Distribution, Fact, Group, Groups, Histogram, LoadedDifference,
    LoadedFacts, Number, Overview, PathFacts, TypeCounts, octave,
};
use evalcheck_report::text::{clip, count, one_line};
use evalcheck_report::view::ChangeKind;
use evalcheck_wire::query::{CheckKey, DataKey, Query, Step, Term, Value, What};

/// The most values of a category that are listed.
const MOST_VALUES: usize = 10;

/// The most groups of a fact that are listed.
const MOST_GROUPS: usize = 10;

/// The most rows of a histogram.
const MOST_ROWS: usize = 12;

/// The most rows of a histogram of octaves.
const MOST_OCTAVES: usize = 24;

/// The most paths whose values are listed.
const MOST_CATEGORIES: usize = 30;

/// The most paths that are listed.
const MOST_PATHS: usize = 60;

/// The most differences as loaded that are listed.
const MOST_DIFFERENCES: usize = 30;

/// The most differences as loaded that the sentence names.
const MOST_IN_SENTENCE: usize = 3;

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
        rows: Vec<Vec<String>>,
    },
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
        sections.extend(distribution(&fact.title, &fact.paths, &fact.distribution));
        sections.extend(fact.by.as_ref().and_then(|by| groups(fact, by)));
    }
    sections.extend(scripts(overview));
    sections.extend(categories(overview));
    sections.extend(keys(overview));
    sections.extend(attachments(overview));
    sections
}

fn records(overview: &Overview) -> Section {
    let row = |label: &str, count| Row {
        label: label.to_owned(),
        count,
        query: Some(Query { terms: vec![Term::check(CheckKey::Is, label)] }.to_string()),
    };
    let note = match overview.duplicates {
        Some(0) => None,
        Some(duplicates) => Some(format!("{duplicates} with the same bytes as an earlier one")),
        None => Some("too many to compare their bytes".to_owned()),
    };
    Section {
        heading: count(overview.records, "record"),
        content: Content::Bars {
            rows: vec![row("valid", overview.valid), row("invalid", overview.invalid)],
            total: overview.records,
        },
        notes: note.into_iter().collect(),
    }
}

fn as_loaded(loaded: &LoadedFacts) -> Section {
    let LoadedFacts { same, different, dropped, refused, .. } = *loaded;
    let rows = [
        ("as in the file", same),
        ("differently", different),
        ("dropped, while others are loaded", dropped),
        ("refused", refused),
    ];
    let row = |(label, count): (&str, u64)| Row { label: label.to_owned(), count, query: None };
    let content = Content::Bars { rows: rows.map(row).into(), total: loaded.records() };
    Section { heading: "As loaded".to_owned(), content, notes: Vec::new() }
}

fn differences(loaded: &LoadedFacts) -> Option<Section> {
    let held = loaded.same + loaded.different;
    let listed = &loaded.differences[..loaded.differences.len().min(MOST_DIFFERENCES)];
    let row = |of: &LoadedDifference| {
        let cells =
            [named(&of.path), done(of.kind).to_owned(), of.records.to_string(), share(of.records, held)];
        cells.into()
    };
    let titles = ["what", "records", "share"];
    let mut section = table("Differs as loaded".to_owned(), &titles, listed.iter().map(row).collect())?;
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for LoadedDifference { path, why, .. } in listed {
        match reasons.iter_mut().find(|(reason, _)| reason == why) {
            Some((_, paths)) => paths.push(named(path)),
            None => reasons.push((why, vec![named(path)])),
        }
    }
    section.notes.extend(reasons.into_iter().map(|(why, paths)| format!("{}: {why}", paths.join(", "))));
    let left_out = loaded.differences.len() - listed.len();
    let mut section = with_left_out(Some(section), left_out, "difference");
    if let Some(section) = section.as_mut().filter(|_| loaded.others > 0) {
        section.notes.push(format!("and further differences in {}", count(loaded.others, "record")));
    }
    section
}

/// The participle for the change of a value by the system.
const fn done(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "added",
        ChangeKind::Changed => "changed",
        ChangeKind::Removed => "dropped",
    }
}

/// A sentence about the records as the system loads them, with the most frequent differences.
///
/// ```
/// use evalcheck_render::overview::sections::loaded_sentence;
/// use evalcheck_report::overview::{LoadedDifference, LoadedFacts};
/// use evalcheck_report::view::ChangeKind;
///
/// let mut loaded = LoadedFacts { same: 3, ..LoadedFacts::default() };
/// assert_eq!(loaded_sentence(&loaded, "Evret"), "Evret holds all records as they are in the file.");
/// loaded.different = 150;
/// loaded.differences.push(LoadedDifference {
///     kind: ChangeKind::Removed, path: "owner".into(), why: "It is not known.".into(), records: 150,
/// });
/// let sentence = loaded_sentence(&loaded, "Evret");
/// assert_eq!(sentence, "As Evret loads it, 150 of 153 records differ from the file: owner is dropped in 150.");
/// ```
pub fn loaded_sentence(loaded: &LoadedFacts, system: &str) -> String {
    let LoadedFacts { different, dropped, refused, .. } = *loaded;
    let all = loaded.records();
    if refused == all && all > 0 {
        return format!("{system} refuses all records.");
    }
    let mut sentences = Vec::new();
    if different > 0 {
        let most = loaded.differences.iter().take(MOST_IN_SENTENCE);
        let most = most.map(|of| format!("{} is {} in {}", named(&of.path), done(of.kind), of.records));
        let mut most: Vec<String> = most.collect();
        if loaded.differences.len() > MOST_IN_SENTENCE {
            most.push("and more".to_owned());
        }
        let records = count(all, "record");
        sentences.push(format!(
            "As {system} loads it, {different} of {records} differ from the file: {}.",
            most.join(", ")
        ));
    }
    if dropped > 0 {
        sentences.push(format!("{system} drops {}.", count(dropped, "record")));
    }
    if refused > 0 {
        sentences.push(format!("{system} refuses {}.", count(refused, "record")));
    }
    if sentences.is_empty() {
        sentences.push(format!("{system} holds all records as they are in the file."));
    }
    sentences.join(" ")
}

fn lengths(overview: &Overview) -> Option<Section> {
    let texts = &overview.texts;
    let lengths = [
        ("bytes of a record", &overview.bytes),
        ("characters of a record", &overview.characters),
        ("characters of a text", &texts.characters),
        ("tokens of a text (estimate)", &texts.estimated_tokens),
    ];
    let rows = lengths.into_iter().filter_map(|(label, histogram)| {
        let cells = summary(histogram.as_ref()?);
        Some([label.to_owned()].into_iter().chain(cells).collect())
    });
    table("Lengths".to_owned(), &SUMMARY, rows.collect())
}

/// The distribution of a fact for each value at another path.
fn groups(fact: &Fact, by: &Groups) -> Option<Section> {
    let heading = format!("{} by {}", fact.title, by.path);
    let listed = by.groups.iter().take(MOST_GROUPS);
    let section = match &fact.distribution {
        Distribution::Histogram(_) => {
            let rows = listed.filter_map(|Group { value, distribution }| {
                let Distribution::Histogram(histogram) = distribution else { return None };
                let cells = [value.clone(), histogram.count.to_string()];
                Some(cells.into_iter().chain(summary(histogram)).collect())
            });
            let titles: Vec<&str> = ["values"].into_iter().chain(SUMMARY).collect();
            table(heading, &titles, rows.collect())
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
                let cells = [value.clone(), total.to_string()];
                Some(cells.into_iter().chain(columns.iter().map(cell)).collect())
            });
            let titles: Vec<&str> = ["values"].into_iter().chain(columns.iter().copied()).collect();
            table(heading, &titles, rows.collect())
        }
    };
    with_left_out(section, by.groups.len().saturating_sub(MOST_GROUPS), "group")
}

fn distribution(title: &str, paths: &[String], distribution: &Distribution) -> Option<Section> {
    match distribution {
        Distribution::Categories(categories) => values(title, paths, categories),
        Distribution::Histogram(histogram) => bars(title, histogram_rows(histogram), histogram.count),
    }
}

fn values(title: &str, paths: &[String], categories: &Categories) -> Option<Section> {
    let row = |label: &str, count| Row { label: label.to_owned(), count, query: value_query(paths, label) };
    let listed = categories.values.iter().take(MOST_VALUES);
    let mut rows: Vec<Row> = listed.map(|category| row(&category.value, category.count)).collect();
    let others = categories.total() - rows.iter().map(|row| row.count).sum::<u64>();
    if others > 0 {
        rows.push(Row { label: "(others)".to_owned(), count: others, query: None });
    }
    bars(title, rows, categories.total())
}

fn scripts(overview: &Overview) -> Option<Section> {
    let scripts = overview.texts.scripts.iter();
    let row = |label: &str, count| Row { label: label.to_owned(), count, query: None };
    let texts = overview.texts.characters.as_ref().map_or(0, |characters| characters.count);
    bars("Scripts of texts", scripts.map(|count| row(count.script.name(), count.texts)).collect(), texts)
}

/// The values of paths that are categories and do not belong to a fact.
fn categories(overview: &Overview) -> Vec<Section> {
    let is_of_fact = |path: &str| overview.facts.iter().any(|fact| fact.paths.iter().any(|of| of == path));
    let paths = overview.paths.iter().filter(|facts| facts.values.is_some() && !is_of_fact(&facts.path));
    let section = |PathFacts { path, values: of_path, .. }: &PathFacts| {
        values(&named(path), std::slice::from_ref(path), of_path.as_ref()?)
    };
    let mut sections: Vec<Section> = paths.clone().take(MOST_CATEGORIES).filter_map(section).collect();
    let last = sections.pop();
    sections.extend(with_left_out(last, paths.count().saturating_sub(MOST_CATEGORIES), "such path"));
    sections
}

fn keys(overview: &Overview) -> Option<Section> {
    let row = |facts: &PathFacts| {
        let types = types_in_words(&facts.types);
        vec![named(&facts.path), facts.records.to_string(), share(facts.records, overview.records), types]
    };
    let rows = overview.paths.iter().take(MOST_PATHS).map(row).collect();
    let section = table("Keys".to_owned(), &["records", "share", "types"], rows);
    let mut section = with_left_out(section, overview.paths.len().saturating_sub(MOST_PATHS), "path");
    if let Some(section) = section.as_mut().filter(|_| overview.at_other_paths > 0) {
        section.notes.push(format!("and {} at further paths", count(overview.at_other_paths, "value")));
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
        let cells = [facts.description.clone(), facts.bytes.count.to_string()];
        cells.into_iter().chain(summary(&facts.bytes)).collect()
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
fn table(heading: String, titles: &[&str], rows: Vec<Vec<String>>) -> Option<Section> {
    if rows.is_empty() {
        return None;
    }
    let titles = titles.iter().map(|title| (*title).to_owned()).collect();
    Some(Section { heading, content: Content::Table { titles, rows }, notes: Vec::new() })
}

fn with_left_out(section: Option<Section>, left_out: usize, noun: &str) -> Option<Section> {
    let mut section = section?;
    if left_out > 0 {
        section.notes.push(format!("and {} more", count(left_out as u64, noun)));
    }
    Some(section)
}

/// The query for the records that have a value at a path; `None` if there are several paths, or the language cannot express it.
fn value_query(paths: &[String], value: &str) -> Option<String> {
    let [path] = paths else { return None };
    let step = |step: &str| if step == "*" { Step::Any } else { Step::Key(step.to_owned()) };
    let key = DataKey::Path(path.split('.').map(step).collect());
    let terms = vec![Term { is_negated: false, what: What::Data(key, vec![Value::Is(value.to_owned())]) }];
    let query = Query { terms };
    let text = query.to_string();
    Query::parse(&text, &[]).is_ok_and(|parsed| parsed == query).then_some(text)
}

/// The smallest number, the quartiles, the largest number and the mean.
fn summary(histogram: &Histogram) -> [String; 6] {
    let [first, median, third] =
        [0, 1, 2].map(|at| range(histogram.quartiles[at], histogram.quartiles_to[at]));
    let [min, max, mean] = [histogram.min.get(), histogram.max.get(), histogram.mean()].map(decimal);
    [min, first, median, third, max, mean]
}

/// The rows of a histogram: its steps if they are few, else one, two, four or more octaves.
fn histogram_rows(histogram: &Histogram) -> Vec<Row> {
    let mut rows = rows_by(histogram, |index| index);
    let mut octaves = 1;
    while rows.len() > if octaves == 1 { MOST_ROWS } else { MOST_OCTAVES } {
        rows = rows_by(histogram, |index| octave(index).div_euclid(octaves));
        octaves *= 2;
    }
    rows
}

/// A row for each run of steps in the same group. Its label is the range of the numbers in them.
fn rows_by(histogram: &Histogram, group: impl Fn(i32) -> i32) -> Vec<Row> {
    let groups = histogram.buckets.chunk_by(|one, next| group(one.index) == group(next.index));
    let row = |buckets: &[Bucket]| {
        let (first, last) = (buckets.first()?, buckets.last()?);
        let label = range(first.from, last.to);
        Some(Row { label, count: buckets.iter().map(|bucket| bucket.count).sum(), query: None })
    };
    groups.filter_map(row).collect()
}

/// A number, or the range that contains it.
fn range(from: Number, to: Number) -> String {
    let (from, to) = (decimal(from.get()), decimal(to.get()));
    if from == to { from } else { format!("{from} to {to}") }
}

/// A number with at most three digits after the point, or three that are not 0; very large and very small ones with an exponent.
fn decimal(number: f64) -> String {
    let size = number.abs();
    let digits = match size {
        _ if size >= 1e15 || size > 0.0 && size < 1e-6 => {
            let text = format!("{number:.3e}");
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            return format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'));
        }
        ..0.001 if size > 0.0 => 8,
        ..0.01 if size > 0.0 => 5,
        ..0.1 if size > 0.0 => 4,
        _ => 3,
    };
    let text = format!("{number:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The length of the bar of a row, if that of the row with the largest count is `longest`.
pub fn bar_length(count: u64, rows: &[Row], longest: u64) -> u64 {
    let most = rows.iter().map(|row| row.count).max().unwrap_or(0).max(1);
    let length = u128::from(count) * u128::from(longest) / u128::from(most);
    u64::try_from(length).unwrap_or(longest)
}

/// A share in per cent.
#[expect(clippy::cast_precision_loss, reason = "it is rounded anyway")]
pub fn share(count: u64, total: u64) -> String {
    if total == 0 { String::new() } else { format!("{:.1} %", count as f64 * 100.0 / total as f64) }
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

    #[test]
    fn a_value_has_a_query_where_the_language_can_say_it() {
        let query = |path: &str, value: &str| value_query(&[path.to_owned()], value);
        let of_role = query("input.messages.*.role", "user").unwrap();
        assert!(Query::parse(&of_role, &[]).is_ok());
        let spaced = query("model", "a \"b\" (c)").unwrap();
        assert!(matches!(
            &Query::parse(&spaced, &[]).unwrap().terms[0].what,
            What::Data(_, values) if values == &[Value::Is("a \"b\" (c)".to_owned())]
        ));
        assert_eq!(query("a key: with signs", "x"), None);
        assert_eq!(value_query(&["a".to_owned(), "b".to_owned()], "x"), None);
    }
}
