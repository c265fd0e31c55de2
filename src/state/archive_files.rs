//! The loaded files of the archive, as a list.

use std::rc::Rc;

use evalcheck_wire::attachments::{AttachmentList, AttachmentQuery, AttachmentRow, AttachmentSummary};
use evalcheck_wire::worker::RequestId;

use super::page_cache::PageCache;

/// The files of the archive.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ArchiveFiles {
    /// The filter and order of the list.
    pub(crate) query: AttachmentQuery,
    /// The listed files.
    pub(crate) cache: PageCache<AttachmentRow>,
    /// The sums over all files, once known.
    pub(crate) summary: Option<Rc<AttachmentSummary>>,
}

impl ArchiveFiles {
    /// The same list for another state of the archive.
    pub(crate) fn anew(&self) -> Self {
        Self { query: self.query.clone(), ..Self::default() }
    }

    /// The number in the list, from 0, of the next added file, if known: after the last existing one.
    pub(crate) fn next_added(&self) -> Option<u64> {
        let summary = self.summary.as_ref().filter(|_| self.query == AttachmentQuery::default())?;
        Some(summary.files)
    }

    /// Changes the filter or the order of the list.
    pub(crate) fn list(&mut self, query: AttachmentQuery) {
        self.query = query;
        // The first answer contains the number of files.
        self.cache = PageCache::new(1);
        self.cache.show_in_list(1..=1);
    }

    /// The number of files, including the missing ones.
    pub(crate) fn count(&self) -> u64 {
        self.summary.as_ref().map_or(0, |summary| summary.files + summary.missing)
    }

    /// Stores the answer to a request; other answers are stale.
    pub(crate) fn store(&mut self, request: RequestId, list: AttachmentList) {
        if self.cache.is_open(request) {
            self.cache.set_total(list.total);
            self.cache.store(request, list.total, list.rows);
            self.summary = Some(Rc::new(list.summary));
        }
    }
}
