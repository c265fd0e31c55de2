//! The types of the values at each path: of the first chunk, which decides the columns, and of the later ones.
//!
//! Records of one program have the same keys in the same order, so the key that came next the last time is tried first.

use evalcheck_core::finding::{Location, Path, Step};
use evalcheck_diagnose::{Kind, RecordStart, RecordText, Value, parse};
use evalcheck_json::walk::walk;

use super::values::{Node, Seen, Sign, Signs};
use crate::checks::Captures;

/// The loader reads this many bytes, and then to the end of the line, as one chunk.
pub(super) const CHUNK: u64 = 10 << 20;

/// The most paths that are followed. Values at others are not judged.
const MOST_PATHS: usize = 2_000;

/// The most levels of lists and objects below a column that Arrow reads.
const MOST_LEVELS: usize = 62;

/// Marks for the conversion of values.
const CONVERSIONS: Signs = Sign::NoInteger.bit() | Sign::NoFloat.bit() | Sign::NoBoolean.bit();

/// The longest text that is kept for a message, in characters.
const LONGEST_TEXT: usize = 1_000;

/// An index into [`Tree::nodes`].
pub(super) type NodeId = usize;

/// The record.
pub(super) const ROOT: NodeId = 0;

/// All paths that are not followed.
const OTHERS: NodeId = 1;

/// The types of the values of a dataset.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// The first and the last line of each chunk.
    pub(super) chunks: Vec<[u64; 2]>,
    /// Records that begin after this offset are of the next chunk; `None` if all are of the first.
    mark: Option<u64>,
    /// Numbers that lose digits where the records are written again.
    pub(super) cut: Seen,
    /// Texts with half of a surrogate pair.
    pub(super) halves: Seen,
    /// Values on too deep a level.
    pub(super) deep: Seen,
    /// Records.
    pub(super) records: u64,
    /// The line after the last record.
    next_line: u64,
    /// Whether lines of the first chunk were passed over: blank ones, or unreadable ones.
    pub(super) skips_lines: bool,
    /// The same for later chunks.
    pub(super) skips_later: bool,
    /// The number of lines between records.
    pub(super) skipped: u64,
    /// Whether a path was not followed.
    pub(super) is_cut: bool,
    /// The containers around the current value.
    open: Vec<Open>,
    /// Containers that are not followed, within each other.
    pub(super) ignored: usize,
    /// Firsts of the current record, whose locations are found after it.
    pub(super) firsts: Vec<(Target, Vec<Step>)>,
}

/// A container that is walked over.
#[derive(Debug, Clone, Copy)]
struct Open {
    node: NodeId,
    /// The node of the current value.
    child: NodeId,
    /// The index of the key that is expected next.
    next: usize,
    /// The values so far.
    values: usize,
    is_list: bool,
    /// Whether it is an object with a key that the ones before it do not have.
    has_new_key: bool,
}

/// The owner of a location.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target {
    Values(NodeId, Sign),
    Cut,
    Half,
    Deep,
}

impl Tree {
    /// A tree without values. `in_chunks` if only the first chunk decides the columns.
    pub(super) fn new(in_chunks: bool) -> Self {
        Self {
            nodes: vec![Node::default(), Node::default()],
            chunks: Vec::new(),
            mark: in_chunks.then_some(CHUNK),
            cut: Seen::default(),
            halves: Seen::default(),
            deep: Seen::default(),
            records: 0,
            next_line: 1,
            skips_lines: false,
            skips_later: false,
            skipped: 0,
            is_cut: false,
            open: Vec::new(),
            ignored: 0,
            firsts: Vec::new(),
        }
    }

    /// Adds a record.
    pub(super) fn add(&mut self, captures: &Captures<'_>, at: RecordStart) {
        let is_next = self.mark.is_some_and(|mark| at.offset > mark);
        if is_next {
            self.mark = Some(at.offset + CHUNK);
        }
        if is_next || self.chunks.is_empty() {
            self.chunks.push([at.line; 2]);
        }
        if let Some([_, last]) = self.chunks.last_mut() {
            *last = at.line;
        }
        if at.line > self.next_line {
            self.skipped += at.line - self.next_line;
            *(if self.chunks.len() == 1 { &mut self.skips_lines } else { &mut self.skips_later }) = true;
        }
        self.next_line = at.line + 1;
        self.records += 1;
        self.open.clear();
        self.ignored = 0;
        let (bytes, start) = captures.json();
        walk(bytes, start, self);
        if !self.firsts.is_empty() {
            self.locate(bytes, start, at);
        }
    }

    /// Finds the locations of the first values of a record.
    #[cold]
    fn locate(&mut self, bytes: &[u8], start: usize, at: RecordStart) {
        let firsts = std::mem::take(&mut self.firsts);
        let chunk = self.chunks.len() - 1;
        let parsed = parse(&bytes[start..]);
        let text = RecordText::new(bytes, at);
        for (target, steps) in firsts {
            let value = parsed.as_ref().ok().and_then(|parsed| at_steps(&parsed.value, &steps));
            let span = value.map_or(start..start, |value| start + value.span.start..start + value.span.end);
            // A column is judged, and not the record.
            let location = Box::new(Location { record: None, ..text.locate(span, Some(Path(steps))) });
            let seen = match target {
                Target::Values(node, sign) => &mut self.nodes[node].values(chunk).0[sign as usize],
                Target::Cut => &mut self.cut,
                Target::Half => &mut self.halves,
                Target::Deep => &mut self.deep,
            };
            seen.first = Some(location);
            seen.text = match value.map(|value| &value.kind) {
                Some(Kind::String(text)) => start_of(text).into(),
                Some(Kind::Number(_, written)) => start_of(written).into(),
                _ => "".into(),
            };
        }
    }

