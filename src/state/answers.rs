//! The questions to the worker about a check, and their answers: a table with an entry for each question.
//!
//! Whatever is shown says which answers it needs ([`Wanted`]). [`Answers::lacking`] is what has to be asked for that, and the table is the one
//! place that knows which questions are open: an answer to no entry is dropped, all open ones fail when the worker is gone, and an answer
//! that nothing needs gives way to another one.

use std::ops::RangeInclusive;
use std::rc::Rc;

use evalcheck_wire::question::{Advance, Answer, List, Question};
use evalcheck_wire::worker::RequestId;
use yew::AttrValue;

use super::dataset::FileKey;
use super::items::{Item, Items, Lookup, PAGE};
use super::remote::Remote;

/// The most open requests for one list. Dragging the scroll bar passes hundreds of pages, and only those where it stops are worth a
/// request.
const MOST_OPEN: usize = 2;

/// The entries that are kept, needed or not. A screen needs a page or two of its list, and a few other answers.
const KEPT: usize = 40;

/// An answer that is needed for what is shown.
#[derive(Debug, Clone)]
pub(crate) enum Wanted {
    /// The answer to a question, and the file that is transferred with it.
    Answer(Rc<Question>, Option<FileKey>),
    /// Rows of a list that has so many, from 0.
    Rows {
        /// The list.
        list: List,
        /// The rows.
        rows: RangeInclusive<u64>,
        /// How many rows the list has, as far as it is known.
        total: u64,
    },
}

impl From<Question> for Wanted {
    fn from(question: Question) -> Self {
        Self::Answer(Rc::new(question), None)
    }
}

/// A question that has to be asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lacking {
    /// The question.
    pub(crate) question: Rc<Question>,
    /// The file that is transferred with it.
    pub(crate) file: Option<FileKey>,
}

/// A question and its state.
#[derive(Debug, Clone, PartialEq)]
struct Entry {
    question: Rc<Question>,
    file: Option<FileKey>,
    request: RequestId,
    state: Remote,
}

impl Entry {
    /// The first row of a page of this list.
    fn page_of(&self, list: &List) -> Option<u64> {
        match &*self.question {
            Question::Page { list: of, from, .. } if of == list => Some(*from),
            _ => None,
        }
    }

    fn is_open(&self) -> bool {
        matches!(self.state, Remote::Waiting(_))
    }

    /// Whether it is an answer to this, or a part of it.
    fn is_for(&self, wanted: &Wanted) -> bool {
        match wanted {
            Wanted::Answer(question, file) => self.question == *question && self.file == *file,
            Wanted::Rows { list, rows, .. } => self.page_of(list).is_some_and(|from| {
                let block = from / PAGE;
                (rows.start() / PAGE..=rows.end() / PAGE).contains(&block)
            }),
        }
    }
}

/// The table of questions about a check.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Answers {
    entries: Vec<Entry>,
    /// Why nothing more is answered: the worker that knows the check is gone.
    closed: Option<AttrValue>,
}

impl Answers {
    /// Whether questions are answered.
    pub(crate) fn is_open(&self) -> bool {
        self.closed.is_none()
    }

    /// Fails all open questions and those that come. What was answered stays, unless it is of no use without the worker.
    pub(crate) fn close(&mut self, why: &AttrValue) {
        let fails = |entry: &&mut Entry| entry.is_open() || entry.question.needs_worker();
        for entry in self.entries.iter_mut().filter(fails) {
            entry.state = Remote::Failed(why.clone());
        }
        self.closed = Some(why.clone());
    }

    /// Whether the worker owes an answer.
    pub(crate) fn is_waiting(&self) -> bool {
        self.entries.iter().any(Entry::is_open)
    }

    fn find(&self, question: &Question) -> Option<&Entry> {
        self.entries.iter().find(|entry| *entry.question == *question)
    }

    /// The number of the request with this question, if it was asked.
    pub(crate) fn request(&self, question: &Question) -> Option<RequestId> {
        self.find(question).map(|entry| entry.request)
    }

