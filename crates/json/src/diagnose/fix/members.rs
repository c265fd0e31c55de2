//! Edits of the members of an object.

use std::ops::Range;

use super::RecordFix;
use crate::diagnose::value::Member;

/// The span that a member takes with its comma: without it the others are members as before.
pub(in crate::diagnose) fn with_comma(members: &[Member<'_>], index: usize) -> Range<usize> {
    let member = &members[index];
    match members.get(index + 1) {
        Some(next) => member.key_span.start..next.key_span.start,
        None => match index.checked_sub(1) {
            Some(before) => members[before].value.span.end..member.value.span.end,
            None => member.key_span.start..member.value.span.end,
        },
    }
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
    let index = |key: &Range<usize>| {
        let index = members.partition_point(|member| member.key_span.start < key.start);
        members.get(index).filter(|member| member.key_span == *key).map(|_| index)
    };
    let (first, later) = (index(first)?, index(later)?);
    let raw = |index: usize| &record[members[index].value.span.clone()];
    if raw(first) == raw(later) {
        let before = later.checked_sub(1)?;
        let span = members[before].value.span.end..members[later].value.span.end;
        return Some(RecordFix::safe("Delete the second of two equal members").replace(span, ""));
    }
    let fix = RecordFix::not_safe("Delete the first member, whose value readers do not see");
    (!members[later].shadowed).then(|| fix.replace(with_comma(members, first), ""))
}
