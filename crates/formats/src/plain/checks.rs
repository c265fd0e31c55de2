//! The checks of plain data.

use evalcheck_core::excerpt::clip;
use evalcheck_diagnose::RecordStart;
use evalcheck_report::text::count;

use super::problem::PlainProblem;
use super::{IDS, consistency};
use crate::checks::{Captures, Conclusions, DatasetChecks, Observations, Observes, Summary};
use crate::seen_contents::SeenContents;

/// The maximum length of an id in a message, in characters.
const SHOWN: usize = 80;

/// The checks of a dataset. Remembers 8 bytes for each id, of at most 1,835,008 for each key ([`SeenContents`]), and its statistics.
#[derive(Debug, Default)]
pub(super) struct Dataset {
    ids: [Ids; IDS.len()],
}

/// The values of a key that may be an id.
#[derive(Debug, Default)]
struct Ids {
    seen: SeenContents,
    /// Whether there were too many to be compared.
    is_given_up: bool,
    values: u64,
    repeated: u64,
    /// The first repeated value, and its line.
    first: Option<(String, u64)>,
}

impl DatasetChecks for Dataset {
    fn observes(&self) -> Observes {
        Observes::Captures
    }

    fn needs_statistics(&self) -> bool {
        true
    }

    fn observe(&mut self, captures: &Captures<'_>, at: RecordStart, _: &mut Observations) {
        for (index, (number, range)) in captures.strings.iter().enumerate() {
            // A list or an object is no id.
            let is_id = !matches!(captures.kind(index), Some("a list" | "an object"));
            if let Some(ids) = self.ids.get_mut(usize::from(*number)).filter(|_| is_id) {
                ids.add(captures.text(range), captures.kind(index) == Some("a string"), at.line);
            }
        }
    }

    fn finish(&mut self, summary: &Summary<'_>, out: &mut Conclusions<'_>) {
        for problem in summary.statistics.map(consistency::problems).unwrap_or_default() {
            out.report(problem);
        }
        // Records that cannot be read have no ids.
        let read = summary.statistics.and_then(|all| all.paths.first()).map_or(0, |all| all.types.total());
        for (ids, key) in self.ids.iter().zip(IDS) {
            if let Some(problem) = ids.problem(key, read) {
                out.report(problem);
            }
        }
    }
}

impl Ids {
    fn add(&mut self, value: &str, is_text: bool, line: u64) {
        self.values += 1;
        // The text 1 is another id than the number.
        let hash = self.seen.hash(value.as_bytes()) ^ u64::from(is_text);
        match self.seen.insert(hash) {
            Some(true) => {
                self.repeated += 1;
                self.first.get_or_insert_with(|| (clip(value, SHOWN), line));
            }
            Some(false) => {}
            None => self.is_given_up = true,
        }
    }

    /// The problem of repeated values, if they seem to be ids: nearly every record has one, and nearly all are different.
    fn problem(&self, key: &'static str, records: u64) -> Option<PlainProblem> {
        let (value, line) = self.first.clone()?;
        let is_id = self.values * 10 >= records * 9 && self.repeated * 5 <= self.values;
        (is_id && !self.is_given_up).then(|| PlainProblem::RepeatedId {
            key,
            value,
            records: format!(
                "{} {}",
                count(self.repeated, "record"),
                consistency::has_or_have(self.repeated)
            ),
            line,
        })
    }
}
