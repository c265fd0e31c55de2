//! Writes a query so that parsing it gives the same query.

use std::fmt::{self, Display, Formatter, Write};

use evalcheck_report::selector::{Step, push_any, push_key, push_quoted};

use super::keys::{HAS, SORT};
use super::{Bound, DataKey, Numbers, Pattern, Query, Term, Value, What};

impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, term) in self.terms.iter().enumerate() {
            if index > 0 {
                f.write_char(' ')?;
            }
            term.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_negated {
            f.write_char('-')?;
        }
        match &self.what {
            What::Text(Pattern::Literal(text)) => literal(text, false, f),
            What::Text(pattern) => pattern.fmt(f),
            What::Check(key, of) => {
                write!(f, "{}:", key.info().name)?;
                values(of, f)
            }
            What::Data(key, of) => {
                write!(f, "{key}:")?;
                values(of, f)
            }
            What::Has(key) => write!(f, "{HAS}:{key}"),
            What::Sort(key) => write!(f, "{SORT}:{key}"),
        }
    }
}

fn values(of: &[Value], f: &mut Formatter<'_>) -> fmt::Result {
    if let [only] = of {
        return only.fmt(f);
    }
    f.write_char('(')?;
    for (index, value) in of.iter().enumerate() {
        if index > 0 {
            f.write_str(" OR ")?;
        }
        value.fmt(f)?;
    }
    f.write_char(')')
}

/// Whether a character has a meaning in a query, outside of quotes.
fn is_sign(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')' | ':' | '"')
}

impl Display for DataKey {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let selector = match self {
            Self::Short(name) => return f.write_str(name),
            Self::Path(selector) => selector,
        };
        let mut path = String::new();
        for step in &selector.0 {
            match step {
                Step::Key(key) if key.contains(is_sign) => push_quoted(&mut path, key),
                Step::Key(key) => push_key(&mut path, key),
                Step::Any => push_any(&mut path),
            }
        }
        // Without the dot, a single key would be a short name, and some signs have a meaning at the start of a term.
        let needs_dot = matches!(&selector.0[..], [Step::Key(_)]) || path.starts_with(['-', '/', '"']);
        write!(f, "{}{path}", if needs_dot { "." } else { "" })
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Contains(pattern) => pattern.fmt(f),
            Self::Is(text) => {
                f.write_char('=')?;
                literal(text, true, f)
            }
            Self::Number(numbers) => numbers.fmt(f),
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(text) => literal(text, true, f),
            Self::Regex { pattern, ignores_case } => {
                write!(f, "/{}/{}", pattern.replace('/', "\\/"), if *ignores_case { "i" } else { "" })
            }
        }
    }
}

impl Display for Numbers {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let is_included = |bound: &Bound| bound.is_included;
        match (&self.from, &self.to) {
            (Some(from), Some(to)) if from == to && from.is_included => write!(f, "{}", from.number),
            (Some(from), None) => write!(f, ">{}{}", if from.is_included { "=" } else { "" }, from.number),
            (None, Some(to)) => write!(f, "<{}{}", if to.is_included { "=" } else { "" }, to.number),
            (Some(from), Some(to)) if is_included(from) && is_included(to) => {
                write!(f, "{}..{}", from.number, to.number)
            }
            // The language has no other ranges.
            _ => f.write_str("*..*"),
        }
    }
}

/// Writes a text, as a value of a key or as a term, in quotes if it would be read as something else without them.
fn literal(text: &str, is_value: bool, f: &mut Formatter<'_>) -> fmt::Result {
    if is_plain(text) && !(is_value && super::parse::is_number_like(text)) {
        return f.write_str(text);
    }
    f.write_char('"')?;
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
    }
    f.write_char('"')
}

/// Returns true if a text needs no quotes, unless it is a number.
fn is_plain(text: &str) -> bool {
    let has_sign = |c: char| c.is_whitespace() || matches!(c, '"' | '(' | ')' | ':');
    let begins = text.starts_with(['-', '/', '>', '<', '=']);
    !text.is_empty() && text != "OR" && !text.contains(has_sign) && !begins
}
