//! Contents of files that are embedded in strings of a record.

use super::super::checks::{Findings, Record};
use crate::diagnose::{Kind, Value};
use evalcheck_json::scan::{BASE64_RUN, is_base64};

evalcheck_core::rules! {
    /// A file embedded in a record.
    EmbeddedProblem {
        Embedded { what: &'static str, bytes: u64 } = "attachment/embedded", Warning {
            summary: "The contents of a file are embedded in a record.",
            message: "the contents of a file are embedded here ({what}, {bytes} bytes)",
            hint: "Put the file into a ZIP under attachments/ and refer to it by a file_ref.",
            meaning: "The system's document forbids embedded file contents. They make every record larger, and the model may get them as text.",
            invalid: r#"{"input":{"messages":[{"role":"user","content":"data:application/pdf;base64,JVBERi0xLjcKJeLjz9MKMSAwIG9iago8PC9UeXBlL0NhdGFsb2c+PgplbmRvYmoK"}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":[{"type":"file_ref","path":"attachments/doc1.pdf"}]}]}}"#,
        }
    }
}

/// Reports strings of a record that contain a file.
pub(super) fn check(record: &Record<'_>, out: &mut Findings<'_>) {
    find(record.root, record, out);
}

fn find(value: &Value<'_>, record: &Record<'_>, out: &mut Findings<'_>) {
    match &value.kind {
        Kind::String(_) => {
            let inside = value.span.start + 1..value.span.end - 1;
            if let Some((what, bytes)) = embedded_in(&record.text.bytes[inside]) {
                let problem = EmbeddedProblem::Embedded { what, bytes };
                out.report(problem, record.at(value));
            }
        }
        Kind::Array(elements) => {
            for element in elements {
                find(element, record, out);
            }
        }
        Kind::Object(members) => {
            for member in members.iter().filter(|member| !member.shadowed) {
                find(&member.value, record, out);
            }
        }
        _ => {}
    }
}

/// The kind of file embedded in the content of a string (as written in the JSON), and its size in bytes there: a `data:` URL, or a run of
/// at least [`BASE64_RUN`] characters with capitals, small letters and digits. Requiring all three excludes long words and sequences of a
/// few letters.
fn embedded_in(content: &[u8]) -> Option<(&'static str, u64)> {
    let is_url = content.get(..5).is_some_and(|head| head.eq_ignore_ascii_case(b"data:"))
        && content.iter().take(256).any(|&byte| byte == b',');
    if is_url {
        return Some(("a data: URL", content.len() as u64));
    }
    let runs = content.split(|&byte| !is_base64(byte));
    let longest = runs.filter(|run| run.len() >= BASE64_RUN && is_mixed(run)).map(<[u8]>::len).max();
    longest.map(|size| ("a run of base64", size as u64))
}

fn is_mixed(run: &[u8]) -> bool {
    run.iter().any(u8::is_ascii_uppercase)
        && run.iter().any(u8::is_ascii_lowercase)
        && run.iter().any(u8::is_ascii_digit)
}
