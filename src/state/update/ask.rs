//! Asks the worker what is needed for what is shown, and does what follows from its answers.

use std::rc::Rc;

use evalcheck_report::overview::Overview;
use evalcheck_wire::question::{Advance, Answer, List, Question};
use evalcheck_wire::worker::{Command, RequestId};
use yew::AttrValue;

use crate::state::State;
use crate::state::answers::{Answers, Wanted};
use crate::state::check::Check;
use crate::state::details::Tab;
use crate::state::effect::Effect;
use crate::state::filter::Completing;
use crate::state::view_id::ViewId;

/// The maximum size in bytes of a file whose statistics are counted before they are requested.
const COUNTED_AT_ONCE: u64 = 4 << 20;

impl Check {
    /// The answers that are needed for what is shown, beside those of the views.
    fn wanted(&self) -> Vec<Wanted> {
        let preview = &self.preview;
        let questions = preview.record_question().map(Rc::new).into_iter().chain(preview.details.questions());
        let mut wanted: Vec<Wanted> = questions.map(|question| Wanted::Answer(question, None)).collect();
        if self.report().is_none() {
            return wanted;
        }
        if let Some(line) = preview.line() {
            let (rows, total) = (self.context(line), self.lines());
            wanted.push(Wanted::Rows { list: List::Lines, rows: rows.start() - 1..=rows.end() - 1, total });
        }
        wanted.extend(preview.search_question().filter(|search| self.wants_search(search)).map(Wanted::from));
        wanted.extend(self.wants_overview().then_some(Wanted::from(Question::Overview)));
        let completes = preview.chosen.get::<Completing>().0 && self.overview().is_none();
        wanted.extend((completes && self.has_statistics()).then_some(Wanted::from(Question::Beginning)));
        wanted.extend(preview.comparing().map(|comparing| comparing.wanted()));
        wanted.extend(preview.seek_question().map(|question| Wanted::Answer(question, None)));
        wanted
    }

    /// Whether the file is searched for the records that the filter keeps: if its records or lines are looked at, or only a search can
    /// answer the filter. A search that has begun goes on.
    fn wants_search(&self, search: &Question) -> bool {
        let preview = &self.preview;
        let lists_records = [ViewId::RECORDS, ViewId::LINES].contains(&preview.view) && self.has_records();
        lists_records || preview.filter.needs_search() || preview.answers.request(search).is_some()
    }

    /// Whether the statistics are counted: if the file is small, or the record is shown as it is loaded. Counting that has begun goes on.
    fn wants_overview(&self) -> bool {
        let is_asked = self.preview.answers.request(&Question::Overview).is_some();
        let is_looked_at = self.preview.tab() == Tab::Loaded;
        self.has_statistics() && (is_asked || is_looked_at || self.dataset.size <= COUNTED_AT_ONCE)
    }

    /// The statistics of the file, if they are counted.
    pub(crate) fn overview(&self) -> Option<&Overview> {
        let overview = |answer| Answer::try_as_overview_ref(answer).map(|overview| &**overview);
        self.preview.answers.get(&Question::Overview, overview)
    }
}

impl State {
    /// The questions about the check that is shown.
    pub(crate) fn answers(&mut self) -> Option<&mut Answers> {
        self.check.as_mut().map(|check| Rc::make_mut(&mut Rc::make_mut(check).preview.answers))
    }

    /// Does what follows from the answers that are there, asks for those that are needed, and stops what is no longer needed.
    pub(super) fn ask(&mut self, effects: &mut Vec<Effect>) {
        self.settle_preview(effects);
        for view in self.views.0 {
            view.settle(self, effects);
        }
        let Some(check) = self.check.as_ref().filter(|check| check.preview.answers.is_open()) else { return };
        let mut wanted = check.wanted();
        if check.report().is_some() {
            wanted.extend(self.views.0.iter().flat_map(|view| view.wants(check)));
        }
        let (id, answers) = (check.id, &check.preview.answers);
        let (lacking, unwanted) = (answers.lacking(&wanted), answers.unwanted(&wanted));
        // Only then the check is changed, because that would render every component again.
        if lacking.is_empty() && unwanted.is_empty() {
            return;
        }
        self.stop_requests(&unwanted, effects);
        for lacking in lacking {
            let request = self.ids.next();
            let question = Question::clone(&lacking.question);
            effects.push(Effect::Post(Command::Ask { check: id, request, question }, lacking.file));
            if let Some(answers) = self.answers() {
                answers.ask(&lacking, request, &wanted);
            }
        }
    }

    /// Stops requests that take long, and forgets them.
    fn stop_requests(&mut self, requests: &[RequestId], effects: &mut Vec<Effect>) {
        if requests.is_empty() {
            return;
        }
        effects
            .extend(requests.iter().map(|request| Effect::Post(Command::Stop { request: *request }, None)));
        if let Some(answers) = self.answers() {
            answers.drop_requests(requests);
        }
    }

    /// The check that is shown ends, or gives way to another one: stops what takes long, and lets views release what they hold.
    pub(super) fn leave_check(&mut self, effects: &mut Vec<Effect>) {
        for view in self.views.0 {
            view.leave(self, effects);
        }
        if let Some(check) = self.check.as_ref().filter(|check| check.preview.answers.is_open()) {
            let requests = check.preview.answers.unwanted(&[]);
            self.stop_requests(&requests, effects);
        }
    }

    /// Stops a question that takes long, at the wish of the user.
    pub(crate) fn stop_question(&mut self, question: &Question, effects: &mut Vec<Effect>) {
        if let Some(request) = self.answers().and_then(|answers| answers.stop(question)) {
            effects.push(Effect::Post(Command::Stop { request }, None));
        }
    }

    /// Searches again what the user stopped.
    pub(crate) fn search_again(&mut self) {
        let question = self.check.as_ref().and_then(|check| check.preview.search_question());
        if let Some((answers, question)) = self.answers().zip(question) {
            answers.forget(&question);
        }
    }

    /// Stores the progress of a question.
    pub(super) fn store_advance(&mut self, request: RequestId, advance: Advance) {
        if let Some(answers) = self.answers() {
            answers.advance(request, advance);
        }
    }

    /// Stores the answer to a question about the check that is shown, or about a file of a batch.
    pub(super) fn store_answer(&mut self, request: RequestId, result: Result<Answer, AttrValue>) {
        // The groups of findings of a file of a batch have the number of its check.
        if self.batch.as_ref().is_some_and(|batch| batch.expects_groups(request)) {
            // The next report renders the page.
            self.rendering.skip =
                self.check.is_some() || self.batch.as_ref().is_some_and(|batch| batch.is_busy());
            if let Some(summary) = result.ok().and_then(Answer::try_as_finding_summary) {
                self.change_batch(|batch| batch.store_groups(request, summary.groups));
            }
        } else if let Some(answers) = self.answers() {
            answers.answer(request, result);
        }
    }
}
