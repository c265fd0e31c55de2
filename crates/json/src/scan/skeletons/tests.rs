use super::MOST_PIECES;
use crate::scan::{Doubtful, PADDING, Scratch, TextPolicy, line};
use crate::schema::{ANY, Array, Number, Object, Properties, Property, Schema, StringSchema, UnknownKeys};

const POLICY: TextPolicy = TextPolicy { jsonb: true, embedded: true, strict_json: true };

fn scan(text: &[u8], schema: &'static Schema, scratch: &mut Scratch) -> Result<usize, Doubtful> {
    let mut bytes = [text, b"\n"].concat();
    bytes.resize(bytes.len() + PADDING, 0);
    line(&bytes, 0, schema, POLICY, scratch)
}

/// Scans each line, and gives how many were known.
fn known(lines: &[&str], scratch: &mut Scratch) -> u64 {
    let before = scratch.recalled();
    for text in lines {
        assert_eq!(scan(text.as_bytes(), &ANY, scratch), Ok(text.len()), "{text}");
    }
    scratch.recalled() - before
}

#[test]
fn a_record_is_known_when_only_values_differ() {
    let one = r#"{"id": 1, "of": ["a", true, null]}"#;
    let other = r#"{"id": 25.5, "of": ["", false, null]}"#;
    assert_eq!(known(&[one, other, one], &mut Scratch::default()), 2);
    let another = r#"{"id": 1, "of": ["a", null, true]}"#;
    assert_eq!(known(&[one, another, one, another], &mut Scratch::default()), 2);
}

#[test]
fn a_long_record_takes_no_memory_and_is_not_known() {
    let mut scratch = Scratch::default();
    let long = format!("[{}0]", "1,".repeat(50 * MOST_PIECES));
    assert_eq!(known(&[&long, &long], &mut scratch), 0);
    assert!(scratch.met.values.capacity() <= MOST_PIECES, "{}", scratch.met.values.capacity());
    assert_eq!(known(&["[1]", "[2]"], &mut scratch), 1, "others are");
}

#[test]
fn records_that_are_all_different_are_given_up() {
    let mut scratch = Scratch::default();
    let lines: Vec<String> = (0..1000).map(|i| format!(r#"{{"key_{i}": 1}}"#)).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(known(&lines, &mut scratch), 0);
    let same = vec![r#"{"key": 1}"#; 4096];
    let recalled = known(&same, &mut scratch);
    assert!((1..1000).contains(&recalled), "it rests for a while, and tries again: {recalled}");
}

static MODEL: Schema = Schema::text(StringSchema::NAME.captured(1));
static KIND: Schema = Schema::text(StringSchema::one_of(&["single", "multi"]).captured(2));
static TEXT: Schema = Schema::text(StringSchema::ANY.captured_raw(3));
static SCORE: Schema =
    Schema { boolean: true, ..Schema::number(Number { integer: false, minimum: Some(0) }).captured(4) };
static TAGS: Schema = Schema::array(Array::of(&Schema::STRING).elements_captured(5));
static RECORD: Schema = Schema::object(Object::Properties(Properties {
    captured_keys: Some(6),
    ..Properties::new(
        &[
            Property::required("model", &MODEL),
            Property::required("kind", &KIND),
            Property::required("text", &TEXT),
            Property::required("score", &SCORE),
            Property::optional("tags", &TAGS),
        ],
        UnknownKeys::Allow,
    )
}));

/// A record that says what others say, but for some values.
fn record(usual: &[String; 6], random: &mut fastrand::Rng) -> Vec<u8> {
    let others: [&[&str]; 6] = [
        &["\"\"", "\"other/model\"", "\"\u{430}\"", "\"a\\u0020b\"", "7"],
        &["\"single\"", "\"multi\"", "\"none\"", "null"],
        &["\"\"", "\"naïve “text”\"", "\"\\ud800\"", "\"\\n\"", "\"data:x\""],
        &["1", "0.5", "1e2", "-1", "true", "false", "01", "1.", "tru"],
        &[",\"tags\":[]", ",\"tags\":[\"x\"]", ",\"tags\":[\"x\",\"naïve\"]", ",\"tags\":[1]", ""],
        &[",\"own\":null", ",\"own\":{\"a\":\"b\"}", ",\"own\":{\"a\":1}", ",\"more\":2", ""],
    ];
    let share = [0, 1, 4][random.usize(0..3)];
    let mut values = usual.clone();
    for (value, others) in values.iter_mut().zip(others) {
        if random.u8(0..12) < share {
            others[random.usize(0..others.len())].clone_into(value);
        }
    }
    if random.u8(0..3) > 0 {
        values[2] = format!("\"text {}\"", random.u32(..));
    }
    let [model, kind, text, score, tags, own] = values;
    let line = format!(r#"{{"model":{model},"kind":{kind},"text":{text},"score":{score}{tags}{own}}}"#);
    let mut line = line.into_bytes();
    if random.u8(0..40) == 0 {
        let at = random.usize(0..line.len());
        line[at] = [b'"', b'\\', b',', b'}', b' ', 0x80, 0xff, b'x', b'0', 0][random.usize(0..10)];
    }
    line
}

/// Whatever is remembered, a record is taken or not, and captured, as it is by a scan that remembers nothing.
#[test]
fn what_is_remembered_changes_no_answer() {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut scratch, mut accepted, mut refused) = (Scratch::default(), 0, 0);
    for round in 0..12 {
        let usual = [
            format!("\"org/model-{round}\""),
            "\"single\"".to_owned(),
            "\"the same\"".to_owned(),
            ["1", "true"][round % 2].to_owned(),
            [",\"tags\":[\"a\",\"b\"]", ""][round / 2 % 2].to_owned(),
            [",\"own\":{\"topic\":\"travel\",\"n\":12}", ""][round / 4 % 2].to_owned(),
        ];
        for _ in 0..3000 {
            let line = record(&usual, &mut random);
            let mut fresh = Scratch::default();
            let expected = scan(&line, &RECORD, &mut fresh);
            let said = || String::from_utf8_lossy(&line).into_owned();
            assert_eq!(scan(&line, &RECORD, &mut scratch), expected, "{}", said());
            match expected {
                Ok(_) => accepted += 1,
                Err(Doubtful) => refused += 1,
            }
            if expected.is_ok() {
                assert_eq!(scratch.captures, fresh.captures, "{}", said());
            }
        }
    }
    let known = scratch.recalled();
    assert!(refused > 2000 && known > 10_000, "{accepted} taken, {refused} not, {known} known");
}

#[test]
fn a_run_is_given_up_when_it_is_not_usual_any_more() {
    let mut scratch = Scratch::default();
    let lines = |model: &str| -> Vec<String> {
        (0..5000)
            .map(|i| format!(r#"{{"model":"{model}","kind":"single","text":"{i}","score":1}}"#))
            .collect()
    };
    for model in ["one", "two"] {
        for line in lines(model) {
            assert_eq!(scan(line.as_bytes(), &RECORD, &mut scratch), Ok(line.len()), "{line}");
        }
        let usual = &scratch.known.as_ref().expect("records were met").usual;
        let run = &usual.bytes[usual.run(1).expect("a run").bytes.clone()];
        let expected = format!(r#"{{"model":"{model}","kind":"single","text":""#);
        assert_eq!(String::from_utf8_lossy(run), expected);
    }
}
