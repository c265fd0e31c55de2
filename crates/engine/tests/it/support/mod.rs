//! Records made from schemas, and ways to spoil them.
#![allow(unreachable_pub, dead_code, reason = "each test takes what it needs")]

pub mod cases;
pub mod csv;
pub mod eee;
pub mod json_schema;
pub mod lines;
pub mod made;
pub mod many;
pub mod prose;
pub mod suite;
pub mod tiers;

use evalcheck_engine::formats::{List, ListPlace};
use evalcheck_engine::scan::PADDING;
use evalcheck_engine::schema::{Number, Object, Properties, Schema, StringSchema, Then, Types, UnknownKeys};

/// A line as the scanner expects it.
pub fn padded(line: &[u8]) -> Vec<u8> {
    let mut bytes = line.to_vec();
    bytes.push(b'\n');
    bytes.resize(bytes.len() + PADDING, 0);
    bytes
}

/// The number of lines of text.
pub fn lines_of(data: &[u8]) -> u64 {
    let newlines = memchr::memchr_iter(b'\n', data).count() as u64;
    newlines + u64::from(!data.is_empty() && !data.ends_with(b"\n"))
}

/// A seeded source of choices.
pub struct Choices {
    random: fastrand::Rng,
    /// Strings are such as people write, and nearly all different; otherwise short and the same again.
    prose: Option<prose::Prose>,
}

impl Choices {
    pub fn new(seed: u64) -> Self {
        Self { random: fastrand::Rng::with_seed(seed), prose: None }
    }

