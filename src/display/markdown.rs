//! Detects texts that look like Markdown.

/// Markup that can occur anywhere in a line.
const MARKS: [&str; 7] = ["`", "**", "~~", "](", "$$", r"\(", r"\["];

/// Returns true for a text in which something would be rendered. Texts with only paragraphs stay as they are.
pub(crate) fn has_markdown(text: &str) -> bool {
    MARKS.iter().any(|mark| text.contains(mark))
        || text.lines().any(|line| begins_block(line.trim_start()) || has_emphasis(line))
}

/// Returns true for the first line of a heading, a quotation, an item, a fence, a table row, or a thematic break.
fn begins_block(line: &str) -> bool {
    let after = |sign: &[char]| line.trim_start_matches(sign);
    let is_item = |rest: &str| rest.starts_with(' ');
    let is_line_of = |sign: char| line.len() >= 3 && line.trim_end().chars().all(|c| c == sign);
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = (1..=9).contains(&(line.len() - number.len()))
        && number.strip_prefix(['.', ')']).is_some_and(is_item);
    match line.chars().next() {
        Some('#') => (1..=6).contains(&(line.len() - after(&['#']).len())) && is_item(after(&['#'])),
        Some('>' | '|') => true,
        Some(sign @ ('-' | '*' | '+')) => is_item(&line[1..]) || is_line_of(sign),
        Some('~') => line.starts_with("~~~"),
        _ => is_numbered,
    }
}

/// Returns true for text between single stars. The first star must not follow a letter or digit.
fn has_emphasis(line: &str) -> bool {
    let parts: Vec<&str> = line.split('*').collect();
    parts.windows(3).any(|parts| {
        let [before, inside, _] = parts else { return false };
        let is_tight = !inside.is_empty() && inside.trim() == *inside;
        is_tight && !before.ends_with(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_recognized() {
        for text in [
            "# Title",
            "Text\n\n- item",
            "1. one",
            "12) twelve",
            "> quoted",
            "a\n---\nb",
            "|a|b|",
            "~~~\ncode",
            "run `ls`",
            "a **b** c",
            "an *important* word",
            "[a](b)",
            r"so \(x\) is",
        ] {
            assert!(has_markdown(text), "{text}");
        }
    }

    #[test]
    fn plain_text_is_not() {
        for text in [
            "",
            "Where is London?",
            "#hashtag and C#",
            "2 * 3 * 4 = 24, 2*3*4",
            "It costs $5 - or $6.",
            "-5 to +5",
            "2024.12.01",
            "1234567890. too long",
            "a_b_c snake_case",
            "<b>HTML</b>",
            "*",
        ] {
            assert!(!has_markdown(text), "{text}");
        }
    }
}
