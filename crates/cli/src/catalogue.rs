//! The catalogue of formats and rules as plain text.

use std::fmt::Write;

use evalcheck_wire::catalogue::{Catalogue, RuleInfo};

/// The list of formats.
pub(crate) fn formats(catalogue: &Catalogue) -> String {
    let mut out = String::new();
    for format in &catalogue.formats {
        let extensions: Vec<String> = format.extensions.iter().map(|e| format!(".{e}")).collect();
        let _ = writeln!(out, "{}  {} ({})", format.id, format.title, extensions.join(", "));
        let _ = writeln!(out, "    {}", format.summary);
        if !format.versions.is_empty() {
            let _ = writeln!(out, "    Versions: {}", format.versions.join(", "));
        }
        for option in &format.options {
            let _ = writeln!(out, "    Option {}: {}", option.name, option.help);
        }
        if !format.names.is_empty() {
            let names: Vec<&str> = format.names.iter().map(|short| short.name.as_str()).collect();
            let _ = writeln!(out, "    Keys of `evalcheck find`: {}", names.join(", "));
        }
        if !format.link.is_empty() {
            let _ = writeln!(out, "    {}", format.link);
        }
    }
    out
}

/// The page of one rule, with the example for a format, or the list of all rules.
///
/// # Errors
/// A message if there is no such rule.
pub(crate) fn explain(
    rules: &[RuleInfo],
    code: Option<&str>,
    format: Option<&str>,
) -> Result<String, String> {
    let Some(code) = code else { return Ok(list(rules)) };
    match rules.iter().find(|rule| rule.code == code) {
        Some(rule) => Ok(rule_page(rule, format.unwrap_or_default())),
        None => Err(unknown_rule(rules, code)),
    }
}

fn list(rules: &[RuleInfo]) -> String {
    let width = rules.iter().map(|rule| rule.code.len()).max().unwrap_or(0);
    let mut out = String::new();
    for rule in rules {
        let _ = writeln!(out, "{:width$}  {:7}  {}", rule.code, rule.severity.as_str(), rule.summary);
    }
    out
}

fn rule_page(rule: &RuleInfo, format: &str) -> String {
    let (invalid, valid) = rule.example(format);
    let fix = rule.fix.as_deref().map(|fix| format!("Fix: {fix}\n")).unwrap_or_default();
    let other_words = match rule.other_words.as_slice() {
        [] => String::new(),
        words => format!("\nLoaders say:\n{}\n", indented(&words.join("\n"))),
    };
    format!(
        "{} ({})\n{}\n\n{}\n{}{}\nExample:\n{}\n\nFixed:\n{}\n",
        rule.code,
        rule.severity.as_str(),
        rule.summary,
        rule.meaning,
        fix,
        other_words,
        indented(invalid),
        indented(valid),
    )
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

/// The message for a code that no rule has.
pub(crate) fn unknown_rule(rules: &[RuleInfo], code: &str) -> String {
    let name = code.rsplit('/').next().unwrap_or(code).to_ascii_lowercase();
    let text = code.to_ascii_lowercase();
    // A part of a code, or the message of a loader.
    let is_meant = |rule: &RuleInfo| {
        let is_said = |words: &String| words.to_ascii_lowercase().contains(&text);
        !name.is_empty() && (rule.code.contains(&name) || rule.other_words.iter().any(is_said))
    };
    let meant = rules.iter().filter(|rule| is_meant(rule));
    let similar: Vec<&str> = meant.map(|rule| rule.code.as_str()).take(5).collect();
    if similar.is_empty() {
        "no such rule; `evalcheck explain` lists all rules".to_owned()
    } else {
        format!("no such rule; did you mean {}?", similar.join(" or "))
    }
}

#[cfg(test)]
mod tests {
    use evalcheck_report::Severity;
    use evalcheck_wire::catalogue::RuleExample;

    use super::*;

    fn rules() -> Vec<RuleInfo> {
        let quest = RuleExample { invalid: "[{}]".into(), valid: "[{\"a\":1}]".into() };
        let rule = RuleInfo {
            code: "shape/missing-key".into(),
            severity: Severity::Error,
            summary: "A key is missing.".into(),
            title: None,
            meaning: "The loader requires it.".into(),
            other_words: vec!["Key required".into()],
            fix: None,
            invalid: "{}\n{}".into(),
            valid: "{\"a\":1}".into(),
            examples: [("quest".to_owned(), quest)].into(),
        };
        vec![rule]
    }

    #[test]
    fn the_page_of_a_rule_is_complete() {
        let page = explain(&rules(), Some("shape/missing-key"), None).unwrap();
        let expected = "shape/missing-key (error)\nA key is missing.\n\nThe loader requires it.\n\n\
            Loaders say:\n    Key required\n\nExample:\n    {}\n    {}\n\nFixed:\n    {\"a\":1}\n";
        assert_eq!(page, expected);
    }

    #[test]
    fn a_format_has_its_own_example() {
        let page = explain(&rules(), Some("shape/missing-key"), Some("quest")).unwrap();
        assert!(page.ends_with("Example:\n    [{}]\n\nFixed:\n    [{\"a\":1}]\n"), "{page}");
    }

    #[test]
    fn the_message_of_a_loader_leads_to_the_rule() {
        let error = explain(&rules(), Some("key required"), None).unwrap_err();
        assert!(error.ends_with("did you mean shape/missing-key?"), "{error}");
    }

    #[test]
    fn an_unknown_code_suggests_a_similar_one() {
        let error = explain(&rules(), Some("missing"), None).unwrap_err();
        assert!(error.ends_with("did you mean shape/missing-key?"), "{error}");
        let error = explain(&rules(), Some("quite/different"), None).unwrap_err();
        assert!(error.contains("lists all rules"), "{error}");
    }
}
