//! The conversion of later chunks to the types of the first one.
//!
//! A chunk has a type at each path, as the first one, and Arrow converts that type to the one of the column: whether a value can be converted
//! depends on the others of its chunk.

use evalcheck_core::finding::Location;

use super::features::Feature;
use super::json::Judgment;
use super::problem::TypeProblem;
use super::values::{Later, Node, Sign, Values};

/// The conversion of the values of a path in a later chunk.
enum Outcome<'v> {
    Same,
    /// Values of this kind are converted.
    Converted(&'static str, &'v Location),
    /// A value of this kind is refused.
    Refused(&'static str, &'v Location),
    /// A value of this kind puts quotes around the texts.
    Quotes(&'static str, &'v Location),
}

impl Judgment<'_, '_, '_> {
    /// Judges the values of a path in later chunks.
    pub(super) fn late(&mut self, path: &str, node: &Node, feature: Feature, is_column: bool) {
        let since = format!("the first 10 MiB ({})", self.lines(0));
        if node.since > 0 {
            self.since_later(path, node, since);
            return;
        }
        let column = match feature {
            Feature::Null => "only null",
            Feature::Boolean => "booleans",
            Feature::Integer => "whole numbers",
            Feature::Float => "numbers",
            Feature::Text => "texts",
            Feature::Timestamp => "only dates",
            Feature::List => "lists",
            Feature::Struct | Feature::Json => "objects",
        };
        let mut converted: Option<(&'static str, &Location, u64)> = None;
        for Later { chunk, values } in &node.late {
            match self.outcome(values, feature, is_column) {
                Outcome::Same => {}
                Outcome::Converted(found, at) => {
                    let number = values.0.iter().zip(Sign::ALL).filter(|(_, sign)| sign.group().is_some());
                    let number = number.map(|(seen, _)| seen.number).sum::<u64>();
                    converted = Some(match converted {
                        Some((found, at, before)) => (found, at, before + number),
                        None => (found, at, number),
                    });
                }
                Outcome::Refused(found, at) => {
                    self.late_type(path, found, column, since.clone(), at);
                    break;
                }
                Outcome::Quotes(found, at) => {
                    let (path, lines, since) = (path.to_owned(), self.lines(*chunk), since.clone());
                    self.out.report_at(TypeProblem::LateMixture { path, found, lines, since }, at.clone());
                    break;
                }
            }
        }
        if let Some((found, at, number)) = converted {
            let (path, to) = (path.to_owned(), type_name(feature));
            let problem = TypeProblem::LateConversion { path, found: found.to_owned(), to, column, since };
            self.out.report_lost_values(problem, at.clone(), number);
        }
    }

    /// Judges a path that the first chunk does not have.
    fn since_later(&mut self, path: &str, node: &Node, since: String) {
        let Some(Later { values, .. }) = node.late.first() else { return };
        let groups = values.groups();
        if node.key.is_some() {
            // Null is a value of a new key, too.
            let null = values.of(Sign::Null).first.as_deref();
            if let Some(at) = groups.first().map(|(_, at)| *at).or(null) {
                self.out.report_at(TypeProblem::LateKey { path: path.to_owned(), since }, at.clone());
            }
            return;
        }
        // A list that was empty before has elements of no type.
        let first = node.late.iter().find_map(|later| later.values.groups().first().copied());
        if let Some((found, at)) = first {
            self.late_type(path, found, "only empty lists", since, at);
        }
    }

    fn late_type(
        &mut self,
        path: &str,
        found: &'static str,
        column: &'static str,
        since: String,
        at: &Location,
    ) {
        let (path, found) = (path.to_owned(), found.to_owned());
        self.out.report_at(TypeProblem::LateType { path, found, column, since }, at.clone());
    }

    /// The conversion of the values of a chunk to the type of a column.
    fn outcome<'v>(&self, values: &'v Values, feature: Feature, is_column: bool) -> Outcome<'v> {
        let groups = values.groups();
        let own = own_group(feature);
        let other = groups.iter().find(|(group, _)| Some(*group) != own);
        let Some(&(found, at)) = other.or(groups.first()) else { return Outcome::Same };
        let has = |signs: &[Sign]| values.has(signs);
        let has_texts = has(&[Sign::Text, Sign::Date]);
        let converted = Outcome::Converted(found, at);
        let refused = Outcome::Refused(found, at);
        if feature == Feature::Json {
            return Outcome::Same;
        }
        if groups.len() > 1 {
            // Values of several types become texts of JSON, by ujson; a text that is no JSON gets quotes.
            let has_quotes = values.of(Sign::Text).number > values.of(Sign::JsonText).number;
            return match feature {
                _ if !self.is_new || has(&[Sign::TooBig]) => refused,
                Feature::Text if has_texts => Outcome::Quotes(found, at),
                Feature::Text => converted,
                _ if has_quotes || has(&[Sign::List, Sign::Object]) => refused,
                _ => unread(values, feature).unwrap_or(converted),
            };
        }
        let has_numbers = groups[0].0 == "a number";
        match feature {
            Feature::List | Feature::Struct if other.is_none() => Outcome::Same,
            Feature::Text if has(&[Sign::Text]) => Outcome::Same,
            Feature::Text if has_texts => Outcome::Converted("a date", at),
            Feature::Text if has(&[Sign::Object]) && self.is_new && is_column => converted,
            _ if has(&[Sign::List, Sign::Object]) => refused,
            Feature::Integer if has_texts && !has(&[Sign::Text]) => Outcome::Converted("a date", at),
            Feature::Boolean | Feature::Integer | Feature::Float if has_texts => {
                unread(values, feature).unwrap_or(converted)
            }
            Feature::Timestamp if has_texts => {
                refused_at(values, Sign::Text, "no date").unwrap_or(Outcome::Same)
            }
            Feature::Timestamp if has_numbers && !has(&NO_SECONDS) => converted,
            Feature::Integer if has_numbers => whole_number(values),
            Feature::Float if has_numbers && has(&FLOATS) => Outcome::Same,
            Feature::Float if has_numbers => {
                let found = "a whole number of more digits than a float holds";
                refused_at(values, Sign::WideInteger, found).unwrap_or(Outcome::Same)
            }
            Feature::Boolean if other.is_none() => Outcome::Same,
            Feature::Text | Feature::Boolean | Feature::Integer | Feature::Float => converted,
            _ => refused,
        }
    }
}

