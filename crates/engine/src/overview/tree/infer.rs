//! The JSON Schema (2020-12) that fits the counted values: it accepts every record that was counted.
//!
//! It depends on the records and not on their order. Nothing is guessed: where values were not counted by themselves, it accepts
//! any, and says so in a `$comment`.

use std::cmp::Reverse;

use evalcheck_core::order::Order;
use evalcheck_report::overview::{JsonType, Number};

use super::kinds::TextKind;
use super::{Node, NodeId, OTHERS, ROOT, Tree};
use crate::diagnose::json_string;
use crate::overview::steps::Steps;

/// The most different strings that are listed.
const MOST_CHOICES: usize = 10;

/// Strings are listed if there are at least this many in all.
const LEAST_FOR_CHOICES: u64 = 20;

/// Strings are listed if each occurs this many times on average.
const LEAST_OF_EACH: usize = 5;

/// The fewest keys of an object whose keys are data.
const LEAST_OF_MAP: usize = 20;

/// More keys than people write by hand.
const MANY_KEYS: usize = 100;

/// The deepest objects and lists that are described. Readers of JSON accept 128 levels, and a schema has two for each.
const MOST_LEVELS: usize = 50;

/// The formats of JSON Schema that are recognised.
const FORMATS: [(TextKind, &str); 4] = [
    (TextKind::Date, "date"),
    (TextKind::DateTime, "date-time"),
    (TextKind::Uuid, "uuid"),
    (TextKind::Uri, "uri"),
];

/// The title and the comment of a schema as a whole.
#[derive(Debug, Clone, Copy)]
pub(in crate::overview) struct Heading<'a> {
    pub(in crate::overview) title: &'a str,
    pub(in crate::overview) comment: &'a str,
}

impl Tree {
    /// The schema of a record, as text; `None` if no record was counted. The cells of rows are typed: see [`cell_types`].
    pub(in crate::overview) fn to_schema(&self, heading: Heading<'_>, are_rows: bool) -> Option<String> {
        let mut writer = Writer { nodes: &self.nodes, are_rows, out: String::new(), levels: 0, indent: 0 };
        writer.schema(&[ROOT], Some(heading));
        writer.out.push('\n');
        (self.counted() > 0).then_some(writer.out)
    }

    /// The number of records whose values were counted.
    pub(in crate::overview) fn counted(&self) -> u64 {
        self.nodes[ROOT as usize].records
    }
}

/// A key of objects, with the nodes of its values.
struct Key<'a> {
    name: &'a [u8],
    nodes: Vec<NodeId>,
    /// The number of objects that have it.
    objects: u64,
}

/// The keys of objects.
struct Keys<'a> {
    /// Those that are described by themselves: those of the most objects first.
    listed: Vec<Key<'a>>,
    /// The nodes of all other keys, which are data.
    data: Vec<NodeId>,
    /// Whether there may be further ones.
    are_open: bool,
}

/// Writes a schema.
struct Writer<'a> {
    nodes: &'a [Node],
    are_rows: bool,
    out: String,
    /// The number of objects and lists around the current value.
    levels: usize,
    /// The number of brackets around the current member.
    indent: usize,
}

impl<'a> Writer<'a> {
    /// Writes the schema of the values at some nodes.
    #[cold]
    fn schema(&mut self, ids: &[NodeId], heading: Option<Heading<'_>>) {
        let mut all = Node::default();
        for id in ids {
            all.merge(&self.nodes[*id as usize], 0);
        }
        let is_cell = self.are_rows && self.levels == 1;
        let is_list = is_cell && all.types.string < all.types.total();
        if is_list {
            // To other readers, cells of a column of lists are strings.
            all = Node::default();
        }
        let types = if is_cell { cell_types(&all) } else { types(&all) };
        let has_strings = types.contains(&"string");
        let choices = if has_strings { choices(&all) } else { None };
        let are_texts = has_strings && all.types.string > 0 && choices.is_none();
        let keys = self.keys(ids, &all);
        let items = self.items(ids, &all);

        self.begin();
        let mut notes = String::new();
        if let Some(Heading { title, comment }) = heading {
            self.text("$schema", "https://json-schema.org/draft/2020-12/schema");
            self.text("title", title);
            notes.push_str(comment);
        }
        if is_list {
            note(&mut notes, "a list in a cell");
        }
        let lengths = all.texts.as_ref().filter(|_| are_texts).map(|texts| &texts.characters);
        range("characters", lengths, &mut notes);
        range("numbers", all.numbers.as_deref(), &mut notes);
        range("elements", all.elements.as_deref(), &mut notes);
        if let Some(why) = self.why_open(&all, keys.as_ref(), items.as_ref()) {
            note(&mut notes, why);
        }
        if !notes.is_empty() {
            self.text("$comment", &notes);
        }
        self.key("type");
        match &*types {
            [only] => self.out.push_str(&json_string(only)),
            several => self.list(&several.iter().map(|of| json_string(of)).collect::<Vec<_>>()),
        }
        if let Some(choices) = choices {
            self.key("enum");
            self.list(&choices);
        }
        let format = FORMATS.iter().find(|(kind, _)| all.excluded.are_all(*kind));
        if let Some((_, format)) = format.filter(|_| are_texts && all.empty == 0) {
            self.text("format", format);
        }
        self.levels += 1;
        if let Some(keys) = keys {
            self.object(keys, all.types.object);
        }
        if let Some(items) = items.filter(|items| items.iter().any(|id| self.has_values(*id))) {
            self.key("items");
            self.schema(&items, None);
        }
        self.levels -= 1;
        self.end();
    }

