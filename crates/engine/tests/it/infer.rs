//! The schema that is inferred from a dataset accepts every record of it, whatever their order, and little else.

use std::fmt::Write as _;

use crate::support::Choices;
use crate::support::cases::inputs;
use crate::support::suite::rounds;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::dataset::Dataset;
use evalcheck_engine::finding::Finding;
use evalcheck_engine::formats::Layout;
use evalcheck_engine::observer::Observer;
use evalcheck_engine::overview::Overview;
use evalcheck_engine::records::csv::Table;
use evalcheck_engine::records::{CountedRecord, ScannedRecord};
use evalcheck_json::csv::split;
use evalcheck_wire::worker::CheckOptions;
use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// The records that are lines or elements, as text, and the rows, as their cells by the names of their columns.
#[derive(Default)]
struct Texts {
    lines: Vec<String>,
    rows: Vec<Vec<(String, String)>>,
    raw_rows: Vec<Vec<u8>>,
}

impl Texts {
    fn row(&mut self, text: &[u8], table: &Table) {
        let mut cells = Vec::new();
        if split(text, table.delimiter, true, &mut cells).is_some() || cells.len() != table.columns.len() {
            return;
        }
        let columns = cells.iter().zip(&table.columns).filter(|(_, column)| !column.shadowed);
        let named = |cell: &evalcheck_json::csv::Cell| cell.text(text);
        self.rows.push(columns.map(|(cell, column)| (column.name.to_string(), named(cell))).collect());
        self.raw_rows.push(text.to_owned());
    }

    fn add(&mut self, text: &[u8], table: Option<&Table>) {
        match table {
            Some(table) => self.row(text, table),
            None => self.lines.extend(str::from_utf8(text).map(str::to_owned)),
        }
    }
}

impl Observer for Texts {
    fn clean(&mut self, record: &ScannedRecord<'_>, _: &[Finding], _: &Dataset) {
        self.add(record.text, record.row.map(|row| row.table));
    }

    fn counted(&mut self, record: &CountedRecord<'_>, _: &[Finding], _: &Dataset) {
        if let Some(text) = record.text.filter(|_| record.bytes.is_some() && !record.is_continued) {
            self.add(text, record.table);
        }
    }
}

/// A dataset that was read.
struct Read {
    /// The schema as text; `None` without a record.
    schema: Option<String>,
    texts: Texts,
}

fn read(data: &[u8], name: &str, options: CheckOptions) -> Read {
    let file = FileInfo { name: name.to_owned(), size: data.len() as u64 };
    let mut check = Check::open(&mut std::io::Cursor::new(data), file, options);
    check.observe(Overview::new(check.dataset()));
    check.observe(Texts::default());
    check.read_all(data, 1 << 16);
    let are_rows = matches!(check.dataset().variant.layout, Layout::Csv(_));
    let records = check.report().counts.records;
    let schema = check.observer::<Overview>().unwrap().to_schema(name, records, are_rows);
    Read { schema, texts: check.take_observer().unwrap() }
}

fn of_format(format: &str) -> CheckOptions {
    CheckOptions { format: (format != "auto").then(|| format.to_owned()), ..CheckOptions::default() }
}

/// Lines as plain data.
fn read_lines(lines: &[String]) -> Read {
    read(lines.join("\n").as_bytes(), "a.jsonl", of_format("jsonl"))
}

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::options().should_validate_formats(true).build(schema).unwrap()
}

/// A row as a record: a cell is what its column wants.
fn typed(row: &[(String, String)], schema: &Value) -> Value {
    let mut members = Map::new();
    for (name, cell) in row {
        let types = &schema["properties"][name]["type"];
        let allows =
            |of: &str| types == of || types.as_array().is_some_and(|types| types.contains(&json!(of)));
        let value = if types.is_null() || allows("string") {
            json!(cell)
        } else if cell.is_empty() {
            if !allows("null") {
                continue;
            }
            Value::Null
        } else {
            serde_json::from_str(cell).unwrap_or_else(|_| json!(cell))
        };
        members.insert(name.clone(), value);
    }
    Value::Object(members)
}

