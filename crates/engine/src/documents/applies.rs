//! Which rules can have something to say of a file of a format.

use crate::formats::{ByteOrderMark, Format, Layout, LineReader};
use crate::rules::Rule;
use crate::schema::{Array, Empty, Object, Schema, TextRole, UnknownKeys};

/// Categories of codes that are about text, JSON and files, whatever the format.
const GENERAL: &[&str] = &["dataset", "file", "format", "json", "shape", "text"];

/// True for a category of codes (`shape` of `shape/missing-key`) that no single system owns.
pub fn is_general(category: &str) -> bool {
    GENERAL.contains(&category) || matches!(category, "attachment" | "csv" | "document" | "zip")
}

/// True when the rule can produce a finding for a file of the format, as far as the declarations of the format tell. A general
/// rule of which nothing is known here applies everywhere.
pub fn applies(rule: &Rule, format: &Format) -> bool {
    let category = rule.category();
    if !is_general(category) {
        return format.rules.iter().any(|group| group.contains(rule));
    }
    let has = Features::of(format);
    match rule.code {
        "attachment/embedded" => format.texts.embedded,
        "text/byte-order-mark" => format.texts.byte_order_mark == ByteOrderMark::Skipped,
        "text/undocumented-byte-order-mark" => format.texts.byte_order_mark == ByteOrderMark::Undocumented,
        "text/refused-byte-order-mark" => format.texts.byte_order_mark == ByteOrderMark::Refused,
        "text/lone-carriage-return" => format.texts.lines.ends_at_carriage_return(),
        "text/line-separator" => format.texts.lines == LineReader::Node,
        "text/nul-character" => format.texts.jsonb,
        "json/duplicate-key" => has.json && !format.texts.strict_json,
        "json/refused-duplicate-key" => has.json && format.texts.strict_json,
        "json/record-over-several-lines"
        | "json/array-of-records"
        | "json/raw-line-break"
        | "json/text-after-record"
        | "json/truncated" => has.lines,
        "dataset/many-records" => format.limits.usual.is_some(),
        "dataset/too-many-records" => format.limits.most.is_some(),
        "shape/invalid-enum-value" => has.values,
        "shape/missing-key-then" | "shape/wrong-type-then" => has.conditions,
        "shape/unknown-variant" => has.variants,
        "shape/unknown-key" => has.dropped_keys,
        "shape/forbidden-key" => has.forbidden_keys,
        "shape/empty-array" => has.suspicious_arrays,
        "shape/too-few-elements" => has.forbidden_arrays,
        "shape/too-small" => has.minimum,
        "shape/blank" => has.not_blank,
        "text/suspicious-character" => has.names,
        "csv/blank-header" | "csv/white-space-row" => has.white_space_rows,
        _ => match category {
            "zip" | "attachment" => format.archive.is_some(),
            "csv" => has.csv,
            "document" => has.document,
            "json" => has.json,
            _ => true,
        },
    }
}

/// What a format's declarations make use of.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct Features {
    json: bool,
    lines: bool,
    csv: bool,
    white_space_rows: bool,
    document: bool,
    values: bool,
    variants: bool,
    conditions: bool,
    dropped_keys: bool,
    forbidden_keys: bool,
    suspicious_arrays: bool,
    forbidden_arrays: bool,
    minimum: bool,
    not_blank: bool,
    names: bool,
}

impl Features {
    fn of(format: &Format) -> Self {
        let mut features = Self::default();
        let mut seen = Vec::new();
        for variant in format.variants {
            match variant.layout {
                Layout::Jsonl => (features.json, features.lines) = (true, true),
                Layout::JsonlWithHeader(header) => {
                    (features.json, features.lines) = (true, true);
                    features.look(header, &mut seen);
                }
                Layout::Csv(columns) => {
                    features.csv = true;
                    features.white_space_rows |= columns.white_space_is_a_row;
                    features.not_blank |= columns.columns.iter().any(|column| column.not_blank);
                    continue;
                }
                Layout::Json(lists) => {
                    (features.json, features.document) = (true, true);
                    for list in lists {
                        features.look(list.schema, &mut seen);
                    }
                }
            }
            features.look(variant.schema, &mut seen);
        }
        features
    }

    fn look(&mut self, schema: &'static Schema, seen: &mut Vec<*const Schema>) {
        if seen.contains(&std::ptr::from_ref(schema)) {
            return;
        }
        seen.push(schema);
        self.minimum |= schema.number.as_ref().is_some_and(|number| number.minimum.is_some());
        if let Some(text) = &schema.string {
            self.values |= !text.values.is_empty();
            self.names |= text.role == TextRole::Name && text.values.is_empty();
            self.not_blank |= text.not_blank;
        }
        if let Some(Array { items, empty, .. }) = &schema.array {
            self.suspicious_arrays |= *empty == Empty::Suspicious;
            self.forbidden_arrays |= *empty == Empty::Deny;
            self.look(items, seen);
        }
        self.variants |= matches!(schema.object, Some(Object::Tagged { .. }));
        for fields in schema.object.iter().flat_map(Object::sets) {
            self.conditions |= !fields.conditions.is_empty();
            match &fields.others {
                UnknownKeys::Allow => {}
                UnknownKeys::Ignore => self.dropped_keys = true,
                UnknownKeys::Deny => self.forbidden_keys = true,
                UnknownKeys::Each(schema) => self.look(schema, seen),
            }
            for field in fields.fields {
                self.look(field.schema, seen);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::FORMATS;

    #[test]
    fn every_rule_belongs_to_a_format() {
        for rule in crate::rules::all() {
            let category = rule.category();
            // A general rule may wait for a format that makes use of it; a rule of a system may not.
            let owned = FORMATS.iter().any(|format| applies(rule, format));
            assert!(owned || is_general(category), "{}: no format is called {category}", rule.code);
        }
    }
}
