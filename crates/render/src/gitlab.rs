//! Findings as a Code Quality report of GitLab.

use std::collections::HashSet;

use evalcheck_report::Severity;
use serde_json::{Value, json};

use crate::checked::{CheckedFile, NOT_READ, Unread, message};
use crate::json::inert;

/// The report: a JSON array with an object for each finding, and for each file that was not read. No two have the same fingerprint.
pub fn code_quality(files: &[CheckedFile], unread: &[Unread]) -> String {
    let mut seen = HashSet::new();
    let mut all: Vec<Value> = unread
        .iter()
        .map(|file| {
            json!({
                "description": file.message(),
                "check_name": NOT_READ,
                "fingerprint": format!("{NOT_READ}:{}", file.path()),
                "severity": "blocker",
                "location": { "path": file.path(), "lines": { "begin": 1 } },
            })
        })
        .collect();
    for file in files {
        for (listed, print) in file.findings.iter().zip(file.fingerprints()) {
            // Files with equal content have the same fingerprints.
            let mut fingerprint = print.clone();
            let mut more = 1;
            while !seen.insert(fingerprint.clone()) {
                more += 1;
                fingerprint = format!("{print}:{more}");
            }
            let finding = &listed.finding;
            all.push(json!({
                "description": message(finding),
                "check_name": finding.code,
                "fingerprint": fingerprint,
                "severity": match finding.severity {
                    Severity::Error => "major",
                    Severity::Warning => "minor",
                    Severity::Info => "info",
                },
                "location": {
                    "path": file.path(),
                    "lines": { "begin": finding.line.unwrap_or(1) },
                },
            }));
        }
    }
    inert(&format!("{:#}\n", Value::Array(all)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::tests::{assert_tame, file, unread};

    #[test]
    fn fingerprints_are_unique() {
        let files = [
            file("a.jsonl", &[("a/b", Severity::Error, 3)]),
            file("b.jsonl", &[("a/b", Severity::Error, 2), ("a/c", Severity::Info, 1)]),
        ];
        let text = code_quality(&files, &[unread("c.jsonl")]);
        assert_tame(&text);
        let all: Vec<Value> = serde_json::from_str(&text).unwrap();
        let prints: HashSet<&str> = all.iter().map(|one| one["fingerprint"].as_str().unwrap()).collect();
        assert_eq!((all.len(), prints.len()), (7, 7));
        assert_eq!(all[2]["location"], json!({"path": "a.jsonl", "lines": {"begin": 2}}));
        assert_eq!(all[6]["severity"], "info");
    }
}
