//! Turns the differences between a record and a schema into findings.

use std::ops::{ControlFlow, Range};

use evalcheck_core::excerpt::{clip, clip_quoted};
use evalcheck_core::names;
use evalcheck_core::rule::{AnyProblem, Problem, Rule};

use super::advice::{Advice, expected_types, listed, one_or_other, quoted_values, with_article};
use super::compare::{Difference, What, compare};
use super::lenience;
use super::levels::Levels;
use super::path_builder::PathBuilder;
use super::place::Place;
use super::record_finding::RecordFinding;
use super::record_findings::RecordFindings;
use super::repair::{Repair, Repairer};
use super::schema_problem::SchemaProblem;
use super::table::Table;
use super::text_problem::TextProblem;
use super::value::{Kind, Value};
use super::wording::character_name;
use evalcheck_json::schema::{Lenience, Schema};

/// Adds a finding for every difference between a value and a schema. Paths begin with `base`. Fixes need the bytes of the
/// record; with an empty slice, findings have no fix.
pub fn check_schema(
    value: &Value<'_>,
    schema: &'static Schema,
    base: &PathBuilder,
    record: &[u8],
    found: &mut RecordFindings<'_>,
) {
    check_schema_outside(&[], value, schema, base, record, found);
}

/// The same, without the differences inside some spans of the record, which are in the order of the bytes.
pub fn check_schema_outside(
    spans: &[Range<usize>],
    value: &Value<'_>,
    schema: &'static Schema,
    base: &PathBuilder,
    record: &[u8],
    found: &mut RecordFindings<'_>,
) {
    if base.is_line()
        && let Some(table) = Table::of(value, schema)
    {
        let problem = table.problem();
        let is_kept = found.has_room(problem.rule());
        let Repair { safety, fix, .. } = table.repair(value, Repairer { record, is_kept });
        if is_kept {
            let opening = value.span.start..value.span.start + 1;
            found.push(RecordFinding::new(problem, opening, Some(base.path())).with_fix(fix));
        } else {
            found.count(problem, Some(base.path()), safety);
        }
        return;
    }
    let is_lenient = schema.lenience != Lenience::None;
    let mut check = Check { base, record, found, levels: Levels::new(value, schema), is_lenient };
    compare(value, schema, &mut |difference, at| {
        let before = spans.partition_point(|span| span.start <= difference.span.start);
        let last = spans[..before].last();
        if last.is_none_or(|span| difference.span.end > span.end) {
            check.add(difference, at);
        }
        ControlFlow::Continue(())
    });
}

struct Check<'c, 'r, 'v, 'a> {
    base: &'c PathBuilder,
    record: &'c [u8],
    found: &'c mut RecordFindings<'r>,
    levels: Levels<'v, 'a>,
    /// Whether the system's own validator reads records of this schema.
    is_lenient: bool,
}

impl<'v, 'a> Check<'_, '_, 'v, 'a> {
    fn add(&mut self, Difference { span, what }: Difference<'v, 'a>, at: &Place<'_, 'v, 'a>) {
        let without_texts = problem(&what, Advice::Text(String::new()), false, self.is_lenient);
        let is_kept = self.found.has_room(without_texts.rule());
        let Repair { advice, safety, fix } = self.repair(&what, at, is_kept);
        let path = Some(at.path(self.base));
        if is_kept {
            let problem = problem(&what, advice, true, self.is_lenient);
            self.found.push(RecordFinding::new(problem, span, path).with_fix(fix));
        } else {
            self.found.count(without_texts, path, safety);
        }
    }

    fn repair(&mut self, what: &What<'v, 'a>, at: &Place<'_, 'v, 'a>, is_kept: bool) -> Repair {
        let repairer = Repairer { record: self.record, is_kept };
        match (what, at.object) {
            (&What::Type { value, schema, .. }, _) if at.is_root() && self.base.is_line() => {
                repairer.of_record(value, schema)
            }
            (&What::Type { value, schema, .. }, _) if at.is_element() => repairer.of_element(value, schema),
            (&What::Type { value, schema, removable }, _) => repairer.of_type(value, schema, removable),
            (&What::Choice { value, text, values }, _) => repairer.of_choice(value, text, values),
            (&What::MissingKey { field, types, because }, Some(object)) => {
                let repair = repairer.of_missing_key(field, types, object);
                let may_move = because.is_none() && matches!(repair.advice, Advice::Add { .. });
                let moved = may_move.then(|| self.levels.moved_down(field, at, repairer)).flatten();
                moved.unwrap_or(repair)
            }
            (&What::UnknownKey { member, is_refused }, Some(object)) => {
                let moved = Levels::moved_up(member, at, repairer);
                let moved = moved.or_else(|| Levels::moved_inside(member, object, repairer));
                let moved = moved.or_else(|| repairer.first_turn(member, object));
                moved.unwrap_or_else(|| {
                    repairer.of_unknown_key(member, object, is_refused, self.levels.lacks_a_key())
                })
            }
            (&What::MissingTag { members, key, variants }, _) => {
                let translated = repairer.translated_turn(members, key, variants);
                translated.unwrap_or_else(|| repairer.of_missing_tag(members, key, variants))
            }
            (&What::Tag { members, value, tag, key, variants }, _) => {
                repairer.of_tag(members, value, tag, key, variants)
            }
            (What::Fraction(number), _) => repairer.hint(&|| {
                let number = one_or_other(number).unwrap_or_else(|| "a whole number".to_owned());
                format!("Write {number}.")
            }),
            (What::TooFewElements { is_removable }, _) => repairer.hint(&|| {
                let advice = if *is_removable {
                    "Add an element, or leave the key out."
                } else {
                    "Add an element. Where there is none, leave out the object that holds the list, or the record."
                };
                advice.to_owned()
            }),
            (What::TooSmall(bound, number), _) => repairer.hint(&|| match one_or_other(number) {
                Some(values) => format!("Write {values}."),
                None => format!("Write a number of at least {bound}."),
            }),
            (What::TooBig(bound, number), _) => repairer.hint(&|| match one_or_other(number) {
                Some(values) => format!("Write {values}."),
                None => format!("Write a number of at most {bound}."),
            }),
            (What::MissingInside { key, .. }, _) => repairer.hint(&|| format!("Add the key \"{key}\".")),
            (What::TagType { variants, .. }, _) => {
                let tags = || quoted_values(listed(variants));
                repairer.hint(&|| format!("Write one of {} here.", tags()))
            }
            _ => repairer.hint(&String::new),
        }
    }
}

