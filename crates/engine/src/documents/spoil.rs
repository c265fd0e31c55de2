//! Typical mistakes in a clean dataset: what the examples of rules are made of.

use std::ops::Range;

use evalcheck_wire::catalogue::RuleExample;

use crate::diagnose::{self, Kind, Member, Value};

fn pair(invalid: impl Into<String>, valid: impl Into<String>) -> RuleExample {
    RuleExample { invalid: invalid.into(), valid: valid.into() }
}

/// The ways to make the mistake that a rule is about in a clean dataset, of which some may be other mistakes or none.
pub(super) fn pairs(clean: &str, code: &str) -> Vec<RuleExample> {
    let mut mistakes = Mistakes { clean, code, pairs: Vec::new() };
    if clean.starts_with(['{', '[']) {
        mistakes.in_file();
        let mut at = clean.len();
        // In a record rather than in a header before it.
        for line in clean.split('\n').rev() {
            at -= line.len();
            if let Ok(parsed) = diagnose::parse(line.as_bytes()) {
                mistakes.in_value(&parsed.value, at);
            }
            at = at.saturating_sub(1);
        }
    } else {
        mistakes.in_table();
    }
    mistakes.pairs
}

struct Mistakes<'a> {
    clean: &'a str,
    code: &'a str,
    pairs: Vec<RuleExample>,
}

