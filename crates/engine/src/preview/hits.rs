//! Hits of a search, made again from their records.

use std::io::{self, Read, Seek};

use evalcheck_report::view::Hit;

use super::View;
use super::records_again::read_records;
use crate::search::Search;

/// The maximum number of hits returned at once.
const MOST: usize = 500;

impl<R: Read + Seek> View<'_, R> {
    /// The hits of records that match, by their numbers in ascending order: of at most 500, and fewer if records are long, but at
    /// least one. `search` finds the records in this dataset, whichever check it belongs to.
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn hits(&mut self, records: &[u64], search: &Search) -> io::Result<Vec<Hit>> {
        let records = &records[..records.len().min(MOST)];
        Ok(read_records(self, records, Some(search))?.hits)
    }
}
