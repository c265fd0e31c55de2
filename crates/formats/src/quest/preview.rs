//! The samples of a line, for comparison.

use evalcheck_report::view::{Answer, Sample, Turn};

use crate::diagnose::Value;
use crate::preview::{Shown, several, text_length};

/// The samples of a line.
pub(super) fn preview(shown: &Shown<'_>) -> Option<Sample> {
    let mut out = Sample::default();
    let samples = shown.root.as_array()?.iter().enumerate();
    show_samples(shown, samples.map(|(index, sample)| (index.to_string(), sample)), &mut out);
    (!out.turns.is_empty() || !out.fields.is_empty()).then_some(out)
}

/// A sample as turns.
struct SampleTurns {
    name: String,
    prompt: Vec<Turn>,
    answer: Vec<Turn>,
    /// The length of the answer.
    chars: u64,
}

/// Adds samples by their paths, with their ids and metadata as fields. Several samples are answers; a prompt that is the same in all of
/// them is shown once.
pub(crate) fn show_samples<'v, 'a: 'v>(
    shown: &Shown<'_>,
    samples: impl Iterator<Item = (String, &'v Value<'a>)>,
    out: &mut Sample,
) {
    let samples = samples.enumerate().map(|(index, (path, sample))| {
        for key in ["id", "metadata"] {
            if let Some(value) = sample.get(key) {
                out.fields.push(shown.labelled(&format!("{path}.{key}"), value));
            }
        }
        turns_of(shown, sample, &path, index)
    });
    let samples: Vec<SampleTurns> = samples.collect();
    let shared = match samples.as_slice() {
        [first, others @ ..] if !first.prompt.is_empty() && !others.is_empty() => {
            others.iter().all(|other| is_same(&first.prompt, &other.prompt)).then(|| first.prompt.clone())
        }
        _ => None,
    };
    let is_shared = shared.is_some();
    out.turns.extend(shared.into_iter().flatten());
    let mut answers = Vec::new();
    for sample in samples {
        let start = out.turns.len();
        if !is_shared {
            out.turns.extend(sample.prompt);
        }
        out.turns.extend(sample.answer);
        let turns = start..out.turns.len();
        if !turns.is_empty() {
            answers.push(Answer { name: sample.name, turns, chars: sample.chars, is_reference: false });
        }
    }
    out.answers = several(answers);
}

/// Whether turns have the same roles and parts.
fn is_same(turns: &[Turn], others: &[Turn]) -> bool {
    let same = |(turn, other): (&Turn, &Turn)| turn.role == other.role && turn.parts == other.parts;
    turns.len() == others.len() && turns.iter().zip(others).all(same)
}

fn turns_of(shown: &Shown<'_>, sample: &Value<'_>, path: &str, index: usize) -> SampleTurns {
    let of_key = |key: &str| {
        let path = format!("{path}.{key}");
        let Some(value) = sample.get(key) else { return (Vec::new(), 0) };
        let Some(messages) = value.as_array() else {
            return (vec![turn(shown, key, value, path)], text_length(value));
        };
        let content = |message| Value::get(message, "content").unwrap_or(message);
        let turns = messages.iter().enumerate().map(|(n, message)| {
            let role = message.get("role").map_or_else(String::new, |role| shown.labelled("role", role).text);
            turn(shown, &role, content(message), format!("{path}.{n}"))
        });
        (turns.collect(), messages.iter().map(|message| text_length(content(message))).sum())
    };
    let (mut answer, chars) = of_key("text");
    let (prompt, _) = of_key("prompt");
    let (completion, more_chars) = of_key("completion");
    answer.extend(completion);
    let name = sample.get("id").map_or_else(|| format!("Sample {}", index + 1), |id| shown.name(id));
    SampleTurns { name, prompt, answer, chars: chars + more_chars }
}

fn turn(shown: &Shown<'_>, role: &str, content: &Value<'_>, path: String) -> Turn {
    let part = shown.text(content);
    Turn { role: role.to_owned(), path, parts: vec![part], ..Turn::default() }
}
