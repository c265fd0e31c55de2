//! Datasets of the JSONL formats, whole and in random order, and comparisons of two checks of a dataset.

use std::io::Cursor;
use std::ops::Range;
use std::path::PathBuf;

use evalcheck_engine::ahead::AheadOfCheck;
use evalcheck_engine::check::known_lines::FoundLines;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::overview::Overview;
use evalcheck_engine::source::Source;
use evalcheck_report::Report;
use evalcheck_report::view::Direction;
use evalcheck_wire::worker::CheckOptions;

use super::{Choices, cases};

/// The formats of JSONL, and the folders of their golden cases.
pub const FORMATS: [&str; 6] =
    ["juryarena", "quest", "quest-results", "eee-instance", "tencent-infer", "tencent-eval"];

pub fn options(format: &str) -> CheckOptions {
    CheckOptions { format: Some(format.to_owned()), ..CheckOptions::default() }
}

/// The golden cases of a format.
pub fn golden(format: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = cases::inputs();
    files.retain(|file| file.format == format && file.data.len() < 100_000 && !file.data.starts_with(b"PK"));
    assert!(files.len() > 10, "{format}: {} files", files.len());
    files.into_iter().map(|file| (file.path, file.data)).collect()
}

pub fn open(data: &[u8], options: &CheckOptions) -> Check {
    let file = FileInfo { name: "data.jsonl".to_owned(), size: data.len() as u64 };
    let format = options.format.clone().or_else(|| Some("juryarena".to_owned()));
    Check::open(&mut Cursor::new(data), file, CheckOptions { format, ..options.clone() })
}

/// The report, the excerpts of its findings, and the next lines with errors.
pub type Seen = (Report, Vec<Option<String>>, Vec<Option<u64>>);

pub fn seen(mut check: Check, data: &[u8]) -> Seen {
    let report = check.report();
    let mut source = Cursor::new(data);
    let excerpts = report.findings.iter().map(|finding| {
        let span = finding.byte_start?..finding.byte_end?;
        Some(format!("{:?}", check.view(&mut source).excerpt(span).ok()?))
    });
    let excerpts = excerpts.collect();
    let mut rows = check.view(&mut source).rows(0, 100).map(|rows| format!("{rows:?}")).unwrap_or_default();
    rows.truncate(100_000);
    let lines = (0..50).map(|line| check.dataset().collector.error_line(line, Direction::Next)).collect();
    (report, [excerpts, vec![Some(rows)]].concat(), lines)
}

/// Bytes, and how many of them were read.
pub struct Counting<'a> {
    pub data: &'a [u8],
    pub read: usize,
}

impl Source for Counting<'_> {
    fn read_at(&mut self, wanted: Range<u64>, buffer: &mut [u8]) -> Result<usize, String> {
        let read = self.data.read_at(wanted, buffer)?;
        self.read += read;
        Ok(read)
    }
}

/// Compares a check that passes over these lines with one that reads all, and counts statistics if it does. Returns the number of
/// bytes passed over.
pub fn assert_same_after(
    found: impl Iterator<Item = FoundLines>,
    mut check: Check,
    data: &[u8],
    options: &CheckOptions,
    what: &str,
) -> usize {
    let mut whole = open(data, options);
    if check.observer::<Overview>().is_some() {
        whole.observe(Overview::new(whole.dataset()));
    }
    whole.read_all(data, 1 << 16);
    let mut ahead = AheadOfCheck::new(found, 1);
    let mut source = Counting { data, read: 0 };
    while ahead.read_piece(&mut check, &mut source, 1 << 16) {}
    let schema = |check: &Check| check.observer::<Overview>().and_then(|all| all.to_schema("", 0, false));
    assert_eq!(schema(&check), schema(&whole), "{what}");
    assert_eq!(seen(check, data), seen(whole, data), "{what}");
    data.len() - source.read
}

