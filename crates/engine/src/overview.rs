//! Statistics of a whole dataset, counted while it is checked: an observer that most checks do not have.
//!
//! A record that the fast tier found clean is walked over once more ([`evalcheck_json::walk`]), without a tree, and so is a record
//! with findings that is JSON. The walk calls a visitor: a tree of paths, which tries the key that came next the last time, so that a
//! record like the last one costs no search. Everything is bounded: 500 paths, 1,000 values of a path, 1,835,008 contents that are compared
//! by a keyed hash. What is beyond is counted together, and said.
//!
//! A run of records can be counted by itself, by another thread, and be added (`Overview::merge`): the statistics are those of records
//! that are read in their order.

mod facts;
mod observed;
mod observer;
mod outcomes;
mod scripts;
mod steps;
mod sum;
mod tree;
mod values;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use borsh::{BorshDeserialize, BorshSerialize};
use evalcheck_core::order::Order;
use evalcheck_formats::statistics::Statistics;
use evalcheck_formats::{KeyedHash, SeenContents};
use evalcheck_json::csv::{Cell, split};
use evalcheck_json::scan::characters;
use evalcheck_json::walk::{Text, Visitor, walk};
use evalcheck_records::ScannedRecord;
use evalcheck_records::csv::Table;
use evalcheck_report::Counts;
use evalcheck_report::overview::{self as wire, AttachmentFacts, Script, ScriptCount, Texts};

use crate::content::Content;
use crate::dataset::Dataset;
use crate::diagnose::{self, Anomaly, Kind};
use crate::schema::Schema;
use outcomes::Outcomes;
use steps::Steps;
use tree::{Heading, Tree};

/// The longest path that is named, in bytes. A key can be a megabyte, so values at longer paths are counted together.
const LONGEST_PATH: usize = 1_000;

/// The statistics of a dataset, as far as it was read.
#[derive(Debug, Clone, BorshSerialize, BorshDeserialize)]
pub struct Overview {
    bytes: Steps,
    characters: Steps,
    contents: SeenContents,
    /// Repeated contents; `None` once they are too many to be remembered.
    duplicates: Option<u64>,
    tree: Tree,
    /// By media type: the type in words, and the sizes.
    #[borsh(skip)]
    attachments: BTreeMap<&'static str, (&'static str, Steps)>,
    /// The outcomes of loading the records; `None` if they are unknown.
    outcomes: Option<Outcomes>,
    /// The line of the current record.
    #[borsh(skip)]
    line: u64,
    /// The text of a cell.
    #[borsh(skip)]
    cell: Vec<u8>,
    /// Whether lengths and values are counted, for the report. Checks need only types, and which records have a value.
    #[borsh(skip)]
    pub(crate) counts_values: bool,
}

/// The choices of runs of a dataset, which must agree if the runs are to be merged.
#[derive(Debug, Clone)]
pub(crate) struct Counting {
    /// The hash by which contents are compared.
    pub(crate) hash: KeyedHash,
    /// Whether lengths and values are counted.
    pub(crate) values: bool,
}

impl Counting {
    /// Only what checks need. The key is the same in all runs, because plans and kept states hold it.
    pub(crate) fn for_checks() -> Self {
        Self { hash: KeyedHash::of_all_runs(), values: false }
    }
}

impl Overview {
    /// For the report on a dataset.
    pub fn new(dataset: &Dataset) -> Self {
        Self::of_run(dataset, Counting { hash: KeyedHash::default(), values: true })
    }

    /// For a run of records of a dataset, which is added to others that count the same.
    pub(crate) fn of_run(dataset: &Dataset, Counting { hash, values }: Counting) -> Self {
        let format = dataset.format;
        let is_known = format.loader.is_known && !(format.loader.needs_all)(dataset.variant);
        Self {
            bytes: Steps::default(),
            characters: Steps::default(),
            contents: SeenContents::new(hash),
            duplicates: Some(0),
            tree: Tree::new(dataset.variant.schema, format.facts().collect(), values),
            attachments: BTreeMap::new(),
            outcomes: (is_known && values).then(Outcomes::default),
            line: 0,
            cell: Vec::new(),
            counts_values: values,
        }
    }

