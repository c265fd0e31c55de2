//! The statistics of a dataset are those of a slow and independent count, whatever pieces its bytes arrive in.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use crate::support;
use crate::support::Choices;
use crate::support::cases::{Input, inputs};
use crate::support::tiers::variants;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::formats::Layout;
use evalcheck_report::Report;
use evalcheck_report::overview::{
    Categories, Distribution, Histogram, Overview, PathFacts, TypeCounts, bucket,
};
use evalcheck_wire::worker::CheckOptions;
use serde_json::Value;

/// A check that counts, in pieces of `piece` bytes.
fn count(bytes: &[u8], name: &str, options: &CheckOptions, piece: usize) -> Check {
    let file = FileInfo { name: name.to_owned(), size: bytes.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(bytes), file, options.clone());
    check.observe(evalcheck_engine::overview::Overview::new(check.dataset()));
    check.read_all(bytes, piece);
    check
}

fn of_format(format: &str, version: &str) -> CheckOptions {
    let version = (!version.is_empty()).then(|| version.to_owned());
    CheckOptions { format: Some(format.to_owned()), version, ..CheckOptions::default() }
}

/// The values at a path, one by one.
#[derive(Default)]
struct Expected {
    records: BTreeSet<usize>,
    types: TypeCounts,
    characters: Vec<f64>,
    elements: Vec<f64>,
    numbers: Vec<f64>,
    /// Strings and booleans; numbers are not written as they were.
    values: BTreeMap<String, u64>,
}

fn expect(value: &Value, path: &str, record: usize, all: &mut BTreeMap<String, Expected>) {
    let name = if path.is_empty() { "(root)" } else { path };
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    let at = all.entry(name.to_owned()).or_default();
    at.records.insert(record);
    match value {
        Value::Null => at.types.null += 1,
        Value::Bool(value) => {
            at.types.boolean += 1;
            *at.values.entry(value.to_string()).or_default() += 1;
        }
        Value::Number(number) => {
            at.types.number += 1;
            at.numbers.push(number.as_f64().unwrap());
        }
        Value::String(text) => {
            at.types.string += 1;
            at.characters.push(f64::from(u32::try_from(text.chars().count()).unwrap()));
            *at.values.entry(text.clone()).or_default() += 1;
        }
        Value::Array(elements) => {
            at.types.array += 1;
            at.elements.push(f64::from(u32::try_from(elements.len()).unwrap()));
            for element in elements {
                expect(element, &below("*"), record, all);
            }
        }
        Value::Object(members) => {
            at.types.object += 1;
            members.iter().for_each(|(key, value)| expect(value, &below(key), record, all));
        }
    }
}

fn assert_same(numbers: &[f64], histogram: Option<&Histogram>, what: &str) {
    let Some(histogram) = histogram else { return assert!(numbers.is_empty(), "{what}") };
    let mut steps = BTreeMap::<i32, Vec<f64>>::new();
    for number in numbers {
        steps.entry(bucket(*number)).or_default().push(*number);
    }
    let of_step = |(index, numbers): (i32, Vec<f64>)| {
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (index, numbers.len() as u64, least, most)
    };
    let counted = histogram.buckets.iter();
    let counted = counted.map(|bucket| (bucket.index, bucket.count, bucket.from.get(), bucket.to.get()));
    assert!(counted.eq(steps.into_iter().map(of_step)), "{what}: {histogram:?}");
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!((histogram.min.get(), histogram.max.get()), (least, most), "{what}");
    let sum: f64 = numbers.iter().sum();
    let tolerance = numbers.iter().map(|number| number.abs()).sum::<f64>() * 1e-12;
    assert!((histogram.sum.get() - sum).abs() <= tolerance, "{what}: {sum}");
    assert_eq!(histogram.count, numbers.len() as u64, "{what}");
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    for (quarter, (from, to)) in
        [1, 2, 3].into_iter().zip(histogram.quartiles.iter().zip(histogram.quartiles_to))
    {
        let at = sorted[(sorted.len() * quarter).div_ceil(4) - 1];
        let (from, to) = (from.get(), to.get());
        assert!(from <= at && at <= to && bucket(from) == bucket(to), "{what}: {from} to {to} of {at}");
    }
}

