//! RULES.md: a section for every rule.

use std::collections::BTreeMap;

use evalcheck_wire::catalogue::RuleExample;

use super::derived::Examples;
use super::markdown::{anchor, code, fenced, listed, prose, row, table};
use super::{GENERATED, applies, is_dataset};
use crate::formats::Formats;
use crate::rules::{self, Rule};
use evalcheck_core::Loss;

const INTRODUCTION: &str = "\
Every finding has the code of a rule. `evalcheck explain CODE` describes a rule in the terminal, and the page describes
it beside the finding. [FORMATS.md](FORMATS.md) explains the severities and lists the rules of each format.
";

/// The document.
pub(super) fn document(formats: Formats, examples: &Examples) -> String {
    let mut rules: Vec<&Rule> = rules::of(formats).collect();
    rules.sort_by_key(|rule| rule.code);
    let mut out = format!("{GENERATED}# Rules\n\n{INTRODUCTION}\n");
    out.push_str(&table(&["Rule", "Severity", "Summary"]));
    for rule in &rules {
        let link = format!("[{}](#{})", code(rule.code), anchor(rule.code));
        out.push_str(&row(&[&link, rule.severity.as_str(), &prose(rule.summary)]));
    }
    for rule in rules {
        out.push_str(&page(rule, formats, examples.get(rule.code)));
    }
    out
}

fn page(rule: &Rule, formats: Formats, others: Option<&BTreeMap<String, RuleExample>>) -> String {
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
        prose(rule.meaning),
        fix(rule),
        loss(rule),
        other_words(rule),
        example(&format!("Example{of_formats}"), rule.invalid),
        example("Fixed", rule.valid),
        others.map(of_others).unwrap_or_default(),
    )
    .trim_end_matches('\n')
    .to_owned()
        + "\n"
}

/// What loading loses.
fn loss(rule: &Rule) -> String {
    let what = match rule.loss {
        None => return String::new(),
        Some(Loss::Line) => "the line is dropped",
        Some(Loss::Value) => "the value is changed or dropped",
        Some(Loss::Key) => "the key or column is not read",
    };
    format!("Loss: where the dataset loads, {what}.\n\n")
}

/// Which fixes there are.
fn fix(rule: &Rule) -> String {
    rule.fix.map(|fix| format!("Fix: {}.\n\n", fix.as_str())).unwrap_or_default()
}

/// The messages of common loaders.
fn other_words(rule: &Rule) -> String {
    if rule.other_words.is_empty() {
        return String::new();
    }
    let words: Vec<String> = rule.other_words.iter().map(|words| code(words)).collect();
    format!("Loaders say: {}.\n\n", words.join(", "))
}

/// The examples of a rule in other formats, folded.
fn of_others(examples: &BTreeMap<String, RuleExample>) -> String {
    let mut out = "<details>\n<summary>In other formats</summary>\n".to_owned();
    for (format, pair) in examples {
        out.push('\n');
        out.push_str(&example(&code(format), &pair.invalid));
        out.push('\n');
        out.push_str(&example("Fixed", &pair.valid));
    }
    out + "\n</details>\n"
}

fn applicability(rule: &Rule, formats: Formats) -> String {
    let ids: Vec<String> =
        formats.iter().filter(|format| applies(rule, format)).map(|format| code(format.id)).collect();
    match ids.len() {
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
