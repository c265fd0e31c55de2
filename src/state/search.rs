//! A search for records in the file that is shown.

use std::ops::Range;
use std::rc::Rc;

use evalcheck_wire::view::Hit;
use evalcheck_wire::worker::{CheckId, Progress};
use yew::AttrValue;

use crate::display::format_number::{counted, grouped};

/// A search.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Search {
    /// Its number.
    pub(crate) id: CheckId,
    /// What is searched.
    pub(crate) query: AttrValue,
    /// The records that match, as far as they are listed.
    pub(crate) hits: Rc<Vec<Hit>>,
    /// How many match so far.
    pub(crate) count: u64,
    /// How far it has come.
    pub(crate) progress: Progress,
    /// Whether it goes on.
    pub(crate) phase: SearchPhase,
    /// The selected hit.
    pub(crate) selected: Option<usize>,
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
    /// The query is wrong, or the file could not be searched.
    Failed {
        /// The reason.
        why: AttrValue,
        /// The bytes of the query that are wrong.
        span: Option<Range<usize>>,
    },
}

impl Search {
    /// A search that begins.
    pub(crate) fn new(id: CheckId, query: AttrValue) -> Self {
        Self {
            id,
            query,
            hits: Rc::default(),
            count: 0,
            progress: Progress::default(),
            phase: SearchPhase::Running,
            selected: None,
        }
    }

    /// Adds what was found.
    pub(crate) fn add(&mut self, hits: Vec<Hit>, count: u64, progress: Progress) {
        if !hits.is_empty() {
            Rc::make_mut(&mut self.hits).extend(hits);
        }
        self.count = count;
        self.progress = progress;
    }

    /// Ends a search that goes on.
    pub(crate) fn end(&mut self, phase: SearchPhase) {
        if self.phase == SearchPhase::Running {
            self.phase = phase;
        }
    }

    /// The query before, in, and after what is wrong in it.
    pub(crate) fn mistake(&self) -> Option<[&str; 3]> {
        let SearchPhase::Failed { span: Some(span), .. } = &self.phase else { return None };
        let query = self.query.as_str();
        Some([query.get(..span.start)?, query.get(span.clone())?, query.get(span.end..)?])
    }

    /// What was found, and how much of the file was searched.
    pub(crate) fn status(&self) -> String {
        let found = match self.count {
            0 => "No record matches".to_owned(),
            1 => "1 record matches".to_owned(),
            n => format!("{} match", counted(n, "record")),
        };
        let listed = self.hits.len() as u64;
        let listed = if listed < self.count {
            format!(", the first {} are listed", grouped(listed))
        } else {
            String::new()
        };
        let so_far = || {
            let total = self.progress.total_bytes.max(1);
            format!("{found} so far{listed}, {} % searched", self.progress.bytes * 100 / total)
        };
        match &self.phase {
            SearchPhase::Running => format!("{}…", so_far()),
            SearchPhase::Stopped => format!("Stopped: {}.", so_far()),
            SearchPhase::Done => format!("{found}{listed}."),
            SearchPhase::Failed { why, .. } => why.to_string(),
        }
    }
}
