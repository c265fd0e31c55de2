//! Compares the values of a record with the terms of a query.

use std::ops::Range;

use evalcheck_report::selector::Step;
use evalcheck_report::view::Excerpt;
use evalcheck_wire::query::{DataKey, Numbers, QueryError, Value as Wanted, What};

use super::pattern::{Matcher, Regexes, excerpt};
use crate::diagnose::select::{Place, at_path, scalar, steps};
use crate::diagnose::{Kind, Value};
use crate::formats::Format;

/// The terms about the data. Texts and keys that belong to the same list must match in the same element of it: `role:user "x"`
/// matches a message of the user that has the text.
#[derive(Debug)]
pub(super) struct Data {
    terms: Vec<DataTerm>,
    /// The paths of lists, up to the `*` of their elements, to which all keys of lists belong. Empty if there are none.
    lists: Vec<Vec<Step>>,
}

/// A term about the data.
#[derive(Debug)]
pub(super) struct DataTerm {
    is_negated: bool,
    test: Test,
}

#[derive(Debug)]
enum Test {
    /// A text anywhere.
    Text(Matcher),
    /// A value at one of the paths: without `values`, any but null, otherwise one of them.
    At { paths: Vec<Vec<Step>>, values: Option<Vec<WantedValue>> },
}

#[derive(Debug)]
enum WantedValue {
    Contains(Matcher),
    Is(String),
    Number(Numbers),
}

/// The match of a record.
#[derive(Debug)]
pub(super) struct Found {
    /// The first text or value that matched.
    pub(super) first: Option<FoundText>,
}

/// A text that matched, and its position.
#[derive(Debug)]
pub(super) struct FoundText {
    pub(super) path: Option<String>,
    pub(super) text: String,
    pub(super) span: Range<usize>,
}

impl FoundText {
    pub(super) fn excerpt(&self, most: usize) -> Excerpt {
        excerpt(&self.text, self.span.clone(), most)
    }
}

/// The texts that a term searches for.
#[derive(Debug)]
pub(super) struct Finder<'t> {
    pub(super) matcher: &'t Matcher,
    /// The values in which it searches; `None` for all.
    pub(super) values: Option<Vec<String>>,
}

impl DataTerm {
    pub(super) fn new(
        is_negated: bool,
        what: &What,
        format: &Format,
        regexes: Regexes,
    ) -> Result<Self, QueryError> {
        let test = match what {
            What::Text(pattern) => Test::Text(Matcher::new(pattern, regexes)?),
            What::Has(key) => Test::At { paths: paths(key, format)?, values: None },
            What::Data(key, values) => {
                let wanted = |value: &Wanted| {
                    Ok(match value {
                        Wanted::Contains(pattern) => WantedValue::Contains(Matcher::new(pattern, regexes)?),
                        Wanted::Is(text) => WantedValue::Is(text.clone()),
                        Wanted::Number(numbers) => WantedValue::Number(*numbers),
                    })
                };
                let values = values.iter().map(wanted).collect::<Result<_, QueryError>>()?;
                Test::At { paths: paths(key, format)?, values: Some(values) }
            }
            // The caller handles these.
            What::Check(..) | What::Sort(_) => Test::At { paths: Vec::new(), values: None },
        };
        Ok(Self { is_negated, test })
    }

    /// The paths of this term below an element of a list.
    fn below<'t>(&'t self, list: &'t [Step]) -> impl Iterator<Item = &'t [Step]> {
        let paths = if let Test::At { paths, .. } = &self.test { &paths[..] } else { &[] };
        paths.iter().filter_map(move |path| path.strip_prefix(list))
    }
}

