//! Comparisons of two versions against a slow comparison of all records with all others, by another reader of JSON.

use std::collections::BTreeMap;
use std::io::Cursor;

use crate::support::Choices;
use crate::support::cases::{Input, inputs};
use crate::support::suite::rounds;
use evalcheck_engine::check::FileInfo;
use evalcheck_engine::compare::{Compare, InMemory};
use evalcheck_wire::compare::{ComparedRecord, Comparison, ComparisonSums, Difference, DifferenceKind, Mean};
use evalcheck_wire::worker::CheckOptions;
use serde_json::{Map, Value, json};

/// The number of records that are listed.
const LISTED: usize = 5;

/// Options of a comparison.
struct How {
    piece: usize,
    most_waiting: usize,
}

const USUAL: How = How { piece: 1 << 20, most_waiting: 1 << 20 };

fn compare(format: &str, files: [(&str, &[u8]); 2], how: &How) -> Comparison {
    let options = CheckOptions {
        format: Some(format.to_owned()).filter(|format| !format.is_empty()),
        ..CheckOptions::default()
    };
    let info = files.map(|(name, data)| FileInfo { name: name.to_owned(), size: data.len() as u64 });
    let mut compare = Compare::new(info, options, LISTED).within(1 << 20, how.most_waiting);
    let mut sources = files.map(|(_, data)| InMemory(Cursor::new(data)));
    while compare.step(&mut sources, how.piece) {}
    compare.finish(&mut sources).unwrap()
}

/// A generated record.
#[derive(Debug, Clone, PartialEq)]
struct Record {
    id: Option<String>,
    raw: String,
    /// `None` if it cannot be read.
    value: Option<Value>,
}

/// The numbers of a comparison.
#[derive(Debug, PartialEq, Eq)]
struct Numbers {
    unchanged: u64,
    rewritten: u64,
    changed: u64,
    added: u64,
    removed: u64,
    without_id: [u64; 2],
    repeated_id: [u64; 2],
    /// The paths at which records differ, and the number of records that do.
    paths: BTreeMap<String, u64>,
}

impl Numbers {
    fn of(comparison: &Comparison) -> Self {
        let Comparison { unchanged, rewritten, changed, added, removed, old, new, paths, .. } = comparison;
        let paths = paths.iter().map(|path| (path.path.clone(), path.records)).collect();
        Self {
            unchanged: *unchanged,
            rewritten: *rewritten,
            changed: *changed,
            added: *added,
            removed: *removed,
            without_id: [old.without_id, new.without_id],
            repeated_id: [old.repeated_id, new.repeated_id],
            paths,
        }
    }
}

/// The slow comparison.
fn slowly(old: &[Record], new: &[Record]) -> Numbers {
    let occurs = |id: &String, records: &[Record]| {
        records.iter().filter(|record| record.id.as_ref() == Some(id)).count()
    };
    let has_own_id =
        |record: &Record| record.id.as_ref().is_some_and(|id| occurs(id, old) < 2 && occurs(id, new) < 2);
    let (mut unchanged, mut rewritten, mut changed, mut added, mut removed) = (0, 0, 0, 0, 0);
    let mut paths = BTreeMap::new();
    let mut left: Vec<&Record> = new.iter().collect();
    let mut unmatched = Vec::new();
    for record in old {
        let is_same = |other: &&Record| {
            if has_own_id(record) {
                record.id == other.id
            } else {
                !has_own_id(other) && record.raw == other.raw
            }
        };
        let Some(at) = left.iter().position(is_same) else {
            if has_own_id(record) {
                removed += 1;
            } else {
                unmatched.push(record);
            }
            continue;
        };
        let other = left.remove(at);
        if record.raw == other.raw {
            unchanged += 1;
            continue;
        }
        let mut found = Vec::new();
        match (&record.value, &other.value) {
            (Some(one), Some(other)) => differences(one, other, "", &mut found),
            _ => found.push(String::new()),
        }
        if found.is_empty() {
            rewritten += 1;
        } else {
            changed += 1;
        }
        found.sort();
        found.dedup();
        for path in found {
            *paths.entry(path).or_default() += 1;
        }
    }
    for record in unmatched {
        let is_same = |other: &&Record| {
            let values = record.value.as_ref().zip(other.value.as_ref());
            !has_own_id(other) && values.is_some_and(|(one, other)| plain(one) == plain(other))
        };
        match left.iter().position(is_same) {
            Some(at) => {
                left.remove(at);
                rewritten += 1;
            }
            None => removed += 1,
        }
    }
    added += left.len() as u64;
    let count = |records: &[Record], is_meant: &dyn Fn(&Record) -> bool| {
        records.iter().filter(|record| is_meant(record)).count() as u64
    };
    let without_id = |records| count(records, &|record| record.id.is_none());
    let repeated = |records| count(records, &|record| record.id.is_some() && !has_own_id(record));
    Numbers {
        unchanged,
        rewritten,
        changed,
        added,
        removed,
        without_id: [without_id(old), without_id(new)],
        repeated_id: [repeated(old), repeated(new)],
        paths,
    }
}

