//! The rows of a list that the worker sends page by page.

use std::marker::PhantomData;
use std::mem::discriminant;
use std::rc::Rc;

use evalcheck_report::Finding;
use evalcheck_report::view::{ChangedPlace, Line, Row};
use evalcheck_wire::attachments::AttachmentRow;
use evalcheck_wire::compare::Difference;
use evalcheck_wire::question::Answer;

use super::remote::Remote;

/// Rows in a page.
pub(crate) const PAGE: u64 = 200;

/// A row of a list that the worker sends.
pub(crate) trait Item: Sized + 'static {
    /// The rows in an answer; `None` for an answer with something else.
    fn of(answer: &Answer) -> Option<&[Self]>;
}

impl Item for Line {
    fn of(answer: &Answer) -> Option<&[Self]> {
        Some(&answer.try_as_lines_ref()?.lines)
    }
}

impl Item for Row {
    fn of(answer: &Answer) -> Option<&[Self]> {
        Some(&answer.try_as_records_ref()?.rows)
    }
}

impl Item for Finding {
    fn of(answer: &Answer) -> Option<&[Self]> {
        Some(&answer.try_as_findings_ref()?.findings)
    }
}

impl Item for bool {
    fn of(answer: &Answer) -> Option<&[Self]> {
        answer.try_as_matches_ref().map(Vec::as_slice)
    }
}

impl Item for ChangedPlace {
    fn of(answer: &Answer) -> Option<&[Self]> {
        Some(&answer.try_as_changes_ref()?.0.places)
    }
}

impl Item for Difference {
    fn of(answer: &Answer) -> Option<&[Self]> {
        answer.try_as_differences_ref().map(Vec::as_slice)
    }
}

impl Item for AttachmentRow {
    fn of(answer: &Answer) -> Option<&[Self]> {
        Some(&answer.try_as_files_ref()?.rows)
    }
}

/// The state of a row.
#[derive(Debug, PartialEq)]
pub(crate) enum Lookup<'a, T> {
    /// It is loaded.
    Loaded(&'a T),
    /// It is being loaded.
    Loading,
    /// It cannot be loaded.
    Failed,
}

impl<T> Clone for Lookup<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Lookup<'_, T> {}

impl<'a, T> Lookup<'a, T> {
    /// The row, if it is loaded.
    pub(crate) fn loaded(self) -> Option<&'a T> {
        match self {
            Self::Loaded(item) => Some(item),
            Self::Loading | Self::Failed => None,
        }
    }
}

impl<'a, T: Item> Lookup<'a, T> {
    /// The row with this number among pages, each with the number of its first row.
    pub(super) fn find(pages: impl Iterator<Item = (u64, &'a Remote)>, row: u64, is_open: bool) -> Self {
        let missing = if is_open { Self::Loading } else { Self::Failed };
        let block = row / PAGE * PAGE;
        // An answer with fewer items than a page is followed by another one.
        let page = pages.filter(|(from, _)| (block..=row).contains(from)).max_by_key(|(from, _)| *from);
        match page {
            Some((from, Remote::Loaded(answer))) => {
                let items = T::of(answer).unwrap_or_default();
                match usize::try_from(row - from).ok().and_then(|at| items.get(at)) {
                    Some(item) => Self::Loaded(item),
                    None if items.is_empty() => Self::Failed,
                    None => missing,
                }
            }
            Some((_, Remote::Failed(_))) => Self::Failed,
            Some((_, Remote::Waiting(_) | Remote::Stopped(_))) | None => missing,
        }
    }
}

/// The rows of a list, as far as they are loaded, for a component: comparing two of them costs nothing.
#[derive(Debug)]
pub(crate) struct Items<T> {
    total: u64,
    is_open: bool,
    pages: Vec<(u64, Remote)>,
    item: PhantomData<fn() -> T>,
}

impl<T> Clone for Items<T> {
    fn clone(&self) -> Self {
        Self { pages: self.pages.clone(), item: PhantomData, ..*self }
    }
}

impl<T> PartialEq for Items<T> {
    fn eq(&self, other: &Self) -> bool {
        let is_same = |(one, other): (&(u64, Remote), &(u64, Remote))| {
            one.0 == other.0
                && match (&one.1, &other.1) {
                    (Remote::Loaded(one), Remote::Loaded(other)) => Rc::ptr_eq(one, other),
                    (one, other) => discriminant(one) == discriminant(other),
                }
        };
        (self.total, self.is_open, self.pages.len()) == (other.total, other.is_open, other.pages.len())
            && self.pages.iter().zip(&other.pages).all(is_same)
    }
}

impl<T: Item> Items<T> {
    /// The rows of a list that has so many, in pages with the numbers of their first rows. `is_open` says that more can come.
    pub(super) fn new(total: u64, is_open: bool, pages: Vec<(u64, Remote)>) -> Self {
        Self { total, is_open, pages, item: PhantomData }
    }

    /// How many rows the list has, loaded or not.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// A row by its number, from 0.
    pub(crate) fn get(&self, row: u64) -> Lookup<'_, T> {
        Lookup::find(self.pages.iter().map(|(from, state)| (*from, state)), row, self.is_open)
    }
}
