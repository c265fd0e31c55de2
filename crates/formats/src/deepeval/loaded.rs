//! Goldens as `DeepEval` loads them.

use std::borrow::Cow;

use super::LIST_TEXT;
use super::cells::{counts_as_missing, first, is_dropped};
use super::columns::{self, COLUMN_LIST};
use super::numbers::{self, Wanted};
use super::rules::{
    CONDITIONS, CONVERSATION, Names, OF_PERSONA, OF_TOOLS, OF_TURNS, SINGLE, is_conversation,
};
use super::schemas::{EXPECTATIONS, PERSONA, RETRIEVED_ITEM, TOOL, TURN};
use super::texts::{as_json, in_python};
use crate::Layout;
use crate::diagnose::{Kind, Value, parse};
use crate::loaded::{Held, HeldMember, JsonReader, Loader, Loading, SHADOWED, UNDECLARED};
use crate::pandas::{self, Type};
use crate::python::{is_truthy, strip};
use evalcheck_json::schema::Schema;

pub(super) const LOADER: Loader = Loader {
    source: "This is what DeepEval's loader of goldens makes of the record. Tests compare it with what release 4.3.1 holds, with pandas 3.1.1 for a CSV.",
    is_known: true,
    needs_all: |variant| matches!(variant.layout, Layout::Csv(_)),
    held,
    ..Loader::UNKNOWN
};

const OF_OTHER_KIND: &str = "Goldens of this kind do not have it.";
const CUT: &str = "The loader cuts the text at each |.";
const MARKED: &str = "The loader reads the marker of its own export.";
const PARSED: &str = "The loader reads the JSON in the text.";
const NUMBER: &str = "The loader converts it to the type of the field.";
const NO_LIST: &str = "The loader takes this in place of a value that is empty.";
const STRIPPED: &str = "The loader removes the white space around it.";
const REPLACED: &str = "The characteristics of the persona replace it.";
const DESCRIBED: &str = "The loader fills it in from user_description.";
const FILLED: &str = "The loader fills it in.";
const OTHER_NAME: &str = "It is another name of the same, and the other one counts.";
const RENAMED: &str = "It has another name in the file.";
const NO_OBJECT: &str = "It is not an object.";
const MISSING: &str = "pandas takes the word for a missing value.";
const EMPTY_CELL: &str = "The loader makes an empty list of an empty cell.";

const OF_EXPECTATIONS: &Names = &[("must_not", &["must_not", "mustNot"])];
/// A value of a record, and the text that it is in.
#[derive(Clone, Copy)]
struct Written<'a> {
    value: &'a Value<'a>,
    bytes: &'a [u8],
}

impl Written<'_> {
    fn elements(self) -> impl Iterator<Item = Self> {
        self.value.as_array().unwrap_or_default().iter().map(move |value| Self { value, ..self })
    }

    fn get(self, key: &str) -> Option<Self> {
        Some(Self { value: self.value.get(key)?, ..self })
    }

    fn read(self) -> Held {
        Held::read(self.value, self.bytes, JsonReader::Python)
    }

    fn declared(self, schema: &Schema) -> Held {
        Held::read_declared(self.value, self.bytes, JsonReader::Python, schema)
    }
}

/// The value as it is.
fn read(written: Written<'_>) -> Held {
    written.read()
}

