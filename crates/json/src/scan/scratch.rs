//! The scanner's memory.

use std::ops::Range;

use super::embedded::Embedded;
use super::templates::{Recording, Templates};

/// The maximum nesting of arrays and objects.
pub const MAX_DEPTH: usize = 128;

/// The scanner's memory, reused for each record so that nothing is allocated per record.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Captured values and keys of the last record: the capture's number, and the range in the buffer.
    pub captures: Vec<(u8, Range<usize>)>,
    /// The undeclared keys of the open objects.
    pub(super) own_keys: Vec<Range<usize>>,
    /// The fields of open objects that conditions depend on or restrict: index of the field, and offset of the value.
    pub(super) watched: Vec<(usize, usize)>,
    /// The number of open arrays and objects.
    pub(super) depth: usize,
    /// The notes that the template cache learns from.
    pub(super) recording: Recording,
    /// The template cache. Boxed, so that taking it out is cheap.
    pub(super) templates: Option<Box<Templates>>,
    /// The memory for the JSON in strings.
    pub(super) embedded: Option<Box<Embedded>>,
}

impl Scratch {
    /// The number of records that matched the template cache so far.
    pub fn template_matches(&self) -> u64 {
        self.templates.as_ref().map_or(0, |templates| templates.matched())
    }

    /// Forgets the last record, but keeps the template cache.
    pub(super) fn clear(&mut self) {
        self.captures.clear();
        self.recording.clear();
        self.own_keys.clear();
        self.watched.clear();
        self.depth = 0;
    }

    /// Captures a key, or an element with its content.
    pub(super) fn capture_other(&mut self, number: u8, range: Range<usize>) {
        self.recording.capture(number, range.clone());
        self.captures.push((number, range));
    }

    /// Enters an array or an object; `None` if the nesting is too deep.
    pub(super) fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth <= MAX_DEPTH).then_some(())
    }
}