impl Mistakes<'_> {
    /// Other bytes at a span.
    fn write(&mut self, span: Range<usize>, invalid: &str) {
        let invalid = self.with(span, invalid);
        self.pairs.push(pair(invalid, self.clean));
    }

    /// Other bytes at a span, with the mistake and without.
    fn write_both(&mut self, span: Range<usize>, invalid: &str, valid: &str) {
        let pair = pair(self.with(span.clone(), invalid), self.with(span, valid));
        self.pairs.push(pair);
    }

    fn with(&self, span: Range<usize>, text: &str) -> String {
        format!("{}{text}{}", &self.clean[..span.start], &self.clean[span.end..])
    }

    /// In a file of JSON as a whole.
    fn in_file(&mut self) {
        let clean = self.clean;
        let invalid = match self.code {
            "json/single-quotes" => clean.replace('"', "'"),
            "json/comment" => format!("{clean} // to do"),
            "json/array-of-records" => format!("[\n{}\n]", clean.replace('\n', ",\n")),
            "json/text-after-record" if clean.contains('\n') => {
                clean.rsplit_once('\n').map_or_else(String::new, |(before, last)| format!("{before} {last}"))
            }
            "json/text-after-record" => {
                self.pairs.push(pair(format!("{clean} {clean}"), "each record on a line of its own"));
                return;
            }
            _ => return,
        };
        self.pairs.push(pair(invalid, clean));
    }

    /// In a value of a line that begins at `line`.
    fn in_value(&mut self, value: &Value<'_>, line: usize) {
        let span = line + value.span.start..line + value.span.end;
        match &value.kind {
            Kind::String(_) => self.in_string(span),
            Kind::Null | Kind::Boolean(_) | Kind::Number(..) => self.in_scalar(value, span),
            Kind::Array(elements) => {
                elements.iter().rev().for_each(|element| self.in_value(element, line));
                let spans: Vec<_> = elements.iter().map(|element| shifted(&element.span, line)).collect();
                self.in_list(&span, &spans);
                match self.code {
                    "shape/empty-array" | "shape/too-few-elements" => self.write(span, "[]"),
                    "shape/wrong-type" => self.write(span, "\"...\""),
                    _ => {}
                }
            }
            Kind::Object(members) => {
                let spans: Vec<_> = members
                    .iter()
                    .map(|member| line + member.key_span.start..line + member.value.span.end)
                    .collect();
                // In a text, which comes last in most records, rather than in an id; in a value rather than in what holds it.
                members.iter().rev().for_each(|member| self.in_value(&member.value, line));
                for member in members {
                    self.in_member(member, line);
                }
                self.in_list(&span, &spans);
                self.in_object(&span, &spans);
            }
        }
    }

    /// Between the parts of an array or an object.
    fn in_list(&mut self, span: &Range<usize>, parts: &[Range<usize>]) {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
        match self.code {
            "tencent/system-not-first" => {
                let system = r#"{"role":"system","content":"Be brief."}"#;
                let invalid = self.with(first.end..first.end, &format!(",{system}"));
                let valid = self.with(first.start..first.start, &format!("{system},"));
                self.pairs.push(pair(invalid, valid));
            }
            "tencent/ground-truth" => {
                self.write(last.end..last.end, r#",{"role":"assistant","content":"2"}"#);
            }
            "json/trailing-comma" => self.write(last.end..last.end, ","),
            "json/unmatched-bracket" => self.write(span.end - 1..span.end, ""),
            "json/missing-comma" => {
                for (before, behind) in parts.iter().zip(&parts[1..]) {
                    self.write(before.end..behind.start, " ");
                }
            }
            "json/record-over-several-lines" => {
                let parts: Vec<&str> = parts.iter().map(|part| &self.clean[part.clone()]).collect();
                let inside = span.start + 1..span.end - 1;
                self.write(inside, &format!("\n  {}\n", parts.join(",\n  ")));
            }
            _ => {}
        }
    }

    fn in_object(&mut self, span: &Range<usize>, members: &[Range<usize>]) {
        let (Some(first), Some(last)) = (members.first(), members.last()) else { return };
        let note = match self.code {
            "json/inexact-integer" => Some(("9007199254740993", "\"9007199254740993\"")),
            "json/number-out-of-range" => Some(("1e309", "\"1e309\"")),
            "json/bad-number" => Some(("007", "7")),
            "json/nan" => Some(("NaN", "null")),
            "json/python-literal" => Some(("None", "null")),
            _ => None,
        };
        if let Some((invalid, valid)) = note {
            self.write_both(
                last.end..last.end,
                &format!(",\"note\":{invalid}"),
                &format!(",\"note\":{valid}"),
            );
        }
        match self.code {
            "shape/unknown-key" | "shape/forbidden-key" => {
                self.write(last.end..last.end, ",\"note\":\"easy\"");
            }
            "json/duplicate-key" | "json/refused-duplicate-key" | "document/duplicate-key" => {
                let again = format!("{},", &self.clean[first.clone()]);
                self.write(first.start..first.start, &again);
            }
            "shape/missing-key" | "shape/missing-key-then" => {
                for (index, member) in members.iter().enumerate() {
                    let until = members.get(index + 1).map_or(member.end, |next| next.start);
                    let from =
                        if until == member.end && index > 0 { members[index - 1].end } else { member.start };
                    self.write(from..until, "");
                }
            }
            "shape/wrong-type" => self.write(span.clone(), "\"...\""),
            _ => {}
        }
    }

    fn in_member(&mut self, member: &Member<'_>, line: usize) {
        let key = shifted(&member.key_span, line);
        let value = shifted(&member.value.span, line);
        match self.code {
            "json/missing-colon" => self.write(key.end..value.start, " "),
            "json/missing-value" => self.write(value, ""),
            "json/unquoted-key" => self.write(key, &member.key),
            "json/curly-quotes" => self.write(key, &format!("\u{201c}{}\u{201d}", member.key)),
            "shape/wrong-type-then" => self.write(value, "[]"),
            "tencent/no-user-message" if member.key == "role" => self.write(value, "\"system\""),
            _ => {}
        }
    }

    fn in_string(&mut self, span: Range<usize>) {
        let content = &self.clean[span.start + 1..span.end - 1];
        let with = |addition: &str| format!("\"{content}{addition}\"");
        match self.code {
            "json/truncated" => self.pairs.push(pair(&self.clean[..span.end - 1], self.clean)),
            "json/raw-line-break" => self.write_both(span, &with("\nthen"), &with("\\nthen")),
            "json/unescaped-quote" => {
                self.write_both(span, &with(" \"and\" so on"), &with(" \\\"and\\\" so on"));
            }
            "json/bad-escape" => self.write_both(span, &with(" C:\\data"), &with(" C:\\\\data")),
            "json/bare-word" => self.write_both(span, "hello", "\"hello\""),
            "text/lone-surrogate" => self.write_both(span, &with("\\ud83d"), &with("\\ud83d\\ude00")),
            "text/nul-character" => self.write(span, &with("\\u0000")),
            "text/suspicious-character" => self.write(span, &with("\\u200b")),
            "shape/invalid-enum-value" | "shape/unknown-variant" => self.write(span, &with("s")),
            "shape/wrong-type" => self.write(span, "42"),
            "shape/blank" => self.write(span, "\" \""),
            _ => {}
        }
    }

    fn in_scalar(&mut self, value: &Value<'_>, span: Range<usize>) {
        match (self.code, &value.kind) {
            ("json/python-literal", Kind::Null) => self.write(span, "None"),
            ("json/python-literal", Kind::Boolean(true)) => self.write(span, "True"),
            ("json/python-literal", Kind::Boolean(false)) => self.write(span, "False"),
            ("json/nan", Kind::Number(..) | Kind::Null) => self.write_both(span, "NaN", "null"),
            ("json/bad-number", Kind::Number(_, text)) => self.write(span, &format!("0{text}")),
            ("json/number-out-of-range", Kind::Number(..)) => self.write(span, "1e309"),
            ("json/inexact-integer", Kind::Number(..)) => self.write(span, "9007199254740993"),
            ("shape/too-small", Kind::Number(..)) => self.write(span, "-1"),
            ("shape/wrong-type", Kind::Number(_, text)) => self.write(span, &format!("\"{text}\"")),
            _ => {}
        }
    }

    /// In a CSV whose cells hold no quotes and no commas.
    fn in_table(&mut self) {
        if self.clean.contains('"') {
            return;
        }
        let (header, rows) = self.clean.split_once('\n').unwrap_or((self.clean, ""));
        let added = |name: &str| {
            let rows: Vec<String> = rows.lines().map(|row| format!("{row},easy")).collect();
            format!("{header},{name}\n{}", rows.join("\n"))
        };
        let first = header.split(',').next().unwrap_or_default();
        let invalid = match self.code {
            "csv/separator" => Some(self.clean.replace(',', ";")),
            "csv/duplicate-column" => Some(added(first)),
            "csv/blank-column" => Some(added("")),
            "csv/unknown-column" => Some(added("remarks")),
            "csv/blank-row" => {
                Some(format!("{}\n{}", self.clean.trim_end(), ",".repeat(header.matches(',').count())))
            }
            _ => None,
        };
        self.pairs.extend(invalid.map(|invalid| pair(invalid, self.clean)));
        let mut at = 0;
        for (index, line) in self.clean.split('\n').enumerate() {
            for cell in line.split(',') {
                let span = at..at + cell.len();
                at += cell.len() + 1;
                if index == 0 { self.in_column(span) } else { self.in_cell(span) }
            }
        }
    }

    fn in_column(&mut self, span: Range<usize>) {
        let renamed = format!("{}s", &self.clean[span.clone()]);
        if self.code == "csv/missing-column" {
            self.write(span, &renamed);
        }
    }

    fn in_cell(&mut self, span: Range<usize>) {
        let cell = &self.clean[span.clone()];
        if cell.is_empty() {
            return;
        }
        let quoted = format!("\"{cell}\"");
        match self.code {
            "csv/unterminated-quote" => self.write_both(span, &quoted[..quoted.len() - 1], &quoted),
            "csv/text-after-quote" => self.write_both(span, "\"the \"new\" one\"", "\"the \"\"new\"\" one\""),
            "csv/stray-quote" => self.write_both(span, "a 5\" pipe", "\"a 5\"\" pipe\""),
            "csv/ragged-row" => {
                let more = format!("{cell}, and why");
                self.write_both(span, &more, &format!("\"{more}\""));
            }
            "csv/formula" => self.write_both(span, "=1+1", "What is 1+1?"),
            "shape/blank" => self.write(span, ""),
            _ => {}
        }
    }
}

fn shifted(span: &Range<usize>, by: usize) -> Range<usize> {
    span.start + by..span.end + by
}
