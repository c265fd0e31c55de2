//! The result of a comparison, with the first records that differ.

use std::io::{self, Read, Seek};

use evalcheck_report::Tool;
use evalcheck_report::view::{Excerpt, Row};
use evalcheck_wire::compare::{COMPARISON_VERSION, ChangedRecord, ComparedFile, ComparedRecord, Comparison};

use super::join::Join;
use super::matching::Matching;
use super::{Compare, Side};
use crate::check::Check;

/// A record less than this far after the one before is read together with the records between them.
const NEAR: u64 = 8;

/// The maximum number of records that are read together.
const MOST_AT_ONCE: u32 = 64;

impl Compare {
    /// The result, with the records that are listed, which are read again.
    ///
    /// # Errors
    /// Those of the sources.
    pub fn finish<S: Read + Seek>(mut self, sources: &mut [S; 2]) -> io::Result<Comparison> {
        let (mut comparison, result) = self.sums();
        let Some((matching, join)) = result else { return Ok(comparison) };
        let [old, new] = sources;
        comparison.removed_records = self.rows(0, old, matching.only[0].iter())?;
        comparison.added_records = self.rows(1, new, matching.only[1].iter())?;
        let of_old = self.rows(0, old, join.changed_records.iter().map(|(_, (old, _))| *old))?;
        let of_new = self.rows(1, new, join.changed_records.keys().copied())?;
        let paths = join.changed_records.into_values().map(|(_, paths)| paths);
        comparison.changed_records = of_old
            .into_iter()
            .zip(of_new)
            .zip(paths)
            .map(|((old, new), paths)| ChangedRecord { old, new, paths })
            .collect();
        Ok(comparison)
    }

    /// The result without records, and the matching and the join that it comes from; `None` if nothing could be compared.
    pub(super) fn sums(&mut self) -> (Comparison, Option<(Matching, Join)>) {
        let mut comparison = self.nothing();
        let Some((matching, join)) = self.result.take() else { return (comparison, None) };
        let unexamined = join.unexamined();
        if unexamined > 0 {
            let records = evalcheck_report::text::count(unexamined, "record");
            comparison.incomplete.push(format!(
                "the values of {records} were not compared: they are too large to be held in memory in this order"
            ));
        }
        comparison.complete = comparison.incomplete.is_empty();
        for (file, index) in [(&mut comparison.old, 0), (&mut comparison.new, 1)] {
            file.without_id = matching.without_id[index];
            file.repeated_id = matching.repeated_id[index];
        }
        let [old, new] = self.sides.each_ref().map(|side| side.header);
        comparison.header_changed = old.zip(new).is_some_and(|(old, new)| old != new);
        comparison.unchanged = matching.unchanged;
        (comparison.rewritten, comparison.changed, comparison.unexamined) =
            (join.rewritten, join.changed, unexamined);
        [comparison.removed, comparison.added] = matching.only.each_ref().map(|only| only.count);
        (comparison.paths, comparison.at_other_paths) = join.paths.to_wire();
        (comparison, Some((matching, join)))
    }

    /// A result without counts.
    fn nothing(&self) -> Comparison {
        let file = |side: &Side| ComparedFile {
            name: side.file.name.clone(),
            records: side.records,
            unread: side.unread,
            without_id: 0,
            repeated_id: 0,
        };
        Comparison {
            comparison: COMPARISON_VERSION.to_owned(),
            tool: Tool { name: "evalcheck".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
            format: if self.result.is_some() { self.format.to_owned() } else { String::new() },
            complete: false,
            incomplete: self.incomplete.clone(),
            old: file(&self.sides[0]),
            new: file(&self.sides[1]),
            header_changed: false,
            unchanged: 0,
            rewritten: 0,
            changed: 0,
            unexamined: 0,
            added: 0,
            removed: 0,
            paths: Vec::new(),
            at_other_paths: 0,
            changed_records: Vec::new(),
            added_records: Vec::new(),
            removed_records: Vec::new(),
        }
    }

    /// Reads records of a version again, neighbours together.
    fn rows<R: Read + Seek>(
        &mut self,
        index: usize,
        source: &mut R,
        records: impl Iterator<Item = u32>,
    ) -> io::Result<Vec<ComparedRecord>> {
        let Some(check) = self.sides[index].check.as_deref_mut() else { return Ok(Vec::new()) };
        let mut view = check.view(source);
        let (mut read, mut rows, mut before) = (Vec::new(), Vec::new(), None);
        for record in records.map(u64::from) {
            let is_wanted = |row: &Row| row.record == record;
            if !read.iter().any(is_wanted) {
                let is_near = before.is_some_and(|before| before < record && record - before < NEAR);
                read = view.rows(record, if is_near { MOST_AT_ONCE } else { 1 })?.rows;
            }
            before = Some(record);
            let row = read.iter().find(|row| is_wanted(row)).cloned();
            rows.push(row.map_or_else(|| unknown(record), compared));
        }
        Ok(rows)
    }
}

/// Reads a record of a version again.
pub(super) fn row<R: Read + Seek>(
    check: &mut Check,
    source: &mut R,
    record: u32,
) -> io::Result<ComparedRecord> {
    let row = check.view(source).rows(record.into(), 1)?.rows.into_iter().next();
    Ok(row.map_or_else(|| unknown(record.into()), compared))
}

/// A record that could not be read again.
fn unknown(record: u64) -> ComparedRecord {
    ComparedRecord { record, line: 0, id: None, text: String::new() }
}

fn compared(row: Row) -> ComparedRecord {
    let Row { record, line, id, question, answer, text, .. } = row;
    let cell = question.or(answer).or(text);
    let is_clipped = |cell: &Excerpt| cell.clipped_before || cell.clipped_after;
    let text =
        cell.map_or_else(String::new, |cell| if is_clipped(&cell) { cell.text + "…" } else { cell.text });
    ComparedRecord { record, line, id: id.map(|id| id.text), text }
}
