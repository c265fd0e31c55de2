//! Hits of a search, made again from their records.

use std::io::{self, Read, Seek};

use evalcheck_wire::view::Hit;

use super::View;
use super::records_again::read_records;
use crate::search::Search;

/// Most hits given at once.
const MOST: usize = 500;

impl<R: Read + Seek> View<'_, R> {
    /// The hits of records that match, by their numbers in growing order: of at most 500, and fewer where records are long, but of at
    /// least one. `search` finds the records in this dataset, whichever check it belongs to.
    ///
    /// # Errors
    /// The source's own, when the file went away or changed.
    pub fn hits(&mut self, records: &[u64], search: &Search) -> io::Result<Vec<Hit>> {
        let records = &records[..records.len().min(MOST)];
        Ok(read_records(self, records, Some(search))?.hits)
    }
}
