//! The filter of the lists.

use std::rc::Rc;

use evalcheck_report::Severity;
use evalcheck_wire::query::{CheckKey, Pattern, Query, QueryError, Term, Value, What};
use yew::AttrValue;
use yew::html::ImplicitClone;

/// The filter of the lists: one string in the language of [`evalcheck_wire::query`], which all filter controls read and write.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Filter {
    /// The text in the field.
    pub(crate) text: AttrValue,
    /// The query of the lists: of the last valid text.
    pub(crate) query: Rc<Query>,
    /// The error in the text.
    pub(crate) mistake: Option<Rc<QueryError>>,
}

impl ImplicitClone for Filter {}

/// Whether values that complete terms are wanted: the user has been in the field.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Completing(pub(crate) bool);

impl Filter {
    /// The filter of a query.
    pub(crate) fn of(query: Query) -> Self {
        Self { text: query.to_string().into(), query: Rc::new(query), mistake: None }
    }

    /// The filter with another text. If it is invalid, the query does not change. `names` are the short names of keys.
    pub(crate) fn with_text(&self, text: AttrValue, names: &[&str]) -> Self {
        match Query::parse(&text, names) {
            Ok(query) => Self { text, query: Rc::new(query), mistake: None },
            Err(error) => Self { text, query: Rc::clone(&self.query), mistake: Some(Rc::new(error)) },
        }
    }

    /// The filter with an additional term.
    pub(crate) fn with(&self, term: Term) -> Self {
        let mut terms = self.query.terms.clone();
        if !terms.contains(&term) {
            terms.push(term);
        }
        Self::of(Query { terms })
    }

    /// The filter without the terms of these check keys.
    pub(crate) fn without(&self, keys: &[CheckKey]) -> Self {
        let is_kept = |term: &&Term| !matches!(&term.what, What::Check(key, _) if keys.contains(key));
        Self::of(Query { terms: self.query.terms.iter().filter(is_kept).cloned().collect() })
    }

    /// The term that sorts the records.
    pub(crate) fn order(&self) -> Option<&Term> {
        self.query.terms.iter().find(|term| matches!(term.what, What::Sort(_)))
    }

    /// The filter with another order of the records; without a term that of the file.
    pub(crate) fn sorted_by(&self, order: Option<Term>) -> Self {
        let others = self.query.terms.iter().filter(|term| Some(*term) != self.order());
        Self::of(Query { terms: others.cloned().chain(order).collect() })
    }

    /// Whether nothing is filtered.
    pub(crate) fn is_empty(&self) -> bool {
        self.query.terms.is_empty()
    }

    /// Whether the filter has this term.
    pub(crate) fn has(&self, term: &Term) -> bool {
        self.query.terms.contains(term)
    }

    /// The severity in the filter.
    pub(crate) fn severity(&self) -> Option<Severity> {
        let is_wanted = |severity: &Severity| self.has(&Term::check(CheckKey::Severity, severity.as_str()));
        [Severity::Error, Severity::Warning, Severity::Info].into_iter().find(is_wanted)
    }

    /// The rule and the path of the filter, if it consists of one rule, with or without a path.
    pub(crate) fn rule(&self) -> Option<(String, Option<String>)> {
        let (mut rule, mut path) = (None, None);
        for term in &self.query.terms {
            let slot = match term.as_check()? {
                (CheckKey::Rule, word) => (&mut rule, word),
                (CheckKey::Path, word) => (&mut path, word),
                (CheckKey::Is, "fixable") => continue,
                _ => return None,
            };
            if slot.0.replace(slot.1.to_owned()).is_some() {
                return None;
            }
        }
        rule.map(|rule| (rule, path))
    }

    /// Whether a capital letter makes the search case-sensitive.
    pub(crate) fn has_case(&self) -> bool {
        let has_case =
            |pattern: &Pattern| matches!(pattern, Pattern::Literal(text) if Pattern::has_case(text));
        self.query.terms.iter().any(|term| match &term.what {
            What::Text(pattern) => has_case(pattern),
            What::Data(_, values) => {
                values.iter().any(|value| matches!(value, Value::Contains(pattern) if has_case(pattern)))
            }
            What::Check(..) | What::Has(_) | What::Sort(_) => false,
        })
    }

    /// The key of the filter, if it consists of values of one key of the data.
    pub(crate) fn data_key(&self) -> Option<String> {
        match &self.query.terms[..] {
            [Term { is_negated: false, what: What::Data(key, _) }] => Some(key.to_string()),
            _ => None,
        }
    }

    /// Whether the filter has a term about records, which requires a search of the file.
    pub(crate) fn needs_search(&self) -> bool {
        self.query.terms.iter().any(|term| !term.what.is_about_findings())
    }

    /// The text before, within and after the error.
    pub(crate) fn mistake_in_text(&self) -> Option<[&str; 3]> {
        let span = &self.mistake.as_ref()?.span;
        let text = self.text.as_str();
        Some([text.get(..span.start)?, text.get(span.clone())?, text.get(span.end..)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(text: &str) -> Filter {
        Filter::default().with_text(text.to_owned().into(), &["role"])
    }

    #[test]
    fn a_text_that_cannot_be_read_keeps_the_last_query() {
        let good = filter("severity:error paris");
        let bad = good.with_text("severity:eror paris".into(), &[]);
        assert_eq!(bad.query, good.query);
        assert_eq!(bad.mistake_in_text().unwrap(), ["severity:", "eror", " paris"]);
        assert_eq!(bad.severity(), Some(Severity::Error));
    }

    #[test]
    fn case_matters_because_of_a_capital_letter() {
        for (text, has_case) in
            [("Paris", true), ("role:(user OR User)", true), ("paris role:=User rule:Shape /A/", false)]
        {
            assert_eq!(filter(text).has_case(), has_case, "{text}");
        }
    }

    #[test]
    fn a_filter_of_one_key_has_its_name() {
        let key = |text: &str| filter(text).data_key();
        assert_eq!((key("role:user"), key(".a.*.b:1")), (Some("role".to_owned()), Some("a.*.b".to_owned())));
        assert_eq!((key("-role:user"), key("role:user x"), key("is:valid")), (None, None, None));
    }

    #[test]
    fn a_rule_and_a_path_alone_are_a_group() {
        let rule = |text: &str| filter(text).rule();
        let group = Some(("shape/type".to_owned(), Some("a.*.b".to_owned())));
        assert_eq!(rule("rule:shape/type path:a.*.b is:fixable"), group);
        assert_eq!(rule("rule:shape/type"), Some(("shape/type".to_owned(), None)));
        for other in ["path:a", "rule:a rule:b", "-rule:a", "rule:(a OR b)", "rule:a line:3", "rule:a paris"]
        {
            assert_eq!(rule(other), None, "{other}");
        }
    }

    #[test]
    fn terms_are_added_and_removed_in_the_text() {
        let fixable = Term::check(CheckKey::Is, "fixable");
        let both = filter("\"New York\" severity:error").with(fixable.clone()).with(fixable);
        assert_eq!(both.text, "\"New York\" severity:error is:fixable");
        assert!(both.needs_search());
        let text = both.without(&[CheckKey::Is, CheckKey::Severity]);
        assert_eq!(text.text, "\"New York\"");
        assert!(!filter("severity:error is:fixable line:3").needs_search());
        assert!(filter("is:invalid").needs_search() && filter("role:user").needs_search());
    }
}
