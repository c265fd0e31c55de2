//! What Quest's reader makes of a metadata line, and of lines because of it, where its document forbids the metadata line.

use crate::diagnose::{Kind, Value};

/// The keys without which, or with a value that JavaScript takes for false, the reader refuses the file.
const REQUIRED: [&str; 3] = ["total_samples", "sample_type", "samples_per_line"];

/// True for a metadata line with which the reader reads the others, whatever its document says.
pub(super) fn is_accepted(metadata: &Value<'_>) -> bool {
    REQUIRED.iter().all(|key| metadata.get(key).is_some_and(is_truthy))
}

/// True for a value that JavaScript takes for true.
fn is_truthy(value: &Value<'_>) -> bool {
    match &value.kind {
        Kind::Null => false,
        Kind::Boolean(value) => *value,
        Kind::Number(number, _) => *number != 0.0,
        Kind::String(text) => !text.is_empty(),
        Kind::Array(_) | Kind::Object(_) => true,
    }
}

/// What the reader compares each line with, from a metadata line that its document forbids and that it takes.
#[derive(Debug)]
pub(super) struct Compared {
    /// The `type` of each sample; `None` where that is no string, so that none is equal to it.
    sample_type: Option<String>,
    /// The number of samples; `None` where that is no number.
    per_line: Option<f64>,
}

impl Compared {
    pub(super) fn new(metadata: &Value<'_>) -> Self {
        let number = |value: &Value<'_>| match value.kind {
            Kind::Number(number, _) => Some(number),
            _ => None,
        };
        Self {
            sample_type: metadata.get("sample_type").and_then(Value::as_str).map(str::to_owned),
            per_line: metadata.get("samples_per_line").and_then(number),
        }
    }

    /// True for a line that the reader keeps.
    #[expect(clippy::cast_precision_loss, reason = "JavaScript compares numbers so")]
    pub(super) fn keeps(&self, line: &Value<'_>) -> bool {
        let is_of_type = |sample: &Value<'_>| {
            let sample_type = sample.get("type").and_then(Value::as_str);
            sample_type.is_some() && sample_type == self.sample_type.as_deref()
        };
        line.as_array().is_some_and(|samples| {
            self.per_line == Some(samples.len() as f64) && samples.iter().all(is_of_type)
        })
    }
}
