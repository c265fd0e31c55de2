//! The state of the view of the results of a check.

use std::ops::RangeInclusive;
use std::rc::Rc;

use evalcheck_report::Finding;
use evalcheck_report::view::{Direction, Line};
use evalcheck_wire::findings::FindingQuery;
use evalcheck_wire::question::{List, Question, RecordPlace};
use yew::AttrValue;

use super::answers::Answers;
use super::details::{Details, RecordState, Tab};
use super::filter::Filter;
use super::findings::Findings;
use super::search::Search;
use super::view_id::ViewId;
use super::view_states::ViewStates;

/// The message for a check whose worker is gone.
pub(crate) const ENGINE_RESTARTED: AttrValue =
    AttrValue::Static("The checking engine was restarted. Check the file again to see more.");

/// The pane that is shown on a narrow screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Focus {
    /// The list.
    #[default]
    List,
    /// The details.
    Details,
}

/// The selected item of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selection {
    /// A finding, by its number in the list, from 0.
    Finding(u64),
    /// A line, from 1.
    Line(u64),
    /// A record of the list of records.
    Record {
        /// Its number, from 0.
        record: u64,
        /// The line at which it begins, if it is known.
        line: Option<u64>,
    },
    /// A file of the archive, by its number in the list, from 0.
    File(u64),
}

/// A selection that waits for the worker to find it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Seek {
    /// The finding nearest to a line, or the nearest error in a direction.
    Finding(u64, Option<Direction>),
    /// The answer to this question.
    Line(Rc<Question>),
}

/// The rows of the list in front that are visible, from 0, and the id of that list.
#[derive(Debug, Clone)]
pub(crate) struct Visible {
    /// The id of the list.
    pub(crate) list: &'static str,
    /// The rows.
    pub(crate) rows: RangeInclusive<u64>,
}

impl Default for Visible {
    fn default() -> Self {
        Self { list: "", rows: 0..=0 }
    }
}

/// The state of the view of the results of a check.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Preview {
    /// The view in front.
    pub(crate) view: ViewId,
    /// The choices of the user in views.
    pub(crate) chosen: ViewStates,
    /// The filter of the lists.
    pub(crate) filter: Filter,
    /// The listed findings.
    pub(crate) findings: Findings,
    /// The selected finding, line, record or file.
    pub(crate) selection: Option<Selection>,
    /// The next selection.
    pub(crate) seek: Option<Seek>,
    /// Changes with each selection, which is then scrolled into view, but not later when its line or record becomes known.
    pub(crate) reveals: u32,
    /// The pane that is shown on a narrow screen.
    pub(crate) focus: Focus,
    /// The content of the details.
    pub(crate) details: Details,
    /// The questions to the worker, and their answers.
    pub(crate) answers: Rc<Answers>,
}

impl Preview {
    /// The visible rows of a list; the first one while it is not in front.
    pub(crate) fn rows(&self, list: &str) -> RangeInclusive<u64> {
        let visible = self.chosen.get::<Visible>();
        if visible.list == list { visible.rows.clone() } else { 0..=0 }
    }

    /// The selected line.
    pub(crate) fn line(&self) -> Option<u64> {
        match self.selection? {
            Selection::Finding(_) => self.listed_finding()?.line,
            Selection::Line(line) => Some(line),
            Selection::Record { line, .. } => {
                line.or_else(|| self.details.record.loaded().map(|record| record.line))
            }
            Selection::File(_) => None,
        }
    }

    /// The number of the shown record, from 0, if known.
    pub(crate) fn record_number(&self) -> Option<u64> {
        match self.selection? {
            Selection::Record { record, .. } => Some(record),
            Selection::Finding(_) => self.listed_finding()?.record,
            Selection::Line(_) | Selection::File(_) => None,
        }
    }

    /// The query of the findings that are listed; `None` if a search has to end before.
    pub(crate) fn listed_query(&self) -> Option<FindingQuery> {
        let search = match self.search() {
            _ if !self.filter.needs_search() => None,
            Some(search) if search.has_all_hits() => Some(search.request),
            _ => return None,
        };
        Some(FindingQuery { query: self.filter.query.to_string(), search })
    }

    /// The selected finding of the list, if it is loaded.
    pub(crate) fn listed_finding(&self) -> Option<&Finding> {
        let Selection::Finding(number) = self.selection? else { return None };
        match &self.findings.early {
            Some(findings) => findings.get(usize::try_from(number).ok()?),
            None => self.answers.item(&List::Findings(self.listed_query()?), number).loaded(),
        }
    }

    /// Returns true while the selected finding is not loaded, or if it cannot be loaded.
    pub(crate) fn is_finding_missing(&self) -> bool {
        matches!(self.selection, Some(Selection::Finding(_))) && self.listed_finding().is_none()
    }

