//! Resolves the path of a finding in a record, and converts it for `jq`.

use std::fmt::Write;

use evalcheck_report::selector::split;
use serde_json::Value;

/// The maximum length of a path that is resolved, in bytes. A key can be a megabyte.
const MAX_PATH: usize = 4_096;

/// A place in a record.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place<'a> {
    /// The path as a `jq` filter: `.messages[0].content`.
    pub(crate) jq: String,
    /// The value; `None` if the path ends with a missing key or index.
    pub(crate) value: Option<&'a Value>,
}

/// The place of a path such as `messages.0.content`. `None` if it leads nowhere in the record; its last step may be missing.
pub(crate) fn place<'a>(record: &'a Value, path: &str) -> Option<Place<'a>> {
    if path.len() > MAX_PATH || !(record.is_object() || record.is_array()) {
        return None;
    }
    let (mut jq, mut value) = (".".to_owned(), Some(record));
    for step in split(path) {
        let step = step?.text;
        (jq, value) = match value? {
            Value::Object(members) => (with_key(&jq, &step), members.get(&*step)),
            Value::Array(elements) => {
                let index = step.parse::<usize>().ok().filter(|index| index.to_string() == step)?;
                (format!("{jq}[{index}]"), elements.get(index))
            }
            _ => return None,
        };
    }
    Some(Place { jq, value })
}

/// Appends a key to a filter, in quotes if it is not an identifier.
fn with_key(jq: &str, key: &str) -> String {
    let mut filter = jq.strip_suffix('.').unwrap_or(jq).to_owned();
    let is_identifier = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && key.bytes().next().is_some_and(|first| !first.is_ascii_digit());
    if is_identifier {
        let _ = write!(filter, ".{key}");
    } else {
        let _ = write!(filter, ".{}", Value::from(key));
    }
    filter
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jq(record: &str, path: &str) -> Option<(String, Option<String>)> {
        let record: Value = serde_json::from_str(record).ok()?;
        place(&record, path).map(|place| (place.jq, place.value.map(Value::to_string)))
    }

    fn at(jq: &str, value: &str) -> (String, Option<String>) {
        (jq.to_owned(), Some(value.to_owned()))
    }

    #[test]
    fn keys_and_indexes() {
        let record = r#"{"messages": [{"content": "a"}], "0": {"1": 2}, "_x9": 1}"#;
        assert_eq!(jq(record, "messages.0.content"), Some(at(".messages[0].content", "\"a\"")));
        assert_eq!(jq(record, "0.1"), Some(at(r#"."0"."1""#, "2")));
        assert_eq!(jq(record, "_x9"), Some(at("._x9", "1")));
        assert_eq!(jq("[[7]]", "0.0"), Some(at(".[0][0]", "7")));
        assert_eq!(jq("[[7]]", "00.0"), None);
        assert_eq!(jq("{}", "(root)"), Some(at(".", "{}")));
    }

    #[test]
    fn keys_that_are_not_identifiers_are_quoted() {
        let record = r#"{"a-b": {"": 1}, "c\"\\(d)": 2, "質問": 3, "e.f": {"g.h": [4]}}"#;
        assert_eq!(jq(record, "a-b.\"\""), Some(at(r#"."a-b"."""#, "1")));
        assert_eq!(jq(record, "c\"\\(d)"), Some(at(r#"."c\"\\(d)""#, "2")));
        assert_eq!(jq(record, "質問"), Some(at(".\"質問\"", "3")));
        assert_eq!(jq(record, r#""e.f"."g.h".0"#), Some(at(r#"."e.f"."g.h"[0]"#, "4")));
    }

    #[test]
    fn a_missing_key_has_a_path_and_no_value() {
        let record = r#"{"messages": [{}]}"#;
        assert_eq!(jq(record, "messages.0.role"), Some((".messages[0].role".to_owned(), None)));
        assert_eq!(jq(record, "messages.1"), Some((".messages[1]".to_owned(), None)));
        assert_eq!(jq(record, "input.messages"), None);
        assert_eq!(jq(record, "messages.0.a.b"), None);
    }

    #[test]
    fn nothing_is_guessed() {
        assert_eq!(jq(r#"{"a.b": 2}"#, "a.b"), None);
        assert_eq!(jq(r#"{"(root)": 1}"#, r#""(root)""#), Some(at(r#"."(root)""#, "1")));
        assert_eq!(jq("12", "(root)"), None);
        assert_eq!(jq("{}", &"a".repeat(MAX_PATH + 1)), None);
    }
}
