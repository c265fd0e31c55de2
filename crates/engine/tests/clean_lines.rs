//! A check that passes over clean lines gives the report of a check that reads every byte.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use evalcheck_engine::check::clean_lines::{AheadOfCheck, LineRules, LineScanner};
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::records::CleanLines;
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
fn clean_lines(data: &[u8], piece: usize, rules: LineRules) -> Vec<CleanLines> {
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

/// Compares the two, and returns how many lines were passed over.
fn assert_same(data: &[u8], piece: usize, options: &CheckOptions, what: &str) -> u64 {
    let mut whole = open(data, options);
    whole.read_all(data, 1 << 16);
    let mut check = open(data, options);
    let rules = check.line_rules();
    let found = rules.map(|rules| clean_lines(data, piece, rules)).unwrap_or_default();
    let mut skipped = 0;
    let counted = found.into_iter().inspect(|lines| skipped += lines.lines);
    let mut ahead = AheadOfCheck::new(counted);
    let mut source = data;
    while ahead.read_piece(&mut check, &mut source, 1 << 16) {}
    drop(ahead);
    assert_eq!(seen(check, data), seen(whole, data), "{what}, pieces of {piece}");
    skipped
}

/// The lines of the golden cases of JuryArena, and whole files.
fn golden() -> Vec<(PathBuf, Vec<u8>)> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/juryarena");
    let mut files = Vec::new();
    for case in support::cases::files(&cases) {
        let inputs = if case.is_dir() { support::cases::files(&case) } else { vec![case] };
        files.extend(inputs.into_iter().filter(|path| path.is_file()).map(|path| {
            let bytes = fs::read(&path).unwrap();
            (path, bytes)
        }));
    }
    files.retain(|(_, bytes)| bytes.len() < 100_000);
    assert!(files.len() > 50, "{} files", files.len());
    files
}

#[test]
fn golden_files_in_pieces_of_any_size() {
    for (path, data) in golden() {
        // Many cuts of the small files, and some of the others.
        let step = if data.len() > 1000 { 70 } else { 7 };
        for piece in (50..300).step_by(step).chain([500, 1000, 5000]) {
            assert_same(&data, piece, &CheckOptions::default(), &path.to_string_lossy());
        }
    }
}

#[test]
fn lines_of_golden_files_in_any_order() {
    let files = golden();
    let lines: Vec<&[u8]> = files
        .iter()
        .flat_map(|(_, bytes)| bytes.split_inclusive(|byte| *byte == b'\n'))
        .filter(|line| line.len() < 2000)
        .collect();
    let clean = b"{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}}\n".as_slice();
    let mut skipped = 0;
    for seed in 0..150 {
        let mut choices = Choices::new(seed);
        let mut data = Vec::new();
        for _ in 0..choices.below(60) + 2 {
            let line = match choices.below(8) {
                0 => lines[choices.below(lines.len())],
                1 => b"\n",
                2 => b" \r\n",
                // Records over several lines, whose further lines may be clean by themselves.
                3 => b"{\"input\":\n",
                4 => b"{\"messages\":[{\"role\":\"user\",\n\"content\":\"Hi\"}]}}\n",
                _ => clean,
            };
            data.extend_from_slice(line);
        }
        let all = CheckOptions { all: choices.chance(2), ..CheckOptions::default() };
        let options = CheckOptions { max_findings_per_code: choices.chance(2).then_some(3), ..all };
        for piece in [64, 200, 1000, 10_000] {
            skipped += assert_same(&data, piece, &options, &format!("seed {seed}"));
        }
    }
    assert!(skipped > 3_000, "{skipped} lines");
}

#[test]
fn checks_that_need_every_record_have_no_rules_for_lines() {
    let data = b"[{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"}]\n";
    for format in ["quest", "eee-instance", "tencent-infer", "quest-results"] {
        let options = CheckOptions { format: Some(format.to_owned()), ..CheckOptions::default() };
        assert!(open(data, &options).line_rules().is_none(), "{format}");
    }
    let mut check = open(data, &CheckOptions::default());
    assert!(check.line_rules().is_some());
    check.count_overview();
    assert!(check.line_rules().is_none());
}

#[test]
fn the_last_lines_are_read() {
    let line = "{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}}\n";
    let data = line.repeat(10);
    let mut check = open(data.as_bytes(), &CheckOptions::default());
    let found = clean_lines(data.as_bytes(), data.len(), check.line_rules().unwrap());
    assert_eq!(found.iter().map(|lines| lines.lines).sum::<u64>(), 9, "the first is left out");
    assert!(!check.skip(&found[0]), "the first line is not read yet");
    check.read_piece(&mut data.as_bytes(), line.len());
    assert!(!check.skip(&found[0]), "they end with the file");
    let mut two = found[0].clone();
    two.bytes.end = two.bytes.start + 2 * line.len() as u64;
    (two.lines, two.records) = (2, 2);
    assert!(check.skip(&two));
    assert_eq!(check.next_range().unwrap().start, 3 * line.len() as u64);
}
