//! A search for records in the shown file.

use std::rc::Rc;

use evalcheck_wire::query::Query;
use evalcheck_wire::worker::{CheckId, Progress, RequestId};
use yew::AttrValue;

use super::page_cache::{HitCache, LineMatches};
use crate::display::format_number::counted;

/// A search.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Search {
    /// Its id.
    pub(crate) id: CheckId,
    /// Its query.
    pub(crate) query: Rc<Query>,
    /// The records that the search has found so far.
    pub(crate) hits: Rc<HitCache>,
    /// Whether each visible line belongs to one of them; final once the search has ended.
    pub(crate) lines: Rc<LineMatches>,
    /// Its progress.
    pub(crate) progress: Progress,
    /// Its phase.
    pub(crate) phase: SearchPhase,
    /// The selected hit, from 0.
    pub(crate) selected: Option<u64>,
}

/// The phase of a search.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SearchPhase {
    /// It is running.
    Running,
    /// The file was searched to its end.
    Done,
    /// The user stopped it.
    Stopped,
    /// The file could not be searched; the reason.
    Failed(AttrValue),
}

impl Search {
    /// A search that starts.
    pub(crate) fn new(id: CheckId, query: Rc<Query>) -> Self {
        Self {
            id,
            query,
            hits: Rc::new(HitCache::new(0)),
            lines: Rc::default(),
            progress: Progress::default(),
            phase: SearchPhase::Running,
            selected: None,
        }
    }

    /// Stores the number of matches so far and the progress, unless the search was stopped.
    pub(crate) fn advance(&mut self, count: u64, progress: Option<Progress>) {
        if self.phase == SearchPhase::Running {
            Rc::make_mut(&mut self.hits).set_total(count);
            self.progress = progress.unwrap_or(self.progress);
        }
    }

    /// Whether the file was searched to its end.
    pub(crate) fn is_done(&self) -> bool {
        self.phase == SearchPhase::Done
    }

    /// Whether no more records can be found, so that findings can be filtered by the result.
    pub(crate) fn has_all_hits(&self) -> bool {
        matches!(self.phase, SearchPhase::Done | SearchPhase::Stopped)
    }

    /// Returns true while the search runs, or a request for matches has no answer.
    pub(crate) fn is_waiting(&self) -> bool {
        self.phase == SearchPhase::Running || self.hits.open_requests() > 0 || self.lines.open_requests() > 0
    }

    /// Fails a request for matches. Returns true if it belongs to this search.
    pub(crate) fn fail(&mut self, request: RequestId) -> bool {
        Rc::make_mut(&mut self.hits).fail(request) || Rc::make_mut(&mut self.lines).fail(request)
    }

    /// Fails the search and all open requests.
    pub(crate) fn fail_all(&mut self, why: &AttrValue) {
        self.end(SearchPhase::Failed(why.clone()));
        Rc::make_mut(&mut self.hits).fail_all();
        Rc::make_mut(&mut self.lines).fail_all();
    }

    /// The status of the search in the list of lines.
    pub(crate) fn status_of_lines(&self) -> String {
        let status = self.status();
        match self.phase {
            SearchPhase::Done => format!("{status} Other lines are dimmed."),
            SearchPhase::Stopped => format!("{status} Lines of these are marked."),
            SearchPhase::Running | SearchPhase::Failed(_) => status,
        }
    }

    /// Ends a running search.
    pub(crate) fn end(&mut self, phase: SearchPhase) {
        if self.phase == SearchPhase::Running {
            self.phase = phase;
        }
    }

    /// The number of matches, and the progress.
    pub(crate) fn status(&self) -> String {
        let found = match self.hits.total() {
            0 => "No record matches".to_owned(),
            1 => "1 record matches".to_owned(),
            n => format!("{} match", counted(n, "record")),
        };
        let so_far = || {
            let total = self.progress.total_bytes.max(1);
            format!("{found} so far, {} % searched", self.progress.bytes * 100 / total)
        };
        match &self.phase {
            SearchPhase::Running => format!("{}…", so_far()),
            SearchPhase::Stopped => format!("Stopped: {}.", so_far()),
            SearchPhase::Done => format!("{found}."),
            SearchPhase::Failed(why) => why.to_string(),
        }
    }
}
