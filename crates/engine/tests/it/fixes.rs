//! Properties of the result when safe fixes are applied until there are none, whatever the file.

use crate::support;
use crate::support::Choices;
use crate::support::cases::{Input, inputs};
use crate::support::suite::rounds;
use evalcheck_engine::fix::Selection;
use evalcheck_engine::fix::in_memory::fix;
use evalcheck_engine::formats::{FORMATS, Layout, Variant};
use evalcheck_engine::schema::Schema;
use evalcheck_wire::worker::CheckOptions;

/// The number of rounds after which no safe fix is left: the file as a whole or the ends of its records, their JSON, their shape.
const ROUNDS: usize = 3;

/// For an archive, also its names, and the folder of the dataset.
const ARCHIVE_ROUNDS: usize = 5;

fn options(format: Option<&str>) -> CheckOptions {
    CheckOptions { format: format.map(str::to_owned), ..CheckOptions::default() }
}

mod archives;

/// Fixes a dataset. Returns the number of fixes applied, and of rounds.
fn assert_fixes_hold(data: &[u8], name: &str, format: Option<&str>) -> (u64, usize) {
    let selection = Selection::default();
    let fixed = fix(data.to_vec(), name, &options(format), &selection);
    let shown = || {
        format!(
            "{name} {format:?}\n{}\n=>\n{}",
            String::from_utf8_lossy(data),
            String::from_utf8_lossy(&fixed.bytes)
        )
    };
    let left: Vec<_> =
        fixed.report.findings.iter().filter(|finding| selection.fix_of(finding).is_some()).collect();
    assert!(left.is_empty(), "a safe fix is left: {left:#?}\n{}", shown());
    let rounds = if data.starts_with(b"PK") { ARCHIVE_ROUNDS } else { ROUNDS };
    assert!(fixed.rounds <= rounds, "{} rounds\n{}", fixed.rounds, shown());
    // A text that cannot be read as it is meant has one error and hides others.
    let (before, after) = (&fixed.before.counts, &fixed.report.counts);
    let hides = |code: &String| {
        [
            "json/",
            "document/",
            "shape/wrong-type",
            "zip/no-dataset",
            "csv/separator",
            "csv/bare-carriage-return",
            "csv/ragged-row",
            "csv/unknown-column",
        ]
        .iter()
        .any(|hiding| code.starts_with(hiding))
    };
    let is_read = !before.by_code.keys().any(hides);
    assert!(!is_read || after.errors <= before.errors, "more errors\n{}", shown());
    // A first line that cannot be read, or a name in it, hides its requirements for the others; so does a first record of another kind.
    let of_first = ["quest", "quest-results", "openai-finetune", "openai-batch", "deepeval", "hf-datasets"];
    let has_header = format.is_some_and(|format| of_first.contains(&format)) || name == "data.csv";
    assert!((has_header && !is_read) || after.valid >= before.valid, "less is valid\n{}", shown());
    if fixed.fixes == 0 {
        assert_eq!(fixed.bytes, data, "nothing changes without a fix");
    }
    (fixed.fixes, fixed.rounds)
}

/// A record with a mistake that people and programs make.
fn mistaken(line: &str, choices: &mut Choices) -> String {
    let place = |of: &str, choices: &mut Choices| {
        let places: Vec<usize> = line.match_indices(of).map(|(at, _)| at).collect();
        places.get(choices.below(places.len())).copied()
    };
    let put = |at: Option<usize>, length: usize, text: &str| match at {
        Some(at) => format!("{}{text}{}", &line[..at], &line[at + length..]),
        None => line.to_owned(),
    };
    match choices.below(20) {
        0 => line.replace('"', "'"),
        1 => put(place(",", choices), 1, ",,"),
        2 => put(place("}", choices), 1, ",}"),
        3 => put(place("]", choices), 1, ", ]"),
        4 => format!("{line},"),
        5 => format!("{line} // a note"),
        6 => put(place(",", choices), 1, ", /* a note */"),
        7 => line.replace("null", "None").replace("true", "True").replace("false", "False"),
        8 => format!("{line}{line}"),
        9 => format!("{line}\r{line}"),
        10 => format!("[{line}, {line}]"),
        11 => format!("\u{a0}{line}"),
        12 => put(place(" ", choices), 1, "\t"),
        13 => line.replace('"', "“"),
        14 => put(place("null", choices), 4, "NaN"),
        15 => {
            // A key in capitals.
            let keys: Vec<_> = line
                .match_indices("\":")
                .filter_map(|(end, _)| Some((line[..end].rfind('"')? + 1, end)))
                .collect();
            let Some(&(start, end)) = keys.get(choices.below(keys.len())) else { return line.to_owned() };
            put(Some(start), end - start, &line[start..end].to_uppercase())
        }
        16 => {
            // A key without quotes.
            let keys: Vec<_> = line
                .match_indices("\":")
                .filter_map(|(end, _)| Some((line[..end].rfind('"')?, end)))
                .collect();
            let Some(&(start, end)) = keys.get(choices.below(keys.len())) else { return line.to_owned() };
            put(Some(start), end + 1 - start, &line[start + 1..end])
        }
        17 => {
            // A number in quotes.
            let is_digit = |at: usize| line.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
            let numbers: Vec<usize> =
                line.match_indices(':').map(|(at, _)| at + 1).filter(|at| is_digit(*at)).collect();
            let Some(&start) = numbers.get(choices.below(numbers.len())) else { return line.to_owned() };
            let length = line[start..].bytes().take_while(u8::is_ascii_digit).count();
            put(Some(start), length, &format!("\"{}\"", &line[start..start + length]))
        }
        18 => put(place(":{", choices), 2, ":[{").replacen('}', "}]", 1),
        _ => serde_json::to_string(line).unwrap(),
    }
}

