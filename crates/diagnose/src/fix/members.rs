//! Edits of the members of an object.

use std::ops::Range;

use super::RecordFix;
use crate::value::{Member, Value};

/// The span of a member and its comma. Without this span, the other members remain valid.
pub(crate) fn with_comma(members: &[Member<'_>], index: usize) -> Range<usize> {
    let span = |member: &Member<'_>| member.key_span.start..member.value.span.end;
    with_separator(members.len(), index, |index| span(&members[index]))
}

/// The span of an element of a list and its comma.
pub(crate) fn element_with_comma(elements: &[Value<'_>], index: usize) -> Range<usize> {
    with_separator(elements.len(), index, |index| elements[index].span.clone())
}

fn with_separator(count: usize, index: usize, span: impl Fn(usize) -> Range<usize>) -> Range<usize> {
    match index.checked_sub(1) {
        _ if index + 1 < count => span(index).start..span(index + 1).start,
        Some(before) => span(before).end..span(index).end,
        None => span(index),
    }
}

/// The index of the member by the span of its key.
pub(crate) fn index(members: &[Member<'_>], key: &Range<usize>) -> Option<usize> {
    let index = members.partition_point(|member| member.key_span.start < key.start);
    members.get(index).filter(|member| member.key_span == *key).map(|_| index)
}

/// The edit that inserts `member` (`"key": value`) before the other members of an object. `None` if there are none: two inserted members
/// would have no comma between them.
pub(crate) fn insertion(members: &[Member<'_>], member: &str) -> Option<(Range<usize>, String)> {
    let at = members.first()?.key_span.start;
    Some((at..at, format!("{member}, ")))
}

/// Replaces the first of some members, which are in the order of the bytes, by another member, and deletes the others.
pub(crate) fn in_place_of(
    holders: &[&Member<'_>],
    members: &[Member<'_>],
    mut fix: RecordFix,
    member: &str,
) -> RecordFix {
    for (number, holder) in holders.iter().enumerate() {
        let before = index(members, &holder.key_span).and_then(|index| index.checked_sub(1));
        fix = match before {
            Some(before) if number > 0 => {
                fix.replace(members[before].value.span.end..holder.value.span.end, "")
            }
            _ => fix.replace(holder.key_span.start..holder.value.span.end, member),
        };
    }
    fix
}

/// Deletes one of two members with the same key: the later one if their values are equal, otherwise the first, which readers do not see.
/// `None` for different values if the key occurs again after them.
pub(crate) fn without_duplicate(
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
