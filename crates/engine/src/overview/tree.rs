//! The paths of values, as a tree, with the counts of each.
//!
//! Records written by one program have the same keys in the same order, so the key that came next the last time is tried first. A
//! record like the last one needs no search.

mod run;

use borsh::{BorshDeserialize, BorshSerialize};
use evalcheck_formats::facts::Fact;
use evalcheck_json::walk::{Text, Visitor};
use evalcheck_wire::overview::{PathFacts, TypeCounts};
use evalcheck_wire::report::ROOT_PATH;

use super::LONGEST_PATH;
use super::facts::Observed;
use super::scripts;
use super::steps::Steps;
use super::values::{LONGEST, Values};
pub(crate) use run::Places;

/// The maximum number of paths that are counted.
const MOST_PATHS: usize = 500;

/// The maximum number of paths of a run that are counted. They may be more than [`MOST_PATHS`], because some may be known from before.
const MOST_PATHS_OF_RUN: usize = 2000;

/// The maximum number of keys of an object that are counted by themselves; later ones are counted together.
const MOST_KEYS: usize = 100;

/// The step for any index of an array, and for all keys of an object after the first 100.
const ANY: &[u8] = b"*";

/// The index of a node.
type NodeId = u32;

/// The root.
const ROOT: NodeId = 0;

/// No node, because there are too many.
const NONE: NodeId = NodeId::MAX;

/// The paths of values.
#[derive(Debug, Clone, BorshSerialize, BorshDeserialize)]
pub(super) struct Tree {
    /// In the order in which they first occur.
    nodes: Vec<Node>,
    /// Values at paths that have no node.
    others: u64,
    /// The number of the current record, from 1.
    record: u64,
    /// The containers around the current one.
    #[borsh(skip)]
    outer: Vec<Open>,
    /// The current container.
    #[borsh(skip)]
    open: Open,
    /// Values that facts compare with others of the same record.
    observed: Observed,
    /// Memory for texts without their escapes.
    #[borsh(skip)]
    decoded: Vec<u8>,
    /// See [`super::Overview::of_run`].
    is_run: bool,
    /// Whether some paths are not counted by themselves.
    is_cut: bool,
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

/// The values at a path.
#[derive(Debug, Clone, Default, BorshSerialize, BorshDeserialize)]
struct Node {
    /// The last step of the path.
    key: Box<[u8]>,
    /// The path.
    path: String,
    children: Vec<NodeId>,
    /// The node of elements, or of later keys.
    any: Option<NodeId>,
    /// The last record that has such a value.
    last_record: u64,
    /// Records that have such a value.
    records: u64,
    types: TypeCounts,
    texts: Option<Box<TextCounts>>,
    elements: Option<Box<Steps>>,
    numbers: Option<Box<Steps>>,
    values: Values,
    /// Whether a fact compares the values with others of the same record.
    is_observed: bool,
}

/// The counts of strings.
#[derive(Debug, Clone, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct TextCounts {
    pub(super) characters: Steps,
    pub(super) tokens: Steps,
    pub(super) scripts: [u64; scripts::COUNT],
}

impl TextCounts {
    /// Counts a text, and returns its number of characters.
    #[inline]
    fn add(&mut self, text: &Text<'_>) -> u64 {
        let (characters, wide) = (text.characters(), text.wide_characters());
        self.characters.add_whole(characters);
        self.tokens.add_whole(wide + characters.saturating_sub(wide).div_ceil(4));
        for (count, is_in) in self.scripts.iter_mut().zip(scripts::of_text(text)) {
            *count += u64::from(is_in);
        }
        characters
    }

    /// Counts the texts of another path, or of the run that follows.
    pub(super) fn merge(&mut self, other: &Self) {
        self.characters.merge(&other.characters);
        self.tokens.merge(&other.tokens);
        self.scripts.iter_mut().zip(other.scripts).for_each(|(count, others)| *count += others);
    }
}

impl Tree {
    /// A tree without values, for a format with these facts.
    pub(super) fn new(facts: &'static [Fact], is_run: bool) -> Self {
        let open = Open { node: NONE, child: ROOT, next: 0, elements: 0 };
        Self {
            nodes: vec![Node::default()],
            others: 0,
            record: 0,
            outer: Vec::new(),
            open,
            observed: Observed::new(facts),
            decoded: Vec::new(),
            is_run,
            is_cut: false,
        }
    }

    /// Whether some paths are not counted by themselves.
    pub(super) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Begins a record, whose values follow.
    #[inline]
    pub(super) fn begin_record(&mut self) {
        self.record += 1;
        self.outer.clear();
        self.open = Open { node: NONE, child: ROOT, next: 0, elements: 0 };
    }

    /// Ends the record.
    #[inline]
    pub(super) fn end_record(&mut self) {
        self.observed.end_record();
    }

    /// Counts a value, and returns its node.
    #[inline]
    fn value(&mut self) -> Option<&mut Node> {
        self.open.elements += 1;
        let node = self.nodes.get_mut(self.open.child as usize);
        let Some(node) = node else {
            self.others += 1;
            return None;
        };
        if node.last_record != self.record {
            node.last_record = self.record;
            node.records += 1;
        }
        Some(node)
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
        let outer = self.outer.pop().unwrap_or(Open { node: NONE, child: NONE, next: 0, elements: 0 });
        std::mem::replace(&mut self.open, outer)
    }

