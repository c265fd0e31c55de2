//! Lines and columns in the files of a schema.

use evalcheck_diagnose::{Kind, RecordStart};
use evalcheck_wire::user_schema::SchemaFile;

use crate::finding::Location;

/// The place of a JSON Pointer in a file of a schema.
pub(super) fn place_in(files: &[SchemaFile], file: usize, pointer: &str) -> Location {
    let Some(SchemaFile { name, text }) = files.get(file) else { return Location::file() };
    let file = Some(name.as_str().into());
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let text = &text[mark..];
    let Ok(parsed) = evalcheck_diagnose::parse(text.as_bytes()) else {
        return Location { file, ..Location::default() };
    };
    let (mut value, mut span) = (&parsed.value, parsed.value.span.clone());
    for step in pointer.split('/').skip(1) {
        let key = step.replace("~1", "/").replace("~0", "~");
        let found = if let Kind::Array(elements) = &value.kind {
            let element = key.parse().ok().and_then(|index: usize| elements.get(index));
            element.map(|element| (element, &element.span))
        } else {
            let member = value.live_members().find(|member| member.key == key);
            member.map(|member| (&member.value, &member.key_span))
        };
        let Some((next, named)) = found else { break };
        (value, span) = (next, named.clone());
    }
    let start = RecordStart { offset: mark as u64, line: 1, column: 1, record: 0 };
    Location { record: None, file, ..start.locate(span, None, text.as_bytes()) }
}