/// A dataset of four records with mistakes, and its name.
fn mistaken_dataset(variant: &Variant, choices: &mut Choices) -> (String, &'static str) {
    let record = |schema: &Schema, choices: &mut Choices| {
        let mut line = mistaken(&support::valid(schema, choices), choices);
        if choices.chance(4) {
            line = mistaken(&line, choices);
        }
        line
    };
    let mut records =
        |schema: &'static Schema| -> Vec<String> { (0..4).map(|_| record(schema, choices)).collect() };
    match variant.layout {
        Layout::Jsonl => (records(variant.schema).join("\n"), "data.jsonl"),
        Layout::JsonlWithHeader(header) => {
            let mut lines = records(header);
            lines.truncate(1);
            lines.extend(records(variant.schema));
            (lines.join("\n"), "data.jsonl")
        }
        Layout::Json(lists) => {
            let document = support::document(lists, choices, |list, choices| {
                (0..4).map(|_| record(list.schema, choices)).collect()
            });
            (if choices.chance(3) { mistaken(&document, choices) } else { document }, "data.json")
        }
        Layout::Csv(columns) => {
            let mut rows: Vec<Vec<String>> =
                vec![columns.columns.iter().map(|column| column.name.to_owned()).collect()];
            if columns.columns.is_empty() {
                rows[0] = vec!["question".to_owned(), "answer".to_owned()];
            }
            for _ in 0..4 {
                let cell = |choices: &mut Choices| CELLS[choices.below(CELLS.len())].to_owned();
                let cells = rows[0].len() + choices.below(3) - 1;
                rows.push((0..cells).map(|_| cell(choices)).collect());
            }
            if choices.chance(4) {
                let at = choices.below(rows[0].len());
                rows[0][at] = rows[0][at].to_uppercase();
            }
            let separator = [",", ",", ",", ";", "\t"][choices.below(5)];
            let end = ["\n", "\n", "\r\n", "\r"][choices.below(4)];
            let rows: Vec<String> = rows.iter().map(|row| row.join(separator)).collect();
            (rows.join(end), "data.csv")
        }
    }
}

/// Cells of a CSV, as people and programs write them.
const CELLS: [&str; 16] = [
    "",
    " ",
    "a",
    "q1",
    "42",
    "how high is it",
    "6\" wide",
    "\"a, b\"",
    "\"a,,a\"",
    "\"[\"\"a\"\", \"\"b\"\"]\"",
    "\"['a', 'b']\"",
    "\"[1, \"\"\"\"]\"",
    "true",
    "\"[\"\"a\"\", \"\"a\"\"]\"",
    "\"two\nlines\"",
    "null",
];

#[test]
fn what_people_get_wrong_is_fixed() {
    let mut choices = Choices::new(22);
    let (mut fixes, mut datasets, mut by_rounds) = (0, 0_u64, [0; 8]);
    for format in FORMATS {
        for variant in format.variants {
            for _ in 0..rounds(60, 500) {
                let (data, name) = mistaken_dataset(variant, &mut choices);
                let (applied, took) = assert_fixes_hold(data.as_bytes(), name, Some(format.id));
                by_rounds[took] += 1;
                // Of records of any keys, only the text can be mistaken.
                if !format.takes_any_data() {
                    fixes += applied;
                    datasets += 1;
                }
            }
        }
    }
    println!("{fixes} fixes in {datasets} files, by rounds {by_rounds:?}");
    assert!(fixes > 3 * datasets, "{fixes} fixes in {datasets} files");
}

#[test]
fn spoiled_records_of_every_format_are_fixed() {
    let mut choices = Choices::new(20);
    let mut fixes = 0;
    for format in FORMATS {
        for variant in format.variants.iter().filter(|variant| matches!(variant.layout, Layout::Jsonl)) {
            for _ in 0..30 {
                let mut data = Vec::new();
                support::spoiled_lines(variant.schema, 12, &mut choices, &mut data);
                fixes += assert_fixes_hold(&data, "data.jsonl", Some(format.id)).0;
            }
        }
    }
    println!("{fixes} fixes");
    assert!(fixes > 100, "{fixes} fixes");
}

#[test]
fn clean_records_stay_as_they_are() {
    let mut choices = Choices::new(21);
    for format in FORMATS {
        for example in format.examples.iter().filter(|example| !example.id.starts_with("broken")) {
            let evalcheck_wire::catalogue::ExampleContent::Text(text) = example.content() else { continue };
            assert_eq!(assert_fixes_hold(text.as_bytes(), example.file_name, Some(format.id)), (0, 0));
        }
        for variant in format.variants.iter().filter(|variant| matches!(variant.layout, Layout::Jsonl)) {
            let is_clean = |line: &String| format.texts.lines.separator(line.as_bytes()).is_none();
            let lines = (0..200).map(|_| support::valid(variant.schema, &mut choices));
            let data: String = lines.filter(is_clean).map(|line| line + "\n").collect();
            let fixed = fix(
                data.clone().into_bytes(),
                "data.jsonl",
                &options(Some(format.id)),
                &Selection::default(),
            );
            assert_eq!(String::from_utf8_lossy(&fixed.bytes), data, "{}", format.id);
        }
    }
}

#[test]
fn the_golden_cases_are_fixed() {
    let mut fixes = 0;
    for Input { format, name, data, .. } in inputs().into_iter().filter(|input| input.name != "input.zip") {
        let is_format = FORMATS.iter().any(|known| known.id == format);
        fixes += assert_fixes_hold(&data, &name, is_format.then_some(&*format)).0;
    }
    println!("{fixes} fixes");
    assert!(fixes > 200, "{fixes} fixes");
}
