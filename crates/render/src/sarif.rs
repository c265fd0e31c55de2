//! Findings as SARIF 2.1.0, which code scanning of GitHub and others read.

use evalcheck_report::text::{count, one_line};
use evalcheck_report::{Edit, Fix, Related, Severity};
use evalcheck_wire::catalogue::RuleInfo;
use serde_json::{Map, Value, json};

use crate::checked::{CheckedFile, Listed, Unread, message, snippet, uri};
use crate::json::inert;
use crate::markdown::fenced;

/// The most results of a run; code scanning of GitHub accepts no more.
pub const MOST: usize = 5000;

/// The most characters of a snippet.
const SNIPPET: usize = 200;

/// One run with all files, and with the rules that were checked. All findings given are included: [`crate::checked::share_out`] reduces
/// them; a notification states the number of those that are not listed.
pub fn log(files: &[CheckedFile], unread: &[Unread], rules: &[RuleInfo], version: &str) -> String {
    let repository = crate::repository();
    let mut driver = json!({
        "name": "evalcheck",
        "version": version,
        "rules": rules.iter().map(|info| rule(info, repository)).collect::<Vec<_>>(),
    });
    if let Some(address) = repository {
        driver["informationUri"] = json!(address);
    }
    let mut results = Vec::new();
    for file in files {
        for (number, (listed, fingerprint)) in file.all().zip(file.fingerprints()).enumerate() {
            let mut result = result(file, listed, &fingerprint, rules);
            if file.known.is_some() {
                let is_new = number < file.findings.len();
                result["baselineState"] = json!(if is_new { "new" } else { "unchanged" });
            }
            results.push(result);
        }
    }
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": unread.is_empty() && files.iter().all(|file| file.report.checked),
                "toolExecutionNotifications": notifications(files, unread),
            }],
            "results": results,
        }],
    });
    inert(&format!("{log:#}\n"))
}

/// The page of a rule in a repository.
fn help_uri(repository: &str, code: &str) -> String {
    let category = code.split('/').next().unwrap_or(code);
    format!("{repository}/blob/main/docs/rules/{category}.md#{}", code.replace('/', ""))
}

fn rule(rule: &RuleInfo, repository: Option<&str>) -> Value {
    let markdown = format!(
        "{}\n\nInvalid:\n\n{}\n\nValid:\n\n{}\n",
        rule.meaning,
        fenced(&rule.invalid),
        fenced(&rule.valid)
    );
    let mut described = json!({
        "id": rule.code,
        "shortDescription": { "text": rule.summary },
        "fullDescription": { "text": rule.meaning },
        "help": { "text": rule.meaning, "markdown": markdown },
        "defaultConfiguration": { "level": level(rule.severity) },
    });
    if let Some(repository) = repository {
        described["helpUri"] = json!(help_uri(repository, &rule.code));
    }
    described
}

/// Files that were not checked, and the numbers of findings that are not listed.
fn notifications(files: &[CheckedFile], unread: &[Unread]) -> Vec<Value> {
    let mut all = Vec::new();
    let mut note = |uri: String, level: &str, text: String| {
        let place = json!({ "physicalLocation": { "artifactLocation": { "uri": uri } } });
        all.push(json!({ "level": level, "message": { "text": text }, "locations": [place] }));
    };
    for file in files {
        if !file.report.checked {
            note(file.uri(), "error", "The file was not checked to its end.".to_owned());
        }
        for (code, left) in file.unlisted() {
            let are = if left == 1 { "is" } else { "are" };
            note(file.uri(), "note", format!("{} of {code} {are} not listed.", count(left, "finding")));
        }
    }
    for file in unread {
        note(uri(&file.file), "error", plain(&file.message()));
    }
    all
}

