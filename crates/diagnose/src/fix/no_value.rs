//! Checks nulls that a fix writes in place of values that JSON does not have, such as NaN and `undefined`.

use std::ops::{ControlFlow, Range};

use super::composed::Composed;
use super::{RecordFix, members};
use crate::compare::{What, compare};
use crate::parse::parse;
use crate::value::Kind;
use evalcheck_core::order::Order;
use evalcheck_json::schema::Schema;

/// The fix of a record, with nulls only where the schema accepts them. An optional key that does not accept null is deleted instead. `None`
/// if neither is possible.
pub(crate) fn with_valid_nulls(record: &[u8], fix: RecordFix, schema: &'static Schema) -> Option<RecordFix> {
    let nulls = invented_nulls(record, &fix);
    if nulls.is_empty() {
        return Some(fix);
    }
    let fixed = fix.apply(record);
    // Several records on a line are not compared.
    let Ok(parsed) = parse(&fixed) else { return Some(fix) };
    let mut deleted = Some(Vec::new());
    compare(&parsed.value, schema, &mut |difference, _| {
        if let What::Type { value, removable, .. } = &difference.what
            && matches!(value.kind, Kind::Null)
            && nulls.contains(&value.span.start)
        {
            match (removable, &mut deleted) {
                (Some((members, index)), Some(deleted)) => {
                    deleted.push((members::with_comma(members, *index), String::new()));
                }
                _ => deleted = None,
            }
        }
        if deleted.is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let mut deleted: Vec<(Range<usize>, String)> = deleted?;
    if deleted.is_empty() {
        return Some(fix);
    }
    deleted.order_by_key(|(span, _)| span.start);
    if deleted.windows(2).any(|pair| pair[0].0.end > pair[1].0.start) {
        return None;
    }
    let composed = Composed::new(record.len()).edit(&fix.edits)?.edit(&deleted)?;
    let title = if deleted.len() < nulls.len() {
        "Write null, or leave the key out where null is not accepted, which is a guess"
    } else {
        "Delete the key, which loses that its value is not one of JSON"
    };
    Some(composed.into_fix(record.len(), RecordFix::not_safe(title)))
}

/// The offsets, after the fix, of the nulls that it writes in place of anything but a null of another language.
fn invented_nulls(record: &[u8], fix: &RecordFix) -> Vec<usize> {
    let mut offsets = Vec::new();
    let (mut written, mut at) = (0, 0);
    for (span, text) in &fix.edits {
        written += span.start - at;
        let found = &record[span.clone()];
        if text == "null" && !found.eq_ignore_ascii_case(b"null") && found != b"None" {
            offsets.push(written);
        }
        written += text.len();
        at = span.end;
    }
    offsets
}
