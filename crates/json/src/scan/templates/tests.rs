use super::MAX_NODES;
use crate::scan::{Doubtful, PADDING, Scratch, StrictJson, TextPolicy, line};
use crate::schema::{ANY, Array, Number, Object, Properties, Property, Schema, StringSchema, UnknownKeys};

const POLICY: TextPolicy =
    TextPolicy { jsonb: true, embedded: true, strict_json: StrictJson::Always, ..TextPolicy::NONE };

fn scan(text: &[u8], schema: &'static Schema, scratch: &mut Scratch) -> Result<usize, Doubtful> {
    let mut bytes = [text, b"\n"].concat();
    bytes.resize(bytes.len() + PADDING, 0);
    line(&bytes, 0, schema, POLICY, scratch)
}

/// Scans each line, and returns the number of lines that matched a template.
fn matches(lines: &[&str], scratch: &mut Scratch) -> u64 {
    let before = scratch.template_matches();
    for text in lines {
        assert_eq!(scan(text.as_bytes(), &ANY, scratch), Ok(text.len()), "{text}");
    }
    scratch.template_matches() - before
}

#[test]
fn a_record_matches_when_only_values_differ() {
    let one = r#"{"id": 1, "of": ["a", true, null]}"#;
    let other = r#"{"id": 25.5, "of": ["", false, null]}"#;
    assert_eq!(matches(&[one, other, one], &mut Scratch::default()), 2);
    let another = r#"{"id": 1, "of": ["a", null, true]}"#;
    assert_eq!(matches(&[one, another, one, another], &mut Scratch::default()), 2);
}

#[test]
fn a_long_record_takes_no_memory_and_matches_nothing() {
    let mut scratch = Scratch::default();
    let long = format!("[{}0]", "1,".repeat(50 * MAX_NODES));
    assert_eq!(matches(&[&long, &long], &mut scratch), 0);
    assert!(scratch.recording.values.capacity() <= MAX_NODES, "{}", scratch.recording.values.capacity());
    assert_eq!(matches(&["[1]", "[2]"], &mut scratch), 1, "others are");
}

#[test]
fn the_cache_pauses_when_records_are_all_different() {
    let mut scratch = Scratch::default();
    let lines: Vec<String> = (0..1000).map(|i| format!(r#"{{"key_{i}": 1}}"#)).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(matches(&lines, &mut scratch), 0);
    let same = vec![r#"{"key": 1}"#; 4096];
    let matched = matches(&same, &mut scratch);
    assert!((1..1000).contains(&matched), "it pauses, then tries again: {matched}");
}

static MODEL: Schema = Schema::text(StringSchema::NAME.captured(1));
static KIND: Schema = Schema::text(StringSchema::one_of(&["single", "multi"]).captured(2));
static TEXT: Schema = Schema::text(StringSchema::ANY.captured_raw(3));
static SCORE: Schema = Schema { boolean: true, ..Schema::number(Number::ANY.at_least(0)).captured(4) };
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

/// A record with the usual values, except for some.
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

/// Whatever the cache remembers, the answer and the captures are those of a scan without it.
#[test]
fn the_cache_changes_no_answer() {
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
    let matched = scratch.template_matches();
    assert!(refused > 2000 && matched > 10_000, "{accepted} accepted, {refused} refused, {matched} matched");
}
