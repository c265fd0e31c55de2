//! RULES.md, an index, and a page for each category of rules with a section for every rule.

use std::collections::BTreeMap;
use std::fmt::Write;

use evalcheck_core::Loss;
use evalcheck_engine::formats::Formats;
use evalcheck_engine::rules::{self, Rule, Scope, applies};
use evalcheck_report::text::listed;
use evalcheck_wire::catalogue::{RuleExample, RuleInfo};

use crate::derived::Examples;
use crate::markdown::{anchor, code, fenced, prose, row, table};
use crate::{GENERATED, is_dataset};

const INTRODUCTION: &str = "\
Every finding has the code of a rule. `evalcheck explain CODE` describes a rule in the terminal, and the page describes
it beside the finding. [FORMATS.md](FORMATS.md) explains the severities and lists the rules of each format.
";

/// The folder of the pages.
const FOLDER: &str = "docs/rules";

/// The page of a category, from the root of the repository.
pub(crate) fn path(category: &str) -> String {
    format!("{FOLDER}/{category}.md")
}

/// A link to the section of a rule, for a document in the root of the repository.
pub(crate) fn link(rule: &Rule, text: &str) -> String {
    format!("[{}]({}#{})", code(text), path(rule.category()), anchor(rule.code))
}

/// All rules, ordered by their codes.
fn ordered(formats: Formats) -> Vec<&'static Rule> {
    let mut rules: Vec<&Rule> = rules::of(formats).collect();
    rules.sort_by_key(|rule| rule.code);
    rules
}

/// RULES.md. Each row has the anchor that the section of the rule had when all were in this document.
pub(crate) fn index(formats: Formats) -> String {
    let mut out = format!("{GENERATED}# Rules\n\n{INTRODUCTION}");
    for group in ordered(formats).chunk_by(|a, b| a.category() == b.category()) {
        let category = group[0].category();
        let _ = write!(out, "\n## [{}]({})\n\n", code(&format!("{category}/")), path(category));
        out.push_str(&table(&["Rule", "Severity", "Summary"]));
        for rule in group {
            let link = format!("<a id=\"{}\"></a>{}", anchor(rule.code), link(rule, rule.code));
            out.push_str(&row(&[&link, rule.severity.as_str(), &prose(rule.summary)]));
        }
    }
    out
}

/// All rules with their pages, ordered by code.
pub(crate) fn infos(formats: Formats, examples: &Examples) -> Vec<RuleInfo> {
    let info = |rule: &Rule| RuleInfo {
        code: rule.code.to_owned(),
        severity: rule.severity,
        summary: rule.summary.to_owned(),
        title: (!rule.title.is_empty()).then(|| rule.title.to_owned()),
        meaning: rule.page.meaning.to_owned(),
        fix: rule.fix.map(|fix| fix.as_str().to_owned()),
        other_words: rule.page.other_words.iter().map(|&words| words.to_owned()).collect(),
        invalid: rule.page.invalid.to_owned(),
        valid: rule.page.valid.to_owned(),
        examples: examples.get(rule.code).cloned().unwrap_or_default(),
    };
    ordered(formats).into_iter().map(info).collect()
}

/// The pages by their paths.
pub(crate) fn pages(formats: Formats, examples: &Examples) -> Vec<(String, String)> {
    let page = |group: &[&Rule]| {
        let category = group[0].category();
        let title = code(&format!("{category}/"));
        let mut out = format!(
            "{GENERATED}# Rules: {title}\n\n[All rules](../../RULES.md), [formats](../../FORMATS.md)\n"
        );
        for rule in group {
            out.push_str(&section(rule, formats, examples.get(rule.code)));
        }
        (path(category), out)
    };
    ordered(formats).chunk_by(|a, b| a.category() == b.category()).map(page).collect()
}

fn section(rule: &Rule, formats: Formats, others: Option<&BTreeMap<String, RuleExample>>) -> String {
    let own: Vec<String> = formats
        .iter()
        .filter(|format| {
            applies(rule, format) && others.is_some_and(|others| !others.contains_key(format.id))
        })
        .map(|format| code(format.id))
        .collect();
    let of_formats = if own.is_empty() { String::new() } else { format!(" ({})", own.join(", ")) };
    format!(
        "\n## {}\n\n{} ({}) {}\n\n{}\n\n{}{}{}{}\n{}\n{}\n",
        code(rule.code),
        prose(rule.summary),
        rule.severity.as_str(),
        applicability(rule, formats),
        prose(rule.page.meaning),
        fix(rule),
        loss(rule),
        other_words(rule),
        example(&format!("Example{of_formats}"), rule.page.invalid),
        example("Fixed", rule.page.valid),
        others.map(|others| of_others(rule, others)).unwrap_or_default(),
    )
    .trim_end_matches('\n')
    .to_owned()
        + "\n"
}

/// The loss when a dataset is loaded.
fn loss(rule: &Rule) -> String {
    let what = match rule.loss {
        None => return String::new(),
        Some(Loss::Line) => "the line is dropped",
        Some(Loss::Value) => "the value is changed or dropped",
        Some(Loss::Key) => "the key or column is not read",
    };
    format!("Loss: where the dataset loads, {what}.\n\n")
}

/// The kinds of fixes.
fn fix(rule: &Rule) -> String {
    rule.fix.map(|fix| format!("Fix: {}.\n\n", fix.as_str())).unwrap_or_default()
}

/// The messages of common loaders.
fn other_words(rule: &Rule) -> String {
    if rule.page.other_words.is_empty() {
        return String::new();
    }
    let words: Vec<String> = rule.page.other_words.iter().map(|words| code(words)).collect();
    format!("Loaders say: {}.\n\n", words.join(", "))
}

/// Where the examples of a rule in other formats are; empty if there are none.
fn of_others(rule: &Rule, examples: &BTreeMap<String, RuleExample>) -> String {
    let formats: Vec<String> = examples.keys().map(|format| code(format)).collect();
    if formats.is_empty() {
        return String::new();
    }
    let command = code(&format!("evalcheck explain {} --format FORMAT", rule.code));
    format!("In other formats ({}): {command}.\n", formats.join(", "))
}

fn applicability(rule: &Rule, formats: Formats) -> String {
    let ids: Vec<String> =
        formats.iter().filter(|format| applies(rule, format)).map(|format| code(format.id)).collect();
    match ids.len() {
        0 if rule.scope == Scope::NoFormat => "Where the file is checked as no format.".to_owned(),
        0 if rule.scope == Scope::UserSchema => "In any format, with a schema of one's own.".to_owned(),
        0 => "In no format.".to_owned(),
        all if all == formats.len() => "In every format.".to_owned(),
        _ => format!("In {}.", listed(&ids)),
    }
}

/// The content of a file as a block, a description as text.
fn example(title: &str, text: &str) -> String {
    if is_dataset(text) || !text.starts_with(char::is_alphanumeric) {
        format!("{title}:\n\n{}", fenced("text", text))
    } else {
        format!("{title}: {}\n", prose(text))
    }
}
