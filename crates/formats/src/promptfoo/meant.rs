//! Cells that are no assertions, and what they are probably meant as.

use evalcheck_core::suggest;

use super::assertions::{Needs, OTHERS, TYPES, is_number, type_of};
use crate::javascript::{is_space, trim};

/// The type that a name of no type is probably meant as.
pub(super) fn nearest(name: &str) -> Option<String> {
    let text = normalized(name);
    let (not, own) = match text.strip_prefix("not-") {
        Some(own) => ("not-", own),
        None => ("", &*text),
    };
    let alias = ALIASES.iter().find(|(alias, _)| *alias == own).map(|(_, meant)| *meant);
    let names = || TYPES.iter().map(|of| of.name).chain(OTHERS);
    let near = alias.or_else(|| names().find(|name| *name == own)).or_else(|| suggest::nearest(own, names()));
    near.map(|near| format!("{not}{near}"))
}

/// The type that a cell is probably meant to have, which is compared as a whole.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Meant {
    pub(super) name: String,
    /// The cell as it should be written, and whether that is certain.
    pub(super) cell: Option<(String, bool)>,
}

/// Names that people write for types.
const ALIASES: &[(&str, &str)] = &[
    ("js", "javascript"),
    ("py", "python"),
    ("rubric", "llm-rubric"),
    ("exact", "equals"),
    ("exact-match", "equals"),
    ("startswith", "starts-with"),
];

/// Types whose names are hardly ever followed by a colon or a parenthesis in a text.
const TECHNICAL: [&str; 4] = ["contains", "icontains", "levenshtein", "regex"];

/// Whether a cell may be meant as an assertion although it is none; a shortcut for [`meant`].
pub(super) fn may_be_meant(cell: &str) -> bool {
    let head = &cell.as_bytes()[..cell.len().min(40)];
    head.iter().any(|byte| b":(".contains(byte)) || cell.len() < 40 && !head.contains(&b'.')
}

/// The assertion that a cell is probably meant as, if it is compared as a whole. A text such as `Note: ...` is an answer.
pub(super) fn meant(cell: &str) -> Option<Meant> {
    let end = cell.find([':', '(']).unwrap_or(cell.len());
    let (head, rest) = cell.split_at(end);
    let is_name = |c: char| c.is_ascii_alphabetic() || "-_ !".contains(c);
    if head.len() > 40 || !head.chars().all(is_name) {
        return None;
    }
    let text = normalized(head);
    let own = text.strip_prefix("not-").unwrap_or(&text);
    let is_hyphenated = own.contains('-');
    let (of, is_certain) = match type_of(&text) {
        Some(of) => (of.name, is_hyphenated || TECHNICAL.contains(&own)),
        None if rest.is_empty() => return None,
        None if OTHERS.contains(&own) && is_hyphenated && head == text => {
            return Some(Meant { name: text, cell: None });
        }
        // In capitals it is rather a word of a text.
        None if head != text && !is_hyphenated => return None,
        None => (near(own)?, false),
    };
    let is_exact = type_of(&text).is_some();
    let needs_no_guess = |c: char| c != '_' && c != '!';
    let name = format!("{}{of}", if own.len() < text.len() { "not-" } else { "" });
    let wanted = Meant { name: name.clone(), cell: None };
    let fixed = |rest: String, is_certain: bool| {
        let is_certain = is_certain && head.chars().all(needs_no_guess);
        Some(Meant { name: name.clone(), cell: Some((format!("{name}{rest}"), is_certain)) })
    };
    if rest.is_empty() {
        let is_whole = is_hyphenated && type_of(of).is_some_and(|of| of.needs == Needs::Nothing);
        return fixed(String::new(), is_certain).filter(|_| is_whole && head != text);
    }
    if let Some((inner, after)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        let digits = trim(inner).replacen(',', ".", 1);
        let after = after.trim_start_matches(is_space);
        if is_number(&digits) && (after.is_empty() || after.starts_with(':')) {
            return fixed(format!("({digits}){after}"), is_exact);
        }
        return Some(wanted).filter(|_| is_hyphenated && is_exact);
    }
    let value = trim(rest.strip_prefix(':')?);
    let is_likely = match of {
        _ if is_hyphenated || TECHNICAL.contains(&of) || !is_exact => true,
        "equals" | "similar" => true,
        "cost" | "latency" | "perplexity" => is_number(value),
        "python" | "ruby" | "javascript" => value.contains("output"),
        _ => false,
    };
    fixed(rest.to_owned(), is_certain).filter(|_| is_likely)
}

/// A name of a type in lower case, with hyphens.
fn normalized(name: &str) -> String {
    let lower = name.trim().to_ascii_lowercase();
    let words: Vec<&str> = lower.split([' ', '_', '-']).filter(|word| !word.is_empty()).collect();
    let text = words.join("-");
    text.strip_prefix('!').map_or(text.clone(), |rest| format!("not-{}", rest.trim_start_matches('-')))
}

/// The type of which a name is a misspelling or another name.
fn near(name: &str) -> Option<&'static str> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, meant)| *meant);
    let long = |name: &&str| name.len() >= 5;
    alias.or_else(|| {
        Some(name).filter(long)?;
        suggest::nearest(name, TYPES.iter().map(|of| of.name).filter(long))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_an_assertion_is_told_from_a_text() {
        let fixed = |text| meant(text).map(|meant| meant.cell.unwrap_or_default());
        let cell = |text: &str, is_certain| Some((text.to_owned(), is_certain));
        for (text, wanted) in [
            ("Contains: Oslo", cell("contains: Oslo", true)),
            ("contain:Oslo", cell("contains:Oslo", false)),
            ("similar(0,8):Oslo", cell("similar(0.8):Oslo", true)),
            ("llm-rubric (0.9): x", cell("llm-rubric(0.9): x", true)),
            ("is json", cell("is-json", true)),
            ("llm_rubric: is polite", cell("llm-rubric: is polite", false)),
            ("not contains:x", cell("not-contains:x", true)),
            ("js: output > 1", cell("javascript: output > 1", false)),
            ("select-best: x", Some((String::new(), false))),
        ] {
            assert_eq!(fixed(text), wanted, "{text}");
        }
        let answers = [
            "Oslo",
            "Note: x",
            "Python: a language",
            "Cost: high",
            "Similarly: x",
            "Content: x",
            "Answer: 5",
            "Python",
            "Reflex: normal",
            "Human: hi",
            "a: b",
            "Ruby: a gem",
            "Is JSON a format?",
            "f(x) = 2",
            "12:30",
            "Regards: Ada",
        ];
        for answer in answers {
            assert_eq!(meant(answer), None, "{answer}");
        }
    }
}
