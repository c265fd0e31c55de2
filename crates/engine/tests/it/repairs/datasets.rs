//! Valid datasets of every format.

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::fix::Selection;
use evalcheck_engine::formats::{Format, Layout, List, Variant};
use evalcheck_engine::records::Columns;
use evalcheck_engine::schema::{Object, Schema, TextRole};
use evalcheck_report::{Report, Severity};
use evalcheck_wire::worker::CheckOptions;
use serde_json::{Value, json};

use crate::support::{self, Choices, eee, prose};

/// A dataset without errors.
pub(crate) struct Dataset {
    pub(crate) format: &'static Format,
    pub(crate) variant: &'static Variant,
    pub(crate) name: &'static str,
    pub(crate) options: CheckOptions,
    pub(crate) bytes: Vec<u8>,
}

/// All findings of a check.
pub(crate) fn check(bytes: &[u8], name: &str, options: &CheckOptions) -> Report {
    let file = FileInfo { name: name.to_owned(), size: bytes.len() as u64 };
    let options = CheckOptions { all: true, ..options.clone() };
    let mut check = Check::open(&mut std::io::Cursor::new(bytes), file, options);
    check.read_all(bytes, 1 << 20);
    check.report()
}

/// The maximum number of tries for a valid dataset.
const MOST_TRIES: usize = 1000;

/// A dataset of a variant in which nothing can be repaired.
pub(crate) fn dataset(format: &'static Format, variant: &'static Variant, choices: &mut Choices) -> Dataset {
    let selection = Selection::default();
    for _ in 0..MOST_TRIES {
        let (dataset, report) = valid(format, variant, choices);
        if report.findings.iter().all(|finding| selection.fix_of(finding).is_none()) {
            return dataset;
        }
    }
    panic!("no dataset of {} without fixes in {MOST_TRIES}", format.id)
}

/// A dataset of a variant, and the findings of a check without errors.
pub(crate) fn valid(
    format: &'static Format,
    variant: &'static Variant,
    choices: &mut Choices,
) -> (Dataset, Report) {
    let name = match variant.layout {
        Layout::Jsonl | Layout::JsonlWithHeader(_) => "data.jsonl",
        Layout::Json(_) => "data.json",
        Layout::Csv(_) => "data.csv",
    };
    let asked = CheckOptions { format: Some(format.id.to_owned()), ..CheckOptions::default() };
    for _ in 0..MOST_TRIES {
        let bytes = written(format, variant, choices).into_bytes();
        let report = check(&bytes, name, &asked);
        if report.findings.iter().any(|finding| finding.severity == Severity::Error) {
            continue;
        }
        // Most users do not choose the format.
        let detected = check(&bytes, name, &CheckOptions::default());
        return if detected.format.id == format.id && choices.chance(2) {
            (Dataset { format, variant, name, options: CheckOptions::default(), bytes }, detected)
        } else {
            (Dataset { format, variant, name, options: asked, bytes }, report)
        };
    }
    panic!("no valid dataset of {} in {MOST_TRIES}", format.id)
}

fn written(format: &'static Format, variant: &'static Variant, choices: &mut Choices) -> String {
    let count = 2 + choices.below(5);
    match variant.layout {
        Layout::Jsonl => {
            let least = format.rules.limits.least.map_or(0, |least| usize::try_from(least).unwrap());
            let mut records = Vec::new();
            while records.len() < count.max(least) {
                records.push(record(format, variant, &records, choices));
            }
            lines(&records, choices)
        }
        Layout::JsonlWithHeader(_) => lines(&with_header(variant.schema, count, choices), choices),
        Layout::Json(lists) => document(lists, count, choices),
        Layout::Csv(columns) => table(format, variant.schema, columns, count, choices),
    }
}

fn lines(records: &[String], choices: &mut Choices) -> String {
    let end = if choices.chance(4) { "\r\n" } else { "\n" };
    let last = if choices.chance(5) { "" } else { end };
    records.join(end) + last
}

/// A record that a check accepts after others.
fn record(
    format: &'static Format,
    variant: &'static Variant,
    before: &[String],
    choices: &mut Choices,
) -> String {
    let options = CheckOptions { format: Some(format.id.to_owned()), ..CheckOptions::default() };
    for _ in 0..MOST_TRIES {
        let record = if format.id.starts_with("eee") {
            prosaic(eee::coherent(variant.version, choices, before.len()), choices)
        } else {
            support::valid(variant.schema, choices)
        };
        let record = if format.id == "openai-batch" { together(&record, before) } else { record };
        let lines = before.iter().chain([&record]).map(String::as_str).collect::<Vec<_>>().join("\n");
        let counts = check(lines.as_bytes(), "data.jsonl", &options).counts;
        if counts.errors == counts.by_code.get("dataset/few-records").copied().unwrap_or_default() {
            return record;
        }
    }
    panic!("no valid record of {} in {MOST_TRIES}", format.id)
}

/// A request that may be in one batch with those before.
fn together(record: &str, before: &[String]) -> String {
    let mut record: Value = serde_json::from_str(record).unwrap();
    if let Some(first) = before.first() {
        let first: Value = serde_json::from_str(first).unwrap();
        record["url"] = first["url"].clone();
        record["body"] = first["body"].clone();
    }
    record["custom_id"] = format!("request {}", before.len()).into();
    record.to_string()
}

