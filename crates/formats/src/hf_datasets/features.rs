//! The types of the columns that the loader takes from the first chunk, and the records as it holds them.

use std::rc::Rc;

use evalcheck_diagnose::{Kind, Value};

use super::texts;
use super::tree::{NodeId, ROOT, Tree};
use super::values::{Node, Sign, Values};
use crate::checks::{Captures, Fate, RecordChecks};
use crate::loaded::{Held, HeldMember, JsonReader, Loading};

/// The type of the values at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    /// No value but null was seen, or the path is not part of the columns.
    Null,
    Boolean,
    Integer,
    Float,
    Text,
    Timestamp,
    List,
    Struct,
    /// Values of several types, each written as JSON.
    Json,
}

/// How a version reads a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    /// Whether values of several types, and objects with different keys, become JSON. Otherwise objects are merged.
    pub(super) has_json: bool,
    /// Whether pandas reads the file, which makes times of dates only in columns with some names.
    pub(super) is_of_pandas: bool,
    /// Whether the file is one array, whose elements are written again as lines.
    pub(super) is_rewritten: bool,
}

/// The types of the columns.
#[derive(Debug)]
pub(super) struct Features {
    pub(super) tree: Tree,
    of: Vec<Feature>,
    /// Whether the records are written again, which cuts digits: a column is JSON, or the file is an array.
    pub(super) is_rewritten: bool,
    is_of_pandas: bool,
}

impl Features {
    pub(super) fn new(tree: Tree, how: Reading) -> Self {
        let mut features = Self {
            of: vec![Feature::Null; tree.nodes.len()],
            is_rewritten: how.is_rewritten,
            is_of_pandas: how.is_of_pandas,
            tree,
        };
        let mut next = vec![ROOT];
        while let Some(id) = next.pop() {
            let node = &features.tree.nodes[id];
            let is_column = features.tree.nodes[ROOT].children.values().any(|child| *child == id);
            let has_dates =
                !how.is_of_pandas || is_column && node.key.as_deref().is_some_and(is_name_of_dates);
            let feature = feature(node, how, has_dates, id == ROOT);
            if feature != Feature::Json {
                next.extend(node.children.values().chain(&node.element));
            }
            features.is_rewritten |= feature == Feature::Json;
            features.of[id] = feature;
        }
        features
    }

    pub(super) fn of(&self, id: NodeId) -> Feature {
        self.of.get(id).copied().unwrap_or(Feature::Null)
    }

    /// The type of a column.
    pub(super) fn of_column(&self, key: &str) -> Option<Feature> {
        self.tree.nodes[ROOT].children.get(key).map(|id| self.of(*id))
    }

    /// Whether ujson reads all numbers.
    pub(super) const fn is_read_by_ujson(&self) -> bool {
        self.is_rewritten || self.is_of_pandas
    }

    /// Calls `visit` for each path of the columns, such as `messages.*.content`, with whether it is a column itself.
    pub(super) fn each<'f>(&'f self, visit: &mut dyn FnMut(&str, &'f Node, Feature, bool)) {
        self.each_below(ROOT, "", visit);
    }

    fn each_below<'f>(
        &'f self,
        id: NodeId,
        path: &str,
        visit: &mut dyn FnMut(&str, &'f Node, Feature, bool),
    ) {
        let node = &self.tree.nodes[id];
        let children = node.children.iter().map(|(key, child)| (&**key, *child));
        for (step, child) in children.chain(node.element.map(|child| ("*", child))) {
            let path = if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") };
            let feature = self.of(child);
            visit(&path, &self.tree.nodes[child], feature, id == ROOT);
            if matches!(feature, Feature::List | Feature::Struct) {
                self.each_below(child, &path, visit);
            }
        }
    }

