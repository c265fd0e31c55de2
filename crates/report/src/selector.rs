//! Paths of values in a record, and selectors, which match several paths: one syntax.
//!
//! | | |
//! |---|---|
//! | `messages.0.role` | keys and indices, separated by dots |
//! | `scores."top.1"` | a key in quotes, with `\"` and `\\` in it: without them it would be read as something else |
//! | `messages.*.role` | in a selector: any key or any index |

use std::borrow::Cow;
use std::fmt::{self, Write};

/// The path of a record itself.
pub const ROOT_PATH: &str = "(root)";

/// A selector of values in a record.
///
/// ```
/// use evalcheck_report::selector::Selector;
///
/// let roles = Selector::parse("messages.*.role").unwrap();
/// assert!(roles.matches("messages.0.role"));
/// assert!(!roles.matches("messages.0.role.x"));
/// assert!(Selector::parse("a..b").is_none());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector(pub Vec<Step>);

/// A step of a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A key of an object, or the index of an element of an array.
    Key(String),
    /// Any key, or any index.
    Any,
}

impl Step {
    /// Whether it matches a key or an index.
    pub fn matches(&self, step: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Key(key) => key == step,
        }
    }
}

impl Selector {
    /// Reads a selector. The empty text and [`ROOT_PATH`] are the record itself. `None` if a key is empty without quotes, or a quote is
    /// not closed.
    pub fn parse(text: &str) -> Option<Self> {
        let step = |step: Option<WrittenStep<'_>>| match step? {
            WrittenStep { text, is_quoted: false } if text == "*" => Some(Step::Any),
            WrittenStep { text, is_quoted } => {
                (is_quoted || !text.is_empty()).then(|| Step::Key(text.into_owned()))
            }
        };
        split(text).map(step).collect::<Option<_>>().map(Self)
    }

    /// Whether it matches a path.
    pub fn matches(&self, path: &str) -> bool {
        let mut steps = split(path);
        let is_next = |step: &Step| matches!(steps.next(), Some(Some(next)) if step.matches(&next.text));
        self.0.iter().all(is_next) && steps.next().is_none()
    }
}

/// Whether a selector, as text, matches a path.
///
/// ```
/// use evalcheck_report::selector::selects;
///
/// assert!(selects("input.messages.*.role", "input.messages.0.role"));
/// ```
pub fn selects(selector: &str, path: &str) -> bool {
    Selector::parse(selector).is_some_and(|selector| selector.matches(path))
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for step in &self.0 {
            match step {
                Step::Key(key) => push_key(&mut text, key),
                Step::Any => push_any(&mut text),
            }
        }
        f.write_str(&text)
    }
}

/// A step of a path, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenStep<'p> {
    /// The key without its quotes, or the index.
    pub text: Cow<'p, str>,
    /// Whether it is a key in quotes.
    pub is_quoted: bool,
}

/// The steps of a path or of a selector; of [`ROOT_PATH`] and the empty text none. `None` for what follows a quote that is not closed.
///
/// ```
/// use evalcheck_report::selector::split;
///
/// let steps: Vec<_> = split(r#"a."b.c".0"#).map(|step| step.unwrap().text).collect();
/// assert_eq!(steps, ["a", "b.c", "0"]);
/// ```
pub fn split(path: &str) -> impl Iterator<Item = Option<WrittenStep<'_>>> {
    let mut rest = Some(path).filter(|path| !path.is_empty() && *path != ROOT_PATH);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(quoted) = text.strip_prefix('"') else {
            let (step, after) =
                text.split_once('.').map_or((text, None), |(step, after)| (step, Some(after)));
            rest = after;
            return Some(Some(WrittenStep { text: step.into(), is_quoted: false }));
        };
        let (mut key, mut characters) = (String::new(), quoted.char_indices());
        rest = None;
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    let after = &quoted[at + 1..];
                    rest = after.strip_prefix('.');
                    let is_end = rest.is_some() || after.is_empty();
                    return Some(is_end.then(|| WrittenStep { text: key.into(), is_quoted: true }));
                }
                '\\' => key.extend(characters.next().map(|(_, escaped)| escaped)),
                _ => key.push(character),
            }
        }
        Some(None)
    })
}

/// A step of the path of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathStep<'p> {
    /// A key of an object.
    Key(&'p str),
    /// An index of an array.
    Index(usize),
}

/// The path of these steps as text; empty for the record itself.
///
/// ```
/// use evalcheck_report::selector::{PathStep, path_of};
///
/// assert_eq!(path_of([PathStep::Key("a"), PathStep::Index(0), PathStep::Key("b.c")]), r#"a.0."b.c""#);
/// ```
pub fn path_of<'p>(steps: impl IntoIterator<Item = PathStep<'p>>) -> String {
    written(steps, push_index)
}