/// Checks that the schema accepts all records that `serde_json` reads, and returns their number.
#[track_caller]
fn assert_accepts(read: &Read, what: &str) -> usize {
    let Some(text) = &read.schema else { return 0 };
    let schema: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(jsonschema::draft202012::meta::is_valid(&schema), "{what}: {text}");
    let validator = validator(&schema);
    let lines = read.texts.lines.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let rows = read.texts.rows.iter().map(|row| typed(row, &schema));
    let mut accepted = 0;
    for record in lines.chain(rows) {
        let errors: Vec<String> = validator.iter_errors(&record).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{what}: {errors:#?}\n{record:.2000}\n{text:.5000}");
        accepted += 1;
    }
    accepted
}

/// Checks lines in several orders, and returns the schema.
#[track_caller]
fn assert_lines(lines: &[String], what: &str) -> Value {
    let read = read_lines(lines);
    assert!(assert_accepts(&read, what) > 0, "{what}");
    let schema = read.schema.unwrap();
    let mut choices = Choices::new(lines.len() as u64);
    let mut shuffled = lines.to_vec();
    for _ in 0..3 {
        shuffle(&mut shuffled, &mut choices);
        assert_eq!(read_lines(&shuffled).schema.as_ref(), Some(&schema), "{what}, shuffled");
    }
    serde_json::from_str(&schema).unwrap()
}

fn shuffle<T>(values: &mut [T], choices: &mut Choices) {
    for at in (1..values.len()).rev() {
        values.swap(at, choices.below(at + 1));
    }
}

#[track_caller]
fn assert_refused(schema: &Value, record: &Value) {
    assert!(!validator(schema).is_valid(record), "{record}\n{schema:#}");
}

#[test]
fn golden_files_have_schemas_that_accept_their_records() {
    let (mut records, mut rows, mut plain) = (0, 0, 0);
    for input in inputs() {
        let what = input.path.to_string_lossy();
        let name = &input.name;
        let own =
            read(&input.data, input.path.file_name().unwrap().to_str().unwrap(), of_format(&input.format));
        records += assert_accepts(&own, &what);
        rows += own.texts.rows.len();
        // The records as plain lines, in any order.
        let is_line = |line: &&String| !line.contains(['\n', '\r']) && !line.trim().is_empty();
        let lines: Vec<String> = own.texts.lines.iter().filter(is_line).cloned().collect();
        if lines.iter().any(|line| serde_json::from_str::<Value>(line).is_ok()) {
            assert_lines(&lines, name);
            plain += 1;
        }
    }
    assert!(records > 2_000 && rows > 300 && plain > 200, "{records} records, {rows} rows, {plain} files");
}

#[test]
fn rows_in_any_order_have_one_schema() {
    for input in inputs().into_iter().filter(|input| input.path.extension().is_some_and(|of| of == "csv")) {
        let what = input.path.to_string_lossy();
        let own = read(&input.data, "a.csv", of_format("csv"));
        assert_accepts(&own, &what);
        let Some(header) = input.data.split(|byte| *byte == b'\n').next() else { continue };
        let mut choices = Choices::new(1);
        let mut rows = own.texts.raw_rows;
        let joined = |rows: &[Vec<u8>]| [&[header.to_owned()], rows].concat().join(&b'\n');
        let expected = read(&joined(&rows), "a.csv", of_format("csv"));
        shuffle(&mut rows, &mut choices);
        let shuffled = read(&joined(&rows), "a.csv", of_format("csv"));
        if expected.texts.rows.len() == rows.len() && shuffled.texts.rows.len() == rows.len() {
            assert_eq!(shuffled.schema, expected.schema, "{what}");
        }
    }
}

const KEYS: &[&str] = &[
    "a",
    "b",
    "id",
    "",
    " ",
    "*",
    "a.b",
    "a/b",
    "~",
    "~0",
    "0",
    "1",
    "-1",
    "é",
    r"\u0061",
    r"\u00e9",
    r"\ud800",
    r"\udc00",
    r"\ud800x",
    r#"\""#,
    r"\\",
    r"\n",
    "$ref",
    "$comment",
    "properties",
    "__proto__",
    "\u{fffd}",
    "\u{202e}",
    "a b",
];

const VALUES: &[&str] = &[
    "1",
    "0",
    "-0",
    "1.0",
    "1e2",
    "1E400",
    "-1e400",
    "9007199254740993",
    "9007199254740993.5",
    "18446744073709551616",
    "123456789012345678901234567890",
    "0.1",
    "5e-324",
    "null",
    "true",
    "false",
    r#""""#,
    r#""a""#,
    r#""b""#,
    r#""2024-02-29""#,
    r#""2024-02-30""#,
    r#""2024-02-29T10:00:00Z""#,
    r#""https://a.b/c""#,
    r#""https:\/\/a.b\/c""#,
    r#""123e4567-e89b-12d3-a456-426614174000""#,
    r#""\ud800""#,
    "\"\u{fffd}\"",
    r#""\u0061""#,
    r#""12""#,
    "[]",
    "{}",
];

fn value(choices: &mut Choices, depth: usize, out: &mut String) {
    let few = choices.chance(2);
    match choices.below(if depth < 5 { 8 } else { 6 }) {
        6 => {
            out.push('[');
            for at in 0..choices.below(4) {
                out.push_str(if at > 0 { "," } else { "" });
                value(choices, depth + 1, out);
            }
            out.push(']');
        }
        7 => object(choices, depth, out),
        _ if few => out.push_str(choices.pick(&[r#""a""#, r#""b""#, "1", "null"])),
        _ => out.push_str(choices.pick(VALUES)),
    }
}

fn object(choices: &mut Choices, depth: usize, out: &mut String) {
    let keys = if choices.chance(3) { KEYS } else { &KEYS[..3] };
    out.push('{');
    for at in 0..choices.below(5) {
        let comma = if at > 0 { "," } else { "" };
        write!(out, "{comma}\"{}\":", choices.pick(keys)).unwrap();
        value(choices, depth + 1, out);
    }
    out.push('}');
}

#[test]
fn generated_records_are_accepted() {
    for seed in 0..rounds(150, 1500) {
        let mut choices = Choices::new(seed);
        let are_objects = !choices.chance(4);
        let lines: Vec<String> = (0..=choices.below(60))
            .map(|_| {
                let mut line = String::new();
                if are_objects {
                    object(&mut choices, 0, &mut line);
                } else {
                    value(&mut choices, 0, &mut line);
                }
                line
            })
            .chain(["{\"a\":1}".to_owned()])
            .collect();
        assert_lines(&lines, &format!("seed {seed}"));
    }
}

fn numbered(count: usize, line: impl Fn(usize) -> String) -> Vec<String> {
    (0..count).map(line).collect()
}

/// The objects of a schema that are closed.
fn closed(schema: &Value) -> usize {
    match schema {
        Value::Object(members) => {
            usize::from(members.get("additionalProperties").is_some_and(Value::is_boolean))
                + members.values().map(closed).sum::<usize>()
        }
        _ => 0,
    }
}

#[test]
fn files_beyond_the_caps_of_statistics_are_accepted_and_left_open() {
    let many = |keys: usize| {
        numbered(3, |of| {
            let members: Vec<String> =
                (0..keys).filter(|key| key % 3 != of).map(|key| format!("\"key{key}\":{key}")).collect();
            format!("{{\"id\":{of},\"below\":{{\"a\":1}},{}}}", members.join(","))
        })
    };
    for keys in [600, 5_000] {
        let schema = assert_lines(&many(keys), "keys");
        assert!(schema.get("additionalProperties").is_none(), "{schema:#}");
        assert_eq!(schema["required"], json!(["below", "id"]));
        assert!(schema["$comment"].as_str().unwrap().contains("500 paths"), "{schema:#}");
        assert_refused(&schema, &json!({"id": 1}));
    }
    // Each record has a list below a path of its own.
    let schema = assert_lines(
        &numbered(600, |of| format!("{{\"id\":{of},\"below\":{{\"k{of}\":[{{\"a\":{of}}}]}}}}")),
        "paths",
    );
    assert_eq!(schema["additionalProperties"], json!(false));
    assert_eq!(schema["properties"]["below"].get("additionalProperties"), None, "{schema:#}");
    let schema = assert_lines(
        &numbered(100_100, |of| format!("{{\"text\":\"{of}\",\"n\":{of},\"d\":\"{of}/{of}\"}}")),
        "values",
    );
    assert_eq!(
        schema["properties"]["text"],
        json!({"$comment": "characters: 1 to 6, median 5", "type": "string"})
    );
    assert_refused(&schema, &json!({"text": "1", "n": 1.5, "d": "1"}));

    let long = "k".repeat(1_200);
    let schema = assert_lines(&numbered(3, |of| format!("{{\"id\":{of},\"{long}\":{of}}}")), "a long key");
    assert_eq!((schema["required"].clone(), schema.get("additionalProperties")), (json!(["id"]), None));
    let schema = assert_lines(&[format!("{{\"{}\":[[1,{{}}]]}}", "k".repeat(997))], "a long path of a list");
    assert!(schema.to_string().contains("500 paths"), "{schema:#}");
    for depth in [48, 49, 50, 51, 52, 100, 127] {
        for (open, close) in [("{\"a\":", "}"), ("[", "]"), ("{\"a\":[", "]}")] {
            let depth = depth / open.matches(['{', '[']).count();
            let lines = [format!("{}1{}", open.repeat(depth), close.repeat(depth))];
            let schema = assert_lines(&lines, &format!("{depth} of {open}"));
            let is_deep = depth * open.matches(['{', '[']).count() > 50;
            assert_eq!(schema.to_string().contains("what is deeper"), is_deep, "{depth} of {open}");
        }
    }
    let schema = assert_lines(&["[]".to_owned(), "{}".to_owned()], "empty values");
    assert_eq!((closed(&schema), schema["type"].clone()), (0, json!(["array", "object"])));
}

#[test]
fn a_key_is_required_if_every_object_at_its_path_has_it() {
    let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    let of = |all: &[&str]| assert_lines(&lines(all), all[0]);
    let required = |schema: &Value| schema["required"].clone();
    // In every record, and not in every object.
    let schema = of(&[r#"{"m":[{"a":1,"b":1},{"b":2}]}"#, r#"{"m":[{"a":1,"b":3}]}"#]);
    assert_eq!(
        (required(&schema), required(&schema["properties"]["m"]["items"])),
        (json!(["m"]), json!(["b"]))
    );
    // A key that is repeated makes up for none.
    for line in [r#"{"b":0,"a":1,"a":2}"#, r#"{"a":1,"b":0,"\u0061":2}"#, r#"{"a":1,"a":1,"a":1,"b":0}"#] {
        assert_eq!(required(&of(&[line, r#"{"b":1}"#, r#"{"b":2}"#])), json!(["b"]), "{line}");
    }
    assert_eq!(required(&of(&[r#"{"a":1,"a":2}"#, r#"{"a":1}"#])), json!(["a"]));
    let schema = of(&[r#"{"x":{"a":1},"x":{"a":1,"a":2}}"#, r#"{"x":{"a":1}}"#]);
    assert_eq!(required(&schema["properties"]["x"]), json!(["a"]));
    // Those that most objects have come first.
    let schema = of(&[r#"{"z":1,"b":1,"c":1}"#, r#"{"c":1,"z":1}"#]);
    assert_eq!(required(&schema), json!(["c", "z"]));
}

#[test]
fn keys_that_are_no_unicode_leave_the_object_open() {
    let line = r#"{"\ud800":1,"\ud801":"a","b":{"x":1}}"#.to_owned();
    let read = read_lines(&[line]);
    let schema: Value = serde_json::from_str(&read.schema.unwrap()).unwrap();
    assert_eq!((schema["required"].clone(), schema.get("additionalProperties")), (json!(["b"]), None));
    // Other readers of JSON accept such keys.
    assert!(validator(&schema).is_valid(&json!({"\u{fffd}": "a", "b": {"x": 2}})));
}

/// Records of a usual dataset.
fn usual() -> Vec<String> {
    numbered(40, |of| {
        let date = format!("2024-05-{:02}", of % 28 + 1);
        json!({
            "id": format!("q{of}"),
            "role": if of % 3 == 0 { "user" } else { "assistant" },
            "label": if of % 4 == 0 { Value::Null } else { json!(["yes", "no"][of % 2]) },
            "score": if of % 2 == 0 { json!(1) } else { json!(0.5) },
            "turns": of,
            "at": format!("{date}T10:00:{:02}Z", of),
            "day": date,
            "run": format!("123e4567-e89b-12d3-a456-4266141740{of:02}"),
            "source": format!("https://example.org/a?b={of}"),
            "messages": [{"role": "user", "text": "Hi"}, {"role": "user", "text": "x".repeat(of)}],
            "tags": []
        })
        .to_string()
    })
}

#[test]
fn a_schema_is_a_contract() {
    let lines = usual();
    let schema = assert_lines(&lines, "usual");
    let property = |key: &str, of: &str| schema["properties"][key][of].clone();
    assert_eq!(property("role", "enum"), json!(["assistant", "user"]));
    assert_eq!(property("label", "enum"), json!(["no", "yes", null]));
    assert_eq!((property("id", "enum"), property("turns", "type")), (Value::Null, json!("integer")));
    assert_eq!(property("score", "type"), json!("number"));
    for (key, format) in
        [("at", "date-time"), ("day", "date"), ("run", "uuid"), ("source", "uri"), ("id", "")]
    {
        assert_eq!(property(key, "format").as_str().unwrap_or_default(), format, "{key}");
    }
    assert_eq!(property("turns", "$comment"), json!("numbers: 0 to 39, median 19"));
    let record: Value = serde_json::from_str(&lines[7]).unwrap();
    assert!(validator(&schema).is_valid(&record));
    let keys: Vec<String> = record.as_object().unwrap().keys().cloned().collect();
    for key in &keys {
        let mut changed = record.clone();
        changed.as_object_mut().unwrap().remove(key);
        assert_refused(&schema, &changed);
        changed = record.clone();
        changed[key] = json!(true);
        assert_refused(&schema, &changed);
    }
    for (key, value) in
        [("new", json!(1)), ("role", json!("User")), ("day", json!("May 1")), ("label", json!("maybe"))]
    {
        let mut changed = record.clone();
        changed[key] = value;
        assert_refused(&schema, &changed);
    }
    let mut changed = record.clone();
    changed["messages"][1]["name"] = json!("x");
    assert_refused(&schema, &changed);
    let comment = schema["$comment"].as_str().unwrap();
    assert!(
        comment.starts_with("one record; inferred by evalcheck ") && comment.ends_with(" from 40"),
        "{comment}"
    );
}

#[test]
fn keys_that_are_data_have_one_schema() {
    let lines = numbered(60, |of| {
        format!(r#"{{"id":{of},"by":{{"all":0,"model-{of}":{of},"model-{}":1}}}}"#, of + 1)
    });
    let schema = assert_lines(&lines, "a map");
    let by = &schema["properties"]["by"];
    assert_eq!(by["properties"].as_object().unwrap().len(), 1, "{by:#}");
    assert_eq!(
        by["additionalProperties"],
        json!({"$comment": "numbers: 0 to 59, median 1", "type": "integer"})
    );
    assert!(validator(&schema).is_valid(&json!({"id": 1, "by": {"all": 1, "model-new": 3}})));
    assert_refused(&schema, &json!({"id": 1, "by": {"all": 1, "model-new": "3"}}));
    // Objects below such keys are described together.
    let lines = numbered(60, |of| {
        let more = if of % 2 == 0 { r#","x":1"# } else { "" };
        format!(r#"{{"by":{{"m{of}":{{"a":[{of}]{more}}}}}}}"#)
    });
    let schema = assert_lines(&lines, "a map of objects");
    let each = &schema["properties"]["by"]["additionalProperties"];
    assert_eq!(
        (each["required"].clone(), each["additionalProperties"].clone()),
        (json!(["a"]), json!(false))
    );
    // A wide table is not a map.
    let lines = numbered(3, |_| {
        format!("{{{}}}", (0..150).map(|key| format!("\"c{key}\":1")).collect::<Vec<_>>().join(","))
    });
    assert_eq!(assert_lines(&lines, "a wide table")["required"].as_array().unwrap().len(), 150);
}

#[test]
fn strings_are_listed_only_if_all_are_known_in_full() {
    let of = |string: &dyn Fn(usize) -> String| {
        let lines = numbered(100, |at| format!("{{\"a\":{}}}", string(at)));
        assert_lines(&lines, &lines[0])["properties"]["a"]["enum"].clone()
    };
    assert_eq!(of(&|at| format!("\"v{}\"", at % 10)).as_array().unwrap().len(), 10);
    assert_eq!(of(&|_| r#""\u0041\n\"""#.to_owned()), json!(["A\n\""]));
    assert_eq!(of(&|at| if at == 50 { "\"\"".into() } else { "\"a\"".into() }), json!(["", "a"]));
    let not = Value::Null;
    assert_eq!(of(&|at| format!("\"v{}\"", at % 11)), not, "too many");
    assert_eq!(
        of(&|at| if at == 50 { format!("\"{}\"", "x".repeat(101)) } else { "\"a\"".into() }),
        not,
        "too long"
    );
    assert_eq!(
        of(&|at| if at == 50 { format!("\"{}\"", "é".repeat(51)) } else { "\"a\"".into() }),
        not,
        "too long"
    );
    assert_eq!(of(&|at| if at == 50 { "1".into() } else { "\"1\"".into() }), not, "a number");
    assert_eq!(
        of(&|at| if at == 50 { "\"\u{fffd}\"".into() } else { "\"a\"".into() }),
        not,
        "perhaps half a surrogate pair"
    );
    assert_eq!(of(&|at| if at < 50 { format!("\"{at}\"") } else { "\"a\"".into() }), not, "most are rare");
}

#[test]
fn the_cells_of_a_column_are_typed_together() {
    let data =
        "id,n,f,e,zip,exp,text,empty\n1,1,0.5,,01234,1e5,a,\n2,-3,1,7,12345,2,b,\n3,0,-0.25,,1,3,\"\",\n";
    let read = read(data.as_bytes(), "a.csv", of_format("csv"));
    assert_eq!(assert_accepts(&read, "cells"), 3);
    let schema: Value = serde_json::from_str(&read.schema.unwrap()).unwrap();
    let types = |key: &str| schema["properties"][key]["type"].clone();
    let expected = [
        ("id", json!("integer")),
        ("n", json!("integer")),
        ("f", json!("number")),
        ("e", json!(["integer", "null"])),
        ("zip", json!("string")),
        ("exp", json!("string")),
        ("text", json!("string")),
        ("empty", json!("string")),
    ];
    for (key, expected) in expected {
        assert_eq!(types(key), expected, "{key}");
    }
    assert_eq!(schema["required"].as_array().unwrap().len(), 8);
}

#[test]
fn an_object_where_records_are_lists_is_left_open() {
    let data = "[{\"id\":\"a\",\"type\":\"text\",\"text\":\"Hi\"}]\n{\"a\":1}\n{\"b\":[2]}\n";
    let read = read(data.as_bytes(), "a.jsonl", of_format("quest"));
    assert_eq!(assert_accepts(&read, "objects"), 3);
    assert!(read.schema.unwrap().contains(r#""type": ["array", "object"]"#));
}

#[test]
fn what_cannot_be_read_is_said() {
    let lines: Vec<String> = ["{\"a\":1}", "{\"a\":", "{\"a\":2}"].map(str::to_owned).to_vec();
    let schema = assert_lines(&lines, "a broken line");
    let comment = schema["$comment"].as_str().unwrap();
    assert!(comment.ends_with("; 1 of 3 records could not be read and are not described"), "{comment}");
    assert!(read_lines(&["{".to_owned()]).schema.is_none());
}