    /// The same, for records with strings such as people write.
    pub fn with_prose(seed: u64) -> Self {
        Self { prose: Some(prose::Prose::default()), ..Self::new(seed) }
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.random.usize(..n.max(1))
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const TEXTS: &[&str] = &[
    "",
    "Hi",
    "two words",
    "a much longer text that does not fit into a block of sixteen bytes, nor into two of them",
    r#"escapes: \" \\ \/ \b \f \n \r \t"#,
    r"unicode escapes: \u00e9 \ud83d\ude00 \u2028",
    "été, naïve, größer",
    "日本語の文章です。とても長い文章なので、何ブロックにも渡ります。",
    "emoji \u{1f600}\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
    "DEL \u{7f} too",
];

/// Rare, because some systems may end a line there, and records have many texts.
const SEPARATORS: &str = "raw \u{2028} and \u{2029} are fine in JSON";

const NAMES: &[&str] = &["a", "q1", "attachments/report.pdf", "model-7b_v2", "x.y.z"];

/// JSON text of a value that the schema accepts without any finding.
pub fn valid(schema: &Schema, choices: &mut Choices) -> String {
    let mut out = String::new();
    value(schema, choices, 0, &mut out);
    out
}

/// The same, for one of these types.
pub fn valid_of(schema: &Schema, types: Types, choices: &mut Choices) -> String {
    let mut out = String::new();
    value_of(schema, types, choices, 0, &mut out);
    out
}

/// A document with the lists that it needs and some others, or in one of the shapes that it may have. `elements` writes the elements of a list.
pub fn document(
    lists: &'static [List],
    choices: &mut Choices,
    mut elements: impl FnMut(&List, &mut Choices) -> Vec<String>,
) -> String {
    let keys: &[&str] = &["data", "more"][..=choices.below(2)];
    let shape = choices.below(lists.len());
    let mut members = Vec::new();
    for (index, list) in lists.iter().enumerate() {
        let keys = match list.place {
            ListPlace::Key(key) if list.required || !choices.chance(3) => &[key][..],
            ListPlace::AnyKey if index == shape => keys,
            ListPlace::Root if index == shape => {
                return format!("[\n{}\n]\n", elements(list, choices).join(",\n"));
            }
            ListPlace::Single(_) if index == shape => return elements(list, choices).remove(0),
            _ => continue,
        };
        for key in keys {
            members.push(format!("\"{key}\": [\n{}\n]", elements(list, choices).join(",\n")));
        }
    }
    format!("{{\n{}\n}}\n", members.join(",\n"))
}

fn space(choices: &mut Choices, out: &mut String) {
    if choices.chance(12) {
        out.push_str(choices.pick(&[" ", "\t", "  ", " \t "]));
    }
}

fn value(schema: &Schema, choices: &mut Choices, depth: usize, out: &mut String) {
    value_of(schema, Types::ALL, choices, depth, out);
}

/// A value of one of these types.
fn value_of(schema: &Schema, types: Types, choices: &mut Choices, depth: usize, out: &mut String) {
    let mut kinds = Vec::new();
    kinds.extend(schema.null.then_some('n'));
    kinds.extend(schema.boolean.then_some('b'));
    kinds.extend(schema.number.as_ref().map(|_| '0'));
    kinds.extend(schema.string.as_ref().map(|_| '"'));
    // A recursive schema must end.
    if depth < 6 || kinds.is_empty() {
        kinds.extend(schema.array.as_ref().map(|_| '['));
        kinds.extend(schema.object.as_ref().map(|_| '{'));
    }
    kinds.retain(|kind| {
        types.contains(match kind {
            'n' => Types::NULL,
            'b' => Types::BOOLEAN,
            '0' => Types::NUMBER,
            '"' => Types::STRING,
            '[' => Types::ARRAY,
            _ => Types::OBJECT,
        })
    });
    match choices.pick(&kinds) {
        'n' => out.push_str("null"),
        'b' => out.push_str(choices.pick(&["true", "false"])),
        '0' => number(schema.number.as_ref().unwrap(), choices, out),
        '"' => text(schema.string.as_ref().unwrap(), choices, out),
        '[' => {
            out.push('[');
            let array = schema.array.as_ref().unwrap();
            let n = 1 + choices.below(array.most.map_or(3, |most| most.min(3)));
            for i in 0..n {
                if i > 0 {
                    out.push(',');
                }
                space(choices, out);
                value(array.items, choices, depth + 1, out);
                space(choices, out);
            }
            out.push(']');
        }
        _ => match schema.object.as_ref().unwrap() {
            Object::Properties(declared) => fields(declared, None, choices, depth, out),
            Object::Tagged { key, variants } => {
                let (tag, declared) = &variants[choices.below(variants.len())];
                fields(declared, Some((key, tag)), choices, depth, out);
            }
            Object::Keyed(sets) => {
                let (_, declared) = &sets[choices.below(sets.len())];
                fields(declared, None, choices, depth, out);
            }
        },
    }
}

fn number(number: &Number, choices: &mut Choices, out: &mut String) {
    let least = number.minimum.unwrap_or(-50);
    let most = number.maximum.map_or(i64::from(least) + 999, i64::from);
    let n = choices.random.i64(i64::from(least)..=most);
    out.push_str(&n.to_string());
    if !number.integer && number.maximum.is_none() && choices.chance(2) {
        out.push_str(choices.pick(&[".5", ".25e1", ".0", "e0", "E+1"]));
    } else if number.maximum.is_none() && choices.chance(8) {
        out.push_str(".0");
    }
}

/// JSON as the content of a string, as programs write it.
const JSON: &[&str] = &["{}", r#" {\"a\": [1, \"x\\ny\"]} "#, "17", r"\u0022a\u0022", r#"\"é\""#];

fn text(text: &StringSchema, choices: &mut Choices, out: &mut String) {
    if text.json {
        return out.extend(["\"", choices.pick(JSON), "\""]);
    }
    if text.values.is_empty() && choices.prose.is_some() {
        let written = prose::string(text.role, text.not_blank, choices);
        return out.push_str(&prose::json(&written, choices));
    }
    let from: &[&str] = match text.values {
        [] if text.role == evalcheck_engine::schema::TextRole::Name => NAMES,
        [] if text.not_blank => &TEXTS[1..],
        [] => TEXTS,
        values => values,
    };
    let is_prose = text.values.is_empty() && text.role == evalcheck_engine::schema::TextRole::Prose;
    out.push('"');
    out.push_str(if is_prose && choices.chance(60) { SEPARATORS } else { choices.pick(from) });
    out.push('"');
}

fn fields(
    declared: &Properties,
    tag: Option<(&str, &str)>,
    choices: &mut Choices,
    depth: usize,
    out: &mut String,
) {
    // The key that decides a condition is chosen first.
    let decided = declared.conditions.first().map(|condition| {
        let all: Vec<&str> = declared.conditions.iter().flat_map(|one| one.values).copied().collect();
        (condition.key, choices.pick(&all))
    });
    let holding = declared.conditions.iter().filter(|condition| {
        decided.is_some_and(|(key, value)| condition.key == key && condition.values.contains(&value))
    });
    let then: Vec<&Then> = holding.flat_map(|condition| condition.then).collect();
    let mut members = Vec::new();
    for field in declared.fields {
        let then = then.iter().find(|then| then.key == field.key);
        let required = field.required || then.is_some_and(|then| then.required);
        // A recursive schema must end.
        if !required && (depth > 6 || choices.chance(2)) {
            continue;
        }
        let mut member = format!("\"{}\":", field.key);
        space(choices, &mut member);
        match tag {
            Some((key, tag)) if key == field.key => member.extend(["\"", tag, "\""]),
            _ => match (decided, then) {
                (Some((key, value)), _) if key == field.key => member.extend(["\"", value, "\""]),
                (_, Some(then)) if !then.keys.is_empty() => {
                    let keys: Vec<String> = then.keys.iter().map(|key| format!("\"{key}\":1")).collect();
                    member.extend(["{", &keys.join(","), "}"]);
                }
                (_, Some(then)) => value_of(field.schema, then.types, choices, depth + 1, &mut member),
                // Rules require a timestamp, which no text is by chance.
                _ if field.key == "timestamp" && !choices.chance(4) => {
                    member.push_str("\"2025-02-10T20:11:56.000Z\"");
                }
                _ => value(field.schema, choices, depth + 1, &mut member),
            },
        }
        members.push(member);
    }
    let own: Option<&Schema> = match &declared.others {
        UnknownKeys::Allow => Some(&evalcheck_engine::schema::ANY),
        UnknownKeys::Each(schema) => Some(schema),
        // A warning: the record is valid, and not without a finding.
        UnknownKeys::Ignore if choices.prose.is_some() && choices.chance(4) => {
            Some(&evalcheck_engine::schema::ANY)
        }
        UnknownKeys::Ignore | UnknownKeys::Deny => None,
    };
    if let Some(own) = own {
        for i in 0..choices.below(3) {
            let key = prose::key(choices).map_or_else(|| format!("own_{i}"), str::to_owned);
            let mut member = format!("\"{key}\":");
            if choices.prose.is_some() && declared.fields.iter().any(|field| field.key == key)
                || members.iter().any(|other: &String| other.starts_with(&member))
            {
                continue;
            }
            value(own, choices, depth + 1, &mut member);
            members.push(member);
        }
    }
    if choices.chance(3) {
        choices.random.shuffle(&mut members);
    }
    out.push('{');
    space(choices, out);
    out.push_str(&members.join(if choices.chance(4) { ", " } else { "," }));
    space(choices, out);
    out.push('}');
}

/// Bytes that matter to JSON, to UTF-8 and to the scanner's blocks.
const BYTES: &[u8] = b"\"\\{}[],:0-e.tnN/'\r\t \x00\x1f\x7f\x80\xc3\xe2\xed\xf0\xff\xa0";

/// A line with one to four changes to its bytes; never with a line break.
pub fn mutated(line: &str, choices: &mut Choices) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..=choices.below(4) {
        let at = choices.below(bytes.len() + 1).min(bytes.len().saturating_sub(1));
        match choices.below(7) {
            0 if !bytes.is_empty() => bytes[at] = choices.pick(BYTES),
            1 => bytes.insert(at, choices.pick(BYTES)),
            2 if !bytes.is_empty() => {
                bytes.remove(at);
            }
            3 => bytes.truncate(at),
            4 => {
                let end = (at + choices.below(20)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = choices.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            5 => {
                let end = (at + choices.below(12)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let insert = choices.pick(&[
                    r#""extra":1,"#,
                    r"\ud800",
                    r"\u0000",
                    "1e309",
                    "12345678901234567890",
                    "None",
                    "//",
                    "\u{feff}",
                    "\u{a0}",
                    "data:,",
                    r"\times ",
                    r"\neq ",
                    r"\cdot ",
                    "\0\0",
                    "...",
                    "&quot;",
                ]);
                bytes.splice(at..at, insert.bytes());
            }
        }
    }
    bytes.retain(|&byte| byte != b'\n');
    bytes
}

/// One of a family of lines: unchanged, with strings or numbers of another in place of its own, or spoiled.
pub fn related(family: &[String], choices: &mut Choices) -> Vec<u8> {
    let mut line = family[choices.below(family.len())].clone();
    for _ in 0..choices.below(4) {
        let other = &family[choices.below(family.len())];
        let (own, others) = (scalars(&line), scalars(other));
        let at = choices.below(own.len());
        // After the same word, often: that is the value of the same key.
        let before =
            |line: &str, all: &[Span], at: usize| Some(line[all.get(at.checked_sub(1)?)?.clone()].to_owned());
        let wanted = if choices.chance(4) { None } else { before(&line, &own, at) };
        let fitting: Vec<Span> = (0..others.len())
            .filter(|&location| wanted.is_none() || before(other, &others, location) == wanted)
            .map(|location| others[location].clone())
            .collect();
        if let (Some(at), Some(new)) = (own.get(at), fitting.get(choices.below(fitting.len()))) {
            line.replace_range(at.clone(), &other[new.clone()]);
        }
    }
    if choices.chance(4) { mutated(&line, choices) } else { line.into_bytes() }
}

pub type Span = std::ops::Range<usize>;

/// The spans of the strings (keys too) and the other words of a line of JSON.
pub fn scalars(line: &str) -> Vec<Span> {
    let bytes = line.as_bytes();
    let (mut all, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        at += 1;
        if bytes[start] == b'"' {
            while at < bytes.len() && bytes[at] != b'"' {
                at += 1 + usize::from(bytes[at] == b'\\');
            }
            at = (at + 1).min(bytes.len());
        } else if bytes[start].is_ascii_alphanumeric() || bytes[start] == b'-' {
            while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || b".+-".contains(&bytes[at])) {
                at += 1;
            }
        } else {
            continue;
        }
        all.push(start..at);
    }
    all
}

/// Appends this number of lines to `data`: valid records mostly, some spoiled, blank or over several lines.
pub fn spoiled_lines(schema: &Schema, count: usize, choices: &mut Choices, data: &mut Vec<u8>) {
    for _ in 0..count {
        let valid = valid(schema, choices);
        match choices.below(8) {
            0 => data.extend_from_slice(&mutated(&valid, choices)),
            1 => {}
            2 => data.extend_from_slice(valid.replace(',', ",\n").as_bytes()),
            _ => data.extend_from_slice(valid.as_bytes()),
        }
        data.extend_from_slice(if choices.chance(4) { b"\r\n" } else { b"\n" });
    }
}
