//! How Quest's reader treats a metadata line that its document forbids, and the lines after it.

use crate::diagnose::{Kind, Value};
use crate::javascript::is_truthy;

/// The keys that the reader requires, with a value that JavaScript treats as true; otherwise it refuses the file.
const REQUIRED: [&str; 3] = ["total_samples", "sample_type", "samples_per_line"];

/// Whether the reader accepts a metadata line, whatever its document says.
pub(super) fn is_accepted(metadata: &Value<'_>) -> bool {
    REQUIRED.iter().all(|key| metadata.get(key).is_some_and(is_truthy))
}

/// The values with which the reader compares each line, from a metadata line that its document forbids but the reader accepts.
#[derive(Debug)]
pub(super) struct Compared {
    /// The `type` of each sample; `None` if it is not a string, which equals no type.
    sample_type: Option<String>,
    /// The number of samples; `None` if it is not a number.
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

    /// Whether the reader keeps a line.
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
