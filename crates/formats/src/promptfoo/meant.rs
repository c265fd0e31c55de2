//! Cells that are no assertions, and what they are probably meant as.

use evalcheck_core::suggest;

use super::assertions::{Cell, Needs, OTHERS, TYPES, is_number, number, type_of};
use crate::diagnose::localized;
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
    ("grade", "llm-rubric"),
];

/// A type that people write and that does not exist.
pub(super) const ENDS_WITH: &str = "ends-with";

/// Its replacement, as a hint.
pub(super) const ENDS_WITH_ADVICE: &str =
    "promptfoo has no type ends-with. Write the type regex, with $ after the text, as in Oslo$.";

/// The colon of Chinese and Japanese keyboards.
const WIDE_COLON: &str = "：";

/// Characters that a word processor writes for a hyphen.
const DASHES: [char; 5] = ['‐', '‑', '–', '—', '−'];

/// Types whose names are hardly ever followed by a colon or a parenthesis in a text.
const TECHNICAL: [&str; 4] = ["contains", "icontains", "levenshtein", "regex"];

/// Whether a cell may be meant as an assertion although it is none; a shortcut for [`meant`].
pub(super) fn may_be_meant(cell: &str) -> bool {
    let head = &cell.as_bytes()[..cell.len().min(40)];
    let has_colon = memchr::memmem::find(head, WIDE_COLON.as_bytes()).is_some();
    has_colon || head.iter().any(|byte| b":(".contains(byte)) || cell.len() < 40 && !head.contains(&b'.')
}

/// The assertion that a cell is probably meant as, if it is compared as a whole. A text such as `Note: ...` is an answer.
pub(super) fn meant(cell: &str) -> Option<Meant> {
    if let Some(inner) = unquoted(cell) {
        let read = Cell::read(trim(inner)).filter(|read| read.value.is_some() || read.number.is_some())?;
        return Some(Meant { name: read.name.to_owned(), cell: Some((trim(inner).to_owned(), false)) });
    }
    let end = cell.find([':', '(', '：']).unwrap_or(cell.len());
    let (head, rest) = cell.split_at(end);
    let head = &*head.replace(DASHES, "-");
    let narrow = |text: &str| match text.strip_prefix(WIDE_COLON) {
        Some(value) => format!(":{value}"),
        None => text.to_owned(),
    };
    let rest = &*narrow(rest);
    let is_name = |c: char| c.is_ascii_alphabetic() || "-_ !".contains(c);
    if end > 36 || !head.chars().all(is_name) {
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
        None if own == ENDS_WITH => return Some(Meant { name: text, cell: None }),
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
        let after = narrow(after.trim_start_matches(is_space));
        let is_end = after.is_empty() || after.starts_with(':');
        if let Some((digits, is_sure)) = number_meant(trim(inner)).filter(|_| is_end) {
            // Others lose the number.
            if type_of(of).is_none_or(|of| of.threshold.is_none()) {
                return Some(wanted);
            }
            return fixed(format!("({digits}){after}"), is_exact && is_sure);
        }
        let is_call = after.is_empty() && is_exact && (is_certain || of == "equals");
        if let Some(value) = unquoted(trim(inner)).filter(|_| is_call) {
            return fixed(format!(":{value}"), false);
        }
        let has_thousands = || number(&inner.replace(',', "")).is_some();
        return Some(wanted).filter(|_| is_exact && (is_hyphenated || is_end && has_thousands()));
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

/// The number that is meant in parentheses, as promptfoo reads one there, and whether that is certain. `None` if a comma may separate
/// thousands.
fn number_meant(text: &str) -> Option<(String, bool)> {
    let sure =
        if is_number(text) { Some(text.to_owned()) } else { number(text).map(|number| number.to_string()) };
    let of = match sure {
        Some(digits) => (digits, true),
        None => localized(text).map(|(digits, _)| (digits, !text.ends_with('%')))?,
    };
    is_number(&of.0).then_some(of)
}

/// The text in quotes that are around the whole.
fn unquoted(text: &str) -> Option<&str> {
    let mut pairs = [('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’')].into_iter();
    pairs.find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close))
}

/// A name of a type in lower case, with hyphens.
fn normalized(name: &str) -> String {
    let lower = name.trim().to_ascii_lowercase();
    let words: Vec<&str> = lower.split([' ', '_', '-']).filter(|word| !word.is_empty()).collect();
    let text = words.join("-");
    text.strip_prefix('!').map_or(text.clone(), |rest| format!("not-{}", rest.trim_start_matches('-')))
}

/// The type that is meant by a misspelled or alternative name.
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
            ("llm-rubric (0.9): x", Some((String::new(), false))),
            ("is json", cell("is-json", true)),
            ("llm_rubric: is polite", cell("llm-rubric: is polite", false)),
            ("not contains:x", cell("not-contains:x", true)),
            ("js: output > 1", cell("javascript: output > 1", false)),
            ("select-best: x", Some((String::new(), false))),
            ("ends-with: x", Some((String::new(), false))),
            ("latency(1,000)", Some((String::new(), false))),
            ("cost(0,001)", cell("cost(0.001)", true)),
            ("similar(.8): x", cell("similar(0.8): x", true)),
            ("similar(80%): x", cell("similar(0.8): x", false)),
            ("latency(1e3)", cell("latency(1000)", true)),
            ("llm–rubric: x", cell("llm-rubric: x", true)),
            ("contains：x：y", cell("contains:x：y", true)),
            ("contains(\"x\")", cell("contains:x", false)),
            ("'contains:x'", cell("contains:x", false)),
            ("grade(0.8): x", Some((String::new(), false))),
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
            "\"Note: x\"",
            "'python'",
            "Grade: A",
            "Note：x",
            "Python('x')",
        ];
        for answer in answers {
            assert_eq!(meant(answer), None, "{answer}");
        }
    }
}
