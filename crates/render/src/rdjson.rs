//! Findings in the Diagnostic Format of reviewdog.

use evalcheck_report::Severity;
use serde_json::{Value, json};

use crate::checked::{CheckedFile, Listed, NOT_READ, Unread, message};
use crate::json::inert;

/// The findings, and the files that were not read, as one JSON object.
pub fn diagnostics(files: &[CheckedFile], unread: &[Unread]) -> String {
    let of_file = |file: &CheckedFile| {
        let path = file.path();
        file.findings.iter().map(move |listed| diagnostic(listed, &path)).collect::<Vec<_>>()
    };
    let of_unread = |file: &Unread| {
        json!({
            "message": file.message(),
            "location": { "path": file.path() },
            "severity": "ERROR",
            "code": { "value": NOT_READ },
        })
    };
    let all: Vec<Value> = files.iter().flat_map(of_file).chain(unread.iter().map(of_unread)).collect();
    inert(&format!("{:#}\n", json!({ "source": { "name": "evalcheck" }, "diagnostics": all })))
}

fn diagnostic(listed: &Listed, path: &str) -> Value {
    let finding = &listed.finding;
    let mut location = json!({ "path": path });
    if let Some(range) = range(listed) {
        location["range"] = range;
    }
    json!({
        "message": message(finding),
        "location": location,
        "severity": match finding.severity {
            Severity::Error => "ERROR",
            Severity::Warning => "WARNING",
            Severity::Info => "INFO",
        },
        "code": { "value": finding.code },
    })
}

/// The range of a finding. Columns count bytes; they are omitted if the line is so long that they are not known. A span over several
/// lines, or beyond the excerpt, has no end.
fn range(listed: &Listed) -> Option<Value> {
    let line = listed.finding.line?;
    let Some(excerpt) = listed.excerpt.as_ref().filter(|excerpt| !excerpt.clipped_before) else {
        return Some(json!({ "start": { "line": line } }));
    };
    let column = excerpt.start + 1;
    let mut range = json!({ "start": { "line": line, "column": column } });
    if let Some(span) = listed.spanned() {
        range["end"] = json!({ "line": line, "column": column + span.len() });
    }
    Some(range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::tests::{assert_tame, file, unread};

    #[test]
    fn columns_are_bytes() {
        let mut files = [file("./a.jsonl", &[("a/b", Severity::Warning, 2)])];
        files[0].findings[1].excerpt.as_mut().unwrap().clipped_before = true;
        let text = diagnostics(&files, &[unread("./b.jsonl")]);
        assert_tame(&text);
        let all: Value = serde_json::from_str(&text).unwrap();
        let place = |at: usize| &all["diagnostics"][at]["location"];
        assert_eq!(
            *place(0),
            json!({"path": "a.jsonl", "range": {"start": {"line": 1, "column": 7}, "end": {"line": 1, "column": 10}}})
        );
        assert_eq!(*place(2), json!({"path": "b.jsonl"}));
        assert_eq!(*place(1), json!({"path": "a.jsonl", "range": {"start": {"line": 2}}}));
    }
}
