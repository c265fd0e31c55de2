//! What is to be said of strings, keys and numbers whatever their place.

use super::TextProblem;
use super::{Anomaly, Kind, Parsed, PathBuilder, RecordFinding, RecordStart, Value};
use crate::scan::TextPolicy;
use evalcheck_core::finding::Path;

/// Adds the anomalies of the reader that matter to a system with this policy.
pub fn check(
    parsed: &Parsed<'_>,
    bytes: &[u8],
    policy: TextPolicy,
    base: &PathBuilder,
    origin: RecordStart,
    found: &mut Vec<RecordFinding>,
) {
    for anomaly in &parsed.anomalies {
        let problem = match anomaly {
            Anomaly::Nul(_) if !policy.jsonb => continue,
            Anomaly::DuplicateKey { key, first } if policy.strict_json => TextProblem::RefusedDuplicateKey {
                key: super::wording::quoted(&bytes[key.clone()]),
                first: super::wording::where_is(bytes, first.start, key.start, origin),
            },
            anomaly => anomaly.problem(bytes, origin),
        };
        let span = anomaly.span();
        let path = match problem {
            // It is about bytes, wherever they are, and keeps the file from being read as text.
            TextProblem::InvalidUtf8 { .. } => None,
            _ => path_at(&parsed.value, base.clone(), span.start),
        };
        found.push(RecordFinding { problem: problem.into(), span, path });
    }
}

/// The path of the innermost value (or key) around an offset.
fn path_at(root: &Value<'_>, mut trail: PathBuilder, at: usize) -> Option<Path> {
    let mut value = root;
    'down: loop {
        match &value.kind {
            Kind::Array(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    if element.span.contains(&at) {
                        trail.index(index);
                        value = element;
                        continue 'down;
                    }
                }
            }
            Kind::Object(members) => {
                for member in members {
                    if member.key_span.contains(&at) || member.value.span.contains(&at) {
                        trail.key(&member.key);
                        if member.key_span.contains(&at) {
                            return Some(trail.path());
                        }
                        value = &member.value;
                        continue 'down;
                    }
                }
            }
            _ => {}
        }
        return Some(trail.path());
    }
}