/// The value that is made of JSON in a text.
fn in_json(text: &str, make: fn(Written<'_>) -> Held) -> Held {
    match parse(text.as_bytes()) {
        Ok(parsed) => make(Written { value: &parsed.value, bytes: text.as_bytes() }),
        Err(_) => Held::string(text),
    }
}

fn held(loading: &Loading<'_>) -> Held {
    let Kind::Object(members) = &loading.root.kind else { return Held::object(Vec::new()) };
    let is_jsonl = matches!(loading.variant.layout, Layout::Jsonl);
    let is_conversation = is_conversation(loading.root);
    let root = Written { value: loading.root, bytes: loading.bytes };
    let fields = loading.variant.schema.object.as_ref().and_then(|object| loading.root.fields_of(object));
    let mut made = Vec::new();
    for member in members {
        let key = &*member.key;
        let value = Written { value: &member.value, ..root };
        let why = if member.shadowed {
            Some(SHADOWED)
        } else if fields.is_none_or(|fields| fields.position(key.as_bytes()).is_none()) {
            Some(UNDECLARED)
        } else if if is_conversation {
            SINGLE.contains(&key)
        } else {
            CONVERSATION.contains(&key) || key == "scenario"
        } {
            Some(OF_OTHER_KIND)
        } else {
            None
        };
        let held = match why {
            Some(why) => value.read().removed(why),
            None => field(key, value, is_jsonl),
        };
        made.push(HeldMember::new(key, held));
    }
    if is_conversation {
        fill_conversation(root, &mut made);
    }
    Held::object(made)
}

/// Adds what the loader fills in.
fn fill_conversation(root: Written<'_>, made: &mut Vec<HeldMember>) {
    if root.get("turns").is_none() {
        made.push(HeldMember::new("turns", Held::array(Vec::new()).added(FILLED)));
    }
    let persona = root.get("persona").filter(|persona| matches!(persona.value.kind, Kind::Object(_)));
    let description = root.get("user_description").filter(|text| text.value.kind != Kind::Null);
    let characteristics = persona.and_then(|persona| persona.get("characteristics"));
    if let Some(characteristics) = characteristics {
        made.retain(|member| member.key != "user_description");
        let held = characteristics.read();
        let is_same = description.is_some_and(|text| text.value.is_same(characteristics.value));
        let held = match description {
            Some(_) if is_same => held,
            Some(_) => held.changed(REPLACED),
            None => held.added(FILLED),
        };
        made.push(HeldMember::new("user_description", held));
    } else if let Some(description) = description {
        made.push(described(description.read()));
    }
}

/// The persona that a description becomes.
fn described(description: Held) -> HeldMember {
    let persona = Held::object(vec![HeldMember::new("characteristics", description)]);
    HeldMember::new("persona", persona.added(DESCRIBED))
}

/// A value that the loader reads.
fn field(key: &str, written: Written<'_>, is_jsonl: bool) -> Held {
    let value = written.value;
    match (key, &value.kind) {
        ("turns", _) if !is_truthy(value) => Held::array(Vec::new()).changed(NO_LIST),
        (_, Kind::Null) => written.read(),
        ("context", Kind::String(text)) => cut(text, Held::string),
        ("retrieval_context", Kind::String(text)) => cut(text, retrieved_text),
        ("retrieval_context", _) => retrieved(written),
        ("tools_called" | "expected_tools", _) if is_jsonl && !is_truthy(value) => {
            in_json("null", read).changed(NO_LIST)
        }
        ("tools_called" | "expected_tools", Kind::String(text)) => {
            in_json(&in_python(text, true), tools).changed(PARSED)
        }
        ("tools_called" | "expected_tools", _) => tools(written),
        ("turns", Kind::String(text)) => in_json(&in_python(text, false), turns).changed(PARSED),
        ("turns", _) => turns(written),
        ("token_cost" | "input_token_count" | "output_token_count", _) => {
            number(written, if key == "token_cost" { Wanted::Number } else { Wanted::Whole })
        }
        ("expectations", _) => expectations(written),
        ("persona", Kind::Object(_)) => persona(written),
        ("persona", _) => written.read().removed(NO_OBJECT),
        _ => written.read(),
    }
}

fn cut(text: &str, item: fn(&str) -> Held) -> Held {
    let items = if text.is_empty() { Vec::new() } else { LIST_TEXT.items(text).unwrap_or_default() };
    Held::array(items.iter().map(|text| item(text)).collect()).changed(CUT)
}

/// A list of retrieved texts.
fn retrieved(written: Written<'_>) -> Held {
    let item = |item: Written<'_>| match item.value.as_str() {
        Some(text) if marked(text).is_some() => retrieved_text(text),
        _ => item.declared(&RETRIEVED_ITEM),
    };
    Held::array(written.elements().map(item).collect())
}

