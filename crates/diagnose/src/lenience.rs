//! Values that the system's own validator accepts, although its schema refuses them.

use super::value::{Kind, Value};
use evalcheck_json::schema::{Lenience, Schema};

/// The note that a message adds for such a value.
pub(super) const NOTE: &str =
    "; the schema requires that, though the system's own validator accepts the value";

/// Strings that pydantic converts to booleans, in any case.
const BOOLEANS: [&str; 12] = ["0", "off", "f", "false", "n", "no", "1", "on", "t", "true", "y", "yes"];

/// Whether the system's own validator accepts a value of a type that the schema does not have. Returns false if unsure.
pub(super) fn accepts(value: &Value<'_>, schema: &Schema) -> bool {
    match schema.lenience {
        Lenience::None => false,
        Lenience::Any => true,
        Lenience::Converted => converts(value, schema),
    }
}

/// Whether pydantic certainly converts a value to a value of the schema.
fn converts(value: &Value<'_>, schema: &Schema) -> bool {
    if schema.boolean {
        return match &value.kind {
            Kind::Number(n, _) => [0.0, 1.0].contains(n),
            Kind::String(text) => BOOLEANS.iter().any(|word| word.eq_ignore_ascii_case(text)),
            _ => false,
        };
    }
    let Some(number) = &schema.number else { return false };
    let converted = match &value.kind {
        Kind::Boolean(boolean) => Some(f64::from(u8::from(*boolean))),
        Kind::String(text) if !number.integer => text.trim().parse().ok().filter(|n: &f64| n.is_finite()),
        Kind::String(text) => integer(text.trim()),
        _ => None,
    };
    converted.is_some_and(|n| number.has_in_range(n))
}

/// The integer in a string, which may end with a point and zeros.
fn integer(text: &str) -> Option<f64> {
    let whole = match text.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0') => whole,
        Some(_) => return None,
        None => text,
    };
    whole.parse::<i64>().ok().and_then(|_| whole.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use evalcheck_json::schema::Number;

    // Each was tried with pydantic 2.14, in its default mode.
    #[test]
    fn values_are_converted_as_pydantic_does() {
        let score = Schema::number(Number::ANY).lenient(Lenience::Converted);
        let count = Schema::number(Number::INTEGER.at_least(1)).lenient(Lenience::Converted);
        let flag = Schema::BOOLEAN.lenient(Lenience::Converted);
        let any = Schema::STRING.lenient(Lenience::Any);
        for (schema, accepted, refused) in [
            (
                &score,
                &["\"0.5\"", "\"1e2\"", "\" -3\"", "true"][..],
                &["\"half\"", "\"\"", "null", "[1]"][..],
            ),
            (
                &count,
                &["\"3\"", "\" 3 \"", "\"12.0\"", "true"],
                &["\"0\"", "false", "\"2.5\"", "\"2.\"", "\".0\"", "\"three\""],
            ),
            (&flag, &["\"true\"", "\"False\"", "\"no\"", "1", "0.0"], &["\"\"", "2", "\"right\"", "null"]),
            (&any, &["1", "null", "[[]]", "{}"], &[]),
            (&Schema::STRING, &[], &["1"]),
        ] {
            for (json, is_accepted) in
                accepted.iter().map(|json| (json, true)).chain(refused.iter().map(|json| (json, false)))
            {
                let parsed = parse(json.as_bytes()).expect("it is JSON");
                assert_eq!(accepts(&parsed.value, schema), is_accepted, "{json} for {schema:?}");
            }
        }
    }
}
