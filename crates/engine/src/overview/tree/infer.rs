//! The JSON Schema (2020-12) that fits the counted values: it accepts every record that was counted.
//!
//! It depends on the records and not on their order. Nothing is guessed: where values were not counted by themselves, it accepts
//! any, and says so in a `$comment`.

use std::cmp::Reverse;
use std::fmt::Write as _;

use evalcheck_core::order::Order;
use evalcheck_report::overview::{Histogram, JsonType, Number};

use super::kinds::TextKind;
use super::{Node, NodeId, OTHERS, ROOT, Tree};
use crate::diagnose::json_string;

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

/// A key of an object, with the nodes of its values.
struct Key<'a> {
    name: &'a str,
    nodes: Vec<NodeId>,
    /// The objects that have it.
    objects: u64,
}

/// The keys of objects.
#[derive(Default)]
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
    /// The objects and lists around the current value.
    levels: usize,
    /// The brackets around the current member.
    indent: usize,
}

impl<'a> Writer<'a> {
    /// Writes the schema of the values at some nodes.
    fn schema(&mut self, ids: &[NodeId], heading: Option<Heading<'_>>) {
        let mut all = Node::default();
        for id in ids {
            all.merge(&self.nodes[*id as usize], 0);
        }
        let is_cell = self.are_rows && self.levels == 1;
        // The cells of a column of lists are strings to all others.
        let is_list = is_cell && all.types.string < all.types.total();
        if is_list {
            all = Node::default();
        }
        let types = if is_cell { cell_types(&all) } else { types(&all) };
        let choices = choices(&all).filter(|_| types.contains(&"string"));
        let are_texts = all.types.string > 0 && types.contains(&"string") && choices.is_none();
        let format =
            FORMATS.iter().find(|(kind, _)| are_texts && all.empty == 0 && all.excluded.are_all(*kind));
        let is_deep = self.levels == MOST_LEVELS;
        let (objects, arrays) = (all.types.object > 0, all.types.array > 0);
        let keys = if objects && !is_deep {
            self.keys(ids, &all)
        } else {
            Keys { are_open: true, ..Keys::default() }
        };
        let items = if arrays && !is_deep { self.items(ids) } else { None };

        let mut notes = Vec::new();
        if is_list {
            notes.push("a list in a cell".to_owned());
        }
        if are_texts {
            let lengths = all.texts.as_ref().and_then(|texts| texts.characters.to_wire());
            notes.extend(lengths.map(|lengths| range("characters", &lengths)));
        }
        for (noun, steps) in [("numbers", &all.numbers), ("elements", &all.elements)] {
            let numbers = steps.as_ref().and_then(|steps| steps.to_wire());
            notes.extend(numbers.map(|numbers| range(noun, &numbers)));
        }
        if is_deep && (objects || arrays) {
            notes.push("what is deeper is not described".to_owned());
        } else if objects && keys.are_open || arrays && items.is_none() {
            notes.push("open, because evalcheck counts 500 paths of at most 1,000 bytes".to_owned());
        } else if objects && keys.listed.is_empty() && keys.data.is_empty() {
            notes.push("open, because all objects are empty".to_owned());
        }

        self.begin('{');
        if let Some(Heading { title, comment }) = heading {
            self.member("$schema", &json_string("https://json-schema.org/draft/2020-12/schema"));
            self.member("title", &json_string(title));
            notes.insert(0, comment.to_owned());
        }
        if !notes.is_empty() {
            self.member("$comment", &json_string(&notes.join("; ")));
        }
        let types: Vec<String> = types.into_iter().map(json_string).collect();
        match &*types {
            [only] => self.member("type", only),
            several => self.member("type", &list(several)),
        }
        if let Some(choices) = choices {
            self.member("enum", &list(&choices));
        }
        if let Some((_, format)) = format {
            self.member("format", &json_string(format));
        }
        self.levels += 1;
        if objects {
            self.object(&keys, all.types.object);
        }
        if let Some(items) =
            items.filter(|items| items.iter().any(|id| self.nodes[*id as usize].types.total() > 0))
        {
            self.key("items");
            self.schema(&items, None);
        }
        self.levels -= 1;
        self.end('}');
    }

    /// Writes what is known about the keys of objects.
    fn object(&mut self, keys: &Keys<'_>, objects: u64) {
        let Keys { listed, data, are_open } = keys;
        let required: Vec<String> =
            listed.iter().filter(|key| key.objects >= objects).map(|key| json_string(key.name)).collect();
        if !required.is_empty() {
            self.member("required", &list(&required));
        }
        if !listed.is_empty() {
            self.key("properties");
            self.begin('{');
            for Key { name, nodes, .. } in listed {
                self.key(name);
                self.schema(nodes, None);
            }
            self.end('}');
        }
        if *are_open {
            return;
        }
        if !data.is_empty() {
            self.key("additionalProperties");
            self.schema(data, None);
        } else if !listed.is_empty() {
            self.member("additionalProperties", "false");
        }
    }