/// Compares the statistics of lines, all of which are JSON, with a count by `serde_json`.
fn assert_counts(lines: &[&str], overview: &Overview, what: &str) {
    let mut all = BTreeMap::new();
    for (record, line) in lines.iter().enumerate() {
        expect(&serde_json::from_str(line).unwrap(), "", record, &mut all);
    }
    assert_eq!((overview.records, overview.at_other_paths), (lines.len() as u64, 0), "{what}");
    let lengths = |of: &dyn Fn(&&str) -> usize| {
        lines.iter().map(|line| f64::from(u32::try_from(of(line)).unwrap())).collect::<Vec<_>>()
    };
    assert_same(&lengths(&|line| line.len()), overview.bytes.as_ref(), what);
    assert_same(&lengths(&|line| line.chars().count()), overview.characters.as_ref(), what);
    let different = lines.iter().collect::<BTreeSet<_>>().len();
    assert_eq!(overview.duplicates, Some((lines.len() - different) as u64), "{what}");
    let paths: BTreeSet<&str> = overview.paths.iter().map(|facts| &*facts.path).collect();
    assert_eq!(paths, all.keys().map(String::as_str).collect(), "{what}");
    for facts in &overview.paths {
        let PathFacts { path, records, types, characters, elements, numbers, values } = facts;
        let (expected, what) = (&all[path], format!("{what}: {path}"));
        assert_eq!((*records, types), (expected.records.len() as u64, &expected.types), "{what}");
        assert_same(&expected.characters, characters.as_ref(), &what);
        assert_same(&expected.elements, elements.as_ref(), &what);
        assert_same(&expected.numbers, numbers.as_ref(), &what);
        if expected.numbers.is_empty() {
            assert_values(&expected.values, values.as_ref(), &what);
        }
    }
}

fn assert_values(expected: &BTreeMap<String, u64>, values: Option<&Categories>, what: &str) {
    let (long, short): (Vec<_>, Vec<_>) = expected.iter().partition(|(value, _)| value.len() > 100);
    let (different, total) = (short.len() as u64, expected.values().sum::<u64>());
    let long = long.into_iter().map(|(_, count)| count).sum::<u64>();
    let are_few = different <= 10 && different < total || different < 1000 && different * 5 <= total;
    let are_category = different > 0 && different < 1000 && are_few && long * 10 <= total;
    let Some(values) = values else { return assert!(!are_category, "{what}") };
    assert!(are_category, "{what}");
    let listed = values.values.iter().map(|category| (&category.value, &category.count));
    assert_eq!(listed.collect::<BTreeMap<_, _>>(), short.into_iter().collect(), "{what}");
    assert_eq!(values.others, long, "{what}");
}

#[test]
fn valid_golden_cases_are_counted_as_serde_json_counts_them() {
    let mut counted = 0;
    for Input { format, name, path, data: bytes } in inputs() {
        if name != "input.jsonl" || format == "auto" || path.with_file_name("options.json").exists() {
            continue;
        }
        let check = count(&bytes, "input.jsonl", &of_format(&format, ""), 1 << 20);
        let report = check.report();
        let Ok(text) = String::from_utf8(bytes) else { continue };
        // A key that occurs twice counts twice, and `serde_json` sees its last value. It does not read lone surrogates.
        let has_keys_twice = report.counts.by_code.contains_key("json/duplicate-key");
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let lines: Vec<&str> = lines.skip(usize::try_from(report.counts.header).unwrap()).collect();
        let are_json = lines.iter().all(|line| serde_json::from_str::<Value>(line).is_ok());
        if !are_json || !report.valid || has_keys_twice {
            continue;
        }
        assert_counts(&lines, report.overview.as_ref().unwrap(), &path.to_string_lossy());
        counted += 1;
    }
    assert!(counted > 20, "{counted}");
}

/// Lines of records that a format accepts, with repetitions, and some that break a rule.
fn generated(seed: u64, schema: &'static evalcheck_engine::schema::Schema) -> Vec<String> {
    let mut choices = Choices::new(seed);
    let family: Vec<String> = (0..80).map(|_| support::valid(schema, &mut choices)).collect();
    let line = |choices: &mut Choices| {
        let is_repeated = choices.chance(3);
        if is_repeated { family[choices.below(80)].clone() } else { support::valid(schema, choices) }
    };
    let lines = (0..400).map(|_| line(&mut choices));
    lines.filter(|line| !line.trim().is_empty() && !line.contains('\n')).collect()
}