/// The paths that a key means.
pub(super) fn paths(key: &DataKey, format: &Format) -> Result<Vec<Vec<Step>>, QueryError> {
    let name = match key {
        DataKey::Path(selector) => return Ok(vec![selector.0.clone()]),
        DataKey::Short(name) => name,
    };
    let Some(found) = format.names().find(|found| found.name == name) else {
        let known: Vec<&str> = format.names().map(|known| known.name).collect();
        let known = if known.is_empty() { String::new() } else { format!("; it has {}", known.join(", ")) };
        let message = format!("the format {} has no key \"{name}\"{known}", format.id);
        return Err(QueryError { span: 0..0, message });
    };
    Ok(found.paths.iter().map(|path| steps(path)).collect())
}

/// The path up to the `*` of the elements of the last list in it.
fn list_of(path: &[Step]) -> Option<&[Step]> {
    let last = path.iter().rposition(|step| *step == Step::Any)?;
    path.get(..=last).filter(|list| list.len() < path.len())
}

impl Data {
    pub(super) fn new(terms: Vec<DataTerm>) -> Self {
        let of_term = |term: &DataTerm| match &term.test {
            Test::At { paths, .. } if !term.is_negated => {
                paths.iter().filter_map(|path| list_of(path)).map(<[Step]>::to_vec).collect()
            }
            _ => Vec::new(),
        };
        let mut of_terms = terms.iter().map(of_term).filter(|lists: &Vec<_>| !lists.is_empty());
        let mut lists = of_terms.next().unwrap_or_default();
        for others in of_terms {
            lists.retain(|list| others.contains(list));
        }
        Self { terms, lists }
    }

    /// The match in a record; `None` for a record that does not match.
    pub(super) fn find(&self, root: &Value<'_>) -> Option<Found> {
        let is_in_list = |term: &DataTerm| {
            let is_of_list = match &term.test {
                Test::Text(_) => true,
                Test::At { .. } => self.lists.iter().any(|list| term.below(list).next().is_some()),
            };
            !term.is_negated && is_of_list && !self.lists.is_empty()
        };
        let mut first: Option<FoundText> = None;
        let mut keep = |found: FoundText, is_text: bool| {
            if is_text || first.is_none() {
                first = Some(found);
            }
        };
        for term in self.terms.iter().filter(|term| !is_in_list(term)) {
            let found = term.find(root);
            if found.is_some() == term.is_negated {
                return None;
            }
            if let Some(found) = found {
                keep(found, matches!(term.test, Test::Text(_)));
            }
        }
        let in_list: Vec<&DataTerm> = self.terms.iter().filter(|term| is_in_list(term)).collect();
        if !in_list.is_empty() {
            let of_element = self.lists.iter().find_map(|list| {
                at_path(root, list, &Place::Record, &mut |element, place| {
                    let found: Option<Vec<_>> =
                        in_list.iter().map(|term| term.find_below(element, list, place)).collect();
                    found
                })
            })?;
            for (term, found) in in_list.iter().zip(of_element) {
                keep(found, matches!(term.test, Test::Text(_)));
            }
        }
        Some(Found { first })
    }

    /// The same in a record that cannot be read: it has texts and no values.
    pub(super) fn find_in_text(&self, text: &str) -> Option<Found> {
        let mut first = None;
        for term in &self.terms {
            let span = if let Test::Text(matcher) = &term.test { matcher.find(text) } else { None };
            if span.is_some() == term.is_negated {
                return None;
            }
            first = first.or(span.map(|span| FoundText { path: None, text: text.to_owned(), span }));
        }
        Some(Found { first })
    }
}

impl Data {
    /// The first match of a text without a key in any text.
    pub(super) fn find_in(&self, text: &str) -> Option<Range<usize>> {
        self.terms.iter().find_map(|term| match &term.test {
            Test::Text(matcher) if !term.is_negated => matcher.find(text),
            _ => None,
        })
    }

