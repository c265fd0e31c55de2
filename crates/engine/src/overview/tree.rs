//! The paths of values, as a tree, with the counts of each.
//!
//! Records written by one program have the same keys in the same order, so the key that came next the last time is tried first. A
//! record like the last one needs no search.

mod infer;
mod kinds;
mod node;

use borsh::{BorshDeserialize, BorshSerialize};
use evalcheck_formats::fields::Fact;
use evalcheck_formats::statistics::PathStatistics;
use evalcheck_json::walk::{Text, Visitor};
use evalcheck_report::overview::{JsonType, PathFacts};

use super::LONGEST_PATH;
use super::observed::Observed;
use super::values::LONGEST;
use crate::diagnose::{Kind, Member, Value};
use crate::schema::Schema;
pub(super) use infer::Heading;
pub(super) use node::{Node, TextCounts};
use node::{NodeId, Path};

/// The maximum number of paths that are counted by themselves, without the root.
const MOST_PATHS: usize = 500;

/// The root.
const ROOT: NodeId = 0;

/// The node of all paths that are not counted by themselves.
const OTHERS: NodeId = 1;

/// The paths of values. Of too many, those that come first in their order are counted by themselves, so that the counts do not depend on the
/// order of the records: a path that is kept at the end was always kept.
#[derive(Debug, Clone, BorshSerialize, BorshDeserialize)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The nodes of paths, in the order of their paths.
    ordered: Vec<NodeId>,
    /// Paths from this one on are not counted by themselves.
    limit: Path,
    /// Nodes that are not used.
    #[borsh(skip)]
    free: Vec<NodeId>,
    /// The number of the current record, from 1.
    record: u64,
    /// The line of the current record.
    #[borsh(skip)]
    line: u64,
    /// The containers around the current one.
    #[borsh(skip)]
    outer: Vec<Open>,
    /// The current container.
    #[borsh(skip)]
    open: Open,
    /// Values that facts compare with others of the same record.
    observed: Observed,
    /// Whether lengths and values are counted.
    #[borsh(skip)]
    counts_values: bool,
    /// Memory for texts without their escapes.
    #[borsh(skip)]
    decoded: Vec<u8>,
}

/// A container that is walked over. The first one has the record as its only value.
#[derive(Debug, Clone, Copy, Default)]
struct Open {
    /// Its node.
    node: NodeId,
    /// The node of the next value.
    child: NodeId,
    /// The index in [`Node::children`] of the key that is expected next.
    next: usize,
    /// Elements so far.
    elements: u64,
}

impl Open {
    /// Around a record.
    const RECORD: Self = Self { node: OTHERS, child: ROOT, next: 0, elements: 0 };
}

impl Tree {
    /// A tree without values, for records of this schema in a format with these facts.
    pub(super) fn new(schema: &'static Schema, facts: Vec<Fact>, counts_values: bool) -> Self {
        Self {
            nodes: vec![Node::of_root(schema), Node::of_others(OTHERS)],
            ordered: Vec::new(),
            limit: Path { is_undeclared: true, length: LONGEST_PATH + 1, text: String::new() },
            free: Vec::new(),
            record: 0,
            line: 0,
            outer: Vec::new(),
            open: Open::RECORD,
            observed: Observed::new(facts),
            counts_values,
            decoded: Vec::new(),
        }
    }

    /// Whether the nodes are a tree. They are, unless somebody else has written the bytes that they were decoded from.
    pub(super) fn is_sound(&self) -> bool {
        let mut is_seen = vec![false; self.nodes.len()];
        let mut next = vec![ROOT];
        while let Some(id) = next.pop() {
            match is_seen.get_mut(id as usize) {
                Some(is_seen) if !*is_seen => *is_seen = true,
                _ => return false,
            }
            let node = &self.nodes[id as usize];
            next.extend(node.children.values().chain(&node.any).filter(|child| **child != OTHERS));
        }
        (OTHERS as usize) < self.nodes.len() && self.nodes.len() <= MOST_PATHS + 3
    }

