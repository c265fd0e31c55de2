//! The rules that can apply to a file of a format.

use std::collections::BTreeSet;

use crate::formats::{ByteOrderMark, Format, Integers, Layout, LineReader, List};
use crate::rules::{Rule, Scope};
use crate::schema::{Array, Empty, Object, Schema, TextRole, UnknownKeys};
use evalcheck_records::Csv;
use evalcheck_records::csv::{CsvLines, OneOf};

/// Whether the rule can produce a finding for a file of the format, as far as the declarations of both tell.
pub fn applies(rule: &Rule, format: &Format) -> bool {
    match rule.scope {
        Scope::Listed => format.rules.has(rule),
        scope => Features::of(format).0.contains(&scope),
    }
}

/// Whether a rule does not belong to a single system.
pub fn is_general(rule: &Rule) -> bool {
    rule.scope != Scope::Listed
}

/// The features that a format's declarations use.
#[derive(Debug, Default)]
struct Features(BTreeSet<Scope>);

impl Features {
    fn of(format: &Format) -> Self {
        let mut features = Self::default();
        features.add(Scope::Everywhere);
        features.add_if(format.archive.is_some(), Scope::Archive);
        features.add_if(format.texts.blank_lines_are_doubtful, Scope::DoubtfulBlankLines);
        features.add_if(format.rules.limits.least.is_some(), Scope::LeastRecords);
        let is_limited = format.rules.limits.bytes.is_some();
        let has_another_way = !format.rules.limits.large_files.is_empty();
        features.add_if(is_limited && has_another_way, Scope::FileSize);
        features.add_if(is_limited && !has_another_way, Scope::RefusedSize);
        features.add_if(format.rules.limits.usual.is_some(), Scope::UsualLimit);
        features.add_if(format.rules.limits.most.is_some(), Scope::Limit);
        features.add_if(format.texts.lines.ends_at_carriage_return(), Scope::CarriageReturns);
        let may_end_elsewhere = matches!(format.texts.lines, LineReader::Python | LineReader::Node);
        features.add_if(may_end_elsewhere, Scope::LineSeparators);
        features.add_if(format.texts.jsonb, Scope::NoNul);
        let is_strict = |is_line| format.texts.strict_json.applies(is_line);
        let mut seen = Vec::new();
        for variant in format.variants {
            features.add(match format.texts.byte_order_mark {
                ByteOrderMark::Undocumented => Scope::UndocumentedMark,
                mark if mark.is_refused_in(variant.layout.kind()) => Scope::RefusedMark,
                _ => Scope::SkippedMark,
            });
            match variant.layout {
                Layout::Jsonl => {
                    features.add(Scope::JsonLines);
                    // Any object is a record of plain data.
                    let is_told = variant.schema.object.is_some() && !format.takes_any_data();
                    features.add_if(is_told, Scope::ObjectLines);
                }
                Layout::JsonlWithHeader(header) => {
                    features.add(Scope::JsonLines);
                    features.look(header, &mut seen);
                }
                Layout::Csv(columns) => {
                    features.add(Scope::Csv);
                    features.add_if(!columns.takes_others, Scope::KnownColumns);
                    features.add_if(columns.lines == CsvLines::WhiteSpaceRows, Scope::WhiteSpaceRows);
                    features.add_if(columns.lines == CsvLines::Rows, Scope::OneLineEnd);
                    features.add_if(columns.lines != CsvLines::Skipped, Scope::BlankHeaders);
                    features.add_if(!columns.any_separator, Scope::Commas);
                    features.add_if(columns.labels_rows, Scope::RowLabels);
                    let is_filled = columns.columns.iter().any(|column| column.not_blank);
                    features.add_if(is_filled, Scope::FilledStrings);
                    features.add_if(is_filled, Scope::FilledColumns);
                    let is_missing = |group: &OneOf| {
                        let problem = (group.missing)(String::new());
                        matches!(problem.downcast_ref(), Some(Csv::MissingColumn { .. }))
                    };
                    let is_required = columns.columns.iter().any(|column| column.required)
                        || columns.one_of.as_ref().is_some_and(is_missing);
                    features.add_if(is_required, Scope::RequiredColumns);
                    continue;
                }
                Layout::Json(lists) => {
                    features.add_if(lists.iter().any(List::is_in_object), Scope::Document);
                    for list in lists {
                        features.look(list.schema, &mut seen);
                    }
                }
            }
            let keys = if is_strict(!matches!(variant.layout, Layout::Json(_))) {
                Scope::UniqueKeys
            } else {
                Scope::RepeatedKeys
            };
            features.add(Scope::Json);
            features.add_if(format.texts.integers == Integers::Inexact, Scope::InexactIntegers);
            features.add(keys);
            features.look(variant.schema, &mut seen);
        }
        for option in format.options {
            features.0.extend(Self::of(option.format).0);
        }
        features
    }

    fn add(&mut self, scope: Scope) {
        self.0.insert(scope);
    }

    fn add_if(&mut self, has: bool, scope: Scope) {
        if has {
            self.add(scope);
        }
    }

    fn look(&mut self, schema: &'static Schema, seen: &mut Vec<*const Schema>) {
        if seen.contains(&std::ptr::from_ref(schema)) {
            return;
        }
        seen.push(schema);
        if let Some(number) = &schema.number {
            self.add_if(number.minimum.is_some(), Scope::Minimum);
            self.add_if(number.maximum.is_some(), Scope::Maximum);
        }
        if let Some(text) = &schema.string {
            self.add_if(!text.values.is_empty(), Scope::Values);
            self.add_if(text.role == TextRole::Name && text.values.is_empty(), Scope::Names);
            self.add_if(text.not_blank, Scope::FilledStrings);
            self.add_if(text.json, Scope::JsonStrings);
        }
        if let Some(Array { items, empty, most, .. }) = &schema.array {
            self.add_if(*empty == Empty::Suspicious, Scope::SuspiciousArrays);
            self.add_if(*empty == Empty::Deny, Scope::FilledArrays);
            self.add_if(most.is_some(), Scope::BoundedArrays);
            self.look(items, seen);
        }
        self.add_if(matches!(schema.object, Some(Object::Tagged { .. })), Scope::Variants);
        for fields in schema.object.iter().flat_map(Object::sets) {
            self.add_if(!fields.conditions.is_empty(), Scope::Conditions);
            self.add_if(fields.required != 0, Scope::RequiredKeys);
            match &fields.others {
                UnknownKeys::Allow => {}
                UnknownKeys::Ignore => self.add(Scope::IgnoredKeys),
                UnknownKeys::Deny => self.add(Scope::DeniedKeys),
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
            // A general rule may wait for a format that makes use of it; a rule of a system may not.
            let owned = FORMATS.iter().any(|format| applies(rule, format));
            assert!(owned || is_general(rule), "{}: no format lists it", rule.code);
        }
    }
}
