//! Tests of the language: accepted and rejected queries, error spans, and that writing and parsing are inverse.

use evalcheck_report::selector::{Selector, Step};

use super::*;

const NAMES: [&str; 3] = ["role", "content", "score"];

fn parse(text: &str) -> Result<Query, QueryError> {
    Query::parse(text, &NAMES)
}

#[track_caller]
fn is_written(text: &str, written: &str) {
    let query = parse(text).unwrap();
    assert_eq!(query.to_string(), written);
    assert_eq!(parse(written).unwrap(), query, "{written}");
}

#[test]
fn queries_are_written_as_they_are_read() {
    for text in [
        "",
        "paris",
        r#""New York""#,
        r#""a \"b\" \\ c""#,
        r"/colou?r/i",
        r"/a\/b\\/",
        "-is:valid rule:shape line:10..20",
        "role:(user OR system) -content:/x|y/",
        "input.messages.*.role:user",
        ".id:7",
        r#".id:"7""#,
        "score:>0.5 score:<=1 score:>=-2 score:<3e5",
        "has:.id has:role -has:a.*.b",
        "paris sort:score",
        "-sort:.id",
        "sort:a.*.b",
        r#"scores."top.1":>0.5"#,
        r#"."top 1":x"#,
        r#"has:."a:(b)""#,
        "type.x:=text",
        "*:x",
    ] {
        is_written(text, &text.replace("3e5", "300000"));
    }
    is_written("  a   b ", "a b");
    is_written("line:5..*", "line:>=5");
    is_written("line:*..5", "line:<=5");
    is_written("line:7..7", "line:7");
    is_written("role:( user OR \"a b\" )", "role:(user OR \"a b\")");
    is_written("42", "42");
    is_written(".-a.b:1", ".-a.b:1");
}