    /// The node of a key of the current object, written without escapes.
    #[inline]
    fn child(&mut self, key: &[u8]) -> NodeId {
        let Some(node) = self.nodes.get(self.open.node as usize) else { return NONE };
        let has_key = |child: &NodeId| self.nodes.get(*child as usize).is_some_and(|node| *node.key == *key);
        if let Some(child) = node.children.get(self.open.next).filter(|child| has_key(child)) {
            self.open.next += 1;
            return *child;
        }
        if let Some(at) = node.children.iter().position(has_key) {
            self.open.next = at + 1;
            return node.children[at];
        }
        if node.children.len() == MOST_KEYS {
            self.is_cut = true;
            return self.any(self.open.node);
        }
        let child = self.insert(self.open.node, key);
        if let Some(node) = self.nodes.get_mut(self.open.node as usize).filter(|_| child != NONE) {
            node.children.push(child);
            self.open.next = node.children.len();
        }
        child
    }

    /// The node of the elements of an array, or of the later keys of an object.
    #[inline]
    fn any(&mut self, parent: NodeId) -> NodeId {
        let Some(node) = self.nodes.get(parent as usize) else { return NONE };
        if let Some(any) = node.any {
            return any;
        }
        let any = self.insert(parent, ANY);
        self.nodes[parent as usize].any = Some(any).filter(|any| *any != NONE);
        any
    }

    /// Adds a node.
    #[cold]
    fn insert(&mut self, parent: NodeId, key: &[u8]) -> NodeId {
        let parent = &self.nodes[parent as usize].path;
        let most = if self.is_run { MOST_PATHS_OF_RUN } else { MOST_PATHS };
        let length = parent.len() + usize::from(!parent.is_empty()) + key.len();
        if self.nodes.len() > most || length > LONGEST_PATH {
            self.is_cut = true;
            return NONE;
        }
        let key_text = String::from_utf8_lossy(key);
        let path = crate::walk::join(parent, &key_text);
        let is_observed = self.observed.is_observed(&path);
        self.nodes.push(Node { key: key.into(), path, is_observed, ..Node::default() });
        NodeId::try_from(self.nodes.len() - 1).unwrap_or(NONE)
    }

    /// Counts a value that is short, or a number or boolean.
    #[inline]
    fn count(&mut self, value: &[u8]) {
        let Some(node) = self.nodes.get_mut(self.open.child as usize) else { return };
        node.values.add(value);
        if node.is_observed {
            self.observed.note(&node.path, value);
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

    /// The counted values at a path; `None` without a node.
    pub(super) fn values_at(&self, path: &str) -> Option<NodeValues<'_>> {
        let node = self.nodes.iter().find(|node| node.path == path)?;
        let elements = node.elements.as_deref();
        Some(NodeValues { values: &node.values, numbers: node.numbers.as_deref(), elements })
    }

    /// The values that facts compare with others of the same record.
    pub(super) fn observed(&self) -> &Observed {
        &self.observed
    }

    /// The number of values at paths that have no node.
    pub(super) fn others(&self) -> u64 {
        self.others
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
        node.below().for_each(|child| self.push_paths(child, paths));
    }

    /// The counts of strings at paths whose values are not a category.
    pub(super) fn texts(&self) -> TextCounts {
        let mut all = TextCounts::default();
        let texts = self.nodes.iter().filter(|node| !node.values.are_category());
        texts.filter_map(|node| node.texts.as_ref()).for_each(|texts| all.merge(texts));
        all
    }
}

/// The counts at a path.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeValues<'a> {
    pub(super) values: &'a Values,
    pub(super) numbers: Option<&'a Steps>,
    pub(super) elements: Option<&'a Steps>,
}

impl Node {
    /// The nodes below it.
    fn below(&self) -> impl Iterator<Item = NodeId> {
        self.children.iter().copied().chain(self.any)
    }

    fn to_wire(&self) -> PathFacts {
        PathFacts {
            path: if self.path.is_empty() { ROOT_PATH.to_owned() } else { self.path.clone() },
            records: self.records,
            types: self.types,
            characters: self.texts.as_ref().and_then(|texts| texts.characters.to_wire()),
            elements: self.elements.as_ref().and_then(|elements| elements.to_wire()),
            numbers: self.numbers.as_ref().and_then(|numbers| numbers.to_wire()),
            values: self.values.are_category().then(|| self.values.to_wire()),
        }
    }
}

impl Visitor for Tree {
    #[inline]
    fn begin_object(&mut self) {
        if let Some(node) = self.value() {
            node.types.object += 1;
        }
        self.enter(self.open.child, NONE);
    }

    #[inline]
    fn key(&mut self, key: Text<'_>) {
        if key.is_plain() {
            self.open.child = self.child(key.raw);
        } else {
            let key: String = key.decoded().collect();
            self.open.child = self.child(key.as_bytes());
        }
    }

    #[inline]
    fn end_object(&mut self) {
        self.leave();
    }

    #[inline]
    fn begin_array(&mut self) {
        if let Some(node) = self.value() {
            node.types.array += 1;
        }
        let any = self.any(self.open.child);
        self.enter(self.open.child, any);
    }

    #[inline]
    fn end_array(&mut self) {
        let Open { node, elements, .. } = self.leave();
        if let Some(node) = self.nodes.get_mut(node as usize) {
            node.elements.get_or_insert_default().add_whole(elements);
        }
    }

    #[inline]
    fn string(&mut self, text: Text<'_>) {
        let Some(node) = self.value() else { return };
        node.types.string += 1;
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
        let Some(node) = self.value() else { return };
        node.types.number += 1;
        let parsed = std::str::from_utf8(number).ok().and_then(|text| text.parse::<f64>().ok());
        if let Some(number) = parsed {
            node.numbers.get_or_insert_default().add(number);
        }
        self.count(number);
    }

    #[inline]
    fn boolean(&mut self, value: bool) {
        let Some(node) = self.value() else { return };
        node.types.boolean += 1;
        self.count(if value { b"true" } else { b"false" });
    }

    #[inline]
    fn null(&mut self) {
        if let Some(node) = self.value() {
            node.types.null += 1;
        }
    }
}
