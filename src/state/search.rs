//! A search for records in the file that is shown.

use std::rc::Rc;

use evalcheck_wire::query::Query;
use evalcheck_wire::worker::{CheckId, Progress, RequestId};
use yew::AttrValue;

use super::page_cache::{HitCache, LineMatches};
use crate::display::format_number::counted;

/// A search.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Search {
    /// Its number.
    pub(crate) id: CheckId,
    /// What is searched.
    pub(crate) query: Rc<Query>,
    /// The records that match, as far as the search has come.
    pub(crate) hits: Rc<HitCache>,
    /// Which of the visible lines belong to them; known when no more can come.
    pub(crate) lines: Rc<LineMatches>,
    /// How far it has come.
    pub(crate) progress: Progress,
    /// Whether it goes on.
    pub(crate) phase: SearchPhase,
    /// The selected hit, from 0.
    pub(crate) selected: Option<u64>,
}

/// Whether a search goes on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SearchPhase {
    /// It goes on.
    Running,
    /// The file was searched to its end.
    Done,
    /// The user stopped it.
    Stopped,
    /// The file could not be searched; the reason.
    Failed(AttrValue),
}

impl Search {
    /// A search that begins.
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

    /// Notes how many records match so far, and how far the search has come; nothing when it was stopped.
    pub(crate) fn advance(&mut self, count: u64, progress: Option<Progress>) {
        if self.phase == SearchPhase::Running {
            Rc::make_mut(&mut self.hits).set_total(count);
            self.progress = progress.unwrap_or(self.progress);
        }
    }

    /// True when the file was searched to its end.
    pub(crate) fn is_done(&self) -> bool {
        self.phase == SearchPhase::Done
    }

    /// True when no more records can come: findings can be filtered by what was found.
    pub(crate) fn has_all_hits(&self) -> bool {
        matches!(self.phase, SearchPhase::Done | SearchPhase::Stopped)
    }

    /// True while the search runs, or a request for hits has no answer.
    pub(crate) fn is_waiting(&self) -> bool {
        self.phase == SearchPhase::Running || self.hits.open_requests() > 0 || self.lines.open_requests() > 0
    }

    /// Fails a request for hits. True when it was one of this search.
    pub(crate) fn fail(&mut self, request: RequestId) -> bool {
        Rc::make_mut(&mut self.hits).fail(request) || Rc::make_mut(&mut self.lines).fail(request)
    }

    /// Fails all that has no answer.
    pub(crate) fn fail_all(&mut self, why: &AttrValue) {
        self.end(SearchPhase::Failed(why.clone()));
        Rc::make_mut(&mut self.hits).fail_all();
        Rc::make_mut(&mut self.lines).fail_all();
    }

    /// What the list of lines says of it.
    pub(crate) fn status_of_lines(&self) -> String {
        let status = self.status();
        match self.phase {
            SearchPhase::Done => format!("{status} Other lines are dimmed."),
            SearchPhase::Stopped => format!("{status} Lines of these are marked."),
            SearchPhase::Running | SearchPhase::Failed(_) => status,
        }
    }

    /// Ends a search that goes on.
    pub(crate) fn end(&mut self, phase: SearchPhase) {
        if self.phase == SearchPhase::Running {
            self.phase = phase;
        }
    }

    /// What was found, and how much of the file was searched.
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
