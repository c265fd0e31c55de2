//! Strings such as people write into datasets.

use std::fmt::Write;

use evalcheck_engine::schema::TextRole;

use super::Choices;

/// The strings written so far.
#[derive(Default)]
pub struct Prose {
    /// Numbers the strings, so that a moved one can be distinguished from all others.
    written: usize,
}

/// Pieces of texts: everything that some syntax could take for its own.
const PIECES: &[&str] = &[
    "What is 1,000 + 2?",
    "Anna's and Tom's",
    "\"Yes, no\", he said",
    "6\" wide, 4\" high",
    "C:\\data\\new\\table.txt",
    "\\frac{1}{2} \\alpha_{n}",
    "[1, 2, 3]",
    "{\"a\": [true, null], \"b\": \"c\"}",
    "été, naïve, größer",
    "日本語の文章、です",
    "“quoted”, ‘so’ – or not…",
    "first line\nsecond line",
    "first line\r\nsecond, \"line\"\n\nthird",
    "a\tb",
    "costs 3.14 € ; or -5 %",
    "x = y[i][0]; // why",
    "print(\"x, y\")",
    "'single', 'quotes'",
    "True, False, None, null, NaN",
    "http://a.b/c?d=e&f=\"g\"#h",
    "\"role\": \"user\",",
    "role: user",
    "=SUM(A1,B1)",
    "<b>bold</b>",
    "emoji \u{1f600}",
    "], [",
    "}, {",
    "1. one, 2. two",
    "Hello",
    "so it goes, and so on",
];

/// Whole texts, which may be those of several fields.
const SHORT: &[&str] = &["", "Yes", "no", "8", "-3", "42.5", "A", "null", "true", "\"", ",", "[]", "x, y"];

/// Names, followed by a number.
const NAMES: &[&str] =
    &["q", "-", "doc-", "0", "gpt-4o-", "org/model-7b-v", "a.b.", "été-", "1.", "it's ", "id_"];

/// Keys of people, some of them near to a key of a format, with another meaning.
const KEYS: &[&str] = &[
    "id",
    "notes",
    "source",
    "is_incorrect",
    "incorrect",
    "is_wrong",
    "non_terminal",
    "not_answered",
    "old_messages",
    "max_score",
    "min_turns",
    "query_type",
    "expected_output",
    "output",
    "answer",
    "text",
    "context",
    "title",
    "label",
    "-1",
    "2024",
    "it's",
    "größe",
    "user prompt",
    "a.b",
    "response_time",
    "no_system",
    "has_reference",
    "doc_ids_excluded",
    "previous_response",
];

/// A string for a role.
pub fn string(role: TextRole, not_blank: bool, choices: &mut Choices) -> String {
    let number = choices.prose.as_mut().map_or(0, |prose| {
        prose.written += 1;
        prose.written
    });
    if role == TextRole::Name {
        return format!("{}{number}", choices.pick(NAMES));
    }
    if choices.chance(5) {
        let short = choices.pick(SHORT);
        if !(short.is_empty() && not_blank) {
            return short.to_owned();
        }
    }
    let mut text = String::new();
    for _ in 0..=choices.below(3) {
        text.push_str(choices.pick(PIECES));
        text.push_str(choices.pick(&[" ", ", ", "\n", " - "]));
    }
    let number = format!("no. {number}");
    match choices.below(3) {
        0 => format!("{number} {}", text.trim_end()),
        1 => text + &number,
        _ => format!("\"{number}\" {text}."),
    }
}

/// A key that a format leaves to its users; `None` if strings are not such as people write.
pub fn key(choices: &mut Choices) -> Option<&'static str> {
    choices.prose.as_ref()?;
    Some(choices.pick(KEYS))
}

/// A string in JSON, as one of the usual programs writes it.
pub fn json(text: &str, choices: &mut Choices) -> String {
    let written = serde_json::to_string(text).unwrap();
    match choices.below(4) {
        // As Python does.
        0 => written.chars().fold(String::new(), escaped),
        // As PHP does.
        1 => written.replace('/', "\\/"),
        _ => written,
    }
}

fn escaped(mut out: String, c: char) -> String {
    if c.is_ascii() {
        out.push(c);
    } else {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}
