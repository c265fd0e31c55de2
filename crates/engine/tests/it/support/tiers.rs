//! The findings of each tier in a line, and assertions that they agree.

use evalcheck_engine::diagnose::{
    self, Anomaly, Diagnosis, Kind, Observer, PathBuilder, RecordStart, Room, Task, TreeCaptures, Value,
};
use evalcheck_engine::formats::checks::{Captures, Observations};
use evalcheck_engine::formats::{FORMATS, Format, Layout, TextPolicy, Variant};
use evalcheck_engine::scan::{self, Blocks, Scalar, Scratch, Simd};
use evalcheck_engine::schema::ANY;

use super::padded;

const START: RecordStart = RecordStart { offset: 0, line: 1, column: 1, record: 0 };

/// Formats whose records are JSON, and their variants.
pub fn variants() -> impl Iterator<Item = (&'static Format, &'static Variant)> {
    let all = FORMATS.iter().flat_map(|format| format.variants.iter().map(move |variant| (*format, variant)));
    all.filter(|(_, variant)| !matches!(variant.layout, Layout::Csv(_)))
}

pub fn explained(line: &[u8], format: &'static Format, variant: &'static Variant) -> Diagnosis {
    let mut checks = (format.rules.checks)(variant);
    let task = Task {
        format,
        schema: variant.schema,
        checks: &*checks.record,
        attachments: None,
        start: START,
        list: 0,
        base: &PathBuilder::default(),
        room: Room::All,
    };
    let observer = Observer { dataset: &mut *checks.dataset, reported: None, table: None, is_silent: false };
    diagnose::diagnose(line, task, Some(observer))
}

/// Whether the schema is satisfied for the fast tier.
pub fn fits<B: Blocks>(line: &[u8], format: &'static Format, variant: &'static Variant) -> bool {
    judged::<B>(line, format, variant).is_some()
}

/// Whether the fast tier finds no problem at all.
pub fn is_clean<B: Blocks>(line: &[u8], format: &'static Format, variant: &'static Variant) -> bool {
    judged::<B>(line, format, variant) == Some(true)
}

/// Whether the rules find a line clean; `None` if its schema is not satisfied.
pub fn judged<B: Blocks>(line: &[u8], format: &'static Format, variant: &'static Variant) -> Option<bool> {
    let bytes = padded(line);
    let mut scratch = Scratch::default();
    let Ok(end) = scan::line_by::<B>(&bytes, 0, variant.schema, format.texts, &mut scratch) else {
        return None;
    };
    assert_eq!(end, line.len(), "a clean line ends at its line break");
    let captures = Captures::of_scan(&bytes, 0, &scratch.captures, 0, None);
    let mut checks = (format.rules.checks)(variant);
    let mut observed = Observations::default();
    checks.dataset.observe(&captures, START, &mut observed);
    Some(checks.record.is_clean(&captures) && observed.is_empty())
}

pub fn shown(line: &[u8]) -> String {
    String::from_utf8_lossy(line).into_owned()
}

/// Asserts that the SIMD scanner and the scalar one agree, and that the thorough tier finds nothing in a line that they find clean.
/// Returns whether the line is clean.
pub fn assert_tiers_agree(line: &[u8], format: &'static Format, variant: &'static Variant) -> bool {
    let clean = is_clean::<Simd>(line, format, variant);
    assert_eq!(clean, is_clean::<Scalar>(line, format, variant), "{}: {}", format.id, shown(line));
    if clean {
        let findings = explained(line, format, variant).findings;
        let said: Vec<String> = findings.iter().map(|finding| finding.problem.message()).collect();
        assert!(said.is_empty(), "{}: clean for the fast tier: {}\n{said:?}", format.id, shown(line));
    }
    clean
}