/// A value whose numbers are equal if their decimals are, as far as the numbers of these tests go.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().unwrap()),
        Value::Array(elements) => elements.iter().map(plain).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), plain(value))).collect::<Map<_, _>>().into()
        }
        _ => value.clone(),
    }
}

/// The paths at which two values differ.
fn differences(old: &Value, new: &Value, path: &str, found: &mut Vec<String>) {
    let below = |step: &str| if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") };
    match (old, new) {
        (Value::Object(one), Value::Object(other)) => {
            for key in one.keys().chain(other.keys()) {
                match (one.get(key), other.get(key)) {
                    (Some(one), Some(other)) => differences(one, other, &below(key), found),
                    _ => found.push(below(key)),
                }
            }
        }
        (Value::Array(one), Value::Array(other)) => {
            let (mut one, mut other) = (one.clone(), other.clone());
            while !one.is_empty() && !other.is_empty() && plain(&one[0]) == plain(&other[0]) {
                one.remove(0);
                other.remove(0);
            }
            while one.last().zip(other.last()).is_some_and(|(one, other)| plain(one) == plain(other)) {
                one.pop();
                other.pop();
            }
            for index in 0..one.len().max(other.len()) {
                match (one.get(index), other.get(index)) {
                    (Some(one), Some(other)) => differences(one, other, &below("*"), found),
                    _ => found.push(below("*")),
                }
            }
        }
        _ if plain(old) != plain(new) => found.push(path.to_owned()),
        _ => {}
    }
}

/// Ways to make and write the records of a layout.
struct Layout {
    format: &'static str,
    name: &'static str,
    /// The id of a value.
    id: fn(&Value) -> Option<String>,
    make: fn(usize, &mut Choices) -> Value,
    write: fn(&Value, &mut Choices) -> String,
    /// A record that is a line and cannot be read.
    broken: Option<&'static str>,
    file: fn(&[Record]) -> String,
}

fn text(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.as_f64().unwrap().to_string()),
        _ => None,
    }
}

/// JSON with white space, keys in another order, escapes and numbers in other notations.
fn written(value: &Value, choices: &mut Choices) -> String {
    let space = |choices: &mut Choices| choices.pick(&["", "", "", " ", "\t"]);
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            if choices.chance(4) {
                members.reverse();
            }
            let member = |(key, value): (&String, &Value)| {
                format!("{}{}:{}{}", space(choices), json!(key), space(choices), written(value, choices))
            };
            let members: Vec<String> = members.into_iter().map(member).collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(|element| written(element, choices)).collect();
            format!("[{}]", elements.join(","))
        }
        Value::Number(number) if number.as_u64() != Some(0) && choices.chance(3) => {
            format!("{number}{}", choices.pick(&[".0", "e0", "0e-1", ".00E+0"]))
        }
        Value::String(text) if choices.chance(4) => {
            let escaped = text.chars().map(|character| {
                let mut units = [0; 2];
                let units = character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}"));
                let units = units.collect::<Vec<_>>().concat();
                if choices.chance(3) {
                    units
                } else {
                    let quoted = json!(character.to_string()).to_string();
                    quoted[1..quoted.len() - 1].to_owned()
                }
            });
            format!("\"{}\"", escaped.collect::<String>())
        }
        other => other.to_string(),
    }
}

