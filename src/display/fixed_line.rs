//! Applies a fix to a line.

use evalcheck_report::Edit;

/// The line with the edits applied; `None` if some of them are outside of the line.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: u64, end: u64, text: &str) -> Edit {
        Edit { start, end, text: text.to_owned() }
    }

    #[test]
    fn only_edits_of_the_line_are_made() {
        assert_eq!(fixed("abc", 10, &[edit(5, 6, "")]), None);
        assert_eq!(fixed("abc", 10, &[edit(12, 14, "")]), None);
        assert_eq!(fixed("abc", 10, &[edit(10, 11, "x"), edit(13, 13, "d")]).as_deref(), Some("xbcd"));
    }
}