/// As [`path_of`], with `*` for each index.
pub fn general_path_of<'p>(steps: impl IntoIterator<Item = PathStep<'p>>) -> String {
    written(steps, |path, _| push_any(path))
}

fn written<'p>(steps: impl IntoIterator<Item = PathStep<'p>>, write_index: fn(&mut String, usize)) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            PathStep::Key(key) => push_key(&mut path, key),
            PathStep::Index(index) => write_index(&mut path, index),
        }
    }
    path
}

/// Whether a key is written in quotes: without them it would be read as something else.
pub fn needs_quotes(key: &str) -> bool {
    key.is_empty() || key == "*" || key == ROOT_PATH || key.contains('.') || key.starts_with('"')
}

/// Appends a key to a path, in quotes if it would be read as something else.
pub fn push_key(path: &mut String, key: &str) {
    if needs_quotes(key) {
        return push_quoted(path, key);
    }
    push_dot(path);
    path.push_str(key);
}

/// Appends a key in quotes to a path.
pub fn push_quoted(path: &mut String, key: &str) {
    push_dot(path);
    path.push('"');
    for character in key.chars() {
        if matches!(character, '"' | '\\') {
            path.push('\\');
        }
        path.push(character);
    }
    path.push('"');
}

/// Appends an index to a path.
pub fn push_index(path: &mut String, index: usize) {
    push_dot(path);
    // Writing to a string does not fail.
    let _ = write!(path, "{index}");
}

/// Appends `*`, any key or any index, to a selector.
pub fn push_any(path: &mut String) {
    push_dot(path);
    path.push('*');
}

fn push_dot(path: &mut String) {
    if !path.is_empty() {
        path.push('.');
    }
}

/// A path with `*` for each index.
///
/// ```
/// use evalcheck_report::selector::without_indices;
///
/// assert_eq!(without_indices("input.messages.0.role"), "input.messages.*.role");
/// ```
pub fn without_indices(path: &str) -> String {
    let is_index = |step: &WrittenStep<'_>| {
        !step.is_quoted && !step.text.is_empty() && step.text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut general = String::new();
    for step in split(path).flatten() {
        if is_index(&step) { push_any(&mut general) } else { push_key(&mut general, &step.text) }
    }
    if general.is_empty() { path.to_owned() } else { general }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path of these keys.
    fn path(keys: &[&str]) -> String {
        let mut path = String::new();
        for key in keys {
            push_key(&mut path, key);
        }
        path
    }

    #[test]
    fn paths_are_read_as_they_were_written() {
        let mut random = fastrand::Rng::with_seed(55);
        let parts = ["a", ".", "\"", "\\", "*", "0", "(root)", "é", " "];
        for _ in 0..2_000 {
            let mut key =
                || (0..random.usize(0..4)).map(|_| parts[random.usize(..parts.len())]).collect::<String>();
            let keys = [key(), key(), key()];
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            let written = path(&keys);
            let read: Vec<String> = split(&written).map(|step| step.unwrap().text.into_owned()).collect();
            assert_eq!(read, keys, "{written}");
            let selector = Selector::parse(&written).unwrap();
            assert!(selector.matches(&written) && selector.to_string() == written, "{written}");
        }
    }

    #[test]
    fn only_keys_that_would_be_misread_are_quoted() {
        assert_eq!(path(&["messages", "0", "a-b c", "質問", "x\"y"]), "messages.0.a-b c.質問.x\"y");
        assert_eq!(path(&["e.f", "", "*", "\"g\\"]), r#""e.f"."".“*”."\"g\\""#.replace(['“', '”'], "\""));
        assert_eq!(path(&["(root)"]), "\"(root)\"");
    }

    #[test]
    fn a_selector_matches_several_paths() {
        let any = Selector::parse("a.*.\"b.c\"").unwrap();
        assert!(any.matches("a.0.\"b.c\"") && any.matches("a.x.\"b.c\""));
        assert!(!any.matches("a.0.b.c") && !any.matches("a.0") && !any.matches("a.0.\"b.c\".d"));
        assert!(!Selector::parse("a.\"*\"").unwrap().matches("a.0"), "the key *");
        assert_eq!(Selector::parse("(root)"), Some(Selector::default()));
        assert!(Selector::default().matches("(root)"));
        for text in ["a.", ".a", "a..b", "\"a", "\"a\"b", "a.\"b\\\""] {
            assert_eq!(Selector::parse(text), None, "{text}");
        }
    }

    #[test]
    fn indices_are_left_out() {
        for (path, general) in [
            ("0.a.12", "*.a.*"),
            ("a.\"0\"", "a.0"),
            ("\"a.1\".1", "\"a.1\".*"),
            ("(root)", "(root)"),
            ("x1", "x1"),
        ] {
            assert_eq!(without_indices(path), general);
        }
    }
}
