//! Edits of the members of an object.

use std::ops::Range;

use super::RecordFix;
use crate::diagnose::value::{Member, Value};

/// The span that a member takes with its comma: without it the others are members as before.
pub(in crate::diagnose) fn with_comma(members: &[Member<'_>], index: usize) -> Range<usize> {
    let span = |member: &Member<'_>| member.key_span.start..member.value.span.end;
    with_separator(members.len(), index, |index| span(&members[index]))
}

/// The same of an element of a list.
pub(in crate::diagnose) fn element_with_comma(elements: &[Value<'_>], index: usize) -> Range<usize> {
    with_separator(elements.len(), index, |index| elements[index].span.clone())
}

fn with_separator(count: usize, index: usize, span: impl Fn(usize) -> Range<usize>) -> Range<usize> {
    match index.checked_sub(1) {
        _ if index + 1 < count => span(index).start..span(index + 1).start,
        Some(before) => span(before).end..span(index).end,
        None => span(index),
    }
}

/// The place of the member whose key is at a span.
pub(in crate::diagnose) fn index(members: &[Member<'_>], key: &Range<usize>) -> Option<usize> {
    let index = members.partition_point(|member| member.key_span.start < key.start);
    members.get(index).filter(|member| member.key_span == *key).map(|_| index)
}

/// Where a member (`"key": value`) is inserted before the others of an object, and its text with the comma. `None` without
/// others: two such members would have none between them.
pub(in crate::diagnose) fn insertion(members: &[Member<'_>], member: &str) -> Option<(Range<usize>, String)> {
    let at = members.first()?.key_span.start;
    Some((at..at, format!("{member}, ")))
}

/// Deletes one of two members with the same key: the later one where their values are the same; otherwise the first, which
/// readers do not see. `None` where the key occurs again behind these.
pub(in crate::diagnose) fn without_duplicate(
    members: &[Member<'_>],
    first: &Range<usize>,
    later: &Range<usize>,
    record: &[u8],
) -> Option<RecordFix> {
    let (first, later) = (index(members, first)?, index(members, later)?);
    let raw = |index: usize| &record[members[index].value.span.clone()];
    if raw(first) == raw(later) {
        let before = later.checked_sub(1)?;
        let span = members[before].value.span.end..members[later].value.span.end;
        return Some(RecordFix::safe("Delete the second of two equal members").replace(span, ""));
    }
    let fix = RecordFix::not_safe("Delete the first member, whose value readers do not see");
    (!members[later].shadowed).then(|| fix.replace(with_comma(members, first), ""))
}
