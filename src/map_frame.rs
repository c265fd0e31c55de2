//! The frame on the map of the file.

use std::cell::Cell;
use std::ops::RangeInclusive;
use std::rc::Rc;

use yew::html::ImplicitClone;
use yew::prelude::*;

use crate::platform;

/// The frame around what the list beside the map shows. The list moves it as it scrolls, which renders nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct MapFrame {
    /// The rectangle.
    pub(crate) node: NodeRef,
    /// The bytes that it is around, until another list is shown.
    bytes: Rc<Cell<(u64, u64)>>,
}

impl ImplicitClone for MapFrame {}

impl PartialEq for MapFrame {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl MapFrame {
    /// Draws it around rows of a list of so many, from 1. It stays where it is if none of them is loaded.
    fn show(&self, rows: RangeInclusive<u64>, all: u64, byte_of: impl Fn(u64) -> Option<u64>) {
        let Some(first) = rows.clone().find_map(&byte_of) else { return };
        let after = byte_of(rows.end() + 1).or_else(|| (*rows.end() >= all).then_some(u64::MAX));
        let last = after.or_else(|| rows.rev().find_map(&byte_of)).unwrap_or(first);
        // A list may be in another order than the file.
        self.bytes.set((first.min(last), first.max(last)));
        self.draw();
    }

    /// Draws it around what a list of so many rows shows, whenever that changes.
    pub(crate) fn follow(
        &self,
        all: u64,
        byte_of: impl Fn(u64) -> Option<u64> + 'static,
    ) -> Callback<RangeInclusive<u64>> {
        let frame = self.clone();
        Callback::from(move |rows| frame.show(rows, all, &byte_of))
    }

    /// Draws it where it is.
    pub(crate) fn draw(&self) {
        let (first, end) = self.bytes.get();
        platform::set_rows(&self.node, first, end);
    }
}