    /// A run as bytes; `None` if it has a number that they cannot hold.
    pub(crate) fn to_bytes(&self) -> Option<Vec<u8>> {
        borsh::to_vec(self).ok()
    }

    /// Decodes a run. `None` if the bytes are not a run.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        borsh::from_slice(bytes).ok().filter(|run: &Self| run.tree.is_sound())
    }

    /// The choices that it counts by.
    pub(crate) fn counting(&self) -> Counting {
        Counting { hash: self.contents.keyed().clone(), values: self.counts_values }
    }

    /// Counts the values of a record that the fast tier found clean.
    #[inline]
    fn count_clean(&mut self, record: &ScannedRecord<'_>) {
        self.count_whole(record.text);
        self.line = record.at.line;
        match record.row {
            Some(row) => self.count_cells(record.text, row.cells, row.table),
            None => self.count_json(record.bytes, record.start),
        }
    }

    /// Counts a record in JSON that is not clean. If records are arrays, only the object itself is counted of an object.
    fn count_record(&mut self, bytes: &[u8], schema: &Schema) {
        self.count_whole(bytes);
        let Ok(parsed) = diagnose::parse(bytes) else { return };
        match parsed.value.kind {
            Kind::Object(_) if schema.object.is_none() && schema.array.is_some() => {
                self.tree.begin_record(self.line);
                self.tree.begin_object();
                self.tree.skip_members();
                self.tree.end_object();
                self.tree.end_record();
            }
            _ => {
                self.count_json(bytes, 0);
                if self.counts_values
                    && parsed.anomalies.iter().any(|anomaly| matches!(anomaly, Anomaly::DuplicateKey { .. }))
                {
                    self.tree.note_repeats(&parsed.value);
                }
            }
        }
    }

    /// Counts a row that is not clean.
    fn count_row(&mut self, bytes: &[u8], table: &Table) {
        self.count_whole(bytes);
        let mut cells = Vec::new();
        let error = split(bytes, table.delimiter, true, &mut cells);
        if error.is_none() && cells.len() == table.columns.len() {
            self.count_cells(bytes, &cells, table);
        }
    }

    /// Counts a file of an archive that is not the dataset.
    pub(crate) fn count_attachment(&mut self, content: Content, bytes: u64) {
        let (_, sizes) =
            self.attachments.entry(content.media_type).or_insert((content.description, Steps::default()));
        sizes.add_whole(bytes);
    }

    /// Counts the lengths of a record, and its content.
    #[inline]
    fn count_whole(&mut self, bytes: &[u8]) {
        if self.counts_values {
            self.bytes.add_whole(bytes.len() as u64);
            self.characters.add_whole(characters(bytes));
        }
        let hash = self.contents.hash(bytes);
        self.duplicates =
            self.duplicates.and_then(|known| Some(known + u64::from(self.contents.insert(hash)?)));
    }

    /// Counts the values of a record that is JSON.
    #[inline]
    fn count_json(&mut self, bytes: &[u8], start: usize) {
        self.tree.begin_record(self.line);
        walk(bytes, start, &mut self.tree);
        self.tree.end_record();
    }

    /// Counts the cells of a row. Of several columns with one name, readers see only the last.
    fn count_cells(&mut self, row: &[u8], cells: &[Cell], table: &Table) {
        self.tree.begin_record(self.line);
        self.tree.begin_object();
        for (cell, column) in cells.iter().zip(&table.columns).filter(|(_, column)| !column.shadowed) {
            let text = if cell.needs_decoding {
                self.cell.clear();
                cell.decode(row, &mut self.cell);
                &*self.cell
            } else {
                &row[cell.content()]
            };
            self.tree.key(Text::plain(column.name.as_bytes()));
            if column.is_list {
                count_list(text, &mut self.tree);
            } else {
                self.tree.string(Text::plain(text));
            }
        }
        self.tree.end_object();
        self.tree.end_record();
    }

    /// Counts the records that follow in the same plain file, after this many lines.
    pub(crate) fn merge(&mut self, next: &Self, lines: u64) {
        self.bytes.merge(&next.bytes);
        self.characters.merge(&next.characters);
        let duplicates = self.duplicates.zip(next.duplicates);
        self.duplicates = duplicates.and_then(|(a, b)| Some(a + b + self.contents.merge(&next.contents)?));
        self.tree.merge(&next.tree, lines);
        if let Some((outcomes, next)) = self.outcomes.as_mut().zip(next.outcomes.as_ref()) {
            outcomes.merge(next);
        }
    }

    /// The statistics for the checks of the dataset.
    pub(crate) fn statistics(&self) -> Statistics {
        Statistics { paths: self.tree.statistics(), duplicates: self.duplicates }
    }

    /// The statistics of records with these counts.
    pub fn to_wire(&self, counts: &Counts) -> wire::Overview {
        wire::Overview {
            records: counts.records,
            valid: counts.valid,
            invalid: counts.invalid,
            bytes: self.bytes.to_wire(),
            characters: self.characters.to_wire(),
            duplicates: self.duplicates,
            loaded: self.outcomes.as_ref().map(Outcomes::to_wire),
            texts: self.texts(),
            facts: facts::to_wire(&self.tree),
            paths: self.tree.to_wire(),
            at_other_paths: self.tree.others(),
            attachments: self.attachments.iter().filter_map(attachments).collect(),
        }
    }

    /// The number of records whose values were counted, because they could be read.
    pub fn read(&self) -> u64 {
        self.tree.counted()
    }

    /// The JSON Schema (2020-12) of a record, as text that ends with a line break: it accepts every record whose values were counted, and as
    /// little else as is known. `None` if no record could be read. The statistics have to be those of [`Overview::new`], of `records` records
    /// in a file of this name. In rows, which `are_rows`, a column is of numbers if all its cells are numbers or empty; an empty one is null.
    ///
    /// The schema does not depend on the order of the records.
    pub fn to_schema(&self, name: &str, records: u64, are_rows: bool) -> Option<String> {
        let version = env!("CARGO_PKG_VERSION");
        let (read, unread) = (self.read(), records.saturating_sub(self.read()));
        let mut comment = format!("one record; inferred by evalcheck {version} from {read}");
        if unread > 0 {
            let _ =
                write!(comment, "; {unread} of {records} records could not be read and are not described");
        }
        self.tree.to_schema(Heading { title: name, comment: &comment }, are_rows)
    }

    fn texts(&self) -> Texts {
        let texts = self.tree.texts();
        let scripts = Script::ALL.into_iter().zip(texts.scripts).filter(|(_, texts)| *texts > 0);
        let mut scripts: Vec<_> = scripts.map(|(script, texts)| ScriptCount { script, texts }).collect();
        scripts.order_by_key(|count| Reverse(count.texts));
        Texts { characters: texts.characters.to_wire(), estimated_tokens: texts.tokens.to_wire(), scripts }
    }
}

/// Counts the cell of a column of lists ([`evalcheck_records::csv::Column::is_list`]).
fn count_list(cell: &[u8], tree: &mut Tree) {
    let text = std::str::from_utf8(cell).unwrap_or_default().trim();
    match diagnose::parse(text.as_bytes()) {
        Ok(parsed) if parsed.value.as_array().is_some() => {
            walk(text.as_bytes(), 0, tree);
        }
        Ok(_) => tree.string(Text::plain(cell)),
        Err(_) => {
            tree.begin_array();
            let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
            entries.for_each(|entry| tree.string(Text::plain(entry.as_bytes())));
            tree.end_array();
        }
    }
}

fn attachments((media_type, (description, sizes)): (&&str, &(&str, Steps))) -> Option<AttachmentFacts> {
    Some(AttachmentFacts {
        media_type: (*media_type).to_owned(),
        description: (*description).to_owned(),
        bytes: sizes.to_wire()?,
    })
}

#[cfg(test)]
mod tests;