    /// The texts to mark in a record. One with a key is in no value of a record that cannot be read.
    pub(super) fn finders(&self, root: Option<&Value<'_>>) -> Vec<Finder<'_>> {
        let mut finders = Vec::new();
        for term in self.terms.iter().filter(|term| !term.is_negated) {
            match &term.test {
                Test::Text(matcher) => finders.push(Finder { matcher, values: None }),
                Test::At { paths, values } => {
                    for wanted in values.iter().flatten() {
                        let WantedValue::Contains(matcher) = wanted else { continue };
                        let mut found = Vec::new();
                        for (root, path) in
                            root.into_iter().flat_map(|root| paths.iter().map(move |path| (root, path)))
                        {
                            at_path(root, path, &Place::Record, &mut |value, _| {
                                found.extend(
                                    find_text(value, matcher, &Place::Record, false).map(|found| found.text),
                                );
                                None::<()>
                            });
                        }
                        finders.push(Finder { matcher, values: Some(found) });
                    }
                }
            }
        }
        finders
    }
}

impl DataTerm {
    /// The match of the term in a record.
    fn find(&self, root: &Value<'_>) -> Option<FoundText> {
        match &self.test {
            Test::Text(matcher) => find_text(root, matcher, &Place::Record, true),
            Test::At { paths, values } => paths.iter().find_map(|path| {
                at_path(root, path, &Place::Record, &mut |value, place| {
                    find_value(value, values.as_deref(), place)
                })
            }),
        }
    }

    /// The match of the term in an element of a list.
    fn find_below(&self, element: &Value<'_>, list: &[Step], at: &Place<'_>) -> Option<FoundText> {
        match &self.test {
            Test::Text(matcher) => find_text(element, matcher, at, true),
            Test::At { values, .. } => self.below(list).find_map(|rest| {
                at_path(element, rest, at, &mut |value, place| find_value(value, values.as_deref(), place))
            }),
        }
    }
}

/// The match of a value that is one of the wanted ones; without wanted ones, of a value that is not null.
fn find_value(value: &Value<'_>, wanted: Option<&[WantedValue]>, at: &Place<'_>) -> Option<FoundText> {
    let text = scalar(value);
    let whole = |text: &str| FoundText { path: Some(at.path()), text: text.to_owned(), span: 0..text.len() };
    let shown = || whole(text.as_deref().unwrap_or_default());
    let Some(wanted) = wanted else {
        return (!matches!(value.kind, Kind::Null)).then(shown);
    };
    wanted.iter().find_map(|wanted| match (wanted, &value.kind) {
        (WantedValue::Contains(matcher), Kind::String(_) | Kind::Array(_) | Kind::Object(_)) => {
            find_text(value, matcher, at, false)
        }
        (WantedValue::Contains(matcher), _) => {
            text.as_deref().filter(|text| matcher.is_whole(text)).map(whole)
        }
        (WantedValue::Is(is), _) => text.as_deref().filter(|text| text == is).map(whole),
        (WantedValue::Number(numbers), _) => {
            let number = match &value.kind {
                Kind::Number(number, _) => Some(*number),
                Kind::String(text) => text.trim().parse().ok(),
                Kind::Array(elements) => u32::try_from(elements.len()).ok().map(f64::from),
                _ => None,
            };
            number.filter(|number| numbers.contains(*number)).map(|_| shown())
        }
    })
}

/// The first match in the strings of a value; with `everything`, also in its numbers and words.
fn find_text(value: &Value<'_>, matcher: &Matcher, at: &Place<'_>, everything: bool) -> Option<FoundText> {
    let found = |text: &str| {
        let span = matcher.find(text)?;
        Some(FoundText { path: Some(at.path()), text: text.to_owned(), span })
    };
    match &value.kind {
        Kind::Array(elements) => {
            let mut numbered = elements.iter().enumerate();
            numbered.find_map(|(index, element)| find_text(element, matcher, &at.index(index), everything))
        }
        Kind::Object(members) => members
            .iter()
            .find_map(|member| find_text(&member.value, matcher, &at.key(&member.key), everything)),
        Kind::String(text) => found(text),
        _ => scalar(value).filter(|_| everything).and_then(|text| found(&text)),
    }
}