    /// The state of a question, with the part of its answer that `part` reads; `None` if it was not asked.
    pub(crate) fn state<'a, T>(
        &'a self,
        question: &Question,
        part: impl FnOnce(&'a Answer) -> Option<T>,
    ) -> Option<Remote<T>> {
        let Some(entry) = self.find(question) else { return self.closed.clone().map(Remote::Failed) };
        Some(match &entry.state {
            Remote::Waiting(advance) => Remote::Waiting(Rc::clone(advance)),
            Remote::Stopped(advance) => Remote::Stopped(Rc::clone(advance)),
            Remote::Failed(why) => Remote::Failed(why.clone()),
            Remote::Loaded(answer) => Remote::Loaded(part(answer)?),
        })
    }

    /// The part of the answer to a question that `part` reads, when it is answered.
    pub(crate) fn get<'a, T>(
        &'a self,
        question: &Question,
        part: impl FnOnce(&'a Answer) -> Option<T>,
    ) -> Option<T> {
        self.state(question, part)?.loaded()
    }

    /// The answer to a question, for a component.
    pub(crate) fn answer_to(&self, question: &Question) -> Option<Rc<Answer>> {
        self.find(question)?.state.clone().loaded()
    }

    /// The answer to a question, which leaves the table, or why there is none; `None` while it is not answered.
    pub(crate) fn take(&mut self, question: &Question) -> Option<Result<Answer, AttrValue>> {
        let Some(at) = self.entries.iter().position(|entry| *entry.question == *question) else {
            return self.closed.clone().map(Err);
        };
        if self.entries[at].is_open() {
            return None;
        }
        match self.entries.swap_remove(at).state {
            Remote::Loaded(answer) => Some(Ok(Rc::unwrap_or_clone(answer))),
            Remote::Failed(why) => Some(Err(why)),
            Remote::Waiting(_) | Remote::Stopped(_) => None,
        }
    }

    /// Whether [`Answers::take`] would return something.
    pub(crate) fn is_settled(&self, question: &Question) -> bool {
        self.find(question).map_or(!self.is_open(), |entry| !entry.is_open())
    }

    /// Forgets a question, to ask it again when it is wanted.
    pub(crate) fn forget(&mut self, question: &Question) {
        self.entries.retain(|entry| *entry.question != *question);
    }

    /// The last answer with a page of a list: a list may have grown since an earlier one.
    pub(crate) fn last_page<'a, T>(
        &'a self,
        list: &List,
        part: impl FnOnce(&'a Answer) -> Option<T>,
    ) -> Option<T> {
        let pages = self.entries.iter().filter(|entry| entry.page_of(list).is_some());
        let answered = pages.filter_map(|entry| match &entry.state {
            Remote::Loaded(answer) => Some((entry.request, &**answer)),
            _ => None,
        });
        part(answered.max_by_key(|(request, _)| *request)?.1)
    }

    /// How many rows a list has, if an answer says it.
    pub(crate) fn total(&self, list: &List) -> Option<u64> {
        self.last_page(list, |answer| answer.page()?.1)
    }

    /// Whether the beginning of a list cannot be read.
    pub(crate) fn has_failed(&self, list: &List) -> bool {
        let first = self.entries.iter().find(|entry| entry.page_of(list) == Some(0));
        first.map_or(!self.is_open(), |entry| matches!(entry.state, Remote::Failed(_)))
    }

    /// The rows of a list that has so many, as far as they are loaded.
    pub(crate) fn items<T: Item>(&self, list: &List, total: u64) -> Items<T> {
        let pages = self.entries.iter().filter_map(|entry| Some((entry.page_of(list)?, entry.state.clone())));
        Items::new(total, self.is_open(), pages.collect())
    }