#[test]
fn generated_records_are_counted_as_serde_json_counts_them() {
    for (seed, (format, variant)) in variants().enumerate() {
        if !matches!(variant.layout, Layout::Jsonl) {
            continue;
        }
        let lines = generated(seed as u64, variant.schema);
        let data = lines.iter().map(|line| line.clone() + "\n").collect::<String>();
        let check = count(data.as_bytes(), "a.jsonl", &of_format(format.id, variant.version), 1 << 16);
        let report = check.report();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let overview = report.overview.as_ref().unwrap();
        if overview.at_other_paths == 0 {
            assert_counts(&lines, overview, &format!("{} {}", format.id, variant.version));
        }
    }
}

#[test]
fn pieces_change_nothing() {
    for (seed, (format, variant)) in variants().enumerate() {
        if !matches!(variant.layout, Layout::Jsonl) {
            continue;
        }
        let lines = generated(100 + seed as u64, variant.schema);
        let data = |lines: &[String]| lines.iter().map(|line| line.clone() + "\n").collect::<String>();
        let options = of_format(format.id, variant.version);
        let whole = count(data(&lines).as_bytes(), "a.jsonl", &options, 1 << 20).report();
        let of_pieces = |piece| count(data(&lines).as_bytes(), "a.jsonl", &options, piece).report().overview;
        assert_eq!(of_pieces(7), whole.overview, "{}", format.id);
        assert_eq!(of_pieces(64), whole.overview, "{}", format.id);
    }
}

fn overview(data: &str, name: &str) -> Overview {
    let report: Report = count(data.as_bytes(), name, &CheckOptions::default(), 64).report();
    report.overview.unwrap()
}

fn path<'o>(overview: &'o Overview, path: &str) -> &'o PathFacts {
    overview.paths.iter().find(|facts| facts.path == path).unwrap()
}

#[test]
fn rows_are_counted_by_their_cells() {
    let overview = overview(
        "query_id,query_text,relevant_doc_ids\nq1,\"a \"\"b\"\"\",\"[\"\"d1\"\", \"\"d2\"\"]\"\nq2,é,[]\nq3,\"x,y\nz\",d1\nq4,f,\"d1, d2,,d3\"\nq5,f,\nq6,f,7\n",
        "a.csv",
    );
    let texts = path(&overview, "query_text").characters.as_ref().unwrap();
    assert_eq!((texts.count, texts.min.get(), texts.max.get()), (6, 1.0, 5.0));
    let ids = path(&overview, "relevant_doc_ids");
    assert_eq!((ids.types.array, ids.types.string), (5, 1));
    assert_eq!(path(&overview, "relevant_doc_ids.*").records, 3);
    let relevance = overview.facts.iter().find(|fact| fact.name == "document").unwrap();
    let Distribution::Histogram(relevance) = &relevance.distribution else { panic!() };
    assert_eq!((relevance.count, relevance.sum.get()), (5, 6.0));
}

#[test]
fn scores_are_counted_by_model() {
    let line = |model: &str, score: f64, correct: bool| {
        let full = include_str!("../../../formats/src/eee_instance/minimal.jsonl").lines().next().unwrap();
        let mut record: Value = serde_json::from_str(full).unwrap();
        record["model_id"] = model.into();
        record["evaluation"]["score"] = score.into();
        record["evaluation"]["is_correct"] = correct.into();
        record.to_string() + "\n"
    };
    let data = [("a/x", 0.5, false), ("b/y", 1.0, true), ("a/x", 0.75, true), ("a/x", 1.0, true)];
    let data: String = data.map(|(model, score, correct)| line(model, score, correct)).concat();
    let overview = overview(&data, "a.jsonl");
    let fact = |name: &str| overview.facts.iter().find(|fact| fact.name == name).unwrap();
    let by = fact("score").by.as_ref().unwrap();
    let of = |distribution: &Distribution| match distribution {
        Distribution::Histogram(histogram) => (histogram.count, histogram.mean()),
        Distribution::Categories(_) => panic!(),
    };
    let groups: Vec<_> = by.groups.iter().map(|group| (&*group.value, of(&group.distribution))).collect();
    assert_eq!((&*by.path, groups), ("model_id", vec![("a/x", (3, 0.75)), ("b/y", (1, 1.0))]));
    let correct = &fact("correct").by.as_ref().unwrap().groups[0].distribution;
    let Distribution::Categories(correct) = correct else { panic!() };
    assert_eq!(
        correct.values.iter().map(|value| (&*value.value, value.count)).collect::<Vec<_>>(),
        [("true", 2), ("false", 1)]
    );
}

