//! The lines that git writes around the two sides of a merge conflict.

use super::text_problem::TextProblem;

/// The number of characters of a marker.
const LENGTH: usize = 7;

/// The problem of a line that is a conflict marker; `None` for any other line. The line may include its line break.
///
/// ```
/// # use evalcheck_diagnose::conflict_marker;
/// assert!(conflict_marker(b"<<<<<<< HEAD").is_some());
/// assert!(conflict_marker(b"=======").is_some());
/// assert!(conflict_marker(b"======== Results").is_none());
/// ```
pub fn conflict_marker(line: &[u8]) -> Option<TextProblem> {
    let (marker, label) = line.trim_ascii_end().split_at_checked(LENGTH)?;
    let what = match marker {
        b"<<<<<<<" => "one version begins after it",
        b"|||||||" => "the version before both begins after it",
        b"=======" => "the other version begins after it",
        b">>>>>>>" => "the conflict ends with it",
        _ => return None,
    };
    let has_label = label.first() == Some(&b' ');
    let takes_label = marker != b"=======";
    (label.is_empty() || (has_label && takes_label)).then_some(TextProblem::ConflictMarker { what })
}
