//! Bounds the steps that a record takes: alternatives that refer to themselves double them with every level of the record.
//!
//! The validator tries each alternative on the whole value, and so it does here: a walk over the record and the schema together, which counts and compares
//! nothing. Only schemas that can double have one.

use std::collections::BTreeMap;

use evalcheck_wire::user_schema::{Part, SchemaPlace, SchemaRule, Violation};
use serde_json::Value;

use crate::files::Files;

/// The most steps for a record: about a second.
const MOST: u32 = 500_000;

/// The schemas that can be reached from that of a record.
#[derive(Debug)]
pub(crate) struct Steps(Vec<Node>);

/// A schema.
#[derive(Debug, Default)]
struct Node {
    /// The schemas about the same value.
    same: Vec<usize>,
    properties: BTreeMap<String, usize>,
    /// The schemas of all other members, or of those that a pattern names.
    members: Vec<usize>,
    elements: Vec<usize>,
}

impl Steps {
    pub(crate) fn new(files: &Files, record: &SchemaPlace) -> Self {
        let mut graph = Graph::default();
        node(files, record, &mut graph);
        let can_double = graph.is_shared && graph.nodes.iter().any(|node| node.same.len() > 1);
        Self(if can_double { graph.nodes } else { Vec::new() })
    }

    /// The violation of a record that takes too many steps.
    pub(crate) fn found(&self, record: &Value) -> Option<Violation> {
        let mut left = MOST;
        (!self.0.is_empty() && !self.fit(0, record, &mut left)).then(|| Violation {
            rule: SchemaRule::TooSlow,
            value: Vec::new(),
            part: Part::Value,
            keyword: SchemaPlace::default(),
            message: format!("alternatives in the schema refer to themselves, and this record takes more than {MOST} steps"),
            hint: "In the schema, tell the alternatives apart with if and then, so that only one of them is tried.".to_owned(),
            remedy: None,
        })
    }

    fn fit(&self, node: usize, value: &Value, left: &mut u32) -> bool {
        let (Some(node), Some(fewer)) = (self.0.get(node), left.checked_sub(1)) else { return false };
        *left = fewer;
        if !node.same.iter().all(|same| self.fit(*same, value, left)) {
            return false;
        }
        match value {
            Value::Object(members) => members.iter().all(|(key, value)| {
                let own = node.properties.get(key);
                let others = node.members.iter().filter(|_| own.is_none());
                own.into_iter().chain(others).all(|of| self.fit(*of, value, left))
            }),
            Value::Array(elements) => {
                elements.iter().all(|element| node.elements.iter().all(|of| self.fit(*of, element, left)))
            }
            _ => true,
        }
    }
}

/// The schemas that were found so far.
#[derive(Debug, Default)]
struct Graph {
    nodes: Vec<Node>,
    known: BTreeMap<(usize, String), usize>,
    /// Whether several schemas lead to one. If none does, each schema meets each value at most once, and the steps are in proportion to the record.
    is_shared: bool,
}

/// Adds a schema and those in it, once. Returns its index.
fn node(files: &Files, at: &SchemaPlace, graph: &mut Graph) -> usize {
    let key = (at.file, at.pointer.clone());
    if let Some(index) = graph.known.get(&key) {
        graph.is_shared = true;
        return *index;
    }
    let index = graph.nodes.len();
    graph.known.insert(key, index);
    graph.nodes.push(Node::default());
    let mut node = |at: &SchemaPlace| self::node(files, at, graph);
    let mut of = Node::default();
    for place in files.about_same_value(at) {
        of.same.push(node(&place));
    }
    for (name, place) in files.named(at, "properties") {
        of.properties.insert(name.to_owned(), node(&place));
    }
    let patterns = files.named(at, "patternProperties").into_iter().map(|(_, place)| place);
    let others =
        ["additionalProperties", "unevaluatedProperties"].into_iter().filter_map(|key| files.single(at, key));
    for place in patterns.chain(others) {
        of.members.push(node(&place));
    }
    for keyword in ["items", "prefixItems", "additionalItems", "unevaluatedItems", "contains"] {
        for place in files.single(at, keyword).into_iter().chain(files.listed(at, keyword)) {
            of.elements.push(node(&place));
        }
    }
    // The schema that such a reference means depends on the way to it; the root, for parts of the value, is the usual one.
    let schema = files.value(at);
    if schema
        .is_some_and(|schema| schema.get("$dynamicRef").or_else(|| schema.get("$recursiveRef")).is_some())
    {
        of.members.push(0);
        of.elements.push(0);
        graph.is_shared = true;
    }
    graph.nodes[index] = of;
    index
}
