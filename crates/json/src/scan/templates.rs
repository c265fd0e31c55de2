//! The template cache: the bytes between the values of a record, remembered for later records.
//!
//! Records written by one program are alike. Keys, punctuation and enumerated values are the same in all of them; only texts, numbers and
//! booleans differ. The cache remembers a clean record as a path in a tree. A node of the tree ([`Node`]) holds a *template*, the literal
//! bytes up to the next value, and the kind of that value. A record that matches such a path is checked without the schema: templates are
//! compared whole, and the values between them are read by the same functions as in a scan.
//!
//! # Why the answer is the same
//!
//! A scan reads from left to right, and its state depends only on the bytes it has read. On a path of the tree the bytes between the values
//! are those of a clean record, so before each value the scan would be at the same place of the same schema, and it would accept the value
//! exactly if the function for such values does. A value that decides how the scan continues (the key of a tagged object, a field that a
//! condition depends on) is part of the template. A record that matches no path is scanned. The tests compare both on random records.
//!
//! # Its benefit
//!
//! Instructions per byte of the command in release, counted by callgrind on 20 MiB of the data of `benches/`:
//!
//! | data | without | with | |
//! |---|---|---|---|
//! | JuryArena, 600 bytes a record | 6.88 | 4.52 | -34 % |
//! | JuryArena, 8 kB a record | 3.09 | 2.78 | -10 % |
//! | Every Eval Ever instances | 10.80 | 7.10 | -34 % |
//! | Tencent inference | 7.97 | 5.95 | -25 % |
//! | QUEST | 9.05 | 5.68 | -37 % |
//!
//! # Limits
//!
//! The tree has at most [`MAX_NODES`] nodes and [`MAX_BYTES`] bytes. Datasets whose records are all different do not gain; they lose at
//! most [`CREDIT`] failed matches, then the cache is off for [`PAUSE`] records.

mod matching;

use std::ops::Range;

use super::end::End;
use super::text_policy::TextPolicy;
use crate::schema::{Schema, StringSchema};

/// The maximum number of nodes of the tree, on all paths together.
const MAX_NODES: usize = 1024;

/// The maximum number of bytes of all templates.
const MAX_BYTES: usize = 64 << 10;

/// The maximum number of templates that are tried at one place.
const MAX_ALTERNATIVES: usize = 8;

/// A matching record earns one credit, up to this many; any other record costs [`MISS`]. Without credit the tree is emptied and the cache
/// pauses. The first credit allows for datasets with a few kinds of records.
const CREDIT: i32 = 256;

/// See [`CREDIT`]. A failed match costs about twice what a successful one saves.
const MISS: i32 = 2;

/// The number of records in the first pause; each pause is twice as long as the one before.
const PAUSE: u64 = 4096;