    /// A row of a list.
    pub(crate) fn item<T: Item>(&self, list: &List, row: u64) -> Lookup<'_, T> {
        let pages = self.entries.iter().filter_map(|entry| Some((entry.page_of(list)?, &entry.state)));
        Lookup::find(pages, row, self.is_open())
    }

    /// The questions that have to be asked for what is wanted, in its order.
    pub(crate) fn lacking(&self, wanted: &[Wanted]) -> Vec<Lacking> {
        let mut lacking: Vec<Lacking> = Vec::new();
        for wanted in wanted {
            let missing = match wanted {
                Wanted::Answer(question, file) => {
                    let is_known = self.entries.iter().any(|entry| entry.is_for(wanted));
                    let missing = Lacking { question: Rc::clone(question), file: *file };
                    if is_known { Vec::new() } else { vec![missing] }
                }
                Wanted::Rows { list, rows, total } => {
                    let pages = self.entries.iter().filter(|entry| entry.page_of(list).is_some());
                    let open = pages.filter(|entry| entry.is_open()).count();
                    let mut missing = self.missing_pages(list, rows, *total);
                    missing.truncate(MOST_OPEN.saturating_sub(open));
                    missing
                }
            };
            for missing in missing {
                if !lacking.contains(&missing) {
                    lacking.push(missing);
                }
            }
        }
        lacking
    }

    /// The pages that are missing of some rows. An answer may have had fewer items than a page, because they are long: then the rest is
    /// missing if it is among the rows.
    fn missing_pages(&self, list: &List, rows: &RangeInclusive<u64>, total: u64) -> Vec<Lacking> {
        let Some(greatest) = total.checked_sub(1) else { return Vec::new() };
        let (start, until) = ((*rows.start()).min(greatest), (*rows.end()).min(greatest));
        let page = |block: u64| {
            let end = (block + 1) * PAGE;
            let mut from = block * PAGE;
            while from < end && from <= until {
                let Some(entry) = self.entries.iter().find(|entry| entry.page_of(list) == Some(from)) else {
                    let count = u32::try_from(end - from).unwrap_or(u32::MAX);
                    let question = Rc::new(Question::Page { list: list.clone(), from, count });
                    return Some(Lacking { question, file: None });
                };
                let Remote::Loaded(answer) = &entry.state else { return None };
                match answer.page() {
                    Some((items, _)) if items > 0 => from += items as u64,
                    // There is no more.
                    _ => return None,
                }
            }
            None
        };
        (start / PAGE..=until / PAGE).filter_map(page).collect()
    }

    /// Notes a question that is asked. Older answers that nothing wants make room for it.
    pub(crate) fn ask(&mut self, lacking: &Lacking, request: RequestId, wanted: &[Wanted]) {
        let is_idle = |entry: &Entry| !entry.is_open() && !wanted.iter().any(|wanted| entry.is_for(wanted));
        while self.entries.len() >= KEPT {
            let idle = self.entries.iter().enumerate().filter(|(_, entry)| is_idle(entry));
            let Some((oldest, _)) = idle.min_by_key(|(_, entry)| entry.request) else { break };
            self.entries.swap_remove(oldest);
        }
        let Lacking { question, file } = lacking.clone();
        self.entries.push(Entry { question, file, request, state: Remote::Waiting(Rc::default()) });
    }

    /// The requests that take long and are not wanted any more.
    pub(crate) fn unwanted(&self, wanted: &[Wanted]) -> Vec<RequestId> {
        let is_unwanted =
            |entry: &&Entry| entry.question.takes_long() && !wanted.iter().any(|wanted| entry.is_for(wanted));
        self.entries.iter().filter(is_unwanted).map(|entry| entry.request).collect()
    }

    /// Forgets requests.
    pub(crate) fn drop_requests(&mut self, requests: &[RequestId]) {
        self.entries.retain(|entry| !requests.contains(&entry.request));
    }

    /// Stops a question that takes long, at the wish of the user. Returns its request.
    pub(crate) fn stop(&mut self, question: &Question) -> Option<RequestId> {
        let entry = self.entries.iter_mut().find(|entry| *entry.question == *question)?;
        let Remote::Waiting(advance) = &entry.state else { return None };
        entry.state = Remote::Stopped(Rc::clone(advance));
        Some(entry.request)
    }

    /// Notes the progress of a request.
    pub(crate) fn advance(&mut self, request: RequestId, advance: Advance) {
        if let Some(entry) = self.open_entry(request) {
            entry.state = Remote::Waiting(Rc::new(advance));
        }
    }

    /// Stores the answer to a request. Returns its question; `None` for a request that nobody waits for.
    pub(crate) fn answer(
        &mut self,
        request: RequestId,
        result: Result<Answer, AttrValue>,
    ) -> Option<Rc<Question>> {
        let entry = self.open_entry(request)?;
        entry.state = match result {
            Ok(answer) => Remote::Loaded(Rc::new(answer)),
            Err(why) => Remote::Failed(why),
        };
        Some(Rc::clone(&entry.question))
    }

    fn open_entry(&mut self, request: RequestId) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.request == request && entry.is_open())
    }
}
