//! The files of the archive as a list, as far as the page has them.

use std::rc::Rc;

use evalcheck_wire::attachments::{AttachmentList, AttachmentQuery, AttachmentRow, AttachmentSummary};
use evalcheck_wire::worker::RequestId;

use super::page_cache::PageCache;

/// The files of the archive.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ArchiveFiles {
    /// Which files are listed.
    pub(crate) query: AttachmentQuery,
    /// The files that are listed.
    pub(crate) cache: PageCache<AttachmentRow>,
    /// What all files come to, once that is known.
    pub(crate) summary: Option<Rc<AttachmentSummary>>,
}

impl ArchiveFiles {
    /// The files of another state of the archive, to be listed in the same way.
    pub(crate) fn anew(&self) -> Self {
        Self { query: self.query.clone(), ..Self::default() }
    }

    /// The number in the list, from 0, of a file that is added next, where it is known: the last one of those that are there.
    pub(crate) fn next_added(&self) -> Option<u64> {
        let summary = self.summary.as_ref().filter(|_| self.query == AttachmentQuery::default())?;
        Some(summary.files)
    }

    /// Lists other files, or in another order.
    pub(crate) fn list(&mut self, query: AttachmentQuery) {
        self.query = query;
        // The first answer says how many there are.
        self.cache = PageCache::new(1);
        self.cache.show_in_list(1..=1);
    }

    /// The number of files, with those that are missing.
    pub(crate) fn count(&self) -> u64 {
        self.summary.as_ref().map_or(0, |summary| summary.files + summary.missing)
    }

    /// Stores the answer to a request; any other is stale.
    pub(crate) fn store(&mut self, request: RequestId, list: AttachmentList) {
        if self.cache.is_open(request) {
            self.cache.set_total(list.total);
            self.cache.store(request, list.total, list.rows);
            self.summary = Some(Rc::new(list.summary));
        }
    }
}
