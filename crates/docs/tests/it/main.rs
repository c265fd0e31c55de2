//! The documents are true: the examples of rules produce them, and findings are of rules that are listed.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::Path;

use evalcheck_docs::derived::{counts, fixed, is_clean, is_derivable, is_example};
use evalcheck_docs::is_dataset;
use evalcheck_engine::catalogue;
use evalcheck_engine::formats::{self, FORMATS, Format};
use evalcheck_engine::rules::{self, Scope, applies, is_general};
use evalcheck_report::Report;
use evalcheck_wire::catalogue::RuleExample;
use serde_json::{Map, Value};

/// Rules for a format that reads several layouts, or whose clean examples are too long, where the declared example shows another system's file.
const OF_OTHER_LAYOUTS: &[(&str, &str)] = &[
    ("document/duplicate-key", "deepeval"),
    ("document/not-checked", "deepeval"),
    ("document/text-after", "deepeval"),
    ("document/truncated", "deepeval"),
    ("json/array-of-records", "promptfoo"),
    ("json/array-of-records", "deepeval"),
    ("json/array-of-records", "hf-datasets"),
    ("json/text-before-record", "deepeval"),
    ("shape/records-in-one-object", "openai-batch"),
    ("shape/records-in-one-object", "promptfoo"),
    ("shape/records-in-one-object", "deepeval"),
    ("shape/too-few-elements", "openai-batch"),
    ("shape/unknown-variant", "openai-batch"),
    ("shape/wrong-type-then", "promptfoo"),
];

#[test]
fn examples_of_general_rules_are_true_in_each_format() {
    let mut checked = 0;
    let mut lies = Vec::new();
    for rule in catalogue::rules() {
        let declared = rules::all().find(|known| known.code == rule.code).unwrap();
        if !is_general(declared) || !is_derivable(declared, FORMATS) {
            continue;
        }
        for format in FORMATS.iter().filter(|format| applies(declared, format)) {
            checked += 1;
            let (invalid, valid) = rule.example(format.id);
            let pair = RuleExample { invalid: invalid.to_owned(), valid: valid.to_owned() };
            if !is_example(&pair, declared, format) && !OF_OTHER_LAYOUTS.contains(&(&*rule.code, format.id)) {
                lies.push(format!("{} in {}: {invalid}\nfixed: {valid}", rule.code, format.id));
            }
        }
    }
    assert!(lies.is_empty(), "{} examples are not true:\n{}", lies.len(), lies.join("\n"));
    assert!(checked > 150, "only {checked} examples are datasets");
}

#[test]
fn examples_of_a_rule_of_one_system_are_true_wherever_they_are_about_it() {
    let mut checked = 0;
    for rule in catalogue::rules() {
        let declared = rules::all().find(|known| known.code == rule.code).unwrap();
        if is_general(declared) || !is_dataset(declared.page.invalid) {
            continue;
        }
        checked += 1;
        let mut found = false;
        for format in FORMATS.iter().filter(|format| applies(declared, format)) {
            let (invalid, valid) = rule.example(format.id);
            if !counts(&whole(invalid, format), format).by_code.contains_key(declared.code) {
                continue;
            }
            found = true;
            let fixed = !is_dataset(valid) || is_clean(&whole(valid, format), format);
            assert!(fixed, "{} in {}: not fixed by {valid}", rule.code, format.id);
        }
        assert!(found, "{}: nothing is found in {}", rule.code, declared.page.invalid);
    }
    assert!(checked > 30, "only {checked} examples are datasets");
}

