//! A check that passes over clean lines gives the report of a check that reads every byte.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::fs;
use std::io::Cursor;
use std::ops::Range;
use std::path::{Path, PathBuf};

use evalcheck_engine::check::clean_lines::{AheadOfCheck, FoundLines, LineRules, LineScanner};
use evalcheck_engine::check::{Check, FileInfo, Source};
use evalcheck_wire::report::Report;
use evalcheck_wire::view::Direction;
use evalcheck_wire::worker::CheckOptions;
use support::Choices;

fn open(data: &[u8], options: &CheckOptions) -> Check {
    let file = FileInfo { name: "data.jsonl".to_owned(), size: data.len() as u64 };
    let format = options.format.clone().or_else(|| Some("juryarena".to_owned()));
    Check::open(&mut Cursor::new(data), file, CheckOptions { format, ..options.clone() })
}

/// The clean lines of pieces of so many bytes.
fn clean_lines(data: &[u8], piece: usize, rules: &LineRules) -> Vec<FoundLines> {
    let mut scanner = LineScanner::new(rules, 1);
    let pieces = data.chunks(piece).zip((0_u64..).step_by(piece));
    pieces
        .flat_map(|(bytes, start)| {
            scanner.buffer(bytes.len()).copy_from_slice(bytes);
            scanner.scan(start, bytes.len())
        })
        .collect()
}

/// The report, the excerpts of its findings, and the next lines with errors.
type Seen = (Report, Vec<Option<String>>, Vec<Option<u64>>);

fn seen(mut check: Check, data: &[u8]) -> Seen {
    let report = check.report();
    let mut source = Cursor::new(data);
    let excerpts = report.findings.iter().map(|finding| {
        let span = finding.byte_start?..finding.byte_end?;
        Some(format!("{:?}", check.view(&mut source).excerpt(span).ok()?))
    });
    let excerpts = excerpts.collect();
    let mut rows = check.view(&mut source).rows(0, 100).map(|rows| format!("{rows:?}")).unwrap_or_default();
    rows.truncate(100_000);
    let lines = (0..50).map(|line| check.invalid_line(line, Direction::Next)).collect();
    (report, [excerpts, vec![Some(rows)]].concat(), lines)
}

/// Bytes, and how many of them were read.
struct Counting<'a> {
    data: &'a [u8],
    read: usize,
}

impl Source for Counting<'_> {
    fn read_at(&mut self, wanted: Range<u64>, buffer: &mut [u8]) -> Result<usize, String> {
        let read = self.data.read_at(wanted, buffer)?;
        self.read += read;
        Ok(read)
    }
}

/// Compares the two, and returns how many bytes were passed over.
fn assert_same(data: &[u8], piece: usize, options: &CheckOptions, what: &str) -> usize {
    let mut whole = open(data, options);
    whole.read_all(data, 1 << 16);
    let mut check = open(data, options);
    let rules = check.line_rules();
    let found = rules.map(|rules| clean_lines(data, piece, &rules)).unwrap_or_default();
    let mut ahead = AheadOfCheck::new(found.into_iter(), 1);
    let mut source = Counting { data, read: 0 };
    while ahead.read_piece(&mut check, &mut source, 1 << 16) {}
    let skipped = data.len() - source.read;
    assert_eq!(seen(check, data), seen(whole, data), "{what}, pieces of {piece}");
    skipped
}

/// The formats of JSONL, and the folders of their golden cases.
const FORMATS: [&str; 6] =
    ["juryarena", "quest", "quest-results", "eee-instance", "tencent-infer", "tencent-eval"];

fn options(format: &str) -> CheckOptions {
    CheckOptions { format: Some(format.to_owned()), ..CheckOptions::default() }
}

/// The golden cases of a format.
fn golden(format: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases").join(format);
    let mut files = Vec::new();
    for case in support::cases::files(&cases) {
        let inputs = if case.is_dir() { support::cases::files(&case) } else { vec![case] };
        files.extend(inputs.into_iter().filter(|path| path.is_file()).map(|path| {
            let bytes = fs::read(&path).unwrap();
            (path, bytes)
        }));
    }
    files.retain(|(_, bytes)| bytes.len() < 100_000);
    assert!(files.len() > 10, "{format}: {} files", files.len());
    files
}

#[test]
fn golden_files_in_pieces_of_any_size() {
    for format in FORMATS {
        for (path, data) in golden(format) {
            // Many cuts of the small files, and some of the others.
            let step = if data.len() > 1000 { 70 } else { 7 };
            for piece in (50..300).step_by(step).chain([500, 1000, 5000]) {
                assert_same(&data, piece, &options(format), &path.to_string_lossy());
            }
        }
    }
}

/// Records of a format that are clean by themselves, some with the same ids and values as others.
fn clean_record(format: &str, choices: &mut Choices) -> String {
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

#[test]
fn lines_of_golden_files_in_any_order() {
    for format in FORMATS {
        let files = golden(format);
        let lines: Vec<&[u8]> = files
            .iter()
            .flat_map(|(_, bytes)| bytes.split_inclusive(|byte| *byte == b'\n'))
            .filter(|line| line.len() < 2000)
            .collect();
        let (mut skipped, mut bytes) = (0, 0);
        for seed in 0..150 {
            let mut choices = Choices::new(seed);
            let data = dataset(format, &lines, &mut choices);
            let all = CheckOptions { all: choices.chance(2), ..options(format) };
            let options = CheckOptions { max_findings_per_code: choices.chance(2).then_some(3), ..all };
            for piece in [64, 1000, 5000, 50_000] {
                skipped += assert_same(&data, piece, &options, &format!("{format}, seed {seed}"));
                bytes += data.len();
            }
        }
        assert!(skipped > bytes / 10, "{format}: {skipped} of {bytes} bytes");
    }
}

/// Clean records, and among them lines of other datasets, blank ones and records over several lines.
fn dataset(format: &str, lines: &[&[u8]], choices: &mut Choices) -> Vec<u8> {
    let mut data = Vec::new();
    if format == "quest" && choices.below(5) > 0 {
        data.extend_from_slice(
            b"{\"total_samples\":9,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[\"key2\",\"kay3\"]}\n",
        );
    }
    let rare = [8, 40][choices.below(2)];
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

#[test]
fn checks_that_need_every_record_have_no_rules_for_lines() {
    let data = b"[{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"}]\n";
    for format in FORMATS {
        let mut check = open(data, &options(format));
        assert!(check.line_rules().is_some(), "{format}");
        check.count_overview();
        assert!(check.line_rules().is_none(), "{format}");
    }
    assert!(open(data, &options("evret")).line_rules().is_none());
}

#[test]
fn the_last_lines_are_read() {
    let line = "{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}}\n";
    let data = line.repeat(10);
    let mut check = open(data.as_bytes(), &CheckOptions::default());
    let rules = check.line_rules().unwrap();
    let mut found = clean_lines(data.as_bytes(), data.len(), &rules);
    assert_eq!(found.iter().map(|found| found.lines().lines).sum::<u64>(), 9, "the first is left out");
    assert!(!check.skip(&mut found[0], 1), "the first line is not read yet");
    check.read_piece(&mut data.as_bytes(), line.len());
    assert!(!check.skip(&mut found[0], 1), "they end with the file");
    let mut two = clean_lines(&data.as_bytes()[..3 * line.len()], data.len(), &rules);
    assert!(check.skip(&mut two[0], 1));
    assert_eq!(check.next_range().unwrap().start, 3 * line.len() as u64);
}