    /// Begins a record at a line, whose values follow.
    #[inline]
    pub(super) fn begin_record(&mut self, line: u64) {
        self.record += 1;
        self.line = line;
        self.outer.clear();
        self.open = Open::RECORD;
    }

    /// Ends the record.
    #[inline]
    pub(super) fn end_record(&mut self) {
        self.observed.end_record();
    }

    /// Counts a value of a type, and returns its node.
    #[inline]
    fn value(&mut self, of: JsonType) -> &mut Node {
        self.open.elements += 1;
        let node = &mut self.nodes[self.open.child as usize];
        if node.last_record != self.record {
            node.last_record = self.record;
            node.records += 1;
        }
        node.count(of, self.line);
        node
    }

    /// Begins a container, whose next value is at the node `child`.
    #[inline]
    fn enter(&mut self, node: NodeId, child: NodeId) {
        self.outer.push(self.open);
        self.open = Open { node, child, next: 0, elements: 0 };
    }

    /// Ends the container.
    #[inline]
    fn leave(&mut self) -> Open {
        let outer = self.outer.pop().unwrap_or(Open::RECORD);
        std::mem::replace(&mut self.open, outer)
    }

    /// The node of a key of an object, written without escapes.
    #[inline]
    fn child(&mut self, parent: NodeId, key: &[u8]) -> NodeId {
        let children = &self.nodes[parent as usize].children;
        let expected = children.get_index(self.open.next).filter(|(expected, _)| ***expected == *key);
        if let Some((_, child)) = expected {
            self.open.next += 1;
            return *child;
        }
        if let Some((at, _, child)) = children.get_full(key) {
            self.open.next = at + 1;
            return *child;
        }
        self.open.next = children.len() + 1;
        self.insert(parent, Some(key))
    }

    /// The node of the elements of an array.
    #[inline]
    fn any(&mut self, parent: NodeId) -> NodeId {
        self.nodes[parent as usize].any.unwrap_or_else(|| self.insert(parent, None))
    }

    /// Adds the node of a key, or of elements, if there is room for its path.
    #[cold]
    fn insert(&mut self, parent: NodeId, key: Option<&[u8]>) -> NodeId {
        if parent == OTHERS {
            return OTHERS;
        }
        let node = self.nodes[parent as usize].below(parent, key, &self.observed);
        if node.path >= self.limit {
            self.nodes[parent as usize].has_others = true;
            return OTHERS;
        }
        let at = self.ordered.partition_point(|id| self.nodes[*id as usize].path <= node.path);
        let id = self.free.pop().unwrap_or_else(|| {
            self.nodes.push(Node::default());
            NodeId::try_from(self.nodes.len() - 1).unwrap_or(OTHERS)
        });
        self.ordered.insert(at, id);
        self.nodes[id as usize] = node;
        let parent = &mut self.nodes[parent as usize];
        match key {
            Some(key) => parent.children.insert(key.into(), id),
            None => parent.any.replace(id),
        };
        if self.ordered.len() > MOST_PATHS
            && let Some(last) = self.ordered.last()
        {
            self.lower(self.nodes[*last as usize].path.clone());
        }
        if self.free.contains(&id) { OTHERS } else { id }
    }

    /// Counts paths from `limit` on with the others. All of them come after the paths above them, so the last ones have none below.
    fn lower(&mut self, limit: Path) {
        self.limit = limit.min(std::mem::take(&mut self.limit));
        while let Some(id) = self.ordered.pop_if(|id| self.nodes[*id as usize].path >= self.limit) {
            let node = std::mem::take(&mut self.nodes[id as usize]);
            let parent = &mut self.nodes[node.parent as usize];
            parent.has_others = true;
            let mut children = parent.children.values_mut().chain(&mut parent.any);
            if let Some(child) = children.find(|child| **child == id) {
                *child = OTHERS;
            }
            // Many at once, because all others are moved.
            if parent.children.len() > 2 * MOST_PATHS {
                parent.children.retain(|_, child| *child != OTHERS);
            }
            self.nodes[OTHERS as usize].merge(&node, 0);
            self.free.push(id);
        }
    }

