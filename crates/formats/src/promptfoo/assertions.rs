//! Assertions: their types, and how promptfoo reads one in a cell of a CSV.

use std::borrow::Cow;

use crate::cell_list::{CellList, NotList, Quotes};
use crate::javascript::trim;

/// A type of assertions.
#[derive(Debug)]
pub(super) struct Type {
    pub(super) name: &'static str,
    /// The value that it needs.
    pub(super) needs: Needs,
    /// The threshold that a cell gives it without one; `None` if the number in a cell is lost.
    pub(super) threshold: Option<f64>,
}

/// The value that an assertion needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    /// None.
    Nothing,
    /// A value, which may be empty.
    Value,
    /// A text, which may be empty.
    Text,
    /// A text, or a list of texts.
    Texts,
    /// A number, or an object with `min` and `max`.
    Count,
    /// A value that is not empty.
    Filled,
    /// A list of texts.
    List,
    /// A limit, which is its threshold.
    Limit,
}

use Needs::{Count, Filled, Limit, Nothing, Text, Texts, Value};

const fn of(name: &'static str, needs: Needs) -> Type {
    Type { name, needs, threshold: None }
}

/// A type with a threshold in cells.
const fn measured(name: &'static str, needs: Needs) -> Type {
    Type { name, needs, threshold: Some(0.75) }
}

impl Type {
    /// Whether an output can be on both sides of a limit.
    pub(super) fn divides(&self, limit: &str) -> bool {
        let limit: f64 = limit.parse().unwrap_or_default();
        match self.name {
            "perplexity" => limit >= 1.0,
            "perplexity-score" => limit <= 0.5,
            _ => true,
        }
    }
}

/// The types, in alphabetical order.
pub(super) static TYPES: &[Type] = &[
    of("agent-rubric", Nothing),
    measured("answer-relevance", Nothing),
    of("bleu", Texts),
    measured("classifier", Nothing),
    of("contains", Filled),
    of("contains-all", Needs::List),
    of("contains-any", Needs::List),
    of("contains-html", Nothing),
    of("contains-json", Nothing),
    of("contains-sql", Nothing),
    of("contains-xml", Nothing),
    measured("context-faithfulness", Nothing),
    measured("context-recall", Text),
    measured("context-relevance", Nothing),
    of("conversation-relevance", Nothing),
    measured("cost", Limit),
    of("equals", Value),
    of("factuality", Text),
    of("finish-reason", Text),
    of("g-eval", Texts),
    of("gleu", Texts),
    of("guardrails", Nothing),
    of("icontains", Filled),
    of("icontains-all", Needs::List),
    of("icontains-any", Needs::List),
    of("is-html", Nothing),
    of("is-json", Nothing),
    of("is-refusal", Nothing),
    of("is-sql", Nothing),
    of("is-valid-function-call", Nothing),
    of("is-valid-openai-function-call", Nothing),
    of("is-valid-openai-tools-call", Nothing),
    of("is-xml", Nothing),
    of("javascript", Text),
    measured("latency", Limit),
    measured("levenshtein", Text),
    of("llm-rubric", Nothing),
    of("meteor", Value),
    of("model-graded-closedqa", Text),
    of("model-graded-factuality", Text),
    of("moderation", Nothing),
    measured("perplexity", Limit),
    measured("perplexity-score", Limit),
    of("pi", Text),
    of("python", Text),
    of("regex", Filled),
    measured("rouge-n", Text),
    of("ruby", Text),
    of("search-rubric", Value),
    Type { name: "similar", needs: Texts, threshold: Some(0.8) },
    of("similar:cosine", Texts),
    of("similar:dot", Texts),
    of("similar:euclidean", Texts),
    of("skill-used", Value),
    measured("starts-with", Filled),
    of("tool-call-f1", Value),
    of("trace-error-spans", Nothing),
    of("trace-span-count", Nothing),
    of("trace-span-duration", Nothing),
    of("trajectory:goal-success", Nothing),
    of("trajectory:step-count", Nothing),
    of("trajectory:tool-args-match", Nothing),
    of("trajectory:tool-sequence", Nothing),
    of("trajectory:tool-used", Nothing),
    of("webhook", Filled),
    of("word-count", Count),
];

/// Types that only JSON knows.
pub(super) const OTHERS: [&str; 4] = ["assert-set", "human", "max-score", "select-best"];

/// The lists of `contains-any` and its kin.
pub(super) const LIST: CellList = CellList { separator: ',', quotes: Quotes::Double };

/// The lists of the columns `__metadata:KEY[]`.
pub(super) const TAGS: CellList = CellList { separator: ',', quotes: Quotes::Backslash };

/// The type with this name, which may begin with `not-`.
pub(super) fn type_of(name: &str) -> Option<&'static Type> {
    let name = name.strip_prefix("not-").unwrap_or(name);
    TYPES.binary_search_by(|of| of.name.cmp(name)).ok().map(|at| &TYPES[at])
}

/// Whether a test of JSON may have an assertion of this type.
pub(super) fn is_known(name: &str) -> bool {
    type_of(name).is_some() || OTHERS.contains(&name) || name.starts_with("promptfoo:redteam:")
}

/// A cell of assertions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell<'t> {
    /// The type, with `not-`.
    pub(super) name: &'t str,
    pub(super) of: &'static Type,
    /// The number in parentheses.
    pub(super) number: Option<&'t str>,
    pub(super) value: Option<&'t str>,
}