fn result(file: &CheckedFile, listed: &Listed, fingerprint: &str, rules: &[RuleInfo]) -> Value {
    let finding = &listed.finding;
    let mut result = json!({
        "ruleId": finding.code,
        "level": level(finding.severity),
        "message": { "text": plain(&message(finding)) },
        "locations": [location(file, listed)],
        "partialFingerprints": { "primaryLocationLineHash": fingerprint },
    });
    if let Some(index) = rules.iter().position(|rule| rule.code == finding.code) {
        result["ruleIndex"] = json!(index);
    }
    let uri_of = |related: &Related| related.file.as_deref().map_or_else(|| file.uri(), uri);
    let related: Vec<Value> = finding
        .related
        .iter()
        .filter(|related| related.line.is_some())
        .map(|related| {
            let mut region = json!({ "startLine": related.line });
            set(&mut region, "startColumn", related.column);
            json!({
                "message": { "text": plain(&one_line(&related.label)) },
                "physicalLocation": { "artifactLocation": { "uri": uri_of(related) }, "region": region },
            })
        })
        .collect();
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    if let Some(fix) = finding.fix.as_deref().and_then(|fix| self::fix(file, fix)) {
        result["fixes"] = json!([fix]);
    }
    result
}

/// The location of a finding. Bytes and lines of the entry of a ZIP are not places in the file: the entry is a logical location.
fn location(file: &CheckedFile, listed: &Listed) -> Value {
    let finding = &listed.finding;
    let mut physical = json!({ "artifactLocation": { "uri": file.uri() } });
    let entry = finding.entry.as_deref().or(file.report.file.entry.as_deref());
    if entry.is_none()
        && let Some(region) = region(listed)
    {
        physical["region"] = region;
    }
    let mut logical = Vec::new();
    if let Some(entry) = entry {
        let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
        logical
            .push(json!({ "fullyQualifiedName": format!("{}{line}", one_line(entry)), "kind": "resource" }));
    }
    if let Some(path) = &finding.path {
        logical.push(json!({ "fullyQualifiedName": one_line(path), "kind": "member" }));
    }
    let mut location = json!({ "physicalLocation": physical });
    if !logical.is_empty() {
        location["logicalLocations"] = json!(logical);
    }
    location
}

fn region(listed: &Listed) -> Option<Value> {
    let finding = &listed.finding;
    let mut region = json!({ "startLine": finding.line? });
    set(&mut region, "startColumn", finding.column);
    if let (Some(start), Some(end)) = (finding.byte_start, finding.byte_end) {
        region["byteOffset"] = json!(start);
        region["byteLength"] = json!(end - start);
    }
    if let (Some(column), Some(excerpt)) = (finding.column, &listed.excerpt) {
        if let Some(span) = listed.spanned() {
            region["endColumn"] = json!(column + span.chars().count() as u64);
        }
        let text = snippet(excerpt, SNIPPET);
        if !text.is_empty() {
            region["snippet"] = json!({ "text": one_line(&text) });
        }
    }
    Some(region)
}

fn set(object: &mut Value, key: &str, number: Option<u64>) {
    if let Some(number) = number {
        object[key] = json!(number);
    }
}

/// The edits of a fix. A fix that rewrites the whole file, or is in a ZIP, cannot be expressed here.
fn fix(file: &CheckedFile, fix: &Fix) -> Option<Value> {
    if fix.edits.is_empty()
        || fix.convert.is_some()
        || !fix.entries.is_empty()
        || file.report.file.entry.is_some()
    {
        return None;
    }
    let replacement = |edit: &Edit| {
        let mut replacement = Map::new();
        replacement.insert(
            "deletedRegion".to_owned(),
            json!({ "byteOffset": edit.start, "byteLength": edit.end - edit.start }),
        );
        if !edit.text.is_empty() {
            replacement.insert("insertedContent".to_owned(), json!({ "text": edit.text }));
        }
        Value::Object(replacement)
    };
    Some(json!({
        "description": { "text": one_line(&fix.title) },
        "artifactChanges": [{
            "artifactLocation": { "uri": file.uri() },
            "replacements": fix.edits.iter().map(replacement).collect::<Vec<_>>(),
        }],
    }))
}

