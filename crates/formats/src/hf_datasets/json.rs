//! The checks of the types of JSON values.

use std::rc::Rc;

use evalcheck_core::excerpt::{clip, clip_quoted};
use evalcheck_core::finding::Location;
use evalcheck_diagnose::RecordStart;
use evalcheck_json::scan::BOM;
use evalcheck_report::text::{count, listed};

use super::features::{Feature, Features, Known, Reading};
use super::problem::TypeProblem;
use super::texts;
use super::tree::{ROOT, Tree};
use super::values::{Node, Seen, Sign};
use crate::chat::MESSAGE_LISTS;
use crate::checks::{Captures, Conclusions, DatasetChecks, Observations, Observes, RecordChecks, Summary};

/// The longest JSON in a message, in characters.
const SHOWN: usize = 80;

/// The checks of a dataset of JSON. Remembers at most 2,000 paths, with the place of the first value of each type.
#[derive(Debug)]
pub(super) struct Types {
    tree: Option<Tree>,
    /// Whether the version is 4.7 or later.
    is_new: bool,
    /// Whether the dataset is one document.
    is_document: bool,
    start: Start,
    known: Option<Known>,
    /// Whether the first line is null.
    begins_with_null: bool,
}

/// The first bytes of a document.
#[derive(Debug, Clone, Copy, Default)]
struct Start {
    has_mark: bool,
    has_space: bool,
    is_array: bool,
}

impl Types {
    pub(super) fn new(is_new: bool, is_document: bool) -> Self {
        let tree = Some(Tree::new(!is_document));
        Self { tree, is_new, is_document, start: Start::default(), known: None, begins_with_null: false }
    }
}

impl DatasetChecks for Types {
    fn needs_head(&self) -> bool {
        self.is_document
    }

    fn begin(&mut self, _: Option<&str>, head: &[u8]) -> bool {
        let text = head.strip_prefix(BOM).unwrap_or(head);
        let array = text.trim_ascii_start();
        self.start = Start {
            has_mark: text.len() < head.len(),
            has_space: array.len() < text.len(),
            is_array: array.starts_with(b"["),
        };
        false
    }

    fn first_line(&mut self, line: &[u8]) {
        self.begins_with_null = line.trim_ascii_end() == b"null";
    }

    fn observes(&self) -> Observes {
        Observes::Records
    }

    fn observe(&mut self, captures: &Captures<'_>, at: RecordStart, _: &mut Observations) {
        if let Some(tree) = &mut self.tree {
            tree.add(captures, at);
        }
    }

    fn concludes_on_records(&self) -> bool {
        true
    }

    fn record_checks(&self) -> Option<Rc<dyn RecordChecks>> {
        self.known.clone().map(|known| Rc::new(known) as Rc<dyn RecordChecks>)
    }

    fn finish(&mut self, summary: &Summary<'_>, out: &mut Conclusions<'_>) {
        let errors_of_records = out.errors();
        if self.begins_with_null {
            let at = Location { column: Some(1), bytes: Some(0..4), ..Location::line(1) };
            out.report_at(TypeProblem::NullFirst, at);
        }
        let Some(tree) = self.tree.take().filter(|tree| tree.records > 0) else { return };
        let Start { has_mark, has_space, is_array } = self.start;
        if is_array && has_mark && (has_space || !self.is_new) {
            let what = if has_space { "a byte order mark and white space" } else { "a byte order mark" };
            out.report(TypeProblem::BeforeArray { what });
        }
        // Blank lines after the last record are those of the only chunk, too.
        let is_blank =
            out.blank_lines() > 0 && (tree.skips_lines || tree.chunks.len() == 1) && !self.is_document;
        let is_of_pandas = is_array && (has_space || !self.is_new);
        let how = Reading {
            // ujson looks for objects with different keys, and stops at a number that is too big for it.
            has_json: self.is_new
                && !is_blank
                && !is_of_pandas
                && !tree.nodes.iter().any(|node| node.early.has(&[Sign::TooBig])),
            is_of_pandas,
            is_rewritten: self.is_new && is_array && !is_of_pandas,
        };
        if tree.is_cut {
            out.note(
                "The records have more than 2,000 different paths. Values at the others are not judged."
                    .to_owned(),
            );
        }
        // A record that cannot be read may have keys.
        let is_whole = tree.records == summary.records;
        // Without other lines between the records, the blank ones that are left are those at the end.
        let is_blank_at_end = is_whole && out.blank_lines() > tree.skipped;
        let is_blank = is_blank || tree.chunks.len() > 1 && (tree.skips_later || is_blank_at_end);
        let features = Rc::new(Features::new(tree, how));
        Judgment { features: &features, how, is_new: self.is_new, is_array, is_blank, out }.give(is_whole);
        self.known = Some(Known { features, are_refused: out.errors() > errors_of_records });
    }
}

