//! Observers of a check, which have no part in its findings.
//!
//! An observer sees the records, findings and events of a check in the order of the dataset, and keeps what it is for: the records that
//! match a query, or statistics. A check has at most one of a type ([`Check::observe`](crate::check::Check::observe)), and returns it by
//! its type.
//!
//! Each record comes once, when it is counted: by [`Observer::clean`] or by [`Observer::counted`], with its text as far as
//! it was read.
//!
//! ```
//! # use std::io::Cursor;
//! # use evalcheck_engine::check::{Check, FileInfo};
//! # use evalcheck_engine::dataset::Dataset;
//! # use evalcheck_engine::finding::Finding;
//! # use evalcheck_engine::observer::Observer;
//! # use evalcheck_engine::records::{CountedRecord, ScannedRecord};
//! /// The length of the longest record.
//! #[derive(Debug, Default)]
//! struct Longest(usize);
//!
//! impl Observer for Longest {
//!     fn clean(&mut self, record: &ScannedRecord<'_>, _: &[Finding], _: &Dataset) {
//!         self.0 = self.0.max(record.text.len());
//!     }
//!
//!     fn counted(&mut self, record: &CountedRecord<'_>, _: &[Finding], _: &Dataset) {
//!         self.0 = self.0.max(record.text.map_or(0, <[u8]>::len));
//!     }
//! }
//!
//! let data = br#"{"input":{"messages":[{"role":"usr","content":1}]}}"#;
//! let file = FileInfo { name: "data.jsonl".into(), size: data.len() as u64 };
//! let mut check = Check::open(&mut Cursor::new(data), file, Default::default());
//! check.observe(Longest(0));
//! check.read_all(data, 1 << 20);
//! assert_eq!(check.observer::<Longest>().unwrap().0, data.len());
//! ```

use std::any::Any;
use std::fmt;

use evalcheck_records::{CountedRecord, Event, ScannedRecord};

use crate::dataset::Dataset;
use crate::finding::Finding;

/// An observer of a check. Each method does nothing unless an observer says otherwise.
pub trait Observer: Any {
    /// Whether every record has to be seen. If not, the check may pass over records that another thread or machine found clean
    /// ([`crate::check::known_lines`]).
    fn needs_all_records(&self) -> bool {
        true
    }

    /// Whether a record has to be read into a tree, although the fast tier found it clean. It then comes by [`Observer::counted`].
    fn needs_tree(&mut self, _record: &ScannedRecord<'_>, _dataset: &Dataset) -> bool {
        false
    }

    /// A record that the fast tier found clean was counted. `findings` are those that other records give it.
    fn clean(&mut self, _record: &ScannedRecord<'_>, _findings: &[Finding], _dataset: &Dataset) {}

    /// A record is counted with these findings, because it is not clean. The collector of the dataset does not have it yet.
    fn counted(&mut self, _record: &CountedRecord<'_>, _findings: &[Finding], _dataset: &Dataset) {}

    /// A finding outside of the record that is counted: of a header, of the dataset as a whole, or of a
    /// record that was counted before. Not for findings about the file, the archive or its other entries.
    fn finding(&mut self, _finding: &Finding, _dataset: &Dataset) {}

    /// Anything else that the reader came upon.
    fn event(&mut self, _event: &Event<'_>, _dataset: &Dataset) {}

    /// No more of the dataset is read: it ended, or the check stopped. Comes once, and last; at once if the check has ended before it got
    /// the observer.
    fn end(&mut self, _dataset: &Dataset) {}
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
