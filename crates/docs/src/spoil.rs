//! Makes the mistakes of rules in a clean dataset, for the examples of rules.

use std::ops::Range;

use evalcheck_core::rule::{Mistake, Part};
use evalcheck_engine::diagnose::{self, Kind, Member, Value};
use evalcheck_engine::rules::Rule;
use evalcheck_wire::catalogue::RuleExample;

/// The ways to make the mistake of a rule in a clean dataset; some of them may make another mistake or none.
pub(crate) fn pairs(clean: &str, rule: &'static Rule) -> Vec<RuleExample> {
    let mut spoiler = Spoiler { clean, mistakes: rule.page.mistakes, pairs: Vec::new() };
    if clean.starts_with(['{', '[']) {
        spoiler.in_file();
        let mut at = clean.len();
        // In a record rather than in a header before it.
        for line in clean.split('\n').rev() {
            at -= line.len();
            if let Ok(parsed) = diagnose::parse(line.as_bytes()) {
                spoiler.in_value(&parsed.value, at);
            }
            at = at.saturating_sub(1);
        }
    } else {
        spoiler.in_table();
    }
    spoiler.pairs
}

struct Spoiler<'a> {
    clean: &'a str,
    mistakes: &'static [Mistake],
    pairs: Vec<RuleExample>,
}

impl<'a> Spoiler<'a> {
    fn push(&mut self, invalid: String, valid: String) {
        self.pairs.push(RuleExample { invalid, valid });
    }

    fn with(&self, span: &Range<usize>, text: &str) -> String {
        [&self.clean[..span.start], text, &self.clean[span.end..]].concat()
    }

    /// Makes a mistake at a span, where the part is this text; `valid` is the part without the mistake, if that differs.
    fn write(&mut self, mistake: &Mistake, span: &Range<usize>, text: &str, valid: &str) {
        let filled = |template: &str, text: &str| self.with(span, &template.replace("{}", text));
        let invalid = filled(mistake.invalid, text);
        let valid =
            if mistake.valid.is_empty() { self.clean.to_owned() } else { filled(mistake.valid, valid) };
        self.push(invalid, valid);
    }

    /// Makes the mistakes of one kind of part at a span, where the part is this text.
    fn write_all(&mut self, part: Part, span: &Range<usize>, text: &str) {
        for mistake in self.mistakes.iter().filter(|mistake| mistake.part == part) {
            self.write(mistake, span, text, text);
        }
    }

    /// The same with the text of the span.
    fn write_at(&mut self, part: Part, span: &Range<usize>) {
        let clean: &'a str = self.clean;
        self.write_all(part, span, &clean[span.clone()]);
    }

    /// Makes mistakes in the file as a whole.
    fn in_file(&mut self) {
        let clean = self.clean;
        let whole = 0..clean.len();
        self.replace_each();
        for mistake in self.mistakes {
            if let Part::Lines(between) = mistake.part {
                self.write(mistake, &whole, &clean.replace('\n', between), clean);
            }
        }
        if let Some(at) = clean.rfind('\n') {
            self.write_at(Part::LastLineBreak, &(at..at + 1));
        }
        self.write_at(Part::File, &whole);
    }

    fn replace_each(&mut self) {
        for mistake in self.mistakes {
            if let Part::Each(text) = mistake.part {
                self.push(self.clean.replace(text, mistake.invalid), self.clean.to_owned());
            }
        }
    }

    /// Makes mistakes in a value of a line that begins at `line`.
    fn in_value(&mut self, value: &Value<'_>, line: usize) {
        let span = shifted(&value.span, line);
        match &value.kind {
            Kind::String(_) => {
                self.write_all(Part::String, &span, &self.clean[span.start + 1..span.end - 1]);
                self.write_at(Part::Tail, &(span.end - 1..self.clean.len()));
            }
            Kind::Null => self.write_at(Part::Null, &span),
            Kind::Boolean(true) => self.write_at(Part::True, &span),
            Kind::Boolean(false) => self.write_at(Part::False, &span),
            Kind::Number(..) => self.write_at(Part::Number, &span),
            Kind::Array(elements) => {
                elements.iter().rev().for_each(|element| self.in_value(element, line));
                let spans: Vec<_> = elements.iter().map(|element| shifted(&element.span, line)).collect();
                self.in_list(&span, &spans);
                self.write_at(Part::Array, &span);
            }
            Kind::Object(members) => {
                // In a text, which comes last in most records, rather than in an id; in a value rather than in what holds it.
                members.iter().rev().for_each(|member| self.in_value(&member.value, line));
                for member in members {
                    self.in_member(member, line);
                }
                let member = |member: &Member<'_>| line + member.key_span.start..line + member.value.span.end;
                let spans: Vec<_> = members.iter().map(member).collect();
                self.in_list(&span, &spans);
                self.in_object(&spans);
                self.write_at(Part::Object, &span);
            }
        }
    }