    /// The keys of the objects at some nodes.
    fn keys(&self, ids: &[NodeId], all: &Node) -> Keys<'a> {
        let nodes = self.nodes;
        let mut keys = Keys { are_open: all.has_others, ..Keys::default() };
        let children = ids.iter().flat_map(|id| &nodes[*id as usize].children);
        let mut children: Vec<(&'a [u8], NodeId)> = children.map(|(key, id)| (&**key, *id)).collect();
        children.order_by_key(|(key, _)| *key);
        for same in children.chunk_by(|(key, _), (next, _)| key == next) {
            // What is not Unicode is U+FFFD to others, and several keys may be the same one then.
            let name =
                str::from_utf8(same[0].0).ok().filter(|name| !name.contains(char::REPLACEMENT_CHARACTER));
            let nodes: Vec<NodeId> = same.iter().map(|(_, id)| *id).collect();
            let Some(name) = name.filter(|_| !nodes.contains(&OTHERS)) else {
                keys.are_open = true;
                continue;
            };
            let counted = nodes.iter().map(|id| &self.nodes[*id as usize]);
            let objects = counted.map(|node| node.types.total() - node.repeats).sum();
            keys.listed.push(Key { name, nodes, objects });
        }
        let (number, objects) = (keys.listed.len(), all.types.object);
        let most_are =
            |rare: &dyn Fn(&Key<'_>) -> bool| keys.listed.iter().filter(|key| rare(key)).count() * 2 > number;
        if number >= LEAST_OF_MAP && most_are(&|key| key.objects * 10 < objects)
            || number > MANY_KEYS && most_are(&|key| key.objects < objects)
        {
            let (listed, data): (Vec<_>, Vec<_>) =
                std::mem::take(&mut keys.listed).into_iter().partition(|key| key.objects >= objects);
            keys.listed = listed;
            keys.data = data.into_iter().flat_map(|key| key.nodes).collect();
        }
        keys.listed.order_by_key(|key| Reverse(key.objects));
        keys
    }

    /// The nodes of the elements of lists; `None` if some are not counted by themselves.
    fn items(&self, ids: &[NodeId]) -> Option<Vec<NodeId>> {
        let lists = ids.iter().map(|id| &self.nodes[*id as usize]).filter(|node| node.types.array > 0);
        lists.map(|node| node.any.filter(|id| *id != OTHERS)).collect()
    }

    /// Begins an object.
    fn begin(&mut self, bracket: char) {
        self.out.push(bracket);
        self.indent += 1;
    }

    /// Ends an object.
    fn end(&mut self, bracket: char) {
        self.indent -= 1;
        self.line();
        self.out.push(bracket);
    }

    /// Writes the key of a member, whose value follows.
    fn key(&mut self, key: &str) {
        if !self.out.ends_with('{') {
            self.out.push(',');
        }
        self.line();
        self.out.push_str(&json_string(key));
        self.out.push_str(": ");
    }

    /// Writes a member.
    fn member(&mut self, key: &str, json: &str) {
        self.key(key);
        self.out.push_str(json);
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.indent));
    }
}

/// JSON values as a list.
fn list(values: &[String]) -> String {
    format!("[{}]", values.join(", "))
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
    let mut choices: Vec<String> = values.kept().map(|(value, _)| value).collect();
    let is_exact = |text: &String| !text.contains(char::REPLACEMENT_CHARACTER);
    let are_few = (1..=MOST_CHOICES).contains(&choices.len())
        && types.string >= LEAST_FOR_CHOICES
        && types.string >= (choices.len() * LEAST_OF_EACH) as u64;
    let are_all = types.string + types.null == types.total() && values.others() == 0;
    if !are_few || !are_all || !choices.iter().all(is_exact) {
        return None;
    }
    choices.order();
    let null = (types.null > 0).then(|| "null".to_owned());
    Some(choices.iter().map(|choice| json_string(choice)).chain(null).collect())
}

/// The bounds of numbers, and the median, or whole numbers that it is between.
fn range(noun: &str, numbers: &Histogram) -> String {
    let text = |number: &Number| serde_json::to_string(number).unwrap_or_default();
    let mut range = format!("{noun}: {}", text(&numbers.min));
    if numbers.min != numbers.max {
        let (from, to) = (numbers.quartiles[1], numbers.quartiles_to[1]);
        let _ = write!(range, " to {}", text(&numbers.max));
        if from == to {
            let _ = write!(range, ", median {}", text(&from));
        } else if from.get().fract() == 0.0 && to.get().fract() == 0.0 {
            let _ = write!(range, ", median {} to {}", text(&from), text(&to));
        }
    }
    range
}