/// The findings about the columns.
pub(super) struct Judgment<'f, 'o, 'c> {
    features: &'f Features,
    how: Reading,
    pub(super) is_new: bool,
    is_array: bool,
    /// Whether a chunk has blank lines.
    is_blank: bool,
    pub(super) out: &'o mut Conclusions<'c>,
}

impl Judgment<'_, '_, '_> {
    fn give(mut self, is_whole: bool) {
        let (features, tree) = (self.features, &self.features.tree);
        if tree.nodes[ROOT].children.is_empty() {
            // Records that are no objects have a finding of their own.
            if is_whole && matches!(*tree.nodes[ROOT].early.groups(), [("an object", _)]) {
                self.out.report(TypeProblem::NoColumns);
            }
            return;
        }
        if tree.deep.number > 0 {
            self.report(TypeProblem::TooDeep, &tree.deep);
        }
        if tree.halves.number > 0 {
            let what = if self.is_array {
                "datasets deletes it, or refuses the file"
            } else {
                "datasets refuses the file"
            };
            self.report(TypeProblem::HalfCharacter { what }, &tree.halves);
        }
        let mut mixed = None;
        features.each(&mut |path, node, feature, is_column| {
            if feature == Feature::Json {
                mixed.get_or_insert_with(|| path.to_owned());
            }
            self.early(path, node, feature);
            self.late(path, node, feature, is_column);
        });
        let cause = match &mixed {
            Some(path) => format!("\"{path}\" has values of several types and all records are written again"),
            None => "the elements of the array are written again".to_owned(),
        };
        if self.is_new && features.is_rewritten && tree.cut.number > 0 {
            let numbers = count(tree.cut.number, "number");
            self.report_lost(TypeProblem::CutDigits { numbers, cause: cause.clone() }, &tree.cut);
        }
        if features.is_read_by_ujson() {
            let cause = if self.how.is_of_pandas { "pandas reads the array".to_owned() } else { cause };
            tree.nodes.iter().for_each(|node| self.huge(node, &cause));
        }
        self.trace();
        self.document();
    }

    fn report(&mut self, problem: TypeProblem, seen: &Seen) {
        if let Some(first) = &seen.first {
            self.out.report_at(problem, (**first).clone());
        }
    }

    /// Reports values that are lost.
    fn report_lost(&mut self, problem: TypeProblem, seen: &Seen) {
        if let Some(first) = &seen.first {
            self.out.report_lost_values(problem, (**first).clone(), seen.number);
        }
    }

    /// Judges whether ujson refuses numbers of a path, or reads other ones.
    fn huge(&mut self, node: &Node, cause: &str) {
        let chunks = std::iter::once(&node.early).chain(node.late.iter().map(|later| &later.values));
        for values in chunks {
            let (too_big, wrapped) = (values.of(Sign::TooBig), values.of(Sign::Wrapped));
            let (what, seen) = match texts::whole(&wrapped.text) {
                _ if too_big.number > 0 => ("the file is refused".to_owned(), too_big),
                Some(read) if wrapped.number > 0 => (format!("is read as another one ({read})"), wrapped),
                _ => continue,
            };
            return self.report(TypeProblem::HugeNumber { what, cause: cause.to_owned() }, seen);
        }
    }

    /// Judges the values of a path in the first chunk.
    fn early(&mut self, path: &str, node: &Node, feature: Feature) {
        let values = &node.early;
        let path = path.to_owned();
        if let [(before, first), (found, at), ..] = values.groups().as_slice() {
            let (other, at) = ((*first).clone(), (*at).clone());
            if !self.is_new || self.how.is_of_pandas {
                let who = if self.is_new {
                    "the file is refused, because pandas reads an array after white space"
                } else {
                    "versions up to 4.6 refuse the file"
                };
                self.out.report_at(TypeProblem::ChangedType { path, found, before, other, who }, at);
            } else if self.is_blank {
                self.out.report_at(TypeProblem::BlankLine { path, found, before, other }, at);
            } else {
                self.parsed_texts(path, values.of(Sign::JsonText));
            }
            return;
        }
        let of = |sign| values.of(sign);
        match feature {
            Feature::Json if self.is_blank => {
                let first = |sign| values.of(sign).first.as_deref().cloned();
                if let (Some(at), Some(other)) = (first(Sign::OtherKeys), first(Sign::Object)) {
                    let (found, before) = ("an object with other keys", "an object");
                    self.out.report_at(TypeProblem::BlankLine { path, found, before, other }, at);
                }
            }
            Feature::Struct if of(Sign::OtherKeys).number > 0 && !node.children.is_empty() => {
                self.report(TypeProblem::MergedKeys { path }, of(Sign::OtherKeys));
            }
            Feature::Timestamp => {
                let seen = of(Sign::Date);
                let (texts, text) = (count(seen.number, "text"), clip_quoted(&seen.text));
                let becomes = texts::timestamp(&seen.text).unwrap_or_default();
                self.report(TypeProblem::DateOutOfRange { path: path.clone() }, of(Sign::OutOfRange));
                self.report_lost(TypeProblem::Dates { path, texts, text, becomes }, seen);
            }
            // pandas has whole numbers without a sign, too.
            Feature::Float
                if !values.has(&[Sign::TooBig, Sign::Wrapped]) || !self.features.is_read_by_ujson() =>
            {
                if self.how.is_of_pandas {
                    return;
                }
                let big = if of(Sign::BigInteger).number > 0 { Sign::BigInteger } else { Sign::HugeInteger };
                if of(big).number > 0 {
                    self.report_lost(TypeProblem::BigNumber { path }, of(big));
                }
            }
            _ => {}
        }
    }

    fn parsed_texts(&mut self, path: String, seen: &Seen) {
        if seen.number == 0 {
            return;
        }
        let (texts, text) = (count(seen.number, "text"), clip_quoted(&seen.text));
        let becomes = clip(&texts::parsed(&seen.text).unwrap_or_default(), SHOWN);
        self.report_lost(TypeProblem::ParsedText { path, texts, text, becomes }, seen);
    }

    /// The lines of a chunk, in words.
    pub(super) fn lines(&self, chunk: usize) -> String {
        let [first, last] = self.features.tree.chunks.get(chunk).copied().unwrap_or([1, 1]);
        format!("lines {first} to {last}")
    }

    /// Judges whether the columns are those of a trace.
    fn trace(&mut self) {
        if !self.is_new || self.is_array {
            return;
        }
        let is = |key: &str, wanted: &[Feature]| {
            self.features.of_column(key).is_some_and(|feature| wanted.contains(&feature))
        };
        let text = &[Feature::Text][..];
        let traces: [&[(&str, &[Feature])]; 4] = [
            &[("type", text), ("message", &[Feature::Json])],
            &[("type", text), ("payload", &[Feature::Json])],
            &[
                ("id", text),
                ("source", text),
                ("model", text),
                ("system_prompt", text),
                ("messages", &[Feature::List, Feature::Json]),
            ],
            &[("type", text), ("id", text), ("version", &[Feature::Integer]), ("cwd", text)],
        ];
        let trace = traces.iter().find(|columns| columns.iter().all(|(key, wanted)| is(key, wanted)));
        if let Some(columns) = trace {
            let keys = listed(&columns.iter().map(|(key, _)| clip_quoted(key)).collect::<Vec<_>>());
            self.out.report(TypeProblem::AgentTrace { keys });
        }
    }

    /// Judges whether the only record is a document with the records in a list.
    fn document(&mut self) {
        let tree = &self.features.tree;
        if tree.records != 1 {
            return;
        }
        let is_list = |key: &str, id: usize| {
            let element = tree.nodes[id].element.map(|element| &tree.nodes[element].early);
            !MESSAGE_LISTS.contains(&key) && element.is_some_and(|values| values.of(Sign::Object).number > 1)
        };
        if let Some((key, id)) = tree.nodes[ROOT].children.iter().find(|(key, id)| is_list(key, **id)) {
            let list = tree.nodes[*id].early.of(Sign::List);
            let element =
                tree.nodes[*id].element.map(|element| tree.nodes[element].early.of(Sign::Object).number);
            let problem = TypeProblem::OneRow {
                key: key.to_string(),
                elements: count(element.unwrap_or_default(), "object"),
            };
            self.report(problem, list);
        }
    }
}