    /// The tab to show: the user's choice, else the source for a line with findings and the sample for one without.
    pub(crate) fn tab(&self) -> Tab {
        let is_clean = |line| !self.has_findings(line) && !self.has_no_sample();
        self.details.tab.unwrap_or(match self.selection {
            Some(Selection::Line(_) | Selection::Record { .. }) if self.line().is_some_and(is_clean) => {
                Tab::Sample
            }
            _ => Tab::Source,
        })
    }

    /// Returns true for lines that are not a conversation, such as a header.
    fn has_no_sample(&self) -> bool {
        self.details.record.loaded().is_some_and(|record| record.sample.is_none())
    }

    fn has_findings(&self, line: u64) -> bool {
        let listed = self.answers.item::<Line>(&List::Lines, line.saturating_sub(1)).loaded();
        listed.is_some_and(|line| line.severity.is_some())
            || self.details.record.loaded().is_some_and(|record| !record.findings.is_empty())
    }

    /// The index of the selected finding among the findings of the record.
    pub(crate) fn selected_in_record(&self) -> Option<usize> {
        let record = self.details.record.loaded()?;
        if let Some(index) = self.details.in_record.filter(|index| *index < record.findings.len()) {
            return Some(index);
        }
        match self.selection? {
            Selection::File(_) => None,
            Selection::Line(_) | Selection::Record { .. } => (!record.findings.is_empty()).then_some(0),
            Selection::Finding(_) => {
                let selected = self.listed_finding()?;
                let same = |finding: &Finding| {
                    finding.code == selected.code
                        && finding.path == selected.path
                        && finding.byte_start == selected.byte_start
                };
                record.findings.iter().position(same)
            }
        }
    }

    /// The finding that the details show. The findings of the record are complete; until it is loaded, the finding of the list is shown.
    pub(crate) fn shown_finding(&self) -> Option<&Finding> {
        match (self.details.record.loaded(), self.selected_in_record()) {
            (Some(record), Some(index)) => record.findings.get(index),
            _ => self.listed_finding(),
        }
    }

    /// The byte offset of the selected finding, if it is outside of the loaded part of the record's text.
    fn missing_source(&self) -> Option<u64> {
        let source = &self.details.record.loaded()?.source;
        let mark = self.selected_in_record().and_then(|index| *source.marks.get(index)?);
        let is_shown = mark.is_some() || (source.before == 0 && source.after == 0);
        self.shown_finding()?.byte_start.filter(|_| !is_shown)
    }

    /// The place of the record that the details show.
    pub(crate) fn place(&self) -> Option<RecordPlace> {
        match self.selection? {
            Selection::Record { record, .. } => Some(RecordPlace::Number(record)),
            Selection::Finding(_) | Selection::Line(_) => self.line().map(RecordPlace::Line),
            Selection::File(_) => None,
        }
    }

    /// The question for the record that the details show, for another part of its text or with other marks: while it has no answer.
    pub(super) fn record_question(&self) -> Option<Question> {
        let place = self.place()?;
        let search = self.search();
        let is_open = search.as_ref().is_some_and(|search| search.count() == 0 && search.is_running());
        // A search that has found something is known to the worker.
        let search = search.filter(|search| search.count() > 0).map(|search| search.request);
        let at = match &self.details.record {
            RecordState::None => self.listed_finding().and_then(|finding| finding.byte_start),
            RecordState::Loaded(_) if self.loads_text() => self.missing_source(),
            RecordState::Loaded(_) if self.details.marked != search && !is_open => self.details.shown_byte,
            RecordState::Loaded(_) | RecordState::Missing | RecordState::Failed(_) => return None,
        };
        Some(Question::Record { place, at, search })
    }

    /// Whether another part of the text of the record is being loaded.
    pub(crate) fn loads_text(&self) -> bool {
        self.missing_source().is_some_and(|byte| self.details.shown_byte != Some(byte))
    }

    /// The question for what is selected next.
    pub(super) fn seek_question(&self) -> Option<Rc<Question>> {
        match self.seek.as_ref()? {
            Seek::Finding(line, direction) => {
                let (of, line, direction) = (self.listed_query()?, *line, *direction);
                Some(Rc::new(Question::NearestFinding { of, line, direction }))
            }
            Seek::Line(question) => Some(Rc::clone(question)),
        }
    }

    /// The search for the records that the filter keeps, if there is one.
    pub(crate) fn search(&self) -> Option<Search> {
        let question = self.search_question()?;
        let state = self.answers.state(&question, |answer| answer.try_as_found_ref().copied())?;
        // A search that the engine did not get has no number.
        let request = self.answers.request(&question).unwrap_or_default();
        Some(Search { request, key: self.filter.data_key(), state })
    }

    /// The question for the records that the filter keeps.
    pub(super) fn search_question(&self) -> Option<Question> {
        (!self.filter.is_empty()).then(|| Question::Search(self.filter.query.to_string()))
    }

    /// Whether the user can choose whether the shown texts are rendered.
    pub(crate) fn has_rendered_switch(&self) -> bool {
        self.line().is_some() && self.tab() == Tab::Sample && !self.details.markdown.is_empty()
    }
}