/// A problem of one of the two groups of rules for differences.
enum Either {
    Schema(SchemaProblem),
    Text(TextProblem),
}

impl Either {
    fn rule(&self) -> &'static Rule {
        match self {
            Self::Schema(problem) => problem.rule(),
            Self::Text(problem) => problem.rule(),
        }
    }
}

impl From<Either> for AnyProblem {
    fn from(problem: Either) -> Self {
        match problem {
            Either::Schema(problem) => problem.into(),
            Either::Text(problem) => problem.into(),
        }
    }
}

/// A difference as a problem; its texts are empty unless `has_texts`. `is_lenient` if the system's own validator may accept it.
fn problem(what: &What<'_, '_>, advice: Advice, has_texts: bool, is_lenient: bool) -> Either {
    let text = |text: &dyn Fn() -> String| if has_texts { text() } else { String::new() };
    let tags = |variants: super::compare::Variants| quoted_values(listed(variants));
    Either::Schema(match *what {
        What::Type { value, schema, .. } => SchemaProblem::WrongType {
            expected: text(&|| expected_types(schema)),
            received: value.type_name(),
            note: if is_lenient && lenience::accepts(value, schema) { lenience::NOTE } else { "" },
            advice,
        },
        What::Fraction(_) => {
            let expected = text(&|| "integer".to_owned());
            SchemaProblem::WrongType { expected, received: "float", note: "", advice }
        }
        What::TooSmall(minimum, _) => SchemaProblem::TooSmall { minimum: i64::from(minimum), advice },
        What::TooBig(maximum, _) => SchemaProblem::TooBig { maximum: i64::from(maximum), advice },
        What::Choice { text: written, values, .. } => SchemaProblem::EnumValue {
            expected: text(&|| quoted_values(values.iter().copied())),
            received: text(&|| clip(written, 80)),
            advice,
        },
        What::Blank => SchemaProblem::Blank,
        What::NotJson => SchemaProblem::NotJson,
        What::Character { text: written, character } => {
            return Either::Text(TextProblem::SuspiciousCharacter {
                name: text(&|| character_name(character)),
                shown: text(&|| clip_quoted(written)),
            });
        }
        What::LostObject => return Either::Text(TextProblem::LostObject),
        What::Rounded { text: written } => {
            let shown = text(&|| clip_quoted(written));
            return Either::Text(TextProblem::RoundedName { shown, advice: names::ROUNDED });
        }
        What::EmptyArray => SchemaProblem::EmptyArray,
        What::TooFewElements { .. } => SchemaProblem::TooFewElements { advice },
        What::TooManyElements(most) => SchemaProblem::TooManyElements { most },
        What::MissingKey { because: None, .. } | What::MissingTag { .. } => {
            SchemaProblem::MissingKey { advice }
        }
        What::MissingKey { because: Some(because), .. } | What::MissingInside { because, .. } => {
            let value = text(&|| because.value.to_owned());
            SchemaProblem::MissingKeyThen { key: because.key, value, advice }
        }
        What::TypeThen { value, then, because } => {
            let names = || then.types.names();
            let written = || names().iter().map(|name| with_article(name)).collect::<Vec<_>>().join(" or ");
            let holds_content = match &value.kind {
                Kind::Object(members) => !members.is_empty(),
                Kind::Array(elements) => !elements.is_empty(),
                _ => true,
            };
            let advice = || {
                let (key, written) = (because.key, written());
                let other = format!("change {key} to what the record is");
                if written == "null" && holds_content {
                    format!(
                        "If {key} is wrong, {other}. Otherwise move the content to where a record with {key} '{}' has it, and write null here.",
                        because.value
                    )
                } else {
                    format!("Write {written} here, or {other}.")
                }
            };
            SchemaProblem::WrongTypeThen {
                expected: text(&|| names().join(" or ")),
                key: because.key,
                value: text(&|| because.value.to_owned()),
                received: value.type_name(),
                advice: text(&advice),
            }
        }
        What::UnknownKey { member, is_refused } => {
            let key = text(&|| clip_quoted(&member.key));
            if is_refused {
                SchemaProblem::ForbiddenKey { key, advice }
            } else {
                SchemaProblem::UnknownKey { key, advice }
            }
        }
        What::TagType { value, variants } => SchemaProblem::WrongType {
            expected: text(&|| tags(variants)),
            received: value.type_name(),
            note: "",
            advice,
        },
        What::Tag { tag, variants, .. } => SchemaProblem::Discriminator {
            expected: text(&|| tags(variants)),
            received: text(&|| clip(tag, 80)),
            advice,
        },
    })
}
