//! What tells a finding again in another version of the dataset.

use std::io::{self, Read, Seek};
use std::rc::Rc;

use evalcheck_wire::report::Finding;

use super::View;
use super::edited::Edited;
use crate::compare::join::parse_bytes;
use crate::compare::values::{Located, hash_of};
use crate::formats::KeyedHash;
use crate::walk::steps;

impl<R: Read + Seek> View<'_, R> {
    /// A number that a finding has in common with those of the same rule at the same path, up to indices, in an equal record: wherever
    /// the record is, whatever its id is, and in every run. Of a finding that is in no line the entry of the ZIP counts instead. Without
    /// `reads_record` it is the number of the line: of a ZIP, the records before it have to be read for that one.
    ///
    /// # Errors
    /// The source's own, when the file went away or changed.
    pub fn fingerprint(&mut self, finding: &Finding, reads_record: bool) -> io::Result<u64> {
        let hash = KeyedHash::of_all_runs();
        let content = match finding.line {
            Some(line) if reads_record => self.content_hash(line, &hash)?,
            Some(line) => line,
            None => hash.hash(finding.entry.as_deref().unwrap_or_default().as_bytes()),
        };
        let pattern = finding.path_pattern().unwrap_or_default();
        let parts = [finding.code.as_bytes(), pattern.as_bytes(), &content.to_le_bytes()];
        Ok(hash.hash(&parts.join(&0)))
    }

    /// A hash of the record at a line, without its id, whatever its white space and the order of its keys are. Of what cannot be read it
    /// is that of the bytes.
    fn content_hash(&mut self, line: u64, hash: &KeyedHash) -> io::Result<u64> {
        let Some(record) = self.edited(line)? else { return Ok(0) };
        let bytes = record.bytes();
        // What is a line in a CSV is no row that could be read.
        let table = self.reader.table().filter(|_| matches!(record, Edited::Found(_)));
        let Some(parsed) = parse_bytes(bytes, line, table.map(Rc::as_ref)) else {
            return Ok(hash.hash(bytes.trim_ascii()));
        };
        let identity = self.reader.visitor().format.identity;
        let ids: Vec<_> = identity.iter().flat_map(|paths| paths.iter()).map(|path| steps(path)).collect();
        let without: Vec<_> = ids.iter().map(Vec::as_slice).collect();
        Ok(hash_of(Located { value: &parsed.value, bytes }, &without, hash))
    }
}