/// An example as a dataset. The records of Every Eval Ever are too long for an example: a line is a part, which replaces that of a
/// minimal record.
fn whole(text: &str, format: &Format) -> String {
    if format.id != "eee-instance" {
        return text.to_owned();
    }
    let minimal = include_str!("../../../formats/src/eee_instance/minimal.jsonl");
    let line = |text: &str| {
        let Ok(Value::Object(part)) = serde_json::from_str(text) else { return text.to_owned() };
        let mut rest: Map<String, Value> = serde_json::from_str(minimal).unwrap();
        rest.retain(|key, _| !part.contains_key(key));
        let rest = serde_json::to_string(&rest).unwrap();
        if rest == "{}" {
            text.to_owned()
        } else {
            format!("{},{}", text.strip_suffix('}').unwrap(), &rest[1..])
        }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Rules whose fix does not make the fixed example, each with the reason.
const WITHOUT_A_FIX: &[&str] = &[
    // The column has texts, which stay.
    "csv/blank-column",
    // The other column has the name that this one is given if release 0.0.3 is chosen.
    "evret/unread-column",
    // The space before a comment after a document stays.
    "json/comment",
    // The mistake of the example has no fix.
    "openai-batch/bad-request",
    // The fix removes the number; the example keeps it in a column.
    "promptfoo/lost-number",
    // The mistake of the example has no fix.
    "promptfoo/no-value",
    // An empty line stays, which Quest ignores.
    "quest/second-metadata-line",
];

#[test]
fn the_fix_of_an_example_makes_what_the_document_shows() {
    let (mut checked, mut others, mut texts) = (0, BTreeSet::new(), Vec::new());
    for rule in catalogue::rules() {
        let declared = rules::all().find(|known| known.code == rule.code).unwrap();
        if declared.fix.is_none() || !is_dataset(declared.page.invalid) {
            continue;
        }
        // A record of any data that is a text has no fix: it could be any object. Nor has text after its document: no list has a known key.
        let has_none = |format: &Format| {
            format.takes_any_data() && ["shape/wrong-type", "document/text-after"].contains(&declared.code)
        };
        for format in FORMATS.iter().filter(|format| applies(declared, format) && !has_none(format)) {
            let (invalid, valid) = rule.example(format.id);
            let (invalid, valid) = (whole(invalid, format), whole(valid, format));
            if !counts(&invalid, format).by_code.contains_key(declared.code) {
                continue;
            }
            checked += 1;
            let fixed = fixed(&invalid, declared, format);
            if fixed != valid {
                others.insert(declared.code);
                texts.push(format!("{} in {}: {invalid}\nis {fixed}\nnot {valid}", rule.code, format.id));
            }
        }
    }
    assert!(others.iter().eq(WITHOUT_A_FIX), "other rules than expected:\n{}", texts.join("\n"));
    assert!(checked > 200, "only {checked} examples are datasets");
}

#[test]
fn a_rule_that_produced_a_finding_is_listed_for_the_format() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let mut seen = BTreeSet::new();
    for format in std::fs::read_dir(cases).unwrap() {
        for case in std::fs::read_dir(format.unwrap().path()).into_iter().flatten() {
            let Ok(text) = std::fs::read_to_string(case.unwrap().path().join("expected.json")) else {
                continue;
            };
            let report: Report = serde_json::from_str(&text).unwrap();
            let Some(format) = formats::by_id(&report.format.id) else { continue };
            seen.extend(report.counts.by_code.into_keys().map(|code| (format.id, code)));
        }
    }
    assert!(seen.len() > 20, "the golden cases are found: {} findings", seen.len());
    for (id, code) in seen {
        let rule = rules::all().find(|rule| rule.code == code).unwrap();
        // A schema of the user's own says no more about one format than about another.
        let is_listed = rule.scope == Scope::UserSchema || applies(rule, formats::by_id(id).unwrap());
        assert!(is_listed, "{code} is not listed for {id}");
    }
}

#[test]
fn every_format_and_every_rule_has_its_section() {
    let documents = evalcheck_docs::all();
    let text = |name: &str| &documents.iter().find(|(document, _)| document == name).unwrap().1;
    for (name, text) in &documents {
        assert!(text.ends_with('\n') && !text.contains("\n\n\n") && !text.contains('\r'), "{name}");
    }
    for rule in rules::all() {
        let page = format!("docs/rules/{}.md", rule.category());
        assert!(text(&page).contains(&format!("\n## `{}`\n", rule.code)), "{}", rule.code);
        assert!(text("RULES.md").contains(&format!("[`{}`]({page}#", rule.code)), "{}", rule.code);
    }
    for format in FORMATS {
        assert!(text("FORMATS.md").contains(&format!("(`{}`)\n", format.id)), "{}", format.id);
    }
}

#[test]
fn the_formats_can_be_read_in_an_editor() {
    let documents = evalcheck_docs::all();
    for (name, text) in documents.iter().filter(|(name, _)| name.ends_with("S.md")) {
        for (line, text) in text.lines().enumerate() {
            let (length, links) = (text.chars().count(), text.matches("](").count());
            assert!(
                length <= 400 && links < 40,
                "{name}, line {}: {length} characters, {links} links",
                line + 1
            );
        }
    }
}

#[test]
fn every_link_between_the_documents_leads_somewhere() {
    let documents = evalcheck_docs::all();
    let mut links = 0;
    for (name, text) in &documents {
        let folder = Path::new(name).parent().unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let Some((file, anchor)) = target.split_once('#') else { continue };
            let path = if file.is_empty() { name.clone() } else { folder.join(file).display().to_string() };
            let (_, text) = documents
                .iter()
                .find(|(name, _)| *name == path)
                .unwrap_or_else(|| panic!("{name}: {target}"));
            let headings = text.lines().filter_map(|line| line.strip_prefix("## "));
            let anchors = headings.map(|heading| {
                let kept = heading.to_lowercase().replace(' ', "-");
                kept.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect::<String>()
            });
            assert!(anchors.into_iter().any(|heading| heading == anchor), "{name}: {target}");
            links += 1;
        }
    }
    assert!(links > 100, "{links} links");
}