/// The templates of the records so far.
#[derive(Debug, Default)]
pub(super) struct Templates {
    /// The parameters for which the tree is valid: schema, policy, whether line breaks are white space.
    key: Option<(&'static Schema, TextPolicy, bool)>,
    /// The first node is the root, which has children only.
    nodes: Vec<Node>,
    /// The bytes of all templates.
    bytes: Vec<u8>,
    captures: Vec<Capture>,
    /// The offsets at which the templates of the current record begin.
    begins: Vec<usize>,
    credit: i32,
    /// The number of records left in the current pause.
    pause: u64,
    next_pause: u64,
    matched: u64,
}

/// A template, the value that follows it, and links to other nodes.
#[derive(Debug, Default)]
struct Node {
    /// The range of the template in [`Templates::bytes`].
    template: Range<usize>,
    value: Kind,
    /// A range of [`Templates::captures`].
    captures: Range<usize>,
    /// The first node after the value; 0 for none.
    child: usize,
    /// The next alternative to this node; 0 for none.
    sibling: usize,
}

/// The kind of value that follows a template.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Kind {
    /// A string; its opening quote ends the template.
    String(&'static StringSchema),
    /// A number of a schema.
    Number(&'static Schema),
    /// A boolean of a schema.
    Boolean(&'static Schema),
    /// The end of the record.
    #[default]
    End,
}

/// A capture that is not a single value: a key, or an element with its content.
#[derive(Debug)]
struct Capture {
    number: u8,
    /// The template in which it begins, counted along the path, and the offset in it.
    begins: (usize, usize),
    /// The offset in this node's template at which it ends.
    end: usize,
}

/// Notes of a scan about a record, so that the record can become a path.
#[derive(Debug, Default)]
pub(super) struct Recording {
    values: Vec<(Range<usize>, Kind)>,
    /// Captures that are not values: the number of values before each, the capture's number, and the range.
    captures: Vec<(usize, u8, Range<usize>)>,
    /// The offset of a string that decides how the scan continues; it belongs to the template.
    pub(super) deciding: usize,
    /// Whether the record cannot become a path: it has too many values, or its tag is not the first key of its object.
    pub(super) is_unfit: bool,
}

impl Recording {
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.captures.clear();
        self.deciding = usize::MAX;
        self.is_unfit = false;
    }

    /// Records a string whose opening quote is at `at`.
    pub(super) fn string(&mut self, at: usize, end: End, text: &'static StringSchema) {
        let Some(end) = end else { return };
        if at != self.deciding {
            self.value(at + 1..end.get(), Kind::String(text));
        } else if let Some(number) = text.capture {
            self.capture(number, at + 1..end.get() - 1);
        }
    }

    /// Records a number or a boolean.
    pub(super) fn scalar(&mut self, at: usize, end: End, kind: Kind) {
        if let Some(end) = end {
            self.value(at..end.get(), kind);
        }
    }

    /// Adds a value. The number of values is bounded, whatever the length of the record.
    fn value(&mut self, range: Range<usize>, kind: Kind) {
        self.is_unfit |= self.values.len() == MAX_NODES;
        if !self.is_unfit {
            self.values.push((range, kind));
        }
    }

    /// Records a capture that is not a single value.
    pub(super) fn capture(&mut self, number: u8, range: Range<usize>) {
        self.is_unfit |= self.captures.len() == MAX_NODES;
        if !self.is_unfit {
            self.captures.push((self.values.len(), number, range));
        }
    }
}

impl Kind {
    /// Returns false if a value that begins with this byte is certainly of another kind.
    fn may_begin_with(self, byte: u8) -> bool {
        match self {
            Self::String(_) | Self::End => true,
            Self::Number(_) => matches!(byte, b'-' | b'0'..=b'9'),
            Self::Boolean(_) => matches!(byte, b't' | b'f'),
        }
    }

    /// Whether both are the same kind of value. After the same path, the schema is then the same too.
    fn is_like(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

impl Templates {
    /// The number of records that matched.
    pub(super) fn matched(&self) -> u64 {
        self.matched
    }

    /// Prepares for the next record. Returns false during a pause.
    pub(super) fn is_active(&mut self, schema: &'static Schema, policy: TextPolicy, multiline: bool) -> bool {
        let is_same = self.key.is_some_and(|(known, with, lines)| {
            std::ptr::eq(known, schema) && with == policy && lines == multiline
        });
        if !is_same {
            self.key = Some((schema, policy, multiline));
            self.pause = 0;
            self.next_pause = PAUSE;
            self.clear();
        }
        self.pause = self.pause.saturating_sub(1);
        self.pause == 0
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.captures.clear();
        self.nodes.clear();
        self.nodes.push(Node::default());
        self.credit = CREDIT;
    }

    fn hit(&mut self) {
        self.credit = CREDIT.min(self.credit + 1);
        self.matched += 1;
    }

    fn miss(&mut self) {
        self.credit -= MISS;
        if self.credit < 0 {
            self.clear();
            self.pause = self.next_pause;
            self.next_pause *= 2;
        }
    }

    /// Remembers a scanned record that is clean.
    pub(super) fn learn(&mut self, bytes: &[u8], record: Range<usize>, recording: &Recording) {
        let in_values: usize = recording.values.iter().map(|(value, _)| value.len()).sum();
        let is_full = self.nodes.len() + recording.values.len() >= MAX_NODES
            || self.bytes.len() + record.len() - in_values >= MAX_BYTES;
        if recording.is_unfit || is_full {
            return;
        }
        // The offsets at which the templates begin.
        let mut begins = Vec::with_capacity(1 + recording.values.len());
        begins.push(record.start);
        begins.extend(recording.values.iter().map(|(value, _)| value.end));
        let end = (record.end..record.end, Kind::End);
        let mut parent = 0;
        for (index, (value, kind)) in recording.values.iter().chain([&end]).enumerate() {
            let template = &bytes[begins[index]..value.start];
            let own = recording.captures.iter().filter(|(before, ..)| *before == index);
            let own = own.map(|(_, number, range)| {
                let first = begins[..=index].iter().rposition(|begin| *begin <= range.start).unwrap_or(0);
                let begins_at = (first, range.start - begins[first]);
                Capture { number: *number, begins: begins_at, end: range.end - begins[index] }
            });
            let Some(child) = self.child(parent, template, *kind, own) else { return };
            parent = child;
        }
    }

    /// The child with this template and kind, added if it is missing; `None` if there are too many alternatives. The captures follow from
    /// the path, so those of an existing child are the same.
    fn child(
        &mut self,
        parent: usize,
        template: &[u8],
        kind: Kind,
        captures: impl Iterator<Item = Capture>,
    ) -> Option<usize> {
        let (mut last, mut alternatives) = (None, 0);
        let mut index = self.nodes[parent].child;
        while index != 0 {
            let node = &self.nodes[index];
            if self.bytes[node.template.clone()] == *template && node.value.is_like(kind) {
                return Some(index);
            }
            last = Some(index);
            alternatives += 1;
            index = node.sibling;
        }
        if alternatives == MAX_ALTERNATIVES {
            return None;
        }
        let index = self.nodes.len();
        match last {
            Some(last) => self.nodes[last].sibling = index,
            None => self.nodes[parent].child = index,
        }
        let (first_byte, first_capture) = (self.bytes.len(), self.captures.len());
        self.bytes.extend_from_slice(template);
        self.captures.extend(captures);
        self.nodes.push(Node {
            template: first_byte..self.bytes.len(),
            value: kind,
            captures: first_capture..self.captures.len(),
            ..Node::default()
        });
        Some(index)
    }
}

#[cfg(test)]
mod tests;