#[test]
fn mistakes_are_reported_at_their_place() {
    for (text, span, message) in [
        ("a -", 2..3, "nothing follows the \"-\""),
        ("\"a", 0..2, "the closing quote is missing"),
        ("x /a", 2..4, "the closing \"/\""),
        ("//", 0..2, "the regular expression is empty"),
        ("\"a\"b", 3..4, "a space is expected here"),
        ("a\"b", 1..2, "a quote inside of a word"),
        ("is:good", 3..7, "\"is\" takes valid, invalid, lost, fixable"),
        ("a is:blank", 5..10, "blank lines are not records; the list of lines shows them"),
        (r#"a."b.c"#, 2..3, "a quote inside of a word"),
        (r#"a."b.c:x"#, 2..3, "a quote inside of a word"),
        (r#"a."b"c:x"#, 0..6, "a key of this path is empty, or its quote is not closed"),
        ("sort:", 5..5, "a key is missing here"),
        ("sort:score a -sort:role", 13..23, "records are sorted by one value; this is the second"),
        ("line:x", 5..6, "\"line\" takes a number"),
        ("line:9..7", 5..9, "the range ends before it begins"),
        ("line:>x", 5..7, "a number is expected after \">\""),
        ("rule:/x/", 5..8, "\"rule\" takes a text"),
        ("rul:x", 0..3, "there is no key \"rul\"; did you mean \"rule\"?"),
        ("http://x", 0..4, "there is no key \"http\". A key of the data begins with a dot"),
        ("role:", 5..5, "a value is missing here"),
        ("role:(a OR", 5..10, "the \")\" is missing"),
        ("role:(a b)", 8..9, "OR or \")\" is expected here"),
        ("role:=/x/", 8..9, "\"=\" takes a text"),
        ("a..b:x", 0..4, "a key of this path is empty"),
        ("has:", 4..4, "a key is missing here"),
        ("OR", 0..2, "OR is read inside of key:(a OR b) only"),
        ("(a", 0..1, "a term cannot begin with this sign"),
        ("é )", 3..4, "a term cannot begin with this sign"),
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.message.starts_with(message), "{text}: {}", error.message);
        assert_eq!(error.span, span, "{text}");
    }
}

/// A query made of random parts.
fn query(random: &mut fastrand::Rng) -> Query {
    let text = |random: &mut fastrand::Rng| {
        let letters =
            ['a', 'Z', 'é', '語', ' ', '"', '\\', '/', ':', '(', ')', '-', '>', '=', '.', '1', '\n', '*'];
        let mut text: String =
            (0..random.usize(0..6)).map(|_| letters[random.usize(0..letters.len())]).collect();
        if random.u8(0..8) == 0 {
            text = ["OR", "1..2", "*..3", "7", "has", "is:valid"][random.usize(0..6)].to_owned();
        }
        text
    };
    let pattern = |random: &mut fastrand::Rng| match random.u8(0..4) {
        0 => Pattern::Regex {
            pattern: ["a", "a/b", r"\d+", r"\\", "[(]x", "語 "][random.usize(0..6)].to_owned(),
            ignores_case: random.bool(),
        },
        _ => Pattern::Literal(text(random)),
    };
    let numbers = |random: &mut fastrand::Rng| {
        let number = f64::from(random.i32(-50..50)) / 4.0;
        let bound = |is_included| Some(Bound { number, is_included });
        match random.u8(0..4) {
            0 => Numbers::only(number),
            1 => Numbers { from: bound(random.bool()), to: None },
            2 => Numbers { from: None, to: bound(random.bool()) },
            _ => Numbers { from: bound(true), to: Some(Bound { number: number + 1.5, is_included: true }) },
        }
    };
    let key = |random: &mut fastrand::Rng| {
        if random.bool() {
            return DataKey::Short(NAMES[random.usize(0..NAMES.len())].to_owned());
        }
        let keys = ["a", "role", "is", "-x", "/y", "0", "é", "b.c", "", "*", "d e", "f:(g)", "\"h\\"];
        let step = |random: &mut fastrand::Rng| match random.u8(0..3) {
            0 => Step::Any,
            _ => Step::Key(keys[random.usize(0..keys.len())].to_owned()),
        };
        DataKey::Path(Selector((0..random.usize(1..4)).map(|_| step(random)).collect()))
    };
    let what = |random: &mut fastrand::Rng| match random.u8(0..4) {
        0 => What::Text(pattern(random)),
        1 => {
            let key = key(random);
            let value = |random: &mut fastrand::Rng| match random.u8(0..3) {
                0 => Value::Number(numbers(random)),
                1 => Value::Is(text(random)),
                _ => Value::Contains(pattern(random)),
            };
            What::Data(key, (0..random.usize(1..4)).map(|_| value(random)).collect())
        }
        2 => What::Has(key(random)),
        _ => {
            let info = keys::KEYS[random.usize(0..keys::KEYS.len())];
            let value = match info.takes {
                Takes::Words(words) => {
                    Value::Contains(Pattern::Literal(words[random.usize(0..words.len())].to_owned()))
                }
                Takes::Number => Value::Number(numbers(random)),
                Takes::Text => Value::Contains(Pattern::Literal(text(random))),
            };
            What::Check(info.key, vec![value])
        }
    };
    let term = |random: &mut fastrand::Rng| Term { is_negated: random.bool(), what: what(random) };
    Query { terms: (0..random.usize(0..4)).map(|_| term(random)).collect() }
}

#[test]
fn what_is_written_is_read_as_the_same_query() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..20_000 {
        let query = query(&mut random);
        let written = query.to_string();
        assert_eq!(parse(&written), Ok(query), "{written}");
    }
}

#[test]
fn nothing_of_a_query_is_left_out() {
    let parts = [
        "a",
        "\"b c\"",
        "/d/i",
        "-e",
        "is:valid",
        "role:(x OR y)",
        "score:>1",
        "has:.z",
        "-p.*.q:=r",
        ")",
        "rul:x",
        "is:",
        "-",
    ];
    let mut random = fastrand::Rng::with_seed(6);
    for _ in 0..20_000 {
        let chosen: Vec<&str> =
            (0..random.usize(0..5)).map(|_| parts[random.usize(0..parts.len())]).collect();
        let text = chosen.join(" ");
        match parse(&text) {
            Ok(query) => assert_eq!(query.terms.len(), chosen.len(), "{text}"),
            Err(error) => assert!(text.get(error.span.clone()).is_some(), "{text}: {:?}", error.span),
        }
    }
}

#[test]
fn any_text_is_read_or_refused() {
    let signs = ["-", "\"", "/", ":", "(", ")", " ", "=", ">", "..", "*", "a", "OR", "is", "é", "\\", "1"];
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..50_000 {
        let text: String = (0..random.usize(0..9)).map(|_| signs[random.usize(0..signs.len())]).collect();
        match parse(&text) {
            Ok(query) => assert_eq!(parse(&query.to_string()), Ok(query), "{text}"),
            Err(error) => assert!(text.get(error.span.clone()).is_some(), "{text}: {:?}", error.span),
        }
    }
}
