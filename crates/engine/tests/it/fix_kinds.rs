//! The kinds of fixes of a dataset, their selection, and the changes of a fix as pieces.
#![allow(clippy::cast_possible_truncation, reason = "the files of golden cases are small")]

use std::io::Cursor;

use crate::support::cases::{Input, indexed, inputs};
use evalcheck_engine::check::Check;
use evalcheck_report::view::Piece;
use evalcheck_report::{Applicability, Edit, Finding, Fix};
use evalcheck_wire::findings::FixGroup;
use evalcheck_wire::fix::{FixChoice, Selection};
use evalcheck_wire::worker::CheckOptions;

/// All kinds, with examples that were requested in parts.
fn kinds(check: &mut Check, data: &[u8]) -> Vec<FixGroup> {
    let mut kinds = Vec::new();
    loop {
        let from = kinds.len();
        let groups = check.view(&mut Cursor::new(data)).fixes(from as u32, 3).unwrap();
        if groups.len() == from {
            return kinds;
        }
        let has_examples = |group: &&FixGroup| !group.examples.is_empty();
        assert_eq!(groups.iter().filter(has_examples).count(), (groups.len() - from).min(3));
        kinds.extend(groups.into_iter().skip(from).take(3));
    }
}

fn fix_of(finding: &Finding) -> Option<&Fix> {
    finding.fix.as_deref()
}

#[test]
fn each_fix_is_of_one_kind_and_a_choice_of_the_kind_selects_it() {
    let mut examples = 0;
    for Input { name, path, data, .. } in inputs() {
        let options = CheckOptions { all: true, ..CheckOptions::default() };
        let mut check = indexed(&data, &name, options);
        let findings = check.report().findings;
        let kinds = kinds(&mut check, &data);
        let chosen = |chosen: usize| Selection {
            choices: (0..)
                .zip(&kinds)
                .map(|(at, group)| FixChoice { kind: group.kind.clone(), is_applied: at == chosen })
                .collect(),
            ..Selection::default()
        };
        let mut of_kinds = 0;
        for (at, group) in kinds.iter().enumerate() {
            let selection = chosen(at);
            let selected: Vec<&Fix> =
                findings.iter().filter_map(|finding| selection.fix_of(finding)).collect();
            let shown = format!("{}: {group:?}", path.display());
            assert_eq!(selected.len() as u64, group.findings, "{shown}");
            assert!(selected.iter().all(|fix| fix.applicability == group.kind.applicability), "{shown}");
            if let Some(title) = &group.title {
                assert!(selected.iter().all(|fix| fix.title == *title), "{shown}");
            }
            assert!(!group.examples.is_empty(), "{shown}");
            for example in &group.examples {
                assert!(selected.iter().any(|fix| fix.title == example.title), "{shown}");
                examples += 1;
            }
            of_kinds += group.findings;
        }
        assert_eq!(of_kinds, findings.iter().filter_map(fix_of).count() as u64, "{}", path.display());
        let is_unsafe = |group: &FixGroup| group.kind.applicability == Applicability::Unsafe;
        assert!(kinds.is_sorted_by_key(is_unsafe), "{}", path.display());
    }
    assert!(examples > 500, "{examples}");
}

#[test]
fn the_pieces_of_a_fix_are_what_is_in_the_dataset_and_what_its_edits_write() {
    let mut shown = 0;
    for Input { name, path, data, .. } in inputs() {
        // The bytes of an entry are not those of the archive.
        let Ok(text) = std::str::from_utf8(&data) else { continue };
        let options = CheckOptions { all: true, ..CheckOptions::default() };
        let mut check = indexed(&data, &name, options);
        for finding in check.report().findings {
            let Some(fix) = fix_of(&finding) else { continue };
            let pieces = check.view(&mut Cursor::new(&data)).fix_diff(fix).unwrap();
            let is_long = |edit: &Edit| edit.text.len() > 200 || edit.end - edit.start > 200;
            if fix.edits.len() > 20 || fix.edits.iter().any(is_long) {
                continue;
            }
            let removed = |edit: &Edit| text[edit.start as usize..edit.end as usize].to_owned();
            let mut expected = Vec::new();
            for edit in &fix.edits {
                expected.push(Piece::Removed(removed(edit)));
                expected.push(Piece::Added(edit.text.clone()));
            }
            expected.retain(
                |piece| !matches!(piece, Piece::Removed(text) | Piece::Added(text) if text.is_empty()),
            );
            let changes: Vec<&Piece> =
                pieces.iter().filter(|piece| !matches!(piece, Piece::Kept(_))).collect();
            assert_eq!(changes, expected.iter().collect::<Vec<_>>(), "{}: {fix:?}", path.display());
            for piece in &pieces {
                let Piece::Kept(kept) = piece else { continue };
                assert!(kept.split('…').all(|part| text.contains(part)), "{}: {kept:?}", path.display());
            }
            shown += usize::from(!pieces.is_empty());
        }
    }
    assert!(shown > 500, "{shown}");
}

fn diff(data: &[u8], edits: &[(u64, u64, &str)]) -> Vec<Piece> {
    let edits =
        edits.iter().map(|(start, end, text)| Edit { start: *start, end: *end, text: (*text).into() });
    let fix = Fix::safe("Test", edits.collect());
    indexed(data, "test.jsonl", CheckOptions::default()).view(&mut Cursor::new(data)).fix_diff(&fix).unwrap()
}

fn kept(text: &str) -> Piece {
    Piece::Kept(text.to_owned())
}

#[test]
fn what_is_around_a_change_is_cut_to_its_line() {
    let removed = |text: &str| Piece::Removed(text.to_owned());
    let added = |text: &str| Piece::Added(text.to_owned());
    assert_eq!(
        diff(b"first line\r\n{\"a\": None}\r\nlast line", &[(18, 22, "null")]),
        [kept("{\"a\": "), removed("None"), added("null"), kept("}")]
    );
    assert_eq!(diff(b"abc", &[(3, 3, "\n")]), [kept("abc"), added("\n")]);
    let long = format!("{}None{}", "é".repeat(1 << 20), "x".repeat(1 << 20));
    let at = 2 << 20;
    let (before, after) = ("é".repeat(24), "x".repeat(24));
    assert_eq!(
        diff(long.as_bytes(), &[(at, at + 4, "null")]),
        [kept(&format!("…{before}")), removed("None"), added("null"), kept(&format!("{after}…"))]
    );
    assert_eq!(
        diff(long.as_bytes(), &[(0, 0, "["), (at, at + 4, "null"), (at + 10, at + 11, "")]),
        [
            added("["),
            kept(&format!("{before}…{before}")),
            removed("None"),
            added("null"),
            kept("xxxxxx"),
            removed("x"),
            kept(&format!("{after}…")),
        ]
    );
    // Bytes that are not UTF-8, and a removed text cut to 200 characters.
    assert_eq!(diff(b"a\xffb", &[(2, 3, "")]), [kept("a\u{fffd}"), removed("b")]);
    let cut = format!("{}…", "é".repeat(200));
    assert_eq!(diff(long.as_bytes(), &[(0, at, "")])[0], removed(&cut));
}
