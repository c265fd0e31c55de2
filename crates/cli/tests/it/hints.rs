//! Follows the hints of the golden cases literally, where they are mechanical: the finding must disappear, and no other may appear. The
//! edit is read from the words of the hint, as a user would read it.

use std::collections::BTreeMap;

use crate::support::cases::{self, Case};
use crate::support::edit;
use crate::support::suite::rounds;
use evalcheck_report::{Finding, Report, Severity};

/// The pieces in which a file arrives: whole.
const WHOLE: usize = 1 << 20;

#[test]
fn a_hint_that_is_taken_literally_helps() {
    let mut wrong = Vec::new();
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for case in cases() {
        let before = case.check(&case.bytes, WHOLE);
        for finding in &before.findings {
            let Some(edited) = edit::as_the_hint_says(finding, &case.bytes) else { continue };
            *taken.entry(finding.code.clone()).or_default() += 1;
            if let Some(why) = judge(&before, finding, &case.check(&edited, WHOLE)) {
                let shown = String::from_utf8_lossy(&edited);
                let hint = finding.hint.as_deref().unwrap_or_default();
                let line = usize::try_from(finding.line.unwrap_or(1)).unwrap();
                let line = shown.lines().nth(line - 1).unwrap_or_default();
                wrong.push(format!(
                    "{}: {} at {:?}: {hint}\n  {why}\n  {:.300}",
                    case.name, finding.code, finding.path, line
                ));
            }
        }
    }
    let all: usize = taken.values().sum();
    assert!(wrong.is_empty(), "{} of {all} hints do not help:\n{}", wrong.len(), wrong.join("\n"));
    assert!(
        all > rounds(130, 400) && taken.len() > rounds(20, 25),
        "{all} hints of {} rules are taken literally",
        taken.len()
    );
}

/// The problem after the edit that did not exist before it.
fn judge(before: &Report, finding: &Finding, after: &Report) -> Option<String> {
    // A syntax error may be followed by the next of its kind.
    let start = |finding: &Finding| finding.byte_start.filter(|_| finding.path.is_none());
    let place =
        |finding: &Finding| (finding.code.clone(), finding.line, finding.path.clone(), start(finding));
    let count =
        |report: &Report| report.findings.iter().filter(|other| place(other) == place(finding)).count();
    if count(after) >= count(before) {
        return Some("the finding is still there".to_owned());
    }
    // A record that could not be parsed may have other mistakes.
    let was_unread = |other: &Finding| {
        let is_syntax = |before: &&Finding| before.severity == Severity::Error && before.path.is_none();
        before.findings.iter().filter(is_syntax).any(|before| before.line <= other.line)
    };
    let known = |other: &Finding| {
        let place = |finding: &Finding| (finding.code.clone(), finding.path.clone());
        before.findings.iter().any(|before| place(before) == place(other) && before.message == other.message)
    };
    let is_new = |other: &&Finding| {
        other.severity == Severity::Error
            && !known(other)
            && !was_unread(other)
            && !is_revealed(finding, other)
    };
    let new = after.findings.iter().find(is_new);
    new.map(|new| format!("new: line {:?}: {:?}: {}: {}", new.line, new.path, new.code, new.message))
}

/// Returns true for a mistake that existed before, but was hidden.
fn is_revealed(fixed: &Finding, other: &Finding) -> bool {
    let below = other.path.as_deref().unwrap_or_default();
    let is_below =
        |path: &str| below.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    // A value under another key, or one that is not a list yet, is not compared with the schema.
    let hint = fixed.hint.as_deref().unwrap_or_default();
    let was_hidden = hint.contains("rename it to") || hint.starts_with("Wrap the object");
    (was_hidden && fixed.path.as_deref().is_some_and(is_below))
        // A list that cannot be parsed is not counted.
        || (fixed.code == "shape/wrong-type" && other.code == "evret/both-relevance-fields")
        // The hint cannot know the types of the samples: the header is read before them, or another sample decides.
        || matches!(other.code.as_str(), "quest/sample-type" | "quest/samples-per-line" | "quest-results/sample-type")
        || (fixed.path.as_deref() == Some("sample_type") && below.rsplit('.').next() == Some("type"))
        // No kind of part fits an object without keys.
        || (fixed.code == "shape/unknown-variant" && other.code == "shape/missing-key")
        // A message without a known role is nobody's.
        || (fixed.code == "shape/unknown-variant" && other.code == "openai-finetune/no-answer")
}

/// The golden cases with a text file as input; a third of them in the quick suite.
fn cases() -> Vec<Case> {
    let is_text = |case: &Case| case.recipe.is_none() && ["jsonl", "json", "csv"].contains(&case.extension());
    let cases: Vec<Case> = cases::folders().iter().map(|folder| Case::load(folder)).filter(is_text).collect();
    assert!(cases.len() > 100, "{} cases are text files", cases.len());
    cases.into_iter().step_by(rounds(3, 1)).collect()
}