    /// Makes mistakes in the parts of an array or an object, and between them.
    fn in_list(&mut self, span: &Range<usize>, parts: &[Range<usize>]) {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
        self.write_at(Part::First, first);
        self.write_at(Part::Last, last);
        self.write_at(Part::Close, &(span.end - 1..span.end));
        for (before, after) in parts.iter().zip(&parts[1..]) {
            self.write_at(Part::Between, &(before.end..after.start));
        }
        for mistake in self.mistakes {
            if let Part::Inside(between) = mistake.part {
                let parts: Vec<&str> = parts.iter().map(|part| &self.clean[part.clone()]).collect();
                let inside = span.start + 1..span.end - 1;
                self.write(mistake, &inside, &parts.join(between), &parts.join(", "));
            }
        }
    }

    fn in_object(&mut self, members: &[Range<usize>]) {
        let (Some(first), Some(last)) = (members.first(), members.last()) else { return };
        self.write_at(Part::LastMember, last);
        self.write_at(Part::FirstMember, first);
        for (index, member) in members.iter().enumerate() {
            let until = members.get(index + 1).map_or(member.end, |next| next.start);
            let from = if until == member.end && index > 0 { members[index - 1].end } else { member.start };
            self.write_at(Part::Member, &(from..until));
        }
    }

    fn in_member(&mut self, member: &Member<'_>, line: usize) {
        let (key, value) = (shifted(&member.key_span, line), shifted(&member.value.span, line));
        self.write_at(Part::Colon, &(key.end..value.start));
        self.write_at(Part::Value, &value);
        self.write_all(Part::Key, &key, &member.key);
        for mistake in self.mistakes.iter().filter(|mistake| is_value_of(mistake.part, &member.key)) {
            self.write(mistake, &value, "", "");
        }
    }

    /// Makes mistakes in a CSV. Its cells have no quotes and no commas.
    fn in_table(&mut self) {
        let clean = self.clean;
        if clean.contains('"') {
            return;
        }
        self.replace_each();
        let (header, rows) = clean.split_once('\n').unwrap_or((clean, ""));
        let first = header.split(',').next().unwrap_or_default();
        for mistake in self.mistakes {
            match mistake.part {
                Part::NewColumn => {
                    let column = |name: &str| {
                        let rows: Vec<String> = rows.lines().map(|row| format!("{row},easy")).collect();
                        format!("{header},{}\n{}", name.replace("{}", first), rows.join("\n"))
                    };
                    let valid =
                        if mistake.valid.is_empty() { clean.to_owned() } else { column(mistake.valid) };
                    self.push(column(mistake.invalid), valid);
                }
                Part::NewRow | Part::HeaderRow => {
                    let blank = ",".repeat(header.matches(',').count());
                    let row = if mistake.part == Part::HeaderRow { header } else { &blank };
                    let valid = clean.trim_end().to_owned()
                        + "
";
                    self.push(valid.clone() + &mistake.invalid.replace("{}", row), valid);
                }
                _ => {}
            }
        }
        let mut at = 0;
        for (index, line) in clean.split('\n').enumerate() {
            for cell in line.split(',') {
                let span = at..at + cell.len();
                at += cell.len() + 1;
                if index == 0 {
                    self.write_at(Part::Column, &span);
                } else if !cell.is_empty() {
                    self.write_at(Part::Cell, &span);
                }
            }
        }
    }
}

fn is_value_of(part: Part, key: &str) -> bool {
    matches!(part, Part::ValueOf(of) if of == key)
}

fn shifted(span: &Range<usize>, by: usize) -> Range<usize> {
    span.start + by..span.end + by
}
