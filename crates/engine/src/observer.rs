//! Observers of a check, which have no part in its findings.
//!
//! An observer sees the records, findings and events of a check in the order of the dataset, and keeps what it is for: the records that
//! match a query, or statistics. A check has at most one of a type ([`Check::observe`](crate::check::Check::observe)), and returns it by
//! its type.
//!
//! Each record is counted once: by [`Observer::clean`], or by [`Observer::counted`]. Before it is counted, a record that is not clean comes by
//! [`Observer::read`], except for one that cannot be read at all: a line or row that is too long, a row with too many cells, an element
//! that does not end, an array of records in place of a header. An observer that takes something in `read` takes it away in
//! `counted`, so that the next record does not get it.
//!
//! Of a record that goes over several lines, `read` has only the first. The others come by [`Event::Continues`] (also lines that turn
//! out to be records of their own), and [`Event::InvalidLines`] says which of them belong to the record.
//!
//! ```
//! # use std::io::Cursor;
//! # use evalcheck_engine::check::{Check, FileInfo};
//! # use evalcheck_engine::dataset::Dataset;
//! # use evalcheck_engine::finding::Finding;
//! # use evalcheck_engine::observer::{Observer, PartText};
//! # use evalcheck_engine::records::{Part, ScannedRecord};
//! /// The length of the longest first line of a record.
//! #[derive(Debug, Default)]
//! struct Longest {
//!     bytes: usize,
//!     next: Option<usize>,
//! }
//!
//! impl Observer for Longest {
//!     fn clean(&mut self, record: &ScannedRecord<'_>, _: &[Finding], _: &Dataset) {
//!         self.bytes = self.bytes.max(record.text.len());
//!     }
//!
//!     fn read(&mut self, part: Part<'_>, text: &PartText<'_>, _: &Dataset) {
//!         self.next = matches!(part, Part::Record { .. } | Part::Row(_)).then_some(text.bytes.len());
//!     }
//!
//!     fn counted(&mut self, _: u64, _: &[Finding], _: &Dataset) {
//!         self.bytes = self.bytes.max(self.next.take().unwrap_or_default());
//!     }
//! }
//!
//! let data = br#"{"input":{"messages":[{"role":"usr","content":1}]}}"#;
//! let file = FileInfo { name: "data.jsonl".into(), size: data.len() as u64 };
//! let mut check = Check::open(&mut Cursor::new(data), file, Default::default());
//! check.observe(Longest::default());
//! check.read_all(data, 1 << 20);
//! assert_eq!(check.observer::<Longest>().unwrap().bytes, data.len());
//! ```

use std::any::Any;
use std::fmt;

use evalcheck_records::{Event, Part, ScannedRecord};

use crate::dataset::Dataset;
use crate::diagnose::RecordStart;
use crate::finding::Finding;

/// An observer of a check. Each method does nothing unless an observer says otherwise.
pub trait Observer: Any {
    /// Whether every record has to be seen. If not, the check may pass over records that another thread or machine found clean
    /// ([`crate::check::known_lines`]).
    fn needs_all_records(&self) -> bool {
        true
    }

    /// Whether a record has to be read into a tree ([`Observer::read`]), although the fast tier found it clean.
    fn needs_tree(&mut self, _record: &ScannedRecord<'_>, _dataset: &Dataset) -> bool {
        false
    }

    /// A record that the fast tier found clean was counted. `findings` are those that other records give it.
    fn clean(&mut self, _record: &ScannedRecord<'_>, _findings: &[Finding], _dataset: &Dataset) {}

    /// A part of the dataset was read into a tree, and has these findings. A record is counted next, unless it goes over several lines. A
    /// header may turn out to be a record, and then comes again.
    fn read(&mut self, _part: Part<'_>, _text: &PartText<'_>, _dataset: &Dataset) {}

    /// The record with this number, from 0, is counted with these findings, because it is not clean. The collector of the dataset does not
    /// have it yet.
    fn counted(&mut self, _record: u64, _findings: &[Finding], _dataset: &Dataset) {}

    /// A finding outside of the record that is counted: of a header, which [`Observer::read`] had too, of the dataset as a whole, or of a
    /// record that was counted before. Not for findings about the file, the archive or its other entries.
    fn finding(&mut self, _finding: &Finding, _dataset: &Dataset) {}

    /// Anything else that the reader came upon.
    fn event(&mut self, _event: &Event<'_>, _dataset: &Dataset) {}

    /// No more of the dataset is read: it ended, or the check stopped. Comes once, and last; at once if the check has ended before it got
    /// the observer.
    fn end(&mut self, _dataset: &Dataset) {}
}

/// A part of a dataset that was read into a tree.
#[derive(Debug, Clone, Copy)]
pub struct PartText<'a> {
    /// Its bytes, without the line break after it. Of a record over several lines, the first line.
    pub bytes: &'a [u8],
    /// Its location in the dataset.
    pub start: RecordStart,
    /// Its findings.
    pub findings: &'a [Finding],
}

/// The observers of a check, at most one of a type.
#[derive(Default)]
pub(crate) struct Observers {
    all: Vec<Box<dyn Observer>>,
    has_ended: bool,
}

// Without the observers: the code that shows them would be downloaded with the engine.
impl fmt::Debug for Observers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observers").field("has_ended", &self.has_ended).finish_non_exhaustive()
    }
}

impl Observers {
    /// Adds an observer of a dataset in place of one of the same type.
    pub(crate) fn add<T: Observer>(&mut self, mut observer: T, dataset: &Dataset) {
        self.take::<T>();
        if self.has_ended {
            observer.end(dataset);
        }
        self.all.push(Box::new(observer));
    }

    /// The observer of a type.
    pub(crate) fn get<T: Observer>(&self) -> Option<&T> {
        self.all.iter().find_map(|observer| {
            let observer: &dyn Any = &**observer;
            observer.downcast_ref()
        })
    }

    /// The observer of a type, to change it.
    pub(crate) fn get_mut<T: Observer>(&mut self) -> Option<&mut T> {
        self.all.iter_mut().find_map(|observer| {
            let observer: &mut dyn Any = &mut **observer;
            observer.downcast_mut()
        })
    }

    /// Removes and returns the observer of a type.
    pub(crate) fn take<T: Observer>(&mut self) -> Option<T> {
        let index = self.all.iter().position(|observer| {
            let observer: &dyn Any = &**observer;
            observer.is::<T>()
        })?;
        let observer: Box<dyn Any> = self.all.remove(index);
        observer.downcast().ok().map(|observer| *observer)
    }

    /// All of them.
    #[inline]
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut dyn Observer> {
        self.all.iter_mut().map(|observer| &mut **observer)
    }

    /// Ends all of them, once.
    pub(crate) fn end(&mut self, dataset: &Dataset) {
        if !std::mem::replace(&mut self.has_ended, true) {
            self.iter_mut().for_each(|observer| observer.end(dataset));
        }
    }

    /// Whether one of them has to see every record.
    pub(crate) fn need_all_records(&self) -> bool {
        self.all.iter().any(|observer| observer.needs_all_records())
    }
}
