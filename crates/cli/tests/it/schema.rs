//! The schema is strict enough to detect mistakes: a report that is invalid on purpose does not pass.

use crate::support;
use evalcheck_report::{Counts, File, Finding, Format, REPORT_VERSION, Related, Report, Severity, Tool};
use serde_json::{Value, json};

fn report() -> Report {
    Report {
        report: REPORT_VERSION.into(),
        tool: Tool { name: "evalcheck".into(), version: "1.2.3".into() },
        file: File {
            name: "a.zip".into(),
            size: 10,
            entry: Some("samples.jsonl".into()),
            other_entries: vec!["b.csv".into()],
        },
        format: Format {
            id: "juryarena".into(),
            detected: true,
            reason: "it looks like it".into(),
            confidence: 90,
            ..Format::default()
        },
        valid: false,
        checked: true,
        counts: Counts {
            lines: 1,
            records: 1,
            invalid: 1,
            errors: 1,
            by_code: [("shape/missing-key".to_owned(), 1)].into_iter().collect(),
            safe_fixes: [("shape/missing-key".to_owned(), 1)].into_iter().collect(),
            ..Counts::default()
        },
        truncated: false,
        filter: None,
        max_findings_per_code: None,
        notes: Vec::new(),
        overview: None,
        findings: vec![Finding {
            code: "shape/missing-key".into(),
            severity: Severity::Error,
            line: Some(1),
            column: Some(1),
            byte_start: Some(0),
            byte_end: Some(2),
            record: Some(0),
            path: Some("input".into()),
            message: "Required".into(),
            hint: Some("Add it.".into()),
            loss: None,
            fix: None,
            says: None,
            refused_by: None,
            related: vec![Related {
                label: "first used here".into(),
                line: Some(1),
                column: Some(2),
                byte_start: Some(1),
                byte_end: Some(2),
                record: Some(0),
                path: Some("input".into()),
                file: Some("faq.schema.json".to_owned()),
            }],
            entry: Some("samples.jsonl".into()),
        }],
    }
}

fn is_accepted(value: &Value) -> bool {
    support::REPORT_SCHEMA.is_valid(value)
}

#[test]
fn a_report_follows_the_schema() {
    support::assert_follows_schema(&serde_json::to_value(report()).unwrap(), "an ordinary report");
    let mut bare = report();
    bare.file.entry = None;
    bare.counts.safe_fixes.clear();
    bare.truncated = true;
    bare.max_findings_per_code = Some(0);
    let finding = &mut bare.findings[0];
    (finding.line, finding.column, finding.byte_start, finding.byte_end) = (None, None, None, None);
    (finding.record, finding.path, finding.hint, finding.entry) = (None, None, None, None);
    finding.related.clear();
    support::assert_follows_schema(&serde_json::to_value(bare).unwrap(), "a report with nothing optional");
}

#[test]
fn a_mistake_in_a_report_is_seen() {
    let mistakes = [
        ("/report", json!("evalcheck/2")),
        ("/tool/version", json!("")),
        ("/file/size", json!(-1)),
        ("/format/id", json!("Jury Arena")),
        ("/format/reason", json!("")),
        ("/valid", json!(true)),
        ("/checked", json!("yes")),
        ("/truncated", json!("no")),
        ("/counts/lines", json!(1.5)),
        ("/counts/by_code", json!({"nocategory": 1})),
        ("/counts/by_code", json!({"shape/missing-key": 0})),
        ("/counts/safe_fixes", json!({})),
        ("/counts/safe_fixes", json!({"shape/missing-key": 0})),
        ("/findings/0/code", json!("Shape/MissingKey")),
        ("/findings/0/severity", json!("fatal")),
        ("/findings/0/line", json!(0)),
        ("/findings/0/line", json!(null)),
        ("/findings/0/byte_end", json!(null)),
        ("/findings/0/path", json!(["input"])),
        ("/findings/0/message", json!("")),
        ("/findings/0/related", json!([])),
        ("/findings/0/related/0/label", json!("")),
        ("/findings/0/related/0/line", json!(0)),
    ];
    for (place, value) in mistakes {
        let mut broken = serde_json::to_value(report()).unwrap();
        *broken.pointer_mut(place).unwrap() = value.clone();
        assert!(!is_accepted(&broken), "{place} may not be {value}");
    }
}

#[test]
fn a_key_too_many_or_too_few_is_seen() {
    for place in ["", "/tool", "/file", "/format", "/counts", "/findings/0", "/findings/0/related/0"] {
        let mut broken = serde_json::to_value(report()).unwrap();
        broken.pointer_mut(place).unwrap().as_object_mut().unwrap().insert("colour".into(), json!(1));
        assert!(!is_accepted(&broken), "an unknown key at {place:?}");
    }
    for (place, key) in
        [("", "counts"), ("/counts", "blank"), ("/format", "reason"), ("/findings/0", "record")]
    {
        let mut broken = serde_json::to_value(report()).unwrap();
        broken.pointer_mut(place).unwrap().as_object_mut().unwrap().remove(key);
        assert!(!is_accepted(&broken), "{key} is missing at {place:?}");
    }
}
