//! Queries for the records that a row of the statistics counts.

use evalcheck_report::overview::Number;
use evalcheck_report::selector::Selector;
use evalcheck_wire::query::{Bound, CheckKey, DataKey, Numbers, Query, Term, Value, What};

/// The query for records that match all of these; `None` if the language cannot express it.
pub(super) fn query(whats: Vec<What>) -> Option<String> {
    let terms = whats.into_iter().map(|what| Term { is_negated: false, what }).collect();
    let query = Query { terms };
    let text = query.to_string();
    Query::parse(&text, &[]).is_ok_and(|parsed| parsed == query).then_some(text)
}

/// Records that have this value at a path.
pub(super) fn is(path: &str, value: &str) -> What {
    What::Data(key(path), vec![Value::Is(value.to_owned())])
}

/// Records that have a number in this range at a path, or a list with so many elements.
pub(super) fn within(path: &str, from: Number, to: Number) -> What {
    What::Data(key(path), vec![Value::Number(between(from, to))])
}

/// Records that have a value at a path, and it is not null.
pub(super) fn has(path: &str) -> What {
    What::Has(key(path))
}

/// Records of this size in bytes.
pub(super) fn size(bytes: Number) -> What {
    What::Check(CheckKey::Size, vec![Value::Number(between(bytes, bytes))])
}

fn between(from: Number, to: Number) -> Numbers {
    let [from, to] = [from, to].map(|number| Some(Bound { number: number.get(), is_included: true }));
    Numbers { from, to }
}

fn key(path: &str) -> DataKey {
    DataKey::Path(Selector::parse(path).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_a_query_where_the_language_can_say_it() {
        let of = |path: &str, value: &str| query(vec![is(path, value)]);
        assert_eq!(of("input.messages.*.role", "user").as_deref(), Some("input.messages.*.role:=user"));
        let spaced = of("model", "a \"b\" (c)").unwrap();
        assert!(matches!(
            &Query::parse(&spaced, &[]).unwrap().terms[0].what,
            What::Data(_, values) if values == &[Value::Is("a \"b\" (c)".to_owned())]
        ));
        assert_eq!(of("a key: with signs", "x").as_deref(), Some(r#"."a key: with signs":=x"#));
        assert_eq!(of(r#"a."b.c""#, "x").as_deref(), Some(r#"a."b.c":=x"#));
        assert_eq!(of("", "x"), None, "the record itself");
        let [half, one] = [0.5, 1.0].map(Number::new);
        let both = query(vec![is("model", "a"), within("evaluation.score", half, one)]);
        assert_eq!(both.as_deref(), Some(".model:=a evaluation.score:0.5..1"));
        assert_eq!(query(vec![within("score", one, one)]).as_deref(), Some(".score:1"));
        assert_eq!(query(vec![has("a")]).as_deref(), Some("has:.a"));
        assert_eq!(query(vec![size(one)]).as_deref(), Some("size:1"));
    }
}