/// Asserts that the scanner has the same result for a line whether it knows the templates of earlier lines or none; and that of an
/// accepted line it captures the same values as a tree, so that a check of the dataset is one piece of code, whichever tier reads a
/// record. Returns the captures of an accepted line.
pub fn assert_captures_agree(
    line: &[u8],
    format: &'static Format,
    variant: &'static Variant,
    known: &mut Scratch,
) -> Option<usize> {
    let (bytes, mut fresh) = (padded(line), Scratch::default());
    let [expected, got] = [&mut fresh, known].map(|scratch| {
        let end = scan::line(&bytes, 0, variant.schema, format.texts, scratch).ok();
        end.map(|end| (end, scratch.captures.clone()))
    });
    assert_eq!(got, expected, "with the templates of earlier lines, {}: {}", format.id, shown(line));
    let (_, captures) = expected?;
    let parsed = diagnose::parse(line).unwrap();
    let tree = TreeCaptures::of_record(&parsed.value, variant.schema, line, &[]);
    let text = |number, texts: &[u8]| (number, String::from_utf8_lossy(texts).into_owned());
    let by_scan: Vec<_> = captures.iter().map(|(n, range)| text(*n, &bytes[range.clone()])).collect();
    let by_tree: Vec<_> =
        tree.strings.iter().map(|(n, range)| text(*n, &tree.texts[range.clone()])).collect();
    assert_eq!(by_scan, by_tree, "{}: {}", format.id, shown(line));
    for ((_, range), span) in captures.iter().zip(&tree.spans) {
        let is_quoted = *span == (range.start - 1..range.end + 1);
        assert!(*span == *range || is_quoted, "{range:?}, {span:?}: {}", shown(line));
    }
    Some(captures.len())
}

/// Asserts that JSON here is JSON for `serde_json`, except for lone surrogates, which it refuses and which are a warning here.
pub fn assert_is_json_for_serde_json(line: &[u8]) {
    let parsed = diagnose::parse(line);
    let anomalies = parsed.as_ref().map(|parsed| parsed.anomalies.as_slice()).unwrap_or_default();
    if anomalies.iter().any(|anomaly| matches!(anomaly, Anomaly::LoneSurrogate(_))) {
        return;
    }
    let ours = parsed.is_ok() && !anomalies.iter().any(|anomaly| matches!(anomaly, Anomaly::InvalidUtf8(_)));
    let reference = serde_json::from_slice::<serde_json::Value>(line);
    assert!(
        ours == reference.is_ok(),
        "ours: {:?}, serde_json: {reference:?}\n{}",
        diagnose::parse(line).err(),
        shown(line)
    );
    let is_accepted = [
        scan::line_by::<Simd>(&padded(line), 0, &ANY, TextPolicy::NONE, &mut Scratch::default()),
        scan::line_by::<Scalar>(&padded(line), 0, &ANY, TextPolicy::NONE, &mut Scratch::default()),
    ]
    .map(|end| end.is_ok());
    assert!(is_accepted[0] == is_accepted[1] && is_accepted[0] <= ours, "{is_accepted:?}: {}", shown(line));
    if let (Ok(parsed), Ok(reference)) = (parsed, reference) {
        assert_eq!(to_serde(&parsed.value), reference, "{}", shown(line));
    }
}

/// A value as `serde_json` has it: of equal keys, the last counts.
fn to_serde(value: &Value<'_>) -> serde_json::Value {
    use serde_json::Value as Json;
    match &value.kind {
        Kind::Object(members) => Json::Object(
            members.iter().map(|member| (member.key.to_string(), to_serde(&member.value))).collect(),
        ),
        Kind::Array(elements) => Json::Array(elements.iter().map(to_serde).collect()),
        Kind::Number(number, text) => {
            assert_eq!(Ok(*number), text.parse(), "a number is the nearest double");
            serde_json::from_str(text).unwrap()
        }
        Kind::String(text) => Json::String(text.to_string()),
        Kind::Boolean(value) => Json::Bool(*value),
        Kind::Null => Json::Null,
    }
}
