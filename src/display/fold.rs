//! The beginning of a long turn.

use evalcheck_report::text::is_joiner;
use evalcheck_report::view::Part;

/// The number of lines of a folded turn.
const FOLDED_LINES: usize = 12;

/// A turn is folded only if this many lines are hidden, because the button takes a line as well.
const MIN_HIDDEN_LINES: usize = 3;

/// The number of characters that fit on a line. An estimate, because the width of the pane is not known here.
const LINE_CHARS: usize = 90;

/// For each text part of a turn, the number of bytes shown while the turn is folded; `None` if the turn is short.
pub(crate) fn fold_turn(parts: &[Part]) -> Option<Vec<Option<usize>>> {
    let mut ends = fold(parts.iter().filter_map(as_text))?.into_iter();
    Some(parts.iter().map(|part| as_text(part).and_then(|_| ends.next())).collect())
}

fn as_text(part: &Part) -> Option<&str> {
    match part {
        Part::Text { text, .. } => Some(text),
        _ => None,
    }
}

/// The number of bytes of each text of a turn that are shown while it is folded; `None` if the turn is short.
fn fold<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Option<Vec<usize>> {
    // Reads no more of the text than needed, because it can be 64 KiB.
    let limit = FOLDED_LINES + MIN_HIDDEN_LINES;
    let mut lines = 0;
    for text in texts.clone() {
        lines += lines_within(text, limit - lines).0;
        if lines >= limit {
            let mut left = FOLDED_LINES;
            let cut = |text: &str| {
                let (used, end) = lines_within(text, left);
                left -= used;
                end
            };
            return Some(texts.map(cut).collect());
        }
    }
    None
}

/// The number of lines of a text, at most `most`, and their end as a byte offset.
fn lines_within(text: &str, most: usize) -> (usize, usize) {
    if most == 0 {
        return (0, 0);
    }
    let mut lines = 1;
    let mut chars = 0;
    for (at, c) in text.char_indices() {
        let is_break = c == '\n';
        if !is_break && chars < LINE_CHARS {
            chars += 1;
            continue;
        }
        if lines == most {
            return (lines, if is_break { at } else { word_end(text, at) });
        }
        lines += 1;
        chars = usize::from(!is_break);
    }
    (lines, text.len())
}

/// The end of the last word within the line before `at`. A line without spaces is cut between two characters.
fn word_end(text: &str, at: usize) -> usize {
    let line = text[..at].char_indices().rev().take(LINE_CHARS);
    if let Some((space, _)) = line.clone().find(|(_, c)| c.is_whitespace()) {
        return space;
    }
    // A joiner at the cut would be shown as a hidden character.
    let is_joined = |at: usize| {
        let before = text[..at].char_indices().next_back();
        is_joiner(text, at) || before.is_some_and(|(before, _)| is_joiner(text, before))
    };
    if !is_joined(at) {
        return at;
    }
    line.map(|(index, _)| index).find(|index| !is_joined(*index)).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(texts: &[&str]) -> Option<Vec<String>> {
        let ends = fold(texts.iter().copied())?;
        Some(texts.iter().zip(ends).map(|(text, end)| text[..end].to_owned()).collect())
    }

    fn numbered(lines: usize) -> String {
        (1..=lines).map(|n| n.to_string()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_short_turn_is_not_folded() {
        assert_eq!(folded(&[]), None);
        assert_eq!(folded(&[""]), None);
        assert_eq!(folded(&[&numbered(FOLDED_LINES + MIN_HIDDEN_LINES - 1)]), None);
        assert_eq!(folded(&[&"x".repeat(LINE_CHARS * (FOLDED_LINES + 2))]), None);
    }

    #[test]
    fn a_long_turn_is_folded_at_a_line() {
        assert_eq!(folded(&[&numbered(15)]), Some(vec![numbered(12)]));
        let blank = "\n".repeat(20);
        assert_eq!(folded(&[&blank]), Some(vec!["\n".repeat(11)]));
    }

    #[test]
    fn the_texts_of_a_turn_share_its_lines() {
        let (first, second) = (numbered(8), numbered(8));
        assert_eq!(folded(&[&first, &second, "last"]), Some(vec![first.clone(), numbered(4), String::new()]));
    }

    #[test]
    fn a_line_is_folded_at_a_word() {
        let text = "word ".repeat(1_000);
        let folded = folded(&[&text]).unwrap();
        assert!(folded[0].ends_with("word"), "{folded:?}");
        assert!(folded[0].len() > LINE_CHARS * (FOLDED_LINES - 1));
    }

    #[test]
    fn a_text_without_spaces_is_folded_between_characters() {
        let folded_text = folded(&[&"世".repeat(2_000)]).unwrap().remove(0);
        assert_eq!(folded_text.chars().count(), LINE_CHARS * FOLDED_LINES);
        // The cut is before, at and after a joiner.
        for before in 0..6 {
            let text = "x".repeat(before) + &"👩\u{200d}🚀".repeat(2_000);
            let folded_text = folded(&[&text]).unwrap().remove(0);
            assert!(folded_text.ends_with('🚀'), "{before}");
        }
        let text = "x".repeat(LINE_CHARS * FOLDED_LINES - 1) + "👩\u{200d}🚀" + &"x".repeat(2_000);
        let folded_text = folded(&[&text]).unwrap().remove(0);
        assert!(folded_text.ends_with('x'), "the rocket is not cut off");
    }
}