/// A record with texts such as people write.
fn prosaic(mut record: Value, choices: &mut Choices) -> String {
    fn replace(value: &mut Value, choices: &mut Choices) {
        match value {
            // The places of answers are names.
            Value::String(text)
                if text.contains([' ', '.'])
                    && !text.starts_with(char::is_numeric)
                    && text != "output.raw" =>
            {
                *text = prose::string(TextRole::Prose, true, choices);
            }
            Value::Array(elements) => elements.iter_mut().for_each(|element| replace(element, choices)),
            Value::Object(members) => members.values_mut().for_each(|value| replace(value, choices)),
            _ => {}
        }
    }
    replace(&mut record, choices);
    record.to_string()
}

/// Lines of samples after the header line that describes them.
fn with_header(samples: &Schema, count: usize, choices: &mut Choices) -> Vec<String> {
    let sample = samples.array.as_ref().unwrap().items;
    let per_line = 1 + choices.below(3);
    let line = |choices: &mut Choices| {
        let samples: Vec<String> = (0..per_line).map(|_| support::valid(sample, choices)).collect();
        format!("[{}]", samples.join(if choices.chance(2) { ", " } else { "," }))
    };
    let lines: Vec<String> = (0..count).map(|_| line(choices)).collect();
    let first: Value = serde_json::from_str(&lines[0]).unwrap();
    let mut header = json!({
        "total_samples": count * per_line,
        "sample_type": first[0]["type"],
        "samples_per_line": per_line,
        "hidden_metadata": ["source"],
    });
    if choices.chance(3) {
        header["description"] = json!(prose::string(TextRole::Prose, false, choices));
    }
    std::iter::once(header.to_string()).chain(lines).collect()
}

/// A document of lists, on one line, an element a line or indented.
fn document(lists: &'static [List], count: usize, choices: &mut Choices) -> String {
    let document = support::document(lists, choices, |list, choices| {
        (0..count).map(|_| support::valid(list.schema, choices)).collect()
    });
    match choices.below(3) {
        0 => document,
        1 => document.replace('\n', " "),
        _ => serde_json::to_string_pretty(&serde_json::from_str::<Value>(&document).unwrap()).unwrap(),
    }
}

/// A table with the columns that a format needs, some of those that it knows, and others.
fn table(
    format: &'static Format,
    schema: &'static Schema,
    columns: &'static Columns,
    count: usize,
    choices: &mut Choices,
) -> String {
    // A column of lists in one version is one in all.
    let is_list = |name: &str| {
        format.variants.iter().any(|variant| match variant.layout {
            Layout::Csv(columns) => {
                columns.columns.iter().any(|column| column.name == name && column.is_list)
            }
            _ => false,
        })
    };
    let known = columns.columns.iter().filter(|column| column.required || choices.chance(2));
    // A name, and whether its cells are lists and names.
    let mut header: Vec<(&str, bool, TextRole)> =
        known.map(|column| (column.name, is_list(column.name), role(schema, column.name))).collect();
    for _ in 0..choices.below(3) {
        let own = prose::key(choices).unwrap();
        let is_known = |name: &str| {
            header.iter().any(|(other, ..)| *other == name)
                || columns.columns.iter().any(|column| column.name == name || column.aliases.contains(&name))
        };
        if !is_known(own) {
            header.insert(choices.below(header.len() + 1), (own, false, TextRole::Prose));
        }
    }
    // In longer tables, names have one form, by which cells are known.
    let is_long = choices.chance(2);
    let count = if is_long { count + 5 + choices.below(6) } else { count };
    let all_quoted = choices.chance(4);
    let written = |cell: &str| {
        if all_quoted || cell.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.to_owned()
        }
    };
    let mut rows = vec![header.iter().map(|(name, ..)| written(name)).collect::<Vec<_>>().join(",")];
    for number in 0..count {
        let cells = header.iter().map(|&(name, is_list, role)| {
            if is_long && (is_list || role == TextRole::Name) {
                let number = if is_list { choices.below(count) } else { number };
                return if is_list && choices.chance(8) {
                    String::new()
                } else {
                    written(&format!("{}-{number}", &name[..1]))
                };
            }
            if !is_list {
                return written(&prose::string(role, choices.chance(2), choices));
            }
            let ids: Vec<String> =
                (0..=choices.below(3)).map(|_| prose::string(TextRole::Name, true, choices)).collect();
            written(&if choices.chance(2) { json!(ids).to_string() } else { ids.join(", ") })
        });
        rows.push(cells.collect::<Vec<_>>().join(","));
    }
    lines(&rows, choices)
}

/// The role of the cells of a column.
fn role(schema: &'static Schema, column: &str) -> TextRole {
    let Some(Object::Properties(declared)) = &schema.object else { return TextRole::Prose };
    let field = declared.fields.iter().find(|field| field.key == column);
    field.and_then(|field| field.schema.string.as_ref()).map_or(TextRole::Prose, |text| text.role)
}
