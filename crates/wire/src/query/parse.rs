//! Parses a query.

use std::ops::Range;

use evalcheck_report::selector::Selector;

use super::keys::{CheckKey, HAS, KEYS, KeyInfo, SORT, Takes};
use super::{Bound, DataKey, Numbers, Pattern, Query, QueryError, Term, Value, What};

pub(super) fn parse(text: &str, names: &[&str]) -> Result<Query, QueryError> {
    let mut parser = Parser { text, at: 0, names };
    let mut terms: Vec<Term> = Vec::new();
    let sorts = |term: &Term| matches!(term.what, What::Sort(_));
    while parser.skip_space() {
        let start = parser.at;
        let term = parser.term()?;
        if sorts(&term) && terms.iter().any(sorts) {
            return error(start..parser.at, "records are sorted by one value; this is the second");
        }
        terms.push(term);
    }
    Ok(Query { terms })
}

/// Returns true if a value with this word is read as a number or a range.
pub(super) fn is_number_like(word: &str) -> bool {
    number(word).is_some() || range(word).is_some()
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    names: &'t [&'t str],
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Skips white space; returns false at the end.
    fn skip_space(&mut self) -> bool {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.at < self.text.len()
    }

    fn term(&mut self) -> Result<Term, QueryError> {
        let start = self.at;
        let is_negated = self.take("-");
        if self.rest().is_empty() || self.rest().starts_with(char::is_whitespace) {
            return error(start..self.at, "nothing follows the \"-\", which excludes what follows it");
        }
        let what = if self.rest().starts_with(['"', '/']) {
            What::Text(self.pattern()?)
        } else {
            self.word_or_key()?
        };
        Ok(Term { is_negated, what })
    }

    fn word_or_key(&mut self) -> Result<What, QueryError> {
        let start = self.at;
        let word = self.key(|c| c == ':');
        let span = start..self.at;
        if !self.take(":") {
            self.at = start;
            let word = self.word(|c| c == ':')?;
            return match word {
                "OR" => {
                    error(span, "OR is read inside of key:(a OR b) only; write \"OR\" in quotes for the text")
                }
                "" => error(start..start + 1, "a term cannot begin with this sign; put the text in quotes"),
                word => Ok(What::Text(Pattern::Literal(word.to_owned()))),
            };
        }
        if let HAS | SORT = word {
            let start = self.at;
            let name = self.key(|_| false);
            let key = self.data_key(name, start..self.at, true)?;
            return Ok(if word == HAS { What::Has(key) } else { What::Sort(key) });
        }
        if let Some(info) = CheckKey::named(word) {
            let values = self.values(|parser| parser.check_value(info))?;
            return Ok(What::Check(info.key, values));
        }
        let key = self.data_key(word, span, false)?;
        Ok(What::Data(key, self.values(Self::data_value)?))
    }

    /// Parses a key of the data. After `has` and `sort`, a single name is a path too.
    fn data_key(&self, name: &str, span: Range<usize>, is_path: bool) -> Result<DataKey, QueryError> {
        if self.names.contains(&name) {
            return Ok(DataKey::Short(name.to_owned()));
        }
        let path = name.strip_prefix('.').unwrap_or(name);
        if path.is_empty() {
            return error(span, "a key is missing here");
        }
        if !is_path && !name.contains(['.', '*']) {
            let known = KEYS.iter().map(|info| info.name).chain(self.names.iter().copied());
            let near =
                known.filter(|known| is_near(known, name)).map(|near| format!("; did you mean \"{near}\"?"));
            let near = near.into_iter().next().unwrap_or_else(|| ".".to_owned());
            return error(
                span,
                &format!(
                    "there is no key \"{name}\"{near} A key of the data begins with a dot: .{name}; a text with a colon needs quotes"
                ),
            );
        }
        match Selector::parse(path) {
            Some(selector) => Ok(DataKey::Path(selector)),
            None => error(span, "a key of this path is empty, or its quote is not closed"),
        }
    }

    /// Parses one value, or several in parentheses.
    fn values(
        &mut self,
        value: impl Fn(&mut Self) -> Result<Value, QueryError>,
    ) -> Result<Vec<Value>, QueryError> {
        let start = self.at;
        if !self.take("(") {
            return Ok(vec![value(self)?]);
        }
        let mut values = Vec::new();
        loop {
            if !self.skip_space() {
                return error(start..self.at, "the \")\" is missing");
            }
            values.push(value(self)?);
            let before = self.at;
            self.skip_space();
            if self.take(")") {
                return Ok(values);
            }
            let start = self.at;
            if self.word(|_| false)? != "OR" || start == before {
                return error(start..self.at.max(start), "OR or \")\" is expected here");
            }
        }
    }

    fn check_value(&mut self, info: &KeyInfo) -> Result<Value, QueryError> {
        let start = self.at;
        let value = self.data_value()?;
        let span = start..self.at;
        match (info.takes, &value) {
            (Takes::Words(words), Value::Contains(Pattern::Literal(word))) if words.contains(&&**word) => {
                Ok(value)
            }
            (Takes::Words(_), Value::Contains(Pattern::Literal(word)))
                if info.key == CheckKey::Is && word == "blank" =>
            {
                error(span, "blank lines are not records; the list of lines shows them")
            }
            (Takes::Words(words), _) => error(span, &format!("\"{}\" takes {}", info.name, words.join(", "))),
            (Takes::Number, Value::Number(_)) | (Takes::Text, Value::Contains(Pattern::Literal(_))) => {
                Ok(value)
            }
            (Takes::Number, _) => error(
                span,
                &format!("\"{name}\" takes a number: {name}:7, {name}:>7 or {name}:7..9", name = info.name),
            ),
            (Takes::Text, _) => error(span, &format!("\"{}\" takes a text", info.name)),
        }
    }

    fn data_value(&mut self) -> Result<Value, QueryError> {
        if self.take("=") {
            return match self.pattern()? {
                Pattern::Literal(text) => Ok(Value::Is(text)),
                Pattern::Regex { .. } => {
                    error(self.at - 1..self.at, "\"=\" takes a text, not a regular expression")
                }
            };
        }
        if self.rest().starts_with(['"', '/']) {
            return Ok(Value::Contains(self.pattern()?));
        }
        let start = self.at;
        for (sign, is_lower, is_included) in
            [(">=", true, true), ("<=", false, true), (">", true, false), ("<", false, false)]
        {
            if self.take(sign) {
                let word = self.word(|_| false)?;
                let Some(number) = number(word) else {
                    return error(start..self.at, &format!("a number is expected after \"{sign}\""));
                };
                let bound = Some(Bound { number, is_included });
                let open = Numbers::default();
                return Ok(Value::Number(if is_lower {
                    Numbers { from: bound, ..open }
                } else {
                    Numbers { to: bound, ..open }
                }));
            }
        }
        let word = self.word(|_| false)?;
        if let Some(number) = number(word) {
            return Ok(Value::Number(Numbers::only(number)));
        }
        if let Some(numbers) = range(word) {
            return match (numbers.from, numbers.to) {
                (Some(from), Some(to)) if from.number > to.number => {
                    error(start..self.at, "the range ends before it begins")
                }
                _ => Ok(Value::Number(numbers)),
            };
        }
        if word.is_empty() {
            return error(start..self.at, "a value is missing here; write \"\" for a text in quotes");
        }
        Ok(Value::Contains(Pattern::Literal(word.to_owned())))
    }

    /// Parses a word, a text in quotes or a regular expression.
    fn pattern(&mut self) -> Result<Pattern, QueryError> {
        let start = self.at;
        if self.take("\"") {
            let text = self.quoted('"', true, start, "the closing quote is missing")?;
            self.end_of_term()?;
            return Ok(Pattern::Literal(text));
        }
        if self.take("/") {
            let pattern =
                self.quoted('/', false, start, "the closing \"/\" of the regular expression is missing")?;
            let ignores_case = self.take("i");
            if pattern.is_empty() {
                return error(start..self.at, "the regular expression is empty");
            }
            self.end_of_term()?;
            return Ok(Pattern::Regex { pattern, ignores_case });
        }
        let word = self.word(|_| false)?;
        if word.is_empty() {
            return error(start..self.at, "a text is missing here");
        }
        Ok(Pattern::Literal(word.to_owned()))
    }

    /// Parses the text up to a sign. A backslash before the sign is an escape; before another backslash, only if `unescapes`.
    fn quoted(
        &mut self,
        end: char,
        unescapes: bool,
        start: usize,
        missing: &str,
    ) -> Result<String, QueryError> {
        let mut text = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((offset, c)) = chars.next() {
            if c == end {
                self.at += offset + 1;
                return Ok(text);
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            match chars.next() {
                Some((_, next)) if next == end || (unescapes && next == '\\') => text.push(next),
                Some((_, next)) => text.extend(['\\', next]),
                None => text.push('\\'),
            }
        }
        error(start..self.text.len(), missing)
    }

    /// Expects white space, a closing parenthesis or the end of the query.
    fn end_of_term(&self) -> Result<(), QueryError> {
        match self.rest().chars().next() {
            Some(c) if !c.is_whitespace() && c != ')' => {
                error(self.at..self.at + c.len_utf8(), "a space is expected here")
            }
            _ => Ok(()),
        }
    }

    /// Parses a key, in which what follows a dot may be in quotes.
    fn key(&mut self, ends: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let (mut before, mut is_quoted, mut is_escaped) = (None, false, false);
        let is_end = |c: char| {
            let is_end = !is_quoted && (c.is_whitespace() || matches!(c, '(' | ')') || ends(c));
            if c == '"' && !is_escaped && (is_quoted || before == Some('.')) {
                is_quoted = !is_quoted;
            }
            is_escaped = is_quoted && c == '\\' && !is_escaped;
            before = Some(c);
            is_end
        };
        let word = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    /// Parses a word: up to white space, a parenthesis, or one of these signs.
    fn word(&mut self, ends: impl Fn(char) -> bool) -> Result<&'t str, QueryError> {
        let rest = self.rest();
        let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')') || ends(c);
        let length = rest.find(is_end).unwrap_or(rest.len());
        let word = &rest[..length];
        if let Some(quote) = word.find('"') {
            let at = self.at + quote;
            return error(
                at..at + 1,
                "a quote inside of a word; put the whole text in quotes, with \\\" for a quote in it",
            );
        }
        self.at += length;
        Ok(word)
    }

    fn take(&mut self, sign: &str) -> bool {
        let is_next = self.rest().starts_with(sign);
        self.at += if is_next { sign.len() } else { 0 };
        is_next
    }
}

fn error<T>(span: Range<usize>, message: &str) -> Result<T, QueryError> {
    Err(QueryError { span, message: message.to_owned() })
}

/// A decimal number: digits with a sign, a point and an exponent.
fn number(word: &str) -> Option<f64> {
    let is_number = word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    word.parse().ok().filter(|number: &f64| is_number && number.is_finite())
}

/// A range of two numbers; `*` is an open end.
fn range(word: &str) -> Option<Numbers> {
    let (from, to) = word.split_once("..")?;
    let bound = |end: &str| number(end).map(|number| Bound { number, is_included: true });
    let numbers = Numbers { from: bound(from), to: bound(to) };
    let is_whole = (numbers.from.is_some() || from == "*") && (numbers.to.is_some() || to == "*");
    is_whole.then_some(numbers)
}

/// Returns true if two names differ in one letter, or one is a prefix of the other.
fn is_near(known: &str, name: &str) -> bool {
    if name.len() >= 2 && (known.starts_with(name) || name.starts_with(known)) {
        return true;
    }
    let same = known.chars().zip(name.chars()).filter(|(a, b)| a == b).count();
    known.chars().count() == name.chars().count() && same + 1 == name.chars().count() && same > 1
}