#[test]
fn invalid_records_count_and_those_that_are_json_are_walked_over() {
    let overview = overview(
        "{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}}\n{\"input\":{\"messages\":3}}\n{\"input\": nope}\n\n",
        "a.jsonl",
    );
    assert_eq!((overview.records, overview.valid, overview.invalid), (3, 1, 2));
    assert_eq!(overview.bytes.as_ref().unwrap().count, 3);
    let messages = path(&overview, "input.messages");
    assert_eq!((messages.records, messages.types.array, messages.types.number), (2, 1, 1));
}

#[test]
fn what_is_remembered_is_bounded() {
    let record = |keys: std::ops::Range<usize>| {
        let keys: Vec<String> = keys.map(|key| format!("\"k{key}\":{{\"a\":1}}")).collect();
        format!("{{\"input\":{{\"messages\":[]}},{}}}\n", keys.join(","))
    };
    let data: String = (0..100).map(|at| record(at * 40..at * 40 + 40)).collect();
    let data = format!("{data}{}", (0..10).map(|at| record(at..at + 1)).collect::<String>());
    let overview = overview(&data, "a.jsonl");
    // The format declares `input`, `input.messages` and the elements of it, which has none; 497 paths are the shortest others.
    assert_eq!(overview.paths.len(), 500);
    let named: Vec<_> = overview.paths.iter().filter(|facts| facts.path.starts_with('k')).collect();
    assert_eq!(named.iter().map(|facts| &*facts.path).max_by_key(|path| (path.len(), *path)), Some("k491"));
    assert_eq!((path(&overview, "k0").records, path(&overview, "k0.a").records), (2, 2));
    let counted: u64 = named.iter().map(|facts| facts.types.total()).sum();
    assert_eq!((named.len(), counted + overview.at_other_paths), (497, 2 * (4000 + 10)));
}

#[test]
fn a_long_path_is_not_named() {
    let record =
        |key: usize| format!("{{\"input\":{{\"messages\":[]}},\"{}\":{{\"a\":1}}}}\n", "k".repeat(key));
    let data: String = [998, 999, 1_000, 1_001, 1_000_000, 1_000_000].map(record).concat();
    let overview = overview(&data, "a.jsonl");
    // That of `a` is two bytes longer.
    let named = overview.paths.iter().filter(|facts| facts.path.starts_with('k'));
    assert_eq!(named.map(|facts| facts.path.len()).collect::<Vec<_>>(), [998, 1_000, 999, 1_000]);
    assert_eq!(overview.at_other_paths, 8);
    let loaded = overview.loaded.unwrap();
    assert!(loaded.differences.iter().all(|difference| difference.path.len() <= 1_000));
    assert_eq!(loaded.others, 3);
}

#[test]
fn a_second_metadata_line_is_no_sample() {
    let metadata =
        r#"{"total_samples":2,"sample_type":"text","samples_per_line":1,"hidden_metadata":["source"]}"#;
    let sample = |id: &str| format!(r#"[{{"type":"text","id":"{id}","text":"Hello {id}"}}]"#);
    let data = [metadata, &sample("a"), &sample("b"), metadata, &sample("c"), "[7]"].join("\n");
    let overview = overview(&data, "a.jsonl");
    assert_eq!((overview.records, overview.valid), (5, 3));
    let paths: Vec<&str> = overview.paths.iter().map(|facts| &*facts.path).collect();
    assert_eq!(paths, ["(root)", "*", "*.type", "*.id", "*.text"]);
    let root = path(&overview, "(root)");
    assert_eq!((root.types.array, root.types.object), (4, 1));
    assert_eq!(overview.texts.characters.unwrap().count, 6);
    let samples = overview.facts.iter().find(|fact| fact.name == "samples").unwrap();
    let Distribution::Histogram(samples) = &samples.distribution else { panic!() };
    assert_eq!((samples.count, samples.sum.get()), (4, 4.0));
}
