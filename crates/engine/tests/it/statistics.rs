//! Statistics that are counted by runs of records are those of a check that reads every byte.

use std::fmt::Write as _;
use std::iter;

use crate::support::Choices;
use crate::support::lines::{FORMATS, assert_same_after, golden, open, options, random_datasets};
use crate::support::suite::rounds;
use evalcheck_engine::check::known_lines::FoundLines;
use evalcheck_engine::overview::Overview;
use evalcheck_engine::parts::{Part, PartScanner, plan};
use evalcheck_wire::plan::PlannedDataset;
use evalcheck_wire::worker::CheckOptions;

/// The known lines of ranges of at most `most` bytes, written and read again.
fn known_lines(data: &[u8], most: usize, dataset: &PlannedDataset, choices: &mut Choices) -> Vec<FoundLines> {
    let (mut found, mut start) = (Vec::new(), 0);
    while start < data.len() {
        let end = (start + 1 + choices.below(most)).min(data.len());
        let mut scanner = PartScanner::new(dataset, (start as u64, end as u64), 1).unwrap();
        while scanner.read_piece(&mut &*data, 1 << 16).unwrap() {}
        let part = Part::from_bytes(&scanner.finish().to_bytes()).unwrap();
        found.extend(part.into_found());
        start = end;
    }
    found
}

/// Compares a check that counts runs of lines with one that reads all. Returns the number of bytes that were not read.
fn assert_same(data: &[u8], most: usize, options: &CheckOptions, seed: u64, what: &str) -> usize {
    let mut check = open(data, options);
    check.observe(Overview::new(check.dataset()));
    let dataset = plan(&check, "", None, options, 1).dataset;
    let found = known_lines(data, most, &dataset, &mut Choices::new(seed));
    assert_same_after(found.into_iter(), check, data, options, &format!("{what}, pieces up to {most}"))
}

#[test]
fn golden_files_in_pieces_of_any_size() {
    for format in FORMATS {
        let mut passed = 0;
        for (path, data) in golden(format) {
            for most in [300, 5000, 1000, 50_000].into_iter().take(rounds(2, 4)) {
                passed += assert_same(&data, most, &options(format), 1, &path.to_string_lossy());
            }
        }
        assert!(passed > 0, "{format}");
    }
}

#[test]
fn lines_of_golden_files_in_any_order() {
    random_datasets(rounds(8, 80), |data, options, _, what| {
        let most = [200, 3000, 50_000];
        let passed = most.map(|most| assert_same(data, most, options, 2, what));
        // Runs with a repeated id are read, and ids are often repeated.
        (passed.iter().sum(), data.len())
    });
}

/// Numbers whose sum depends on their order if it is rounded each time, and 0 with either sign.
const NUMBERS: &[&str] = &["0.1", "0.7", "-0.0", "0", "1.5", "-7", "4503599627370496.5", "0.0000000000001"];

/// Numbers that the fast tier leaves to the thorough one.
const RARE_NUMBERS: &[&str] = &["1e200", "-1e308", "1.7e308", "3e-320", "1E5"];

/// The differences between datasets.
#[derive(Debug, Default, Clone, Copy)]
struct Shape {
    /// The number of different keys that only some records have.
    rare_keys: usize,
    /// The number of different paths that only some records have.
    rare_paths: usize,
    /// The record from which on values differ that were alike before.
    late: usize,
    /// Whether the loader changes some records.
    changes: bool,
}

