//! Bounds the steps that a record takes: alternatives that refer to themselves double them with every level of the record.
//!
//! The validator tries each alternative on the whole value, and so it does here: a walk over the record and the schema together, which counts and compares
//! nothing. Only schemas that can double have one.

use std::collections::BTreeMap;

use evalcheck_wire::user_schema::{Part, SchemaPlace, SchemaRule, Violation};
use serde_json::Value;

use crate::expansion::same_value;
use crate::files::Files;

/// The most steps for a record: about a second.
const MOST: u32 = 500_000;

/// The schemas that can be reached from that of a record.
#[derive(Debug, Default)]
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
        let mut nodes = Vec::new();
        node(files, record, &mut BTreeMap::new(), &mut nodes);
        let can_double = nodes.iter().any(|node: &Node| node.same.len() > 1);
        Self(if can_double { nodes } else { Vec::new() })
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

/// Adds a schema and those in it, once. Returns its index.
fn node(
    files: &Files,
    at: &SchemaPlace,
    known: &mut BTreeMap<(usize, String), usize>,
    nodes: &mut Vec<Node>,
) -> usize {
    let key = (at.file, at.pointer.clone());
    if let Some(index) = known.get(&key) {
        return *index;
    }
    let index = nodes.len();
    known.insert(key, index);
    nodes.push(Node::default());
    let Some(schema) = files.value(at) else { return index };
    let place = |step: String| SchemaPlace { file: at.file, pointer: format!("{}/{step}", at.pointer) };
    let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
    let mut of = Node::default();
    for next in same_value(files, at) {
        of.same.push(node(files, &next, known, nodes));
    }
    // The schema that such a reference means depends on the way to it; the root, for what is in the value, is the usual one.
    if schema.get("$dynamicRef").or_else(|| schema.get("$recursiveRef")).is_some() {
        of.members.push(0);
        of.elements.push(0);
    }
    for keyword in ["properties", "patternProperties"] {
        for name in
            schema.get(keyword).and_then(Value::as_object).into_iter().flat_map(|members| members.keys())
        {
            let member = node(files, &place(format!("{keyword}/{}", escaped(name))), known, nodes);
            if keyword == "properties" {
                of.properties.insert(name.clone(), member);
            } else {
                of.members.push(member);
            }
        }
    }
    for keyword in ["additionalProperties", "unevaluatedProperties"] {
        if schema.get(keyword).is_some_and(Value::is_object) {
            of.members.push(node(files, &place(keyword.to_owned()), known, nodes));
        }
    }
    for keyword in ["items", "prefixItems", "additionalItems", "unevaluatedItems", "contains"] {
        match schema.get(keyword) {
            Some(Value::Object(_)) => of.elements.push(node(files, &place(keyword.to_owned()), known, nodes)),
            Some(Value::Array(schemas)) => {
                for number in 0..schemas.len() {
                    of.elements.push(node(files, &place(format!("{keyword}/{number}")), known, nodes));
                }
            }
            _ => {}
        }
    }
    nodes[index] = of;
    index
}