/// Records of a format that are clean by themselves, some with the same ids and values as others.
pub fn clean_record(format: &str, choices: &mut Choices) -> String {
    let (id, few) = (choices.below(30), choices.below(40).saturating_sub(36));
    match format {
        "juryarena" => r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#.to_owned(),
        "quest" => format!(
            r#"[{{"type":"text","id":"{id}","text":"One.","metadata":{{"source":"a","key{few}":"b"}}}}]"#
        ),
        "quest-results" => format!(
            r#"{{"sample":{{"type":"text","id":"{id}","text":"One."}},"feedback":{{"quality{few}":3}},"timestamp":"2025-02-10T20:11:{:02}.000Z"}}"#,
            10 + few
        ),
        "eee-instance" => format!(
            r#"{{"schema_version":"instance_level_eval_0.2.{few}","evaluation_id":"run{few}","model_id":"org/a","evaluation_name":"gsm8k","sample_id":"{id}","interaction_type":"single_turn","input":{{"raw":"2+2?","reference":"4"}},"output":{{"raw":"4"}},"answer_attribution":[{{"turn_idx":0,"source":"output.raw","extracted_value":"4","extraction_method":"exact_match","is_terminal":true}}],"evaluation":{{"score":{},"is_correct":true}}}}"#,
            ["1.0", "true", "0.5"][choices.below(40).saturating_sub(37)]
        ),
        "tencent-infer" => {
            format!(r#"{{"messages":[{{"role":"user","content":"Hi"}}],"ref_answer":"Hello","own{few}":1}}"#)
        }
        _ => format!(
            r#"{{"messages":[{{"role":"user","content":"Hi"}}],"model_outputs":[{{"model_name":"m{few}","responses":[{{"content":"Hello"}}]}}],"own":{id}}}"#
        ),
    }
}

/// Tries `count` random datasets of each format. `passed_over` returns the numbers of bytes passed over and of all bytes. More than
/// a tenth must be passed over.
pub fn random_datasets(
    count: u64,
    mut passed_over: impl FnMut(&[u8], &CheckOptions, &mut Choices, &str) -> (usize, usize),
) {
    for format in FORMATS {
        let files = golden(format);
        let lines = golden_lines(&files);
        let (mut passed, mut bytes) = (0, 0);
        for seed in 0..count {
            let mut choices = Choices::new(seed);
            let data = dataset(format, &lines, &mut choices);
            let options = caps(&mut choices, format);
            let (more, of) = passed_over(&data, &options, &mut choices, &format!("{format}, seed {seed}"));
            passed += more;
            bytes += of;
        }
        assert!(passed > bytes / 10, "{format}: {passed} of {bytes} bytes");
    }
}

/// The number of findings of each code that are kept, as users choose it: all, or few, so that most are only counted.
fn caps(choices: &mut Choices, format: &str) -> CheckOptions {
    CheckOptions {
        max_findings_per_code: [None, Some(0), Some(1), Some(3)][choices.below(4)],
        all: choices.below(4) == 0,
        ..options(format)
    }
}

/// Clean records, with lines of other datasets, blank ones and records over several lines among them.
pub fn dataset(format: &str, lines: &[&[u8]], choices: &mut Choices) -> Vec<u8> {
    let mut data = Vec::new();
    if format == "quest" && choices.below(5) > 0 {
        data.extend_from_slice(
            b"{\"total_samples\":9,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[\"key2\",\"kay3\"]}\n",
        );
    }
    let rare = [2, 8, 40][choices.below(3)];
    for _ in 0..choices.below(120) + 2 {
        match choices.below(rare) {
            0 => data.extend_from_slice(lines[choices.below(lines.len())]),
            1 => data.push(b'\n'),
            2 => data.extend_from_slice(b" \r\n"),
            // Records over several lines, whose further lines may be clean by themselves.
            3 => data.extend_from_slice(b"{\"input\":\n"),
            4 => data.extend_from_slice(clean_record(format, choices).replacen(',', ",\n", 2).as_bytes()),
            _ => {
                data.extend_from_slice(clean_record(format, choices).as_bytes());
                data.push(b'\n');
            }
        }
    }
    data
}

/// The lines of golden cases of a format, without long ones.
pub fn golden_lines(files: &[(PathBuf, Vec<u8>)]) -> Vec<&[u8]> {
    let lines = files.iter().flat_map(|(_, bytes)| bytes.split_inclusive(|byte| *byte == b'\n'));
    lines.filter(|line| line.len() < 2000).collect()
}
