//! A check that passes over known lines gives the report of a check that reads every byte.

use crate::support::Choices;
use crate::support::lines::{
    FORMATS, assert_same_after, dataset, golden, golden_lines, open, options, random_datasets,
};
use crate::support::suite::rounds;
use evalcheck_engine::check::known_lines::{FoundLines, LineRules, LineScanner};
use evalcheck_wire::worker::CheckOptions;

/// The known lines of pieces of `piece` bytes.
fn known_lines(data: &[u8], piece: usize, rules: &LineRules) -> Vec<FoundLines> {
    let mut scanner = LineScanner::new(rules, 1).unwrap();
    let pieces = data.chunks(piece).zip((0_u64..).step_by(piece));
    pieces
        .flat_map(|(bytes, start)| {
            scanner.buffer(bytes.len()).copy_from_slice(bytes);
            scanner.scan(start, bytes.len())
        })
        .collect()
}

/// Compares a check that passes over the lines of pieces of `piece` bytes with one that does not, see [`assert_same_after`].
fn assert_same(data: &[u8], piece: usize, options: &CheckOptions, what: &str) -> usize {
    let check = open(data, options);
    let found = check.line_rules().map(|rules| known_lines(data, piece, &rules)).unwrap_or_default();
    assert_same_after(found.into_iter(), check, data, options, &format!("{what}, pieces of {piece}"))
}

#[test]
fn golden_files_in_pieces_of_any_size() {
    for format in FORMATS {
        for (path, data) in golden(format) {
            // Many cuts of the small files, and some of the others.
            let step = if data.len() > 1000 { 90 } else { rounds(60, 20) };
            for piece in (50..300).step_by(step).chain([500, 1000, 5000]) {
                assert_same(&data, piece, &options(format), &path.to_string_lossy());
            }
        }
    }
}

#[test]
fn lines_of_golden_files_in_any_order() {
    random_datasets(rounds(20, 80), |data, options, _, what| {
        let pieces = [64, 1000, 50_000];
        let passed = pieces.map(|piece| assert_same(data, piece, options, what));
        (passed.iter().sum(), data.len() * pieces.len())
    });
}

#[test]
fn records_with_findings_are_read_whether_these_are_kept_or_not() {
    let mut choices = Choices::new(7);
    for format in FORMATS {
        let files = golden(format);
        let mut lines: Vec<_> = golden_lines(&files).into_iter().map(<[u8]>::trim_ascii).collect();
        // Records on one line.
        lines.retain(|line| {
            serde_json::from_slice::<serde_json::Value>(line)
                .is_ok_and(|record| record.is_array() == (format == "quest"))
        });
        let mut data = dataset(format, &[b"\n"], &mut choices);
        while format == "quest" && !data.starts_with(b"{\"total_samples\"") {
            // Without its header Quest drops every record.
            data = dataset(format, &[b"\n"], &mut choices);
        }
        for _ in 0..1000 {
            data.extend_from_slice(lines[choices.below(lines.len())]);
            data.push(b'\n');
        }
        let few = CheckOptions { max_findings_per_code: Some(2), ..options(format) };
        assert_same(&data, 1 << 20, &few, format);
        assert_same(&data, 1 << 20, &options(format), format);
    }
}

#[test]
fn only_jsonl_has_rules_for_lines() {
    let data = b"[{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"}]\n";
    for format in FORMATS {
        assert!(open(data, &options(format)).line_rules().is_some(), "{format}");
    }
    assert!(open(data, &options("evret")).line_rules().is_none());
}

#[test]
fn the_last_lines_are_read() {
    let line = "{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}}\n";
    let data = line.repeat(10);
    let mut check = open(data.as_bytes(), &CheckOptions::default());
    let rules = check.line_rules().unwrap();
    let mut found = known_lines(data.as_bytes(), data.len(), &rules);
    assert_eq!(found.iter().map(|found| found.lines().lines).sum::<u64>(), 9, "the first is left out");
    assert!(!check.skip(&mut found[0], 1), "the first line is not read yet");
    check.read_piece(&mut data.as_bytes(), line.len());
    assert!(!check.skip(&mut found[0], 1), "they end with the file");
    let mut two = known_lines(&data.as_bytes()[..3 * line.len()], data.len(), &rules);
    assert!(check.skip(&mut two[0], 1));
    assert_eq!(check.next_range().unwrap().start, 3 * line.len() as u64);
}