/// A retrieved text, which may be marked with its source.
fn retrieved_text(text: &str) -> Held {
    let Some((source, context)) = marked(text) else { return Held::string(text) };
    let members = [("context", context), ("source", source)];
    let members = members.map(|(key, text)| HeldMember::new(key, Held::string(text)));
    Held::object(members.into()).changed(MARKED)
}

/// The source and the text that `save_as` writes as one text.
fn marked(text: &str) -> Option<(&str, &str)> {
    let (source, context) = text.strip_prefix("deepeval_source=")?.split_once(",deepeval_context=")?;
    // The end of a line of Python's regular expressions is also before a last line feed.
    let context = context.strip_suffix('\n').unwrap_or(context);
    (!source.contains('\n') && !context.contains('\n')).then_some((source, context))
}

fn tools(written: Written<'_>) -> Held {
    let tool = |tool: Written<'_>| {
        let mut held = tool.declared(&TOOL);
        name(&mut held, OF_TOOLS);
        held
    };
    Held::array(written.elements().map(tool).collect())
}

fn turns(written: Written<'_>) -> Held {
    Held::array(written.elements().map(turn).collect())
}

fn turn(turn: Written<'_>) -> Held {
    let mut held = turn.declared(&TURN);
    let mut put = |key: &str, make: fn(Written<'_>) -> Held| {
        let list = turn.get(key).filter(|list| list.value.as_array().is_some());
        if let (Some(member), Some(list)) = (held.get_mut(key), list) {
            *member = make(list);
        }
    };
    put("retrieval_context", retrieved);
    put("tools_called", tools);
    put("toolsCalled", tools);
    for (key, wanted) in
        [("latency_ms", Wanted::Number), ("latencyMs", Wanted::Number), ("interrupted", Wanted::Flag)]
    {
        if let (Some(member), Some(value)) = (held.get_mut(key), turn.get(key)) {
            *member = number(value, wanted);
        }
    }
    name(&mut held, OF_TURNS);
    held
}

fn expectations(written: Written<'_>) -> Held {
    let mut held = written.declared(&EXPECTATIONS);
    for key in CONDITIONS {
        let Some(list) = written.get(key) else { continue };
        let condition = |condition: Written<'_>| match condition.value.as_str() {
            Some(text) if strip(text) != text => Held::string(strip(text)).changed(STRIPPED),
            _ => condition.read(),
        };
        if let Some(member) = held.get_mut(key) {
            *member = Held::array(list.elements().map(condition).collect());
        }
    }
    name(&mut held, OF_EXPECTATIONS);
    held
}

/// Gives members the names that the loader holds them under, and removes those that do not count.
fn name(held: &mut Held, names: &Names) {
    for (held_as, order) in names {
        let Some(members) = held.members_mut() else { return };
        let mut present = order.iter().filter(|name| members.iter().any(|member| member.key == **name));
        let Some(counting) = present.next().copied() else { continue };
        for member in members.iter_mut() {
            if member.key == counting && counting != *held_as {
                let value = std::mem::replace(&mut member.value, Held::array(Vec::new()));
                *member = HeldMember::new(held_as, value.also_changed(RENAMED));
            } else if member.key != counting && order.contains(&&*member.key) {
                member.value.remove(OTHER_NAME);
            }
        }
    }
}

/// A number or a boolean, which may be of another type in the file.
fn number(written: Written<'_>, wanted: Wanted) -> Held {
    let made = match &written.value.kind {
        Kind::Number(number, text) if wanted == Wanted::Whole && text.contains(['.', 'e', 'E']) => {
            Some(format!("{number:.0}"))
        }
        _ => numbers::read(written.value, wanted).ok().flatten(),
    };
    made.map_or_else(|| written.read(), |made| in_json(&made, read).changed(NUMBER))
}

fn persona(persona: Written<'_>) -> Held {
    let mut held = persona.declared(&PERSONA);
    for (keys, wanted) in OF_PERSONA {
        let value = keys.iter().try_fold(persona, |value, key| value.get(key));
        let member = keys.iter().try_fold(&mut held, |held, key| held.get_mut(key));
        if let (Some(value), Some(member)) = (value, member) {
            *member = number(value, *wanted);
        }
    }
    held
}