/// A value of any kind for a key that may have any value.
fn any_value(record: usize, shape: Shape, choices: &mut Choices) -> String {
    let mut members = vec![
        format!(r#""id":"r{record}""#),
        format!(r#""same":"{}""#, choices.below(4)),
        format!(
            r#""number":{}"#,
            if choices.chance(200) { choices.pick(RARE_NUMBERS) } else { choices.pick(NUMBERS) }
        ),
        format!(r#""many":{}"#, choices.below(1300)),
        format!(r#""late":"{}""#, if record < shape.late { record % 3 } else { record }),
        format!(r#""list":[{},[{}],{{"a":null}}]"#, choices.pick(NUMBERS), choices.below(30)),
        format!(r#""texts":["{}"]"#, "a\\n\u{e9}".repeat(choices.below(60))),
    ];
    if choices.chance(4) {
        members.remove(choices.below(members.len()));
        members.rotate_left(1);
    }
    if shape.rare_keys > 0 && choices.chance(20) {
        members.push(format!(r#""k{}":true"#, choices.below(shape.rare_keys)));
    }
    if shape.rare_paths > 0 && choices.chance(3) {
        let path = choices.below(shape.rare_paths);
        members.push(format!(r#""of{}":{{"p{}":[{path}]}}"#, path / 90, path % 90));
    }
    if shape.changes && choices.chance(5) {
        members.push(format!(r#""own{}":{{"__proto__":1}}"#, choices.below(3)));
        members.push(r#""__proto__":{"a":[1]}"#.to_owned());
    }
    if choices.chance(50) {
        members.push(r#""\u006bey\n":"\u00e9\ud83d\ude00""#.to_owned());
    }
    format!("{{{}}}", members.join(","))
}

/// Records with values of any kind. Some records occur twice.
fn any_values(shape: Shape, records: usize, seed: u64) -> String {
    let mut choices = Choices::new(seed);
    let mut data = String::new();
    let mut before = String::new();
    for record in 0..records {
        if choices.below(30) > 0 || before.is_empty() {
            let value = any_value(record, shape, &mut choices);
            before = format!(
                r#"{{"input":{{"messages":[{{"role":"user","content":"Hi {}"}}]}},"usage_output":{value}}}"#,
                choices.below(400)
            );
        }
        if choices.chance(700) {
            data.push_str("{\"input\":1}\n");
        }
        data.push_str(&before);
        data.push('\n');
    }
    data
}

/// Shapes, the least share of their bytes that is not read, in percent, and their names.
fn shapes() -> impl Iterator<Item = (Shape, usize, &'static str)> {
    let usual = Shape { late: 100_000, ..Shape::default() };
    [
        (usual, 60, "usual"),
        (Shape { late: 1_000, ..usual }, 60, "late"),
        (Shape { late: 5_300, ..usual }, 60, "later"),
        (Shape { rare_keys: 80, ..usual }, 60, "keys"),
        (Shape { rare_keys: 700, ..usual }, 60, "more than 500 keys"),
        (Shape { rare_paths: 200, ..usual }, 60, "paths"),
        (Shape { rare_paths: 1_500, ..usual }, 60, "more than 500 paths"),
        (Shape { changes: true, ..usual }, 60, "changes"),
    ]
    .into_iter()
}

#[test]
fn values_of_any_kind_add_up() {
    // The quick suite has a third of the shapes, and fewer records.
    for (seed, (shape, least, what)) in iter::zip(0.., shapes()).step_by(rounds(3, 1)) {
        let data = any_values(shape, rounds(2_000, 7_000), seed);
        let options = CheckOptions { max_findings_per_code: Some(3), ..options("juryarena") };
        for most in [30_000, 1 << 20].into_iter().take(rounds(1, 2)) {
            let passed = assert_same(data.as_bytes(), most, &options, seed, what);
            let share = passed * 100 / data.len();
            assert!(share >= least, "{what}, pieces up to {most}: {share} %");
        }
    }
}

/// Records of Every Eval Ever, whose scores are counted by model. With 0 `models`, each record has its own.
fn scores(records: usize, models: usize, seed: u64) -> String {
    let mut choices = Choices::new(seed);
    let mut data = String::new();
    for record in 0..records {
        let model = if models > 0 { choices.below(models) } else { record };
        let repeated = if choices.chance(900) { record / 2 } else { record };
        writeln!(
            data,
            r#"{{"schema_version":"instance_level_eval_0.2.0","evaluation_id":"run","model_id":"org/{model}","evaluation_name":"gsm8k","sample_id":"{repeated}","interaction_type":"single_turn","input":{{"raw":"2+2?","reference":"4"}},"output":{{"raw":"4"}},"answer_attribution":[{{"turn_idx":0,"source":"output.raw","extracted_value":"4","extraction_method":"exact_match","is_terminal":true}}],"evaluation":{{"score":0.{},"is_correct":{}}}}}"#,
            choices.below(20_000),
            choices.chance(2)
        )
        .unwrap();
    }
    data
}

#[test]
fn scores_by_model_and_repeated_ids_add_up() {
    for (models, least) in [(3, 40), (1_200, 40), (0, 40)].into_iter().take(rounds(1, 3)) {
        let data = scores(rounds(2_000, 6_000), models, 5);
        for (caps, least) in [(Some(0), 0), (None, 0), (Some(2), least)] {
            let options = CheckOptions { max_findings_per_code: caps, ..options("eee-instance") };
            for most in [40_000, 1 << 20] {
                let passed = assert_same(data.as_bytes(), most, &options, 7, &format!("{models} models"));
                let share = passed * 100 / data.len();
                assert!(most > 40_000 || share >= least, "{models} models, {caps:?}: {share} %");
            }
        }
    }
}
