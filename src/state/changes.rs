//! The changes in the shown file since it was opened, by record.

use evalcheck_wire::view::{ChangeFacts, ChangeList, ChangedPlace};
use evalcheck_wire::worker::RequestId;

use super::page_cache::PageCache;

/// The loaded places with changes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChangedPlaces {
    /// The places. Their number is unknown until the first answer.
    pub(crate) cache: PageCache<ChangedPlace>,
    /// The number of places, once known.
    pub(crate) total: Option<u64>,
    /// Further facts about the changes; `None` if the worker does not know the changes.
    pub(crate) facts: Option<ChangeFacts>,
    /// The selected place, from 0.
    pub(crate) selected: Option<u64>,
}

impl Default for ChangedPlaces {
    fn default() -> Self {
        // The first answer contains the number of places.
        let mut cache = PageCache::new(1);
        cache.show_in_list(1..=1);
        Self { cache, total: None, facts: None, selected: None }
    }
}

impl ChangedPlaces {
    /// The places of another state of the file, for the same visible rows.
    pub(crate) fn anew(&self) -> Self {
        let mut places = Self::default();
        places.cache.show_as(&self.cache);
        places
    }

    /// Stores an answer; an answer to no open request is dropped.
    pub(crate) fn store(&mut self, request: RequestId, list: ChangeList, facts: Option<ChangeFacts>) {
        if self.cache.is_open(request) {
            self.total = Some(list.total);
            self.facts = facts;
            self.cache.store(request, list.total, list.places);
        }
    }

    /// Handles a failed request. Returns true if it belongs to this list.
    pub(crate) fn fail(&mut self, request: RequestId) -> bool {
        let is_own = self.cache.fail(request);
        if is_own {
            self.total.get_or_insert(0);
        }
        is_own
    }

    /// The selected place, if it is loaded.
    pub(crate) fn selected_place(&self) -> Option<&ChangedPlace> {
        self.cache.get(self.selected? + 1).loaded()
    }
}
