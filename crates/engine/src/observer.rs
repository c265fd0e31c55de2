//! Observers of a check, which have no part in its findings.
//!
//! An observer sees the records, findings and events of a check in the order of the dataset, and keeps what it is for: the records that
//! match a query, or statistics. A check has at most one of a type ([`Check::observe`](crate::check::Check::observe)), and returns it by
//! its type.
//!
//! ```
//! # use std::io::Cursor;
//! # use evalcheck_engine::check::{Check, FileInfo};
//! # use evalcheck_engine::dataset::Dataset;
//! # use evalcheck_engine::finding::Finding;
//! # use evalcheck_engine::observer::Observer;
//! /// The number of findings in the record with most of them.
//! #[derive(Debug, Default)]
//! struct MostFindings(usize);
//!
//! impl Observer for MostFindings {
//!     fn counted(&mut self, findings: &[Finding], _: &Dataset) {
//!         self.0 = self.0.max(findings.len());
//!     }
//! }
//!
//! let data = br#"{"input":{"messages":[{"role":"usr","content":1}]}}"#;
//! let file = FileInfo { name: "data.jsonl".into(), size: data.len() as u64 };
//! let mut check = Check::open(&mut Cursor::new(data), file, Default::default());
//! check.observe(MostFindings::default());
//! check.read_all(data, 1 << 20);
//! assert_eq!(check.observer::<MostFindings>().unwrap().0, 2);
//! ```

use std::any::Any;
use std::fmt::Debug;

use evalcheck_records::{Event, Part, ScannedRecord};

use crate::dataset::Dataset;
use crate::diagnose::RecordStart;
use crate::finding::Finding;

/// An observer of a check. Each method does nothing unless an observer says otherwise.
pub trait Observer: Any + Debug {
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

    /// A part of the dataset was read into a tree, and has these findings. If it is a record, it is counted next, unless it continues on
    /// the next line.
    fn read(&mut self, _part: Part<'_>, _text: &PartText<'_>, _dataset: &Dataset) {}

    /// A record that is not clean is counted, with these findings. The collector of the dataset does not have it yet.
    fn counted(&mut self, _findings: &[Finding], _dataset: &Dataset) {}

    /// A finding was made that is not in the record that is counted: before the records, or after its record was counted.
    fn finding(&mut self, _finding: &Finding, _dataset: &Dataset) {}

    /// Anything else that the reader came upon.
    fn event(&mut self, _event: &Event<'_>, _dataset: &Dataset) {}

    /// No more of the dataset is read: it ended, or the check stopped.
    fn end(&mut self, _dataset: &Dataset) {}
}

/// A part of a dataset that was read into a tree.
#[derive(Debug, Clone, Copy)]
pub struct PartText<'a> {
    /// Its bytes, without a line break.
    pub bytes: &'a [u8],
    /// Its location in the dataset.
    pub start: RecordStart,
    /// Its findings.
    pub findings: &'a [Finding],
}

/// The observers of a check, at most one of a type.
#[derive(Debug, Default)]
pub(crate) struct Observers(Vec<Box<dyn Observer>>);

impl Observers {
    /// Adds an observer in place of one of the same type.
    pub(crate) fn add<T: Observer>(&mut self, observer: T) {
        self.take::<T>();
        self.0.push(Box::new(observer));
    }

    /// The observer of a type.
    pub(crate) fn get<T: Observer>(&self) -> Option<&T> {
        self.0.iter().find_map(|observer| {
            let observer: &dyn Any = &**observer;
            observer.downcast_ref()
        })
    }

    /// The observer of a type, to change it.
    pub(crate) fn get_mut<T: Observer>(&mut self) -> Option<&mut T> {
        self.0.iter_mut().find_map(|observer| {
            let observer: &mut dyn Any = &mut **observer;
            observer.downcast_mut()
        })
    }

    /// Removes and returns the observer of a type.
    pub(crate) fn take<T: Observer>(&mut self) -> Option<T> {
        let index = self.0.iter().position(|observer| {
            let observer: &dyn Any = &**observer;
            observer.is::<T>()
        })?;
        let observer: Box<dyn Any> = self.0.remove(index);
        observer.downcast().ok().map(|observer| *observer)
    }

    /// All of them.
    #[inline]
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut dyn Observer> {
        self.0.iter_mut().map(|observer| &mut **observer)
    }

    /// Whether one of them has to see every record.
    pub(crate) fn need_all_records(&self) -> bool {
        self.0.iter().any(|observer| observer.needs_all_records())
    }
}