const WORDS: &[&str] =
    &["a", "b", "c", "zwei Wörter", "日本", "\u{1f600}", "x,y", "line\nbreak", "\"quoted\"", "back\\slash"];

fn any_value(choices: &mut Choices, depth: usize) -> Value {
    match choices.below(if depth < 2 { 7 } else { 4 }) {
        0 => json!(choices.below(20)),
        1 => json!(choices.chance(2)),
        2 => Value::Null,
        4 => (0..choices.below(4)).map(|_| any_value(choices, depth + 1)).collect(),
        5 | 6 => {
            let members = (0..choices.below(3))
                .map(|_| (choices.pick(&["k", "l", "m"]).to_owned(), any_value(choices, depth + 1)));
            Value::Object(members.collect())
        }
        _ => json!(choices.pick(WORDS)),
    }
}

fn lines(records: &[Record]) -> String {
    records.iter().flat_map(|record| [&*record.raw, "\n"]).collect()
}

/// A cell of a CSV; quoted where it has to be, and sometimes elsewhere.
fn cell(text: &str, choices: &mut Choices) -> String {
    if choices.chance(4) || text.contains([',', '"', '\n']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

const LAYOUTS: &[Layout] = &[
    // Lines with ids of two parts.
    Layout {
        format: "eee-instance",
        name: "a.jsonl",
        id: |value| {
            Some(format!("{:?}{:?}", text(value.get("evaluation_name"))?, text(value.get("sample_id"))?))
        },
        make: |number, choices| {
            let id = if choices.chance(10) { json!("") } else { json!(format!("s{number}")) };
            json!({"evaluation_name": choices.pick(&["e", "e", "f"]), "sample_id": id, "x": any_value(choices, 0), "y": any_value(choices, 0)})
        },
        write: written,
        broken: Some("[\"nothing\" 1]"),
        file: lines,
    },
    // Lines without ids.
    Layout {
        format: "tencent-infer",
        name: "a.jsonl",
        id: |_| None,
        make: |_, choices| json!({"messages": [{"role": "user", "content": choices.pick(WORDS)}], "ref_answer": any_value(choices, 0)}),
        write: written,
        broken: Some("[\"nothing\" 1]"),
        file: lines,
    },
    // Lines after a header, with the ids of several samples.
    Layout {
        format: "quest",
        name: "a.jsonl",
        id: |value| {
            let ids: Vec<String> =
                value.as_array()?.iter().filter_map(|sample| text(sample.get("id"))).collect();
            (!ids.is_empty()).then(|| format!("{ids:?}"))
        },
        make: |number, choices| {
            let sample = |part: usize, choices: &mut Choices| json!({"type": "text", "id": format!("{number}-{part}"), "text": choices.pick(WORDS)});
            (0..=choices.below(3)).map(|part| sample(part, choices)).collect()
        },
        write: written,
        broken: None,
        file: |records| {
            format!(
                "{{\"sample_type\":\"text\",\"samples_per_line\":1,\"total_samples\":9}}\n{}",
                lines(records)
            )
        },
    },
    // A document.
    Layout {
        format: "evret",
        name: "a.json",
        id: |value| text(value.get("query_id")).or_else(|| text(value.get("id"))),
        make: |number, choices| {
            let key = choices.pick(&["query_id", "query_id", "id", "none"]);
            json!({key: number, "query_text": choices.pick(WORDS), "expected_answers": [choices.pick(WORDS)], "metadata": any_value(choices, 0)})
        },
        write: written,
        broken: None,
        file: |records| {
            let elements: Vec<&str> = records.iter().map(|record| &*record.raw).collect();
            format!("{{\"queries\": [\n{}\n]}}", elements.join(",\n"))
        },
    },
    // Rows.
    Layout {
        format: "evret",
        name: "a.csv",
        id: |value| text(value.get("query_id")),
        make: |number, choices| {
            let id = if choices.chance(10) { String::new() } else { format!("q{number}") };
            json!({"query_id": id, "query_text": choices.pick(WORDS), "note": choices.pick(WORDS)})
        },
        write: |value, choices| {
            let cells = ["query_id", "query_text", "note"]
                .map(|key| cell(value.get(key).and_then(Value::as_str).unwrap_or_default(), choices));
            cells.join(",")
        },
        broken: None,
        file: |records| format!("query_id,query_text,note\n{}", lines(records)),
    },
];

fn record(layout: &Layout, value: Value, choices: &mut Choices) -> Record {
    Record { id: (layout.id)(&value), raw: (layout.write)(&value, choices), value: Some(value) }
}

/// Takes the value of a key that is not an id from another record.
fn change(value: &mut Value, other: &Value, choices: &mut Choices) {
    let object = if let Value::Array(samples) = value { samples.last_mut() } else { Some(value) };
    let Some(Value::Object(members)) = object else { return };
    let keys = ["x", "y", "metadata", "query_text", "text", "note", "ref_answer"];
    let present: Vec<&str> = keys.into_iter().filter(|key| members.contains_key(*key)).collect();
    let key = choices.pick(&present);
    let value = other.get(key).or_else(|| other.get(0)?.get(key)).unwrap_or(&Value::Null);
    members.insert(key.to_owned(), value.clone());
}

/// Two versions of a dataset.
fn versions(layout: &Layout, choices: &mut Choices) -> [Vec<Record>; 2] {
    let count = choices.below(30);
    let mut old: Vec<Record> = (0..count)
        .map(|number| {
            let value = (layout.make)(number, choices);
            record(layout, value, choices)
        })
        .collect();
    let mut new = old.clone();
    for round in 0..choices.below(12) {
        let at = choices.below(new.len().max(1));
        let to = choices.below(new.len().max(1));
        if new.is_empty() {
            break;
        }
        match choices.below(12) {
            0 => drop(new.remove(at)),
            1 => {
                let value = (layout.make)(100 + round, choices);
                new.insert(at, record(layout, value, choices));
            }
            2 => new.swap(at, to),
            // An id twice, in one version or the other.
            3 => new.insert(to, new[at].clone()),
            4 => {
                let copy = new[at].clone();
                let place = choices.below(old.len() + 1);
                old.insert(place, copy);
            }
            5 => {
                if let Some(broken) = layout.broken {
                    new[at] = Record { id: None, raw: broken.to_owned(), value: None }
                }
            }
            // The same value, perhaps in another notation.
            6 | 7 => {
                if let Some(value) = new[at].value.clone() {
                    new[at] = record(layout, value, choices);
                }
            }
            _ => {
                if let Some(mut value) = new[at].value.clone() {
                    change(&mut value, &(layout.make)(0, choices), choices);
                    new[at] = record(layout, value, choices);
                }
            }
        }
    }
    [old, new]
}

#[test]
fn counts_are_those_of_a_slow_comparison() {
    let (mut seen, seeds) = ([0; 5], rounds(15, 300));
    for seed in 0..seeds {
        let choices = &mut Choices::new(seed);
        for layout in LAYOUTS {
            let [old, new] = versions(layout, choices);
            let files = [&old, &new].map(|records| (layout.file)(records));
            let named = [0, 1].map(|index| (layout.name, files[index].as_bytes()));
            let about = || format!("seed {seed}, {}\n{}\n{}", layout.name, files[0], files[1]);
            let found = compare(layout.format, named, &USUAL);
            assert!(
                found.complete || found.old.records == 0 || found.new.records == 0,
                "{:?} {}",
                found.incomplete,
                about()
            );
            if !found.complete {
                continue;
            }
            let numbers = Numbers::of(&found);
            assert_eq!(numbers, slowly(&old, &new), "{}", about());
            assert_eq!(
                [found.old.records, found.new.records],
                [old.len() as u64, new.len() as u64],
                "{}",
                about()
            );
            assert_sums(&found);
            for (total, number) in seen.iter_mut().zip([
                numbers.unchanged,
                numbers.rewritten,
                numbers.changed,
                numbers.added,
                numbers.removed,
            ]) {
                *total += number;
            }
            // However the bytes arrive, and however little memory there is.
            for how in [
                How { piece: 1 + choices.below(200), ..USUAL },
                How { most_waiting: 400, ..USUAL },
                How { piece: 64, most_waiting: 700 },
            ] {
                assert_eq!(
                    compare(layout.format, named, &how),
                    found,
                    "pieces of {}, {}",
                    how.piece,
                    about()
                );
            }
            assert_mirrored(&found, &compare(layout.format, [named[1], named[0]], &USUAL));
        }
    }
    assert!(seen.iter().all(|number| *number > seeds), "too few of something: {seen:?}");
}

fn assert_sums(found: &Comparison) {
    let Comparison { unchanged, rewritten, changed, unexamined, .. } = found;
    let both = unchanged + rewritten + changed + unexamined;
    assert_eq!(found.old.records, both + found.removed + found.old.unread, "{found:?}");
    assert_eq!(found.new.records, both + found.added + found.new.unread, "{found:?}");
    let listed = |count: u64| usize::try_from(count).unwrap().min(LISTED);
    assert_eq!(found.changed_records.len(), listed(found.changed));
    assert_eq!(found.added_records.len(), listed(found.added));
    assert_eq!(found.removed_records.len(), listed(found.removed));
}

fn assert_mirrored(one: &Comparison, other: &Comparison) {
    let Numbers { added, removed, without_id, repeated_id, .. } = Numbers::of(one);
    let turned = |[old, new]: [u64; 2]| [new, old];
    let mirrored = Numbers {
        added: removed,
        removed: added,
        without_id: turned(without_id),
        repeated_id: turned(repeated_id),
        ..Numbers::of(one)
    };
    assert_eq!(Numbers::of(other), mirrored, "{one:?}");
}

#[test]
fn a_dataset_and_itself_do_not_differ() {
    let mut compared = 0;
    for Input { name, data, .. } in inputs() {
        let found = compare("", [(&name, &data), (&name, &data)], &USUAL);
        if found.format.is_empty() {
            assert!(!found.complete && !found.incomplete.is_empty(), "{name}");
            continue;
        }
        compared += 1;
        assert_eq!(found.unchanged + found.old.unread, found.old.records, "{name}: {found:?}");
        assert_sums(&found);
        let pieces = compare("", [(&name, &data), (&name, &data)], &How { piece: 61, ..USUAL });
        assert_eq!(pieces, found, "{name} in small pieces");
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn cases_and_what_is_left_of_them_differ_by_what_is_gone() {
    for Input { name, data, .. } in inputs() {
        let half = data.len() / 2;
        let rest = &data[..half];
        if data.starts_with(b"PK") || std::str::from_utf8(rest).is_err() {
            continue;
        }
        let found = compare("", [(&name, &data), (&name, rest)], &USUAL);
        if !found.format.is_empty() {
            assert_sums(&found);
            assert_mirrored(
                &found,
                &compare("", [(&name, rest), (&name, &data)], &How { piece: 97, ..USUAL }),
            );
        }
    }
}

#[test]
fn what_cannot_be_compared_is_said_and_not_counted() {
    let line = br#"{"messages":[{"role":"user","content":"Hi"}]}"#;
    let other = br#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#;
    let found = compare("", [("a.jsonl", line), ("b.jsonl", other)], &USUAL);
    assert_eq!(found.incomplete, ["the formats differ: tencent-infer and juryarena"]);
    let found = compare("", [("a.txt", b"no dataset"), ("b.jsonl", line)], &USUAL);
    assert_eq!(found.incomplete, ["the older version is of no known format"]);
    let lines = [&line[..], b"\n"].concat().repeat(10);
    let info = |data: &[u8]| FileInfo { name: "a.jsonl".into(), size: data.len() as u64 };
    for (most, is_complete) in [(20, true), (19, false), (9, false), (0, false)] {
        let mut compare =
            Compare::new([info(&lines), info(&lines)], CheckOptions::default(), 1).within(most, 1 << 20);
        let mut sources = [InMemory(Cursor::new(&lines)), InMemory(Cursor::new(&lines))];
        while compare.step(&mut sources, 100) {}
        let found = compare.finish(&mut sources).unwrap();
        assert_eq!(
            (found.complete, found.unchanged),
            (is_complete, if is_complete { 10 } else { 0 }),
            "{most}"
        );
        assert!(is_complete || found.incomplete[0].contains("more than"), "{:?}", found.incomplete);
    }
}

#[test]
fn records_without_an_end_are_not_compared() {
    let document = |rest: &str| {
        format!(
            "{{\"queries\": [{{\"query_id\": \"a\", \"query_text\": \"x\", \"expected_answers\": [\"y\"]}}{rest}"
        )
    };
    let (whole, cut) = (document("]}"), document(", {\"query_id\": \"b"));
    let found = compare("", [("a.json", whole.as_bytes()), ("b.json", cut.as_bytes())], &USUAL);
    assert_eq!((found.complete, found.unchanged, found.added), (false, 1, 0), "{found:?}");
    assert!(!found.incomplete.is_empty());
    assert_sums(&found);
}

#[test]
fn columns_in_another_order_are_another_notation() {
    let old = b"query_id,query_text,note\n1,a,b\n2,b,b\n,c,d\n";
    let new = b"query_id,note,query_text\n1,b,a\n2,b,b\n,d,c\n";
    let found = compare("evret", [("a.csv", old), ("b.csv", new)], &USUAL);
    assert_eq!((found.rewritten, found.unchanged, found.changed), (3, 0, 0), "{found:?}");
    let renamed = b"query_id,query_text,remark\n1,a,b\n2,b,b\n,c,d\n";
    let found = compare("evret", [("a.csv", old), ("b.csv", renamed)], &USUAL);
    assert_eq!((found.changed, found.added, found.removed), (2, 1, 1), "{found:?}");
    let paths: Vec<&str> = found.paths.iter().map(|path| &*path.path).collect();
    assert_eq!(paths, ["note", "remark"]);
}

#[test]
fn what_cannot_be_decoded_is_not_taken_for_equal() {
    let old = br#"{"messages":[{"role":"user","content":"\ud800"}]}"#;
    let new = br#"{"messages":[{"role":"user","content":"\ud801"}]}"#;
    let found = compare("tencent-infer", [("a.jsonl", old), ("b.jsonl", new)], &USUAL);
    assert_eq!((found.rewritten, found.added, found.removed), (0, 1, 1));
    let line =
        |byte: u8| [&br#"{"evaluation_name":"e","sample_id":"s","x":""#[..], &[byte], br#""}"#].concat();
    let found = compare("eee-instance", [("a.jsonl", &line(0xff)), ("b.jsonl", &line(0xfe))], &USUAL);
    assert_eq!((found.rewritten, found.changed), (0, 1), "{found:?}");
}

#[test]
fn a_header_is_no_record() {
    let file = |total: u32| {
        format!(
            "{{\"sample_type\":\"text\",\"samples_per_line\":1,\"total_samples\":{total}}}\n[{{\"type\":\"text\",\"id\":\"a\",\"text\":\"b\"}}]\n"
        )
    };
    let (old, new) = (file(1), file(2));
    let found = compare("", [("a.jsonl", old.as_bytes()), ("b.jsonl", new.as_bytes())], &USUAL);
    assert_eq!((found.header_changed, found.unchanged, found.changed), (true, 1, 0));
    let found = compare("", [("a.jsonl", old.as_bytes()), ("b.jsonl", old.as_bytes())], &USUAL);
    assert!(!found.header_changed);
}

#[test]
fn a_json_file_and_a_csv_are_compared_by_their_values() {
    let csv = b"query_id,query_text,expected_answers\n1,a,b\n2,b,c\n";
    let json = br#"{"queries": [{"query_id": "2", "query_text": "b", "expected_answers": "c"}, {"query_id": 1, "query_text": "a", "expected_answers": "x"}]}"#;
    let found = compare("evret", [("a.csv", csv), ("b.json", json)], &USUAL);
    assert_eq!((found.added, found.removed, found.rewritten), (0, 0, 1), "{found:?}");
    let paths: Vec<&str> = found.paths.iter().map(|path| &*path.path).collect();
    assert_eq!(paths, ["expected_answers", "query_id"]);
}

/// The list of a comparison, page by page.
fn list(format: &str, files: [(&str, &[u8]); 2]) -> (ComparisonSums, Vec<Difference>) {
    let info = files.map(|(name, data)| FileInfo { name: name.to_owned(), size: data.len() as u64 });
    let options = CheckOptions {
        format: Some(format.to_owned()).filter(|format| !format.is_empty()),
        ..CheckOptions::default()
    };
    let mut compare = Compare::new(info, options, Compare::LISTED).with_means();
    let mut sources = files.map(|(_, data)| InMemory(Cursor::new(data)));
    while compare.step(&mut sources, 1 << 20) {}
    let (sums, compared) = compare.into_list();
    let (mut compared, mut listed) = (compared.unwrap(), Vec::new());
    loop {
        let page = compared.page(&mut sources, None, listed.len() as u64, 7).unwrap();
        if page.is_empty() {
            return (sums, listed);
        }
        listed.extend(page);
    }
}

#[test]
fn records_that_differ_are_listed_with_their_fields() {
    let long = "the same words ".repeat(30);
    let record = |id: u64, end: &str, score: &str| {
        let id = format!("sample-{id}");
        let raw = format!("{long}{end}");
        format!(r#"{{"evaluation_name":"e","sample_id":"{id}","input":{{"raw":"{raw}"}},"score":{score}}}"#)
    };
    let all = |change: &dyn Fn(u64) -> String| (0..40).map(change).collect::<String>().into_bytes();
    let old = all(&|id| record(id, "end", "1") + "\n");
    let new = all(&|id| match id {
        3 => String::new(),
        5 => record(id, "another end", "1") + "\n",
        9 => record(id, "end", "0.5") + "\n",
        11 => format!("{}\n{}\n", record(id, "end", "1.0"), record(99, "end", "1")),
        _ => record(id, "end", "1") + "\n",
    });
    let (sums, listed) = list("eee-instance", [("a.jsonl", &old), ("b.jsonl", &new)]);
    assert_eq!((sums.unchanged, sums.rewritten), (36, 1));
    assert_eq!((sums.changed, sums.added, sums.removed), (2, 1, 1));
    assert!(sums.matched_by.contains("sample_id"), "{}", sums.matched_by);
    assert!(sums.incomplete.is_empty() && sums.listed(None) == 4);
    assert_eq!(sums.means, None, "there are no scores by model");
    let numbers = |difference: &Difference| {
        let number = |record: &Option<ComparedRecord>| record.as_ref().map(|record| record.record);
        (number(&difference.old), number(&difference.new))
    };
    let all: Vec<_> = listed.iter().map(numbers).collect();
    assert_eq!(all, [(Some(5), Some(4)), (Some(9), Some(8)), (None, Some(11)), (Some(3), None)]);
    let field = &listed[0].fields[0];
    assert_eq!((&*field.path, listed[0].fields.len(), listed[0].other_fields), ("input.raw", 1, 0));
    let (old, new) = (field.old.as_deref().unwrap(), field.new.as_deref().unwrap());
    assert!(old.starts_with('…') && old.ends_with(" words end\""), "{old}");
    assert!(new.ends_with(" words another end\""), "{new}");
    let score = &listed[1].fields[0];
    assert_eq!((&*score.path, score.old.as_deref(), score.new.as_deref()), ("score", Some("1"), Some("0.5")));
    assert!(listed[2].new.as_ref().unwrap().id.as_deref().is_some_and(|id| id.contains("sample-99")));
}

#[test]
fn scores_by_model_have_their_means_in_both_versions() {
    let line = |id: u64, model: &str, score: f64| {
        json!({"evaluation_name": "e", "sample_id": id.to_string(), "model_id": model, "evaluation": {"score": score}})
            .to_string()
            + "\n"
    };
    let old = [line(0, "a", 1.0), line(1, "a", 0.5), line(2, "gone", 0.25)].concat();
    let new = [line(0, "a", 0.5), line(1, "a", 0.5), line(4, "b", 1.0), line(5, "a", 0.25)].concat();
    let (sums, _) = list("eee-instance", [("a.jsonl", old.as_bytes()), ("b.jsonl", new.as_bytes())]);
    let means = sums.means.unwrap();
    assert_eq!((&*means.heading, means.others), ("Scores by model_id", 0));
    let mean = |mean: Option<Mean>| mean.map(|mean| (mean.count, mean.mean.get()));
    let groups: Vec<_> =
        means.groups.iter().map(|group| (&*group.value, mean(group.old), mean(group.new))).collect();
    assert_eq!(
        groups,
        [
            ("a", Some((2, 0.75)), Some((3, 1.25 / 3.0))),
            ("b", None, Some((1, 1.0))),
            ("gone", Some((1, 0.25)), None)
        ]
    );

    // A line that is too long to be read.
    let unread = new + &"x".repeat((64 << 20) + 1);
    let (sums, _) = list("eee-instance", [("a.jsonl", old.as_bytes()), ("b.jsonl", unread.as_bytes())]);
    assert!(!sums.incomplete.is_empty() && sums.means.is_none(), "{sums:?}");
}

#[test]
fn a_list_has_pages_and_kinds() {
    let lines = |numbers: std::ops::Range<u64>| {
        let record = |n| format!(r#"{{"messages":[{{"role":"user","content":"{n}"}}]}}"#);
        numbers.map(|n| record(n) + "\n").collect::<String>().into_bytes()
    };
    let files = [("a.jsonl", &lines(0..130)[..]), ("b.jsonl", &lines(60..200)[..])];
    let (sums, listed) = list("", files);
    assert_eq!((sums.unchanged, sums.added, sums.removed), (70, 70, 60));
    assert_eq!(sums.matched_by, "by content");
    assert_eq!(listed.len(), 130);
    assert!(listed[..70].iter().zip(70..).all(|(added, at)| {
        added.old.is_none() && added.new.as_ref().is_some_and(|record| record.record == at)
    }));
    assert!(listed[70..].iter().zip(0..).all(|(removed, at)| {
        removed.new.is_none() && removed.old.as_ref().is_some_and(|record| record.record == at)
    }));
    assert_eq!(
        (sums.listed(Some(DifferenceKind::Removed)), sums.listed(Some(DifferenceKind::Changed))),
        (60, 0)
    );
}