    /// The steps to the current value.
    #[cold]
    pub(super) fn steps(&self) -> Vec<Step> {
        let step = |open: &Open| match &self.nodes[open.child].key {
            Some(key) if !open.is_list => Step::Key((&**key).into()),
            _ => Step::Index(open.values.saturating_sub(1)),
        };
        self.open.iter().map(step).collect()
    }

    /// Begins a value. Returns its node; `None` if it is not followed.
    #[inline]
    pub(super) fn begin(&mut self) -> Option<NodeId> {
        if self.ignored > 0 {
            return None;
        }
        let Some(open) = self.open.last_mut() else { return Some(ROOT) };
        open.values += usize::from(open.is_list);
        Some(open.child).filter(|child| *child != OTHERS)
    }

    /// Adds the signs of a value.
    #[inline]
    pub(super) fn note(&mut self, id: NodeId, signs: Signs) {
        let chunk = self.chunks.len() - 1;
        let values = self.nodes[id].values(chunk);
        // Only values of later chunks are converted.
        let mut rest = if chunk == 0 { signs & !CONVERSIONS } else { signs };
        let mut firsts: Signs = 0;
        while rest != 0 {
            let index = rest.trailing_zeros();
            rest &= rest - 1;
            let seen = &mut values.0[index as usize];
            seen.number += 1;
            firsts |= Signs::from(seen.number == 1) << index;
        }
        if firsts != 0 {
            let steps = self.steps();
            let first = Sign::ALL.into_iter().filter(|sign| firsts & sign.bit() != 0);
            self.firsts.extend(first.map(|sign| (Target::Values(id, sign), steps.clone())));
        }
    }

    #[inline]
    pub(super) fn scalar(&mut self, signs: Signs) {
        if let Some(id) = self.begin() {
            self.note(id, signs);
        }
    }

    /// Begins a container.
    #[inline]
    pub(super) fn enter(&mut self, sign: Sign) {
        let id = self.begin();
        if self.open.len() + self.ignored > MOST_LEVELS {
            self.deep.number += 1;
            if self.deep.number == 1 {
                self.firsts.push((Target::Deep, self.steps()));
            }
        }
        let Some(id) = id else {
            self.ignored += 1;
            return;
        };
        self.note(id, sign.bit());
        let is_list = sign == Sign::List;
        let child = if is_list { self.element(id) } else { OTHERS };
        self.open.push(Open { node: id, child, next: 0, values: 0, is_list, has_new_key: false });
    }

    pub(super) fn leave(&mut self) {
        if self.ignored > 0 {
            self.ignored -= 1;
            return;
        }
        let Some(open) = self.open.pop() else { return };
        if open.is_list {
            return;
        }
        let node = &mut self.nodes[open.node];
        node.objects += 1;
        let has_all = open.values == node.children.len() && open.values > 0;
        if (!has_all || open.has_new_key) && open.node != ROOT {
            self.note(open.node, Sign::OtherKeys.bit());
        }
    }

    fn element(&mut self, id: NodeId) -> NodeId {
        self.nodes[id].element.unwrap_or_else(|| {
            let element = self.insert(None);
            self.nodes[id].element = Some(element);
            element
        })
    }

    #[cold]
    fn insert(&mut self, key: Option<&str>) -> NodeId {
        if self.nodes.len() >= MOST_PATHS {
            self.is_cut = true;
            return OTHERS;
        }
        self.nodes.push(Node { key: key.map(Into::into), since: self.chunks.len() - 1, ..Node::default() });
        self.nodes.len() - 1
    }

    /// The node of a key of the current object.
    #[inline]
    pub(super) fn child(&mut self, key: &str) {
        let Some(open) = self.open.last_mut() else { return };
        open.values += 1;
        let node = &self.nodes[open.node];
        if let Some((_, child)) =
            node.children.get_index(open.next).filter(|(expected, _)| ***expected == *key)
        {
            open.next += 1;
            open.child = *child;
            return;
        }
        if let Some((index, _, child)) = node.children.get_full(key) {
            open.next = index + 1;
            open.child = *child;
            return;
        }
        let (parent, is_first) = (open.node, node.objects == 0);
        let child = self.insert(Some(key));
        let node = &mut self.nodes[parent];
        // Of keys that are data there may be any number.
        if child != OTHERS {
            node.children.insert(key.into(), child);
        }
        let next = node.children.len();
        if let Some(open) = self.open.last_mut() {
            open.next = next;
            open.child = child;
            open.has_new_key |= !is_first;
        }
    }
}

/// The beginning of a text, for a message.
fn start_of(text: &str) -> &str {
    text.char_indices().nth(LONGEST_TEXT).map_or(text, |(end, _)| &text[..end])
}

/// The value at these steps.
fn at_steps<'v, 'a>(value: &'v Value<'a>, steps: &[Step]) -> Option<&'v Value<'a>> {
    steps.iter().try_fold(value, |value, step| match (step, &value.kind) {
        (Step::Key(key), _) => value.get(key),
        (Step::Index(index), Kind::Array(elements)) => elements.get(*index),
        (Step::Index(_), _) => None,
    })
}
