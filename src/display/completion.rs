//! Completions of the last term of a query.

use std::rc::Rc;

use evalcheck_wire::catalogue::ShortName;
use evalcheck_wire::query::keys::{HAS, KEYS, SORT, Takes};
use evalcheck_wire::query::{CheckKey, Query, Term, Value, What};
use evalcheck_wire::question::Answer;

/// The maximum number of suggestions.
const MOST: usize = 60;

/// The keys and values of a dataset that complete terms.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Known {
    /// Short names of the format.
    pub(crate) names: Vec<ShortName>,
    /// Rules that have findings.
    pub(crate) rules: Vec<String>,
    /// Paths that have findings, with `*` for each index.
    pub(crate) paths: Vec<String>,
    /// The statistics, once they are counted. They contain the values at paths with few values.
    pub(crate) overview: Option<Rc<Answer>>,
}

/// A suggestion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Suggestion {
    /// The term.
    pub(crate) term: String,
    /// Its meaning.
    pub(crate) help: String,
    /// The query with the term inserted.
    pub(crate) query: String,
}

/// Terms without a key, and their meanings.
const EXAMPLES: [(&str, &str); 4] = [
    ("paris", "A text in any value. A capital makes the search case-sensitive; \"quotes\" hold spaces."),
    ("-paris", "What does not match."),
    ("a.*.b:x", "A value of the data by its path; * is any key or index. One key begins with a dot: .id:7"),
    ("role:(a OR b)", "One of several values. All terms have to match."),
];

/// The terms without a key, for the user.
pub(crate) fn examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    EXAMPLES.into_iter()
}