/// Signs that make floats of the numbers of a chunk.
const FLOATS: [Sign; 4] = [Sign::Float, Sign::WholeFloat, Sign::BigInteger, Sign::HugeInteger];

/// Signs of numbers that are no time in seconds.
const NO_SECONDS: [Sign; 5] =
    [Sign::Float, Sign::WholeFloat, Sign::WideInteger, Sign::BigInteger, Sign::HugeInteger];

/// Refuses the first value with a sign, if there is one.
fn refused_at<'v>(values: &'v Values, sign: Sign, found: &'static str) -> Option<Outcome<'v>> {
    Some(Outcome::Refused(found, values.of(sign).first.as_deref()?))
}

/// Refuses the first value whose text Arrow does not read as the type, if there is one.
fn unread(values: &Values, feature: Feature) -> Option<Outcome<'_>> {
    match feature {
        Feature::Boolean => refused_at(values, Sign::NoBoolean, "a value that is no boolean"),
        Feature::Integer => refused_at(values, Sign::NoInteger, "a value that is no whole number"),
        Feature::Float => refused_at(values, Sign::NoFloat, "a value that is no number"),
        _ => {
            let (found, at) =
                values.groups().into_iter().find(|(group, _)| Some(*group) != own_group(feature))?;
            Some(Outcome::Refused(found, at))
        }
    }
}

/// The conversion of numbers to whole numbers.
fn whole_number(values: &Values) -> Outcome<'_> {
    let unfit = [Sign::Float, Sign::BigInteger, Sign::HugeInteger];
    let mut unfit = unfit.into_iter().filter_map(|sign| values.of(sign).first.as_deref());
    match (unfit.next(), values.of(Sign::WholeFloat).first.as_deref()) {
        (Some(at), _) => Outcome::Refused("a number that int64 does not hold", at),
        (None, Some(at)) => Outcome::Converted("a float", at),
        (None, None) => Outcome::Same,
    }
}

/// The group of values that a column holds as they are.
const fn own_group(feature: Feature) -> Option<&'static str> {
    match feature {
        Feature::Null | Feature::Json => None,
        Feature::Boolean => Some("a boolean"),
        Feature::Integer | Feature::Float => Some("a number"),
        Feature::Text | Feature::Timestamp => Some("a text"),
        Feature::List => Some("a list"),
        Feature::Struct => Some("an object"),
    }
}

/// The type of a converted value, as a noun.
const fn type_name(feature: Feature) -> &'static str {
    match feature {
        Feature::Boolean => "a boolean",
        Feature::Integer => "a whole number",
        Feature::Float => "a float",
        Feature::Timestamp => "a time",
        _ => "a text",
    }
}