    fn hold(&self, value: &Value<'_>, id: NodeId, bytes: &[u8]) -> Held {
        match (&value.kind, self.of(id)) {
            (Kind::String(text), Feature::Json) => match texts::parsed(text) {
                Some(json) => Held::read_text(&json, JsonReader::Python).changed(
                    "The column holds values of several types as JSON, so a text that is JSON by itself is parsed.",
                ),
                None => Held::string(text),
            },
            (Kind::String(text), Feature::Timestamp) => match texts::timestamp(text) {
                Some(time) => {
                    let has_zone = self.is_of_pandas && texts::has_zone(text);
                    let time = if has_zone { format!("{time}+00:00") } else { time };
                    Held::string(&time).changed("All texts of the column are dates, so they become times.")
                }
                None => Held::string(text),
            },
            (Kind::Object(members), Feature::Struct) => {
                let node = &self.tree.nodes[id];
                let held = |(key, child)| {
                    let (key, child): (&str, NodeId) = (key, child);
                    let member = members.iter().rev().find(|member| member.key == key);
                    let held = match member {
                        Some(member) => self.hold(&member.value, child, bytes),
                        None => Held::json("null").added("Other records have this key."),
                    };
                    HeldMember::new(key, held)
                };
                Held::object(node.children.iter().map(|(key, child)| held((key, *child))).collect())
            }
            (Kind::Array(elements), Feature::List) => {
                let element = self.tree.nodes[id].element.unwrap_or(ROOT);
                Held::array(elements.iter().map(|value| self.hold(value, element, bytes)).collect())
            }
            (_, feature) => self.plain(value, feature == Feature::Float, bytes),
        }
    }

    /// A value that is held as it is, apart from its numbers.
    fn plain(&self, value: &Value<'_>, is_float: bool, bytes: &[u8]) -> Held {
        match &value.kind {
            Kind::Number(number, written) => {
                let cut = Some(*number).filter(|_| self.is_rewritten && written.contains(['.', 'e', 'E']));
                match cut.and_then(texts::cut) {
                    Some(cut) => Held::json(format!("{cut:?}"))
                        .changed("The records are written again with ten digits."),
                    None if is_float => Held::json(format!("{number:?}")),
                    None => Held::read(value, bytes, JsonReader::Python),
                }
            }
            Kind::Array(elements) => {
                Held::array(elements.iter().map(|value| self.plain(value, false, bytes)).collect())
            }
            Kind::Object(members) => {
                let members = members.iter().filter(|member| !member.shadowed);
                let held = |value| self.plain(value, false, bytes);
                Held::object(
                    members.map(|member| HeldMember::new(&member.key, held(&member.value))).collect(),
                )
            }
            _ => Held::read(value, bytes, JsonReader::Python),
        }
    }
}

/// Whether pandas looks for times in a column of this name.
fn is_name_of_dates(name: &str) -> bool {
    let name = name.to_lowercase();
    name.ends_with("_at")
        || name.ends_with("_time")
        || name.starts_with("timestamp")
        || name == "modified"
        || name == "date"
}

/// The type of the values of a path in the first chunk.
fn feature(node: &Node, how: Reading, has_dates: bool, is_record: bool) -> Feature {
    let values = &node.early;
    let groups = values.groups();
    let has_other_keys = values.has(&[Sign::OtherKeys]);
    match groups.as_slice() {
        [] => Feature::Null,
        [_, _, ..] => Feature::Json,
        _ if values.has(&[Sign::Object]) => {
            if has_other_keys && how.has_json && !is_record {
                Feature::Json
            } else {
                Feature::Struct
            }
        }
        _ if values.has(&[Sign::List]) => Feature::List,
        _ if values.has(&[Sign::Boolean]) => Feature::Boolean,
        _ if values.has(&[Sign::Float, Sign::WholeFloat, Sign::BigInteger, Sign::HugeInteger]) => {
            Feature::Float
        }
        _ if values.has(&[Sign::Integer, Sign::WideInteger]) => Feature::Integer,
        _ if has_dates && !values.has(&[Sign::Text]) && (!how.is_of_pandas || has_one_zone(values)) => {
            Feature::Timestamp
        }
        _ => Feature::Text,
    }
}

/// Whether all dates are in UTC, or all without a zone. pandas keeps texts with several offsets, and times with one.
fn has_one_zone(values: &Values) -> bool {
    let [all, utc, offset] = [Sign::Date, Sign::Utc, Sign::Offset].map(|sign| values.of(sign).number);
    offset == 0 && (utc == 0 || utc == all)
}

/// The checks of records whose columns are known.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) features: Rc<Features>,
    /// Whether the values of a column are refused, and with them the dataset.
    pub(super) are_refused: bool,
}

impl RecordChecks for Known {
    fn is_clean(&self, _: &Captures<'_>) -> bool {
        true
    }

    fn held(&self, loading: &Loading<'_>) -> Option<Held> {
        Some(self.features.hold(loading.root, ROOT, loading.bytes))
    }

    fn fate(&self, _: &Value<'_>) -> Option<Fate> {
        self.are_refused.then_some(Fate::Refused)
    }
}