/// A row of a CSV whose columns have `types`.
pub(super) fn row(loading: &Loading<'_>, types: &[Type]) -> Held {
    let Kind::Object(members) = &loading.root.kind else { return Held::object(Vec::new()) };
    let type_of = |number: u8| types.get(usize::from(number)).copied().unwrap_or(Type::Text);
    let scenario = first(members, "scenario").and_then(|member| member.value.as_str()).unwrap_or_default();
    let is_conversation = !pandas::is_missing(scenario);
    let mut made = Vec::new();
    for member in members {
        let text = member.value.as_str().unwrap_or_default();
        let column = (0_u8..).zip(COLUMN_LIST).find(|(_, column)| column.name == member.key);
        let is_first = || first(members, &member.key).is_some_and(|first| std::ptr::eq(first, member));
        let held = match column {
            _ if text.is_empty() && column.is_none_or(|(number, _)| !is_list(number)) => continue,
            None => Held::string(text).removed(UNDECLARED),
            Some(_) if !is_first() => Held::string(text).removed("The first column of this name counts."),
            Some((number, _)) if is_dropped(number, is_conversation) => {
                if text.is_empty() {
                    continue;
                }
                Held::string(text).removed(OF_OTHER_KIND)
            }
            Some((number, _)) if is_absent(number, text, type_of(number)) => {
                if is_list(number) {
                    Held::array(Vec::new()).changed(EMPTY_CELL)
                } else {
                    Held::string(text).removed(MISSING)
                }
            }
            Some((number, _)) => cell(number, text, type_of(number)),
        };
        made.push(HeldMember::new(&member.key, held));
    }
    if is_conversation {
        let turns = first(members, "turns").and_then(|member| member.value.as_str()).unwrap_or_default();
        if is_absent(columns::TURNS, turns, type_of(columns::TURNS)) {
            made.push(HeldMember::new("turns", Held::array(Vec::new()).added(FILLED)));
        }
        let description = first(members, "user_description").and_then(|member| member.value.as_str());
        if let Some(text) = description.filter(|text| !pandas::is_missing(text)) {
            made.push(described(Held::string(text)));
        }
    }
    Held::object(made)
}

/// Whether a cell counts as missing.
fn is_absent(column: u8, text: &str, of: Type) -> bool {
    let is_typed = !matches!(of, Type::Text | Type::Empty);
    pandas::is_missing(text) || is_typed && !is_number(column) && counts_as_missing(column, text)
}

fn is_number(column: u8) -> bool {
    (columns::COST..=columns::OUTPUT_TOKENS).contains(&column)
}

/// Whether an empty cell of a column is an empty list.
fn is_list(column: u8) -> bool {
    (columns::CONTEXT..=columns::WANTED).contains(&column)
}

/// A cell that is not missing.
fn cell(column: u8, text: &str, of: Type) -> Held {
    let parsed = |text: Cow<'_, str>, make: fn(Written<'_>) -> Held| in_json(&text, make).changed(PARSED);
    match column {
        columns::CONTEXT => cut(text, Held::string),
        columns::RETRIEVED => cut(text, retrieved_text),
        columns::CALLED | columns::WANTED => parsed(in_python(text, true), tools),
        columns::TURNS => parsed(in_python(text, false), turns),
        columns::METADATA | columns::CUSTOM => parsed(in_python(&as_json(text), true), read),
        columns::EXPECTATIONS => parsed(in_python(text, true), expectations),
        columns::COST | columns::INPUT_TOKENS | columns::OUTPUT_TOKENS => {
            let is_whole = column != columns::COST;
            let made = match of {
                Type::Text if is_whole => numbers::whole(text),
                Type::Text => numbers::number(text),
                Type::Float if is_whole => {
                    pandas::held(text, of).parse().ok().map(|number: f64| format!("{number:.0}"))
                }
                _ => Some(pandas::held(text, of)),
            };
            made.map_or_else(|| Held::string(text), |made| in_json(&made, read).changed(NUMBER))
        }
        _ => Held::string(text),
    }
}
