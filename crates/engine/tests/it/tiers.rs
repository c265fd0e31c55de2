//! The two tiers, the two ways of the fast one, and another JSON reader agree on the same bytes.

use crate::support;
use crate::support::suite::rounds;
use crate::support::tiers::{
    assert_captures_agree, assert_is_json_for_serde_json, assert_tiers_agree, explained, fits, shown,
    variants,
};
use crate::support::{Choices, made};
use evalcheck_engine::scan::{Scratch, Simd};
use evalcheck_report::Severity;

#[test]
fn valid_records_of_every_shape_have_no_error_in_either_tier() {
    let mut choices = Choices::new(1);
    for (format, variant) in variants() {
        let (mut clean, records) = (0, rounds(400, 4_000));
        for _ in 0..records {
            let line = support::valid(variant.schema, &mut choices);
            let findings = explained(line.as_bytes(), format, variant).findings;
            let errors: Vec<String> = findings
                .iter()
                .filter(|finding| finding.problem.rule().severity == Severity::Error)
                // A generated record need not follow rules beyond the schema.
                .filter(|finding| matches!(finding.problem.rule().category(), "json" | "shape" | "text"))
                .map(|finding| finding.problem.message())
                .collect();
            assert!(errors.is_empty(), "{}: {line}\n{errors:?}", format.id);
            clean += usize::from(fits::<Simd>(line.as_bytes(), format, variant));
        }
        assert!(
            clean > records / 8,
            "{}: the fast tier accepts many valid records (random ones break rules of the dataset), not {clean} of {records}",
            format.id
        );
    }
}

#[test]
fn simd_and_scalar_agree_and_what_is_clean_has_no_finding() {
    let mut choices = Choices::new(2);
    let (mut clean, mut broken) = (0, 0);
    let made = made::formats(rounds(60, 400)).into_iter().map(|made| (made, 300));
    let lines = rounds(3_000, 30_000);
    for ((format, variant), lines) in variants().map(|one| (one, lines)).chain(made) {
        for _ in 0..lines {
            let valid = support::valid(variant.schema, &mut choices);
            let line = support::mutated(&valid, &mut choices);
            if assert_tiers_agree(&line, format, variant) {
                clean += 1;
            } else {
                broken += 1;
            }
        }
    }
    assert!(
        clean > lines / 60 && broken > lines / 3,
        "the mutations are of use: {clean} clean, {broken} doubtful"
    );
}

#[test]
fn the_template_cache_changes_no_answer() {
    let mut choices = Choices::new(5);
    for (format, variant) in variants() {
        let (mut matched, mut refused) = (0, 0);
        let families = rounds(30, 150);
        for _ in 0..families {
            let family: Vec<String> = (0..6).map(|_| support::valid(variant.schema, &mut choices)).collect();
            let mut known = Scratch::default();
            for _ in 0..150 {
                let line = support::related(&family, &mut choices);
                let before = known.template_matches();
                let accepted = assert_captures_agree(&line, format, variant, &mut known);
                matched += known.template_matches() - before;
                refused += u64::from(accepted.is_none());
            }
        }
        // The key that tells objects apart comes after others, and such records become no templates.
        let is_told_late = format.id == "openai-batch";
        assert!(
            (matched > 10 * families || is_told_late) && refused > 3 * families,
            "{} {:?}: the lines are of use: {matched} matched, {refused} doubtful",
            format.id,
            variant.layout
        );
    }
}

#[test]
fn the_scanner_and_a_tree_have_the_same_captures() {
    let mut choices = Choices::new(6);
    for (format, variant) in variants() {
        let (mut compared, mut captured, lines) = (0, 0, rounds(400, 4_000));
        for number in 0..lines {
            let valid = support::valid(variant.schema, &mut choices);
            let line =
                if number % 2 == 0 { valid.into_bytes() } else { support::mutated(&valid, &mut choices) };
            if let Some(captures) = assert_captures_agree(&line, format, variant, &mut Scratch::default()) {
                compared += 1;
                captured += captures;
            }
        }
        assert!(compared > lines / 8, "{}: {compared} compared, {captured} captures", format.id);
    }
}

#[test]
fn what_is_json_here_is_json_for_serde_json() {
    let mut choices = Choices::new(3);
    for (_, variant) in variants() {
        for _ in 0..rounds(3_000, 30_000) {
            let valid = support::valid(variant.schema, &mut choices);
            let line = support::mutated(&valid, &mut choices);
            assert_is_json_for_serde_json(&line);
        }
    }
}

#[test]
fn every_error_has_a_place_in_its_line() {
    let mut choices = Choices::new(4);
    for (format, variant) in variants() {
        for _ in 0..rounds(1_000, 10_000) {
            let valid = support::valid(variant.schema, &mut choices);
            let line = support::mutated(&valid, &mut choices);
            for finding in explained(&line, format, variant).findings {
                let bytes = finding.location.bytes.clone().unwrap();
                assert!(
                    bytes.start <= bytes.end && bytes.end <= line.len() as u64,
                    "{bytes:?} in {} bytes: {}\n{}",
                    line.len(),
                    finding.problem.message(),
                    shown(&line)
                );
                let chars = String::from_utf8_lossy(&line).chars().count() as u64;
                assert!(finding.location.column.unwrap() <= chars + 1, "{}", shown(&line));
            }
        }
    }
}