    /// The reason why a schema allows anything below, if it does.
    fn why_open(
        &self,
        all: &Node,
        keys: Option<&Keys<'_>>,
        items: Option<&Vec<NodeId>>,
    ) -> Option<&'static str> {
        let (objects, arrays) = (all.types.object > 0, all.types.array > 0);
        if self.levels == MOST_LEVELS && (objects || arrays) {
            Some("what is deeper is not described")
        } else if keys.is_some_and(|keys| keys.are_open) || arrays && items.is_none() {
            Some("open, because evalcheck counts 500 paths of at most 1,000 bytes")
        } else if keys.is_some_and(|keys| keys.listed.is_empty() && keys.data.is_empty()) {
            Some("open, because all objects are empty")
        } else {
            None
        }
    }

    fn has_values(&self, id: NodeId) -> bool {
        self.nodes[id as usize].types.total() > 0
    }

    /// Writes the keys of objects; `objects` is the number of objects.
    #[cold]
    fn object(&mut self, Keys { listed, data, are_open }: Keys<'_>, objects: u64) {
        let name = |key: &Key<'_>| String::from_utf8_lossy(key.name).into_owned();
        let required = listed.iter().filter(|key| key.objects >= objects);
        let required: Vec<String> = required.map(|key| json_string(&name(key))).collect();
        if !required.is_empty() {
            self.key("required");
            self.list(&required);
        }
        if !listed.is_empty() {
            self.key("properties");
            self.begin();
            for key in &listed {
                self.key(&name(key));
                self.schema(&key.nodes, None);
            }
            self.end();
        }
        if are_open || listed.is_empty() && data.is_empty() {
            return;
        }
        self.key("additionalProperties");
        if data.is_empty() {
            self.out.push_str("false");
        } else {
            self.schema(&data, None);
        }
    }

    /// The keys of the objects at some nodes, which are together `all`. `None` without objects, and if they are too deep.
    #[cold]
    fn keys(&self, ids: &[NodeId], all: &Node) -> Option<Keys<'a>> {
        let objects = all.types.object;
        if objects == 0 || self.levels == MOST_LEVELS {
            return None;
        }
        let nodes = self.nodes;
        let mut keys = Keys { listed: Vec::new(), data: Vec::new(), are_open: all.has_others };
        let mut children: Vec<(&[u8], NodeId)> = Vec::new();
        for id in ids {
            children.extend(nodes[*id as usize].children.iter().map(|(key, id)| (&**key, *id)));
        }
        children.order();
        for (name, id) in children {
            // What is not Unicode is U+FFFD to others, and several keys may be the same one then.
            if id == OTHERS || !is_exact(name) {
                keys.are_open = true;
                continue;
            }
            if keys.listed.last().is_none_or(|last| last.name != name) {
                keys.listed.push(Key { name, nodes: Vec::new(), objects: 0 });
            }
            if let Some(key) = keys.listed.last_mut() {
                key.nodes.push(id);
                let node = &nodes[id as usize];
                key.objects += node.types.total() - node.repeats;
            }
        }
        if keys.are_open && ids.len() > 1 {
            // A key that one of these objects has may be among those of another that are not counted by themselves.
            keys.listed.clear();
        }
        let (mut rare, mut optional, number) = (0, 0, keys.listed.len());
        for key in &keys.listed {
            rare += usize::from(key.objects * 10 < objects);
            optional += usize::from(key.objects < objects);
        }
        if number >= LEAST_OF_MAP && rare * 2 > number || number > MANY_KEYS && optional * 2 > number {
            for key in keys.listed.iter_mut().filter(|key| key.objects < objects) {
                keys.data.append(&mut key.nodes);
            }
            keys.listed.retain(|key| key.objects >= objects);
        }
        keys.listed.order_by_key(|key| Reverse(key.objects));
        Some(keys)
    }

    /// The nodes of the elements of lists. `None` without lists, if they are too deep, and if some elements are not counted by
    /// themselves.
    fn items(&self, ids: &[NodeId], all: &Node) -> Option<Vec<NodeId>> {
        if all.types.array == 0 || self.levels == MOST_LEVELS {
            return None;
        }
        let lists = ids.iter().map(|id| &self.nodes[*id as usize]).filter(|node| node.types.array > 0);
        lists.map(|node| node.any.filter(|id| *id != OTHERS)).collect()
    }

    /// Begins an object.
    fn begin(&mut self) {
        self.out.push('{');
        self.indent += 1;
    }

    /// Ends an object.
    fn end(&mut self) {
        self.indent -= 1;
        self.line();
        self.out.push('}');
    }

    /// Writes the key of a member, whose value follows.
    #[cold]
    fn key(&mut self, key: &str) {
        if !self.out.ends_with('{') {
            self.out.push(',');
        }
        self.line();
        self.out.push_str(&json_string(key));
        self.out.push_str(": ");
    }

    /// Writes a member that is a text.
    #[cold]
    fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        self.out.push_str(&json_string(text));
    }

    /// Writes values as a list.
    #[cold]
    fn list(&mut self, values: &[String]) {
        self.out.push('[');
        self.out.push_str(&values.join(", "));
        self.out.push(']');
    }

    #[cold]
    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }
}