    /// Counts the values of the records that follow, after this many lines.
    pub(super) fn merge(&mut self, next: &Self, lines: u64) {
        self.record += next.record;
        self.observed.merge(&next.observed);
        self.lower(next.limit.clone());
        self.nodes[OTHERS as usize].merge(&next.nodes[OTHERS as usize], lines);
        self.merge_below(ROOT, next, ROOT, lines);
    }

    fn merge_below(&mut self, into: NodeId, next: &Self, id: NodeId, lines: u64) {
        if id == OTHERS {
            return;
        }
        let node = &next.nodes[id as usize];
        self.nodes[into as usize].merge(node, lines);
        for (key, child) in &node.children {
            let into = self.child(into, key);
            self.merge_below(into, next, *child, lines);
        }
        if let Some(child) = node.any {
            let into = self.any(into);
            self.merge_below(into, next, child, lines);
        }
    }

    /// Counts a value that is short, or a number or boolean.
    #[inline]
    fn count(&mut self, value: &[u8]) {
        let node = &mut self.nodes[self.open.child as usize];
        node.values.add(value);
        if node.is_observed {
            self.observed.note(&node.path.text, value);
        }
    }

    /// Counts a text without its escapes.
    #[cold]
    fn count_decoded(&mut self, text: Text<'_>) {
        let mut decoded = std::mem::take(&mut self.decoded);
        decoded.clear();
        text.decoded().for_each(|c| decoded.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()));
        self.count(&decoded);
        self.decoded = decoded;
    }

    /// Notes that the current object has members that are not counted.
    pub(super) fn skip_members(&mut self) {
        self.nodes[self.open.node as usize].has_others = true;
    }

    /// Notes the keys that occur more than once in an object of a record that was counted.
    #[cold]
    pub(super) fn note_repeats(&mut self, record: &Value<'_>) {
        let mut next = vec![(ROOT, record)];
        while let Some((id, value)) = next.pop() {
            match &value.kind {
                Kind::Object(members) => {
                    for Member { key, value, shadowed, .. } in members {
                        let child = self.nodes[id as usize].children.get(key.as_bytes());
                        let child = child.copied().unwrap_or(OTHERS);
                        self.nodes[child as usize].repeats += u64::from(*shadowed);
                        next.push((child, value));
                    }
                }
                Kind::Array(elements) => {
                    let child = self.nodes[id as usize].any.unwrap_or(OTHERS);
                    next.extend(elements.iter().map(|value| (child, value)));
                }
                _ => {}
            }
        }
    }

    /// The node of a path.
    pub(super) fn at(&self, path: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.path.text == path)
    }

    /// The values that facts compare with others of the same record.
    pub(super) fn observed(&self) -> &Observed {
        &self.observed
    }

    /// The number of values at paths that are not counted by themselves.
    pub(super) fn others(&self) -> u64 {
        self.nodes[OTHERS as usize].types.total()
    }

    /// The paths, in the order in which they first occur.
    pub(super) fn to_wire(&self) -> Vec<PathFacts> {
        let mut paths = Vec::new();
        self.push_paths(ROOT, &mut paths);
        paths
    }

    fn push_paths(&self, id: NodeId, paths: &mut Vec<PathFacts>) {
        let node = &self.nodes[id as usize];
        if node.records > 0 {
            paths.push(node.to_wire());
        }
        let children = node.children.values().chain(&node.any).filter(|child| **child != OTHERS);
        children.for_each(|child| self.push_paths(*child, paths));
    }

    /// The statistics for checks, in the same order.
    pub(super) fn statistics(&self) -> Vec<PathStatistics> {
        let mut paths = Vec::new();
        self.push_statistics(ROOT, None, None, &mut paths);
        paths
    }

    fn push_statistics(
        &self,
        id: NodeId,
        key: Option<&[u8]>,
        above: Option<usize>,
        paths: &mut Vec<PathStatistics>,
    ) {
        let node = &self.nodes[id as usize];
        let index = paths.len();
        paths.push(node.statistics(key, above));
        let children = node.children.iter().map(|(key, child)| (Some(&**key), *child));
        let children = children.chain(node.any.map(|child| (None, child)));
        for (key, child) in children.filter(|(_, child)| *child != OTHERS) {
            self.push_statistics(child, key, Some(index), paths);
        }
    }

    /// The counts of strings at paths whose values are not a category, and at all paths that are not counted by themselves.
    pub(super) fn texts(&self) -> TextCounts {
        let mut all = TextCounts::default();
        let texts = self.nodes.iter().filter(|node| !node.values.are_category());
        texts.filter_map(|node| node.texts.as_ref()).for_each(|texts| all.merge(texts));
        all
    }
}