/// The completions of the last term of a query: keys, or values of its key.
pub(crate) fn suggestions(query: &str, known: &Known) -> Vec<Suggestion> {
    let (before, last) = query.split_at(last_term(query));
    let (minus, last) = last.strip_prefix('-').map_or(("", last), |rest| ("-", rest));
    let suggestion = |term: &str, help: &str| Suggestion {
        term: format!("{minus}{term}"),
        help: help.to_owned(),
        query: format!("{before}{minus}{term}"),
    };
    let Some((name, value)) = last.split_once(':') else {
        let keys = KEYS.iter().map(|info| (info.name, info.help));
        let names = known.names.iter().map(|short| (short.name.as_str(), short.help.as_str()));
        let others = [
            (HAS, "The data has the value, and it is not null."),
            (SORT, "All records, the least value first; -sort: begins with the greatest."),
        ];
        let all = keys.chain(names).chain(others).filter(|(name, _)| name.starts_with(last));
        return all.map(|(name, help)| suggestion(&format!("{name}:"), help)).take(MOST).collect();
    };
    if let HAS | SORT = name {
        let names = known.names.iter().filter(|short| short.name.starts_with(value) && short.name != value);
        let term = |short: &ShortName| suggestion(&format!("{name}:{}", short.name), &short.help);
        return names.map(term).take(MOST).collect();
    }
    let Some(info) = CheckKey::named(name) else {
        let terms = data_terms(name, value, known);
        return terms.into_iter().map(|term| suggestion(&term, "")).collect();
    };
    let words: Vec<&str> = match (info.key, info.takes) {
        (_, Takes::Words(words)) => words.to_vec(),
        (CheckKey::Rule, _) => known.rules.iter().map(String::as_str).collect(),
        (CheckKey::Path, _) => known.paths.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let is_match = |word: &&str| word.contains(value.trim_matches('"')) && *word != value;
    let written = |word: &str| Query { terms: vec![Term::check(info.key, word)] };
    words
        .into_iter()
        .filter(is_match)
        .take(MOST)
        .map(|word| suggestion(&written(word).to_string(), ""))
        .collect()
}

/// The terms of a data key with its values, most frequent values first.
fn data_terms(name: &str, begun: &str, known: &Known) -> Vec<String> {
    let overview = known.overview.as_deref().and_then(Answer::try_as_overview_ref);
    let Some(overview) = overview else { return Vec::new() };
    let short = known.names.iter().find(|short| short.name == name);
    let path_of_key = name.strip_prefix('.').unwrap_or(name);
    let is_named = |path: &str| {
        path == path_of_key || short.is_some_and(|short| short.paths.iter().any(|of| of == path))
    };
    let of_key = overview.paths.iter().filter(|facts| is_named(&facts.path));
    let names: Vec<&str> = known.names.iter().map(|short| short.name.as_str()).collect();
    let key = Query::parse(&format!("{name}:x"), &names).ok().and_then(|mut query| query.terms.pop());
    let Some(What::Data(key, _)) = key.map(|term| term.what) else { return Vec::new() };
    let mut values: Vec<&str> = Vec::new();
    for category in of_key.filter_map(|facts| facts.values.as_ref()).flat_map(|values| &values.values) {
        if !values.contains(&category.value.as_str()) {
            values.push(&category.value);
        }
    }
    let term = |value: &str| {
        let what = What::Data(key.clone(), vec![Value::Is(value.to_owned())]);
        Query { terms: vec![Term { is_negated: false, what }] }.to_string()
    };
    let begun = begun.trim_start_matches('=').trim_matches('"');
    let matching = values.into_iter().filter(|value| value.contains(begun) && *value != begun);
    matching.take(MOST).map(term).collect()
}

/// The byte offset of the last term of a query, after the last space outside of quotes and brackets.
fn last_term(query: &str) -> usize {
    let (mut begin, mut is_quoted, mut depth) = (0, false, 0_u32);
    let mut is_escaped = false;
    for (at, c) in query.char_indices() {
        match c {
            _ if std::mem::take(&mut is_escaped) => {}
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted => depth = depth.saturating_sub(1),
            c if c.is_whitespace() && !is_quoted && depth == 0 => begin = at + c.len_utf8(),
            _ => {}
        }
    }
    begin
}

#[cfg(test)]
mod tests {
    use evalcheck_report::overview::{Categories, Category, Overview, PathFacts};

    use super::*;

    fn terms(query: &str) -> Vec<String> {
        let known = Known {
            names: vec![ShortName {
                name: "role".to_owned(),
                paths: vec!["messages.*.role".to_owned()],
                help: "The role.".to_owned(),
            }],
            rules: vec!["shape/missing-key".to_owned(), "json/syntax".to_owned()],
            paths: vec!["input.*.a b".to_owned()],
            overview: None,
        };
        suggestions(query, &known).into_iter().map(|suggestion| suggestion.term).collect()
    }

    #[test]
    fn keys_and_their_values_are_suggested() {
        assert_eq!(terms("paris r"), ["rule:", "record:", "role:"]);
        assert_eq!(terms("-sev"), ["-severity:"]);
        assert_eq!(terms("severity:e"), ["severity:error"]);
        assert_eq!(terms("severity:error"), Vec::<String>::new());
        assert_eq!(terms("rule:miss"), ["rule:shape/missing-key"]);
        assert_eq!(terms("path:"), ["path:\"input.*.a b\""]);
        assert_eq!(terms("\"a b\" line:"), Vec::<String>::new());
        assert_eq!(terms("\"unfinished r"), Vec::<String>::new());
        assert!(terms("").len() > KEYS.len());
    }

    #[test]
    fn values_that_were_counted_are_suggested() {
        let category = |value: &str| Category { value: value.to_owned(), count: 2 };
        let values = ["user", "assistant", "a b"].map(category).to_vec();
        let facts = PathFacts {
            path: "messages.*.role".to_owned(),
            values: Some(Categories { values, others: 0 }),
            ..PathFacts::default()
        };
        let short =
            ShortName { name: "role".to_owned(), paths: vec![facts.path.clone()], help: String::new() };
        let overview = Overview { paths: vec![facts], ..Overview::default() };
        let known = Known {
            names: vec![short],
            overview: Some(Rc::new(Answer::Overview(Box::new(overview)))),
            ..Known::default()
        };
        let terms = |query: &str| {
            suggestions(query, &known).into_iter().map(|suggestion| suggestion.term).collect::<Vec<_>>()
        };
        assert_eq!(terms("role:us"), ["role:=user"]);
        assert_eq!(
            terms("-messages.*.role:"),
            ["-messages.*.role:=user", "-messages.*.role:=assistant", "-messages.*.role:=\"a b\""]
        );
        assert!(terms("role:user").is_empty() && terms("model:").is_empty());
    }

    #[test]
    fn a_suggestion_keeps_the_terms_before_it() {
        let query = suggestions("role:(a OR b) -is:in", &Known::default()).remove(0).query;
        assert_eq!(query, "role:(a OR b) -is:invalid");
    }
}