impl<'t> Cell<'t> {
    /// Reads a cell, without white space around it, as promptfoo does. `None` if the output has to equal the whole cell.
    pub(super) fn read(text: &'t str) -> Option<Self> {
        let of = |name: &'static str, value: &'t str| {
            Some(Self { name, of: type_of(name)?, number: None, value: Some(value) })
        };
        let after = |start: &str| text.strip_prefix(start);
        let script = text.strip_prefix("file://");
        if let Some(code) = after("javascript:").or_else(|| after("fn:")).or_else(|| after("eval:")) {
            return of("javascript", trim(code));
        }
        if script.is_some_and(is_javascript) {
            return of("javascript", trim(text));
        }
        if let Some(rubric) = after("grade:").or_else(|| after("llm-rubric:")) {
            return of("llm-rubric", rubric);
        }
        if let Some(code) = after("python:").or_else(|| script.filter(|path| is_python(path))) {
            return of("python", trim(code));
        }
        let own = text.strip_prefix("not-").unwrap_or(text);
        let not = text.len() - own.len();
        // Of `similar` and `similar:cosine` the first fits.
        let end = own.find(['(', ':']).unwrap_or(own.len());
        let of = type_of(&text[not..not + end]).filter(|_| not == 0 || !own.starts_with("not-"));
        let of = of.or_else(|| TYPES.iter().find(|of| of.name.contains(':') && has_name(own, of.name)))?;
        let rest = &own[of.name.len()..];
        let (number, rest) = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((number, rest)) if is_number(number) => (Some(number), rest),
            _ => (None, rest),
        };
        let value = rest.strip_prefix(':');
        if value.is_none() && !rest.is_empty() {
            return None;
        }
        let is_raw = matches!(of.name, "contains-json" | "is-json") || of.needs == Needs::List;
        let value = value.map(|value| if is_raw { value } else { trim(value) });
        Some(Self { name: &text[..not + of.name.len()], of, number, value })
    }

    /// The items of its list, if it has one.
    pub(super) fn items(&self) -> Option<Result<Vec<Cow<'t, str>>, NotList>> {
        let value = self.value.filter(|value| self.of.needs == Needs::List && !value.is_empty())?;
        Some(LIST.items(value))
    }
}

/// Whether a path is that of a script for Python, or of a function in one.
fn is_python(path: &str) -> bool {
    path.contains(".py:") || path.strip_suffix(".py").is_some()
}

/// Whether a text begins with a type and what may follow it.
fn has_name(text: &str, name: &str) -> bool {
    text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['(', ':']))
}

/// Whether a path is that of a script for Node.js.
fn is_javascript(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["js", "cjs", "mjs", "ts", "cts", "mts"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Whether a text is digits, with further digits after a point.
pub(super) fn is_number(text: &str) -> bool {
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('.')
        .map_or_else(|| are_digits(text), |(whole, rest)| are_digits(whole) && are_digits(rest))
}

/// Whether `word-count` reads a text as a number, as far as that can be told before variables are inserted.
pub(super) fn is_count(text: &str) -> bool {
    let text = trim(text);
    let is_special = ["0x", "0o", "0b", "file://"].iter().any(|start| text.starts_with(start));
    text.is_empty()
        || number(text).is_some()
        || is_special
        || text.contains("{{")
        || text.ends_with("Infinity")
}

/// A part of a regular expression of Python that JavaScript refuses, and what to write.
pub(super) fn of_python(pattern: &str) -> Option<(&str, &'static str)> {
    const GROUP: &str = "(?P<";
    let flags =
        pattern.strip_prefix("(?").and_then(|rest| rest.split_once(')')).map_or("", |(flags, _)| flags);
    if !flags.is_empty() && flags.bytes().all(|byte| b"aiLmsux".contains(&byte)) {
        let advice = "JavaScript has no flags in a pattern: write both cases of a letter, as in [Oo]slo, or use icontains for a text.";
        return Some((&pattern[..flags.len() + 3], advice));
    }
    let at = pattern.find(GROUP).filter(|at| !pattern[..*at].ends_with('\\'))?;
    Some((&pattern[at..at + GROUP.len()], "JavaScript names a group by (?<NAME>...)."))
}

/// A cell of a number, as promptfoo reads it.
pub(super) fn number(cell: &str) -> Option<f64> {
    let text = trim(cell);
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    text.parse().ok().filter(|number: &f64| is_plain && number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_sorted() {
        assert!(TYPES.is_sorted_by_key(|of| of.name));
    }

    #[test]
    fn a_cell_is_read_as_promptfoo_does() {
        let read = |text| Cell::read(text).map(|cell| (cell.name, cell.number, cell.value));
        assert_eq!(read("not-contains: a "), Some(("not-contains", None, Some("a"))));
        assert_eq!(read("similar(0.7):x"), Some(("similar", Some("0.7"), Some("x"))));
        assert_eq!(read("similar:cosine:x"), Some(("similar", None, Some("cosine:x"))));
        assert_eq!(read("trajectory:tool-used:x"), Some(("trajectory:tool-used", None, Some("x"))));
        assert_eq!(read("is-json"), Some(("is-json", None, None)));
        for text in [
            "Contains: x",
            "similar(0,8):x",
            "similar (0.9):x",
            "not-not-contains:x",
            "contains x",
            "trajectory:x",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