impl Visitor for Tree {
    #[inline]
    fn begin_object(&mut self) {
        self.value(JsonType::Object);
        self.enter(self.open.child, OTHERS);
    }

    #[inline]
    fn key(&mut self, key: Text<'_>) {
        if key.is_plain() {
            self.open.child = self.child(self.open.node, key.raw);
        } else {
            let key: String = key.decoded().collect();
            self.open.child = self.child(self.open.node, key.as_bytes());
        }
    }

    #[inline]
    fn end_object(&mut self) {
        self.leave();
    }

    #[inline]
    fn begin_array(&mut self) {
        self.value(JsonType::Array);
        let any = self.any(self.open.child);
        self.enter(self.open.child, any);
    }

    #[inline]
    fn end_array(&mut self) {
        let Open { node, elements, .. } = self.leave();
        if !self.counts_values {
            return;
        }
        self.nodes[node as usize].elements.get_or_insert_default().add_whole(elements);
    }

    #[inline]
    fn string(&mut self, text: Text<'_>) {
        let (line, counts_values) = (self.line, self.counts_values);
        let node = self.value(JsonType::String);
        if text.raw.is_empty() {
            node.count_empty(line);
        } else if counts_values {
            node.excluded.note(text.is_plain().then_some(text.raw));
        }
        if !counts_values {
            return;
        }
        let characters = node.texts.get_or_insert_default().add(&text);
        if characters > LONGEST as u64 || node.values.is_given_up() && !node.is_observed {
            node.values.add_long();
        } else if text.is_plain() {
            self.count(text.raw);
        } else {
            self.count_decoded(text);
        }
    }

    #[inline]
    fn number(&mut self, number: &[u8]) {
        let counts_values = self.counts_values;
        let node = self.value(JsonType::Number);
        if !counts_values {
            return;
        }
        let parsed = std::str::from_utf8(number).ok().and_then(|text| text.parse::<f64>().ok());
        node.has_fractions =
            node.has_fractions || number.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
        if let Some(number) = parsed {
            node.numbers.get_or_insert_default().add(number);
        }
        self.count(number);
    }

    #[inline]
    fn boolean(&mut self, value: bool) {
        self.value(JsonType::Boolean);
        if !self.counts_values {
            return;
        }
        self.count(if value { b"true" } else { b"false" });
    }

    #[inline]
    fn null(&mut self) {
        self.value(JsonType::Null);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::ANY as ANY_SCHEMA;

    #[test]
    fn nodes_that_are_no_tree_are_recognised() {
        let tree = |child: Option<NodeId>| {
            let mut tree = Tree::new(&ANY_SCHEMA, Vec::new(), true);
            tree.begin_record(1);
            tree.begin_object();
            tree.key(Text::plain(b"a"));
            tree.string(Text::plain(b"b"));
            tree.end_object();
            let last = tree.nodes.len() - 1;
            tree.nodes[last].any = child;
            tree
        };
        assert!(tree(None).is_sound());
        assert!(!tree(Some(ROOT)).is_sound(), "a circle");
        assert!(!tree(Some(100)).is_sound(), "no node");
    }
}
