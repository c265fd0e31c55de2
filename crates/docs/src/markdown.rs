//! Escapes text for Markdown.

/// Prose of the catalogue, escaped so that nothing outside of code spans is a tag.
pub(crate) fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (location, piece) in text.split('`').enumerate() {
        if location > 0 {
            out.push('`');
        }
        if location % 2 == 0 {
            out.push_str(&piece.replace('<', "\\<"));
        } else {
            out.push_str(piece);
        }
    }
    out
}

/// A code span.
pub(crate) fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// Strings of the data as code spans, `"a"`, one after the other.
pub(crate) fn values<'v>(values: impl IntoIterator<Item = &'v str>) -> String {
    values.into_iter().map(code).collect::<Vec<_>>().join(", ")
}

/// A cell of a table: one line, and no border in it.
pub(crate) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// A row of a table.
pub(crate) fn row(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// The first two lines of a table.
pub(crate) fn table(titles: &[&str]) -> String {
    format!("{}{}\n", row(titles), "|---".repeat(titles.len()) + "|")
}

/// A block of code, its fence longer than any in it.
pub(crate) fn fenced(language: &str, text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// The name that GitHub gives to a heading, for links to it.
pub(crate) fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_text_becomes_markup() {
        assert_eq!(prose("a <b> `<c>`"), "a \\<b> `<c>`");
        assert_eq!(row(&["a|b", "c\nd"]), "| a\\|b | c d |\n");
        assert_eq!(fenced("", "```\nx\n```"), "````\n```\nx\n```\n````\n");
        assert_eq!(anchor("Rules: shape/missing-key"), "rules-shapemissing-key");
    }
}
