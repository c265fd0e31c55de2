//! What a fix changes in a line, as pieces to show.

use evalcheck_wire::report::Edit;

/// Characters of the line that are shown before and after a change.
const CONTEXT: usize = 24;

/// The most characters of one piece.
const LONGEST: usize = 200;

/// A piece of a line and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// It stays.
    Kept(String),
    /// It goes.
    Removed(String),
    /// It comes.
    Added(String),
}

/// The changes of edits in a line that begins at a byte of the file, each with a little of the line around it. `None` when
/// they are not all in the line.
pub(crate) fn pieces(line: &str, start: u64, edits: &[Edit]) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for edit in edits {
        let from = usize::try_from(edit.start.checked_sub(start)?).ok()?;
        let to = usize::try_from(edit.end.checked_sub(start)?).ok()?;
        push_kept(&mut pieces, line.get(at..from)?, true);
        let removed = line.get(from..to)?;
        if !removed.is_empty() {
            pieces.push(Piece::Removed(shortened(removed)));
        }
        if !edit.text.is_empty() {
            pieces.push(Piece::Added(shortened(&edit.text)));
        }
        at = to;
    }
    push_kept(&mut pieces, line.get(at..)?, false);
    Some(pieces)
}

/// The line with the edits made; `None` when they are not all in the line.
pub(crate) fn fixed(line: &str, start: u64, edits: &[Edit]) -> Option<String> {
    let mut fixed = String::new();
    let mut at = 0;
    for edit in edits {
        let from = usize::try_from(edit.start.checked_sub(start)?).ok()?;
        let to = usize::try_from(edit.end.checked_sub(start)?).ok()?;
        fixed.push_str(line.get(at..from)?);
        fixed.push_str(&edit.text);
        at = line.is_char_boundary(to).then_some(to)?;
    }
    fixed.push_str(line.get(at..)?);
    Some(fixed)
}

/// Adds a piece that stays: its end, and its beginning where it follows a change.
fn push_kept(pieces: &mut Vec<Piece>, text: &str, is_before_change: bool) {
    let is_first = pieces.is_empty();
    let count = text.chars().count();
    let head = if is_first { 0 } else { CONTEXT };
    let tail = if is_before_change { CONTEXT } else { 0 };
    let shown = if count <= head + tail + 1 {
        text.to_owned()
    } else {
        let beginning: String = text.chars().take(head).collect();
        let end: String = text.chars().skip(count - tail).collect();
        format!("{beginning}…{end}")
    };
    if !shown.is_empty() {
        pieces.push(Piece::Kept(shown));
    }
}

fn shortened(text: &str) -> String {
    let mut out: String = text.chars().take(LONGEST).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: u64, end: u64, text: &str) -> Edit {
        Edit { start, end, text: text.to_owned() }
    }

    #[test]
    fn a_change_is_shown_with_what_is_around_it() {
        let line = format!("{}Human{}", "a".repeat(30), "b".repeat(30));
        let pieces = pieces(&line, 100, &[edit(130, 135, "user")]).unwrap();
        let kept = |text: String| Piece::Kept(text);
        assert_eq!(
            pieces,
            [
                kept(format!("…{}", "a".repeat(CONTEXT))),
                Piece::Removed("Human".to_owned()),
                Piece::Added("user".to_owned()),
                kept(format!("{}…", "b".repeat(CONTEXT))),
            ]
        );
    }

    #[test]
    fn edits_of_other_lines_are_not_shown_in_this_one() {
        assert_eq!(pieces("abc", 10, &[edit(5, 6, "")]), None);
        assert_eq!(fixed("abc", 10, &[edit(12, 14, "")]), None);
        assert_eq!(fixed("abc", 10, &[edit(10, 11, "x"), edit(13, 13, "d")]).as_deref(), Some("xbcd"));
        assert_eq!(pieces("abc", 10, &[edit(12, 14, "")]), None);
        assert_eq!(pieces("abc", 10, &[edit(13, 13, "d")]).unwrap().len(), 2);
    }
}