/// Text in which no brackets make a link. Only backslashes before a bracket would be read as its escape.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut backslashes = 0;
    for c in text.chars() {
        if matches!(c, '[' | ']') {
            out.extend(std::iter::repeat_n('\\', backslashes + 1));
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        out.push(c);
    }
    out
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::checked::tests::{HOSTILE, assert_tame, file, unread};

    #[test]
    fn a_rule_has_a_page_in_a_repository() {
        assert_eq!(
            help_uri("https://github.com/a/evalcheck", "csv/ragged-row"),
            "https://github.com/a/evalcheck/blob/main/docs/rules/csv.md#csvragged-row"
        );
        // Until it is published, the repository has no address.
        assert_eq!(crate::repository().is_some(), !env!("CARGO_PKG_REPOSITORY").contains("/OWNER/"));
    }

    #[test]
    fn a_result_says_where_and_what() {
        let mut files = [file("d/a b.jsonl", &[("a/b", Severity::Error, 2)])];
        let edits =
            vec![Edit { start: 3, end: 4, text: String::new() }, Edit { start: 9, end: 9, text: "x".into() }];
        files[0].findings[0].finding.fix = Some(Box::new(Fix::safe("Delete it", edits)));
        files[0].counts.by_code.insert("a/b".into(), 9);
        let rule = RuleInfo {
            code: "a/b".into(),
            severity: Severity::Error,
            summary: "It is wrong.".into(),
            title: None,
            meaning: "It means.".into(),
            other_words: Vec::new(),
            fix: None,
            invalid: "1".into(),
            valid: "2".into(),
            examples: BTreeMap::new(),
        };
        let text = log(&files, &[], &[rule], "0.1.0");
        assert_tame(&text);
        let run = serde_json::from_str::<Value>(&text).unwrap()["runs"][0].take();
        assert_eq!(run["tool"]["driver"]["rules"][0]["shortDescription"]["text"], "It is wrong.");
        let result = &run["results"][0];
        assert_eq!((&result["ruleIndex"], &result["level"]), (&json!(0), &json!("error")));
        let physical = &result["locations"][0]["physicalLocation"];
        assert_eq!(physical["artifactLocation"]["uri"], "d/a%20b.jsonl");
        let region = &physical["region"];
        assert_eq!(
            (&region["startLine"], &region["startColumn"], &region["endColumn"]),
            (&json!(1), &json!(7), &json!(10))
        );
        assert!(region["snippet"]["text"].as_str().unwrap().chars().count() <= SNIPPET);
        let change = &result["fixes"][0]["artifactChanges"][0]["replacements"];
        assert_eq!(
            *change,
            json!([
                {"deletedRegion": {"byteOffset": 3, "byteLength": 1}},
                {"deletedRegion": {"byteOffset": 9, "byteLength": 0}, "insertedContent": {"text": "x"}},
            ])
        );
        let said = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
        assert_eq!(said, "7 findings of a/b are not listed.");
        let prints = |at: usize| run["results"][at]["partialFingerprints"]["primaryLocationLineHash"].clone();
        assert_ne!(prints(0), prints(1));
    }

    #[test]
    fn what_is_in_a_zip_has_no_line_of_the_file() {
        let mut files = [file("a.zip", &[("a/b", Severity::Error, 1)])];
        files[0].report.file.entry = Some(HOSTILE.into());
        let text = log(&files, &[unread("b.jsonl")], &[], "0.1.0");
        assert_tame(&text);
        let log: Value = serde_json::from_str(&text).unwrap();
        let location = &log["runs"][0]["results"][0]["locations"][0];
        assert_eq!(location["physicalLocation"]["region"], Value::Null);
        assert!(location["logicalLocations"][0]["fullyQualifiedName"].as_str().unwrap().ends_with(":1"));
        assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
        let notes = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
        assert!(notes[0]["message"]["text"].as_str().unwrap().starts_with("The file could not be read: "));
    }
}
