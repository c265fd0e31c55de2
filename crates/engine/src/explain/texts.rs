//! What is to be said of strings, keys and numbers whatever their place.

use super::{Found, Kind, Origin, Parsed, Remark, Trail, Value};
use crate::finding::Path;
use crate::formats::Format;
use crate::rules::{Attachment, Text};
use crate::scan::{BASE64_RUN, is_base64};

/// Adds the remarks of the reader, and embedded files where the format forbids them.
pub(super) fn check(
    parsed: &Parsed<'_>,
    bytes: &[u8],
    format: &Format,
    base: &Trail,
    origin: Origin,
    found: &mut Vec<Found>,
) {
    for remark in &parsed.remarks {
        let problem = match remark {
            Remark::Nul(_) if !format.texts.jsonb => continue,
            Remark::DuplicateKey { key, first } if format.texts.strict_json => Text::RefusedDuplicateKey {
                key: super::fault::quoted(&bytes[key.clone()]),
                first: super::fault::where_is(bytes, first.start, key.start, origin),
            },
            remark => remark.problem(bytes, origin),
        };
        let span = remark.span();
        let path = match problem {
            // It is about bytes, wherever they are, and keeps the file from being read as text.
            Text::InvalidUtf8 { .. } => None,
            _ => path_at(&parsed.value, base.clone(), span.start),
        };
        found.push(Found { problem: problem.into(), span, path });
    }
    if format.texts.embedded {
        embedded(&parsed.value, &mut base.clone(), bytes, found);
    }
}

/// The path of the innermost value (or key) around an offset.
fn path_at(root: &Value<'_>, mut trail: Trail, at: usize) -> Option<Path> {
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

fn embedded(value: &Value<'_>, trail: &mut Trail, bytes: &[u8], found: &mut Vec<Found>) {
    match &value.kind {
        Kind::String(_) => {
            let content = value.span.start + 1..value.span.end - 1;
            if let Some((what, bytes)) = embedded_in(&bytes[content]) {
                let problem = Attachment::Embedded { what, bytes };
                found.push(Found {
                    problem: problem.into(),
                    span: value.span.clone(),
                    path: Some(trail.path()),
                });
            }
        }
        Kind::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                trail.index(index);
                embedded(element, trail, bytes, found);
                trail.back();
            }
        }
        Kind::Object(members) => {
            for member in members.iter().filter(|member| !member.shadowed) {
                trail.key(&member.key);
                embedded(&member.value, trail, bytes, found);
                trail.back();
            }
        }
        _ => {}
    }
}

/// What file is embedded in the content of a string (as it stands in the JSON), and its size in bytes there: a `data:`
/// URL, or a run of at least [`BASE64_RUN`] characters that mixes capitals, small letters and digits. The mix keeps
/// long words and sequences of a few letters out.
fn embedded_in(content: &[u8]) -> Option<(&'static str, u64)> {
    let is_url = content.get(..5).is_some_and(|head| head.eq_ignore_ascii_case(b"data:"))
        && content.iter().take(256).any(|&byte| byte == b',');
    if is_url {
        return Some(("a data: URL", content.len() as u64));
    }
    let runs = content.split(|&byte| !is_base64(byte));
    let longest = runs.filter(|run| run.len() >= BASE64_RUN && is_mixed(run)).map(<[u8]>::len).max();
    longest.map(|size| ("a run of base64", size as u64))
}

fn is_mixed(run: &[u8]) -> bool {
    run.iter().any(u8::is_ascii_uppercase)
        && run.iter().any(u8::is_ascii_lowercase)
        && run.iter().any(u8::is_ascii_digit)
}