/// Whether a text is known as it is written: of what is not Unicode, U+FFFD is left.
fn is_exact(text: &[u8]) -> bool {
    str::from_utf8(text).is_ok_and(|text| !text.contains(char::REPLACEMENT_CHARACTER))
}

/// Adds to a comment.
#[cold]
fn note(notes: &mut String, note: &str) {
    if !notes.is_empty() {
        notes.push_str("; ");
    }
    notes.push_str(note);
}

/// The types of values, sorted.
fn types(all: &Node) -> Vec<&'static str> {
    let of = |of: JsonType| all.types.of(of) > 0;
    let types = [
        (of(JsonType::Array), "array"),
        (of(JsonType::Boolean), "boolean"),
        (of(JsonType::Number) && !all.has_fractions, "integer"),
        (of(JsonType::Null), "null"),
        (of(JsonType::Number) && all.has_fractions, "number"),
        (of(JsonType::Object), "object"),
        (of(JsonType::String), "string"),
    ];
    types.into_iter().filter_map(|(is, name)| is.then_some(name)).collect()
}

/// The types of cells, sorted: numbers if all cells that are not empty are numbers, where an empty one is null; otherwise strings.
fn cell_types(all: &Node) -> Vec<&'static str> {
    let is_filled = all.types.string > all.empty;
    let types: &[&str] = match all.empty {
        0 if is_filled && all.excluded.are_all(TextKind::Integer) => &["integer"],
        0 if is_filled && all.excluded.are_all(TextKind::Number) => &["number"],
        _ if is_filled && all.excluded.are_all(TextKind::Integer) => &["integer", "null"],
        _ if is_filled && all.excluded.are_all(TextKind::Number) => &["null", "number"],
        _ => &["string"],
    };
    types.to_vec()
}

/// The strings, sorted, if they are few and each is known in full; null is one of the choices.
fn choices(all: &Node) -> Option<Vec<String>> {
    let (types, values) = (&all.types, &all.values);
    let number = values.len();
    let are_few = (1..=MOST_CHOICES).contains(&number)
        && types.string >= LEAST_FOR_CHOICES
        && types.string >= (number * LEAST_OF_EACH) as u64;
    if !are_few || types.string + types.null != types.total() || values.others() > 0 {
        return None;
    }
    let mut choices: Vec<String> = values.kept().map(|(value, _)| value).collect();
    if !choices.iter().all(|choice| is_exact(choice.as_bytes())) {
        return None;
    }
    choices.order();
    for choice in &mut choices {
        *choice = json_string(choice);
    }
    if types.null > 0 {
        choices.push("null".to_owned());
    }
    Some(choices)
}

/// Notes the bounds of numbers, and the median, or whole numbers that it is between.
#[cold]
fn range(noun: &str, numbers: Option<&Steps>, notes: &mut String) {
    let Some(numbers) = numbers.and_then(Steps::to_wire) else { return };
    let mut range = format!("{noun}: ");
    push_number(&mut range, "", numbers.min);
    if numbers.min != numbers.max {
        push_number(&mut range, " to ", numbers.max);
        let (from, to) = (numbers.quartiles[1], numbers.quartiles_to[1]);
        if from == to || from.get().fract() == 0.0 && to.get().fract() == 0.0 {
            push_number(&mut range, ", median ", from);
            if from != to {
                push_number(&mut range, " to ", to);
            }
        }
    }
    note(notes, &range);
}

#[cold]
fn push_number(text: &mut String, before: &str, number: Number) {
    text.push_str(before);
    text.push_str(&serde_json::to_string(&number).unwrap_or_default());
}
