//! The list of findings: the filter, requests to the worker, and its answers.

use std::rc::Rc;

use evalcheck_wire::findings::{FindingList, FindingQuery, FindingSummary};
use evalcheck_wire::query::{CheckKey, Term};
use evalcheck_wire::report::Severity;
use evalcheck_wire::worker::{CheckId, Command, RequestId};
use yew::AttrValue;

use crate::state::action::Effect;
use crate::state::address::Address;
use crate::state::check::Check;
use crate::state::filter::Filter;
use crate::state::findings::{Grouping, Summary};
use crate::state::preview::{Focus, ListKind, Selection};
use crate::state::{Direction, State};

impl State {
    /// Filters by the text in the field.
    pub(super) fn filter_by_text(&mut self, text: AttrValue, effects: &mut Vec<Effect>) {
        let catalogue = Rc::clone(&self.catalogue);
        let names = catalogue.formats.iter().flat_map(|format| &format.names);
        let names: Vec<&str> = names.map(|short| short.name.as_str()).collect();
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let filter = check.preview.filter.with_text(text, &names);
        self.filter(filter, effects);
    }

    /// Lists the findings of a severity, or all.
    pub(super) fn filter_severity(&mut self, severity: Option<Severity>, effects: &mut Vec<Effect>) {
        let Some(check) = &self.check else { return };
        let filter = severity.map_or_else(Filter::default, |severity| {
            let others = check.preview.filter.without(&[CheckKey::Severity, CheckKey::Is]);
            others.with(Term::check(CheckKey::Severity, severity.as_str()))
        });
        self.show_filtered(filter, effects);
    }

    /// Lists the findings of a group.
    pub(super) fn open_group(&mut self, code: &str, path: Option<&str>, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        check.preview.grouping = Some(Grouping::Single);
        let others = check.preview.filter.without(&[CheckKey::Rule, CheckKey::Path]);
        let of_rule = others.with(Term::check(CheckKey::Rule, code));
        let filter = match path {
            Some(path) => of_rule.with(Term::check(CheckKey::Path, path)),
            None => of_rule,
        };
        self.show_filtered(filter, effects);
    }

    /// Lists the groups of all rules.
    pub(super) fn show_groups(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        check.preview.grouping = Some(Grouping::Groups);
        let filter = check.preview.filter.without(&[CheckKey::Rule, CheckKey::Path]);
        if filter != check.preview.filter {
            self.filter(filter, effects);
        }
    }

    /// Selects the first error, which a filter may hide.
    pub(super) fn select_first_error(&mut self, effects: &mut Vec<Effect>) {
        let Some(number) = self.check.as_ref().and_then(|check| check.first_error) else { return };
        self.filter(Filter::default(), effects);
        if let Some(check) = self.check.as_mut().map(Rc::make_mut) {
            check.preview.wanted = None;
        }
        self.select_and_focus(Selection::Finding(number), true, effects);
    }

    /// Shows a place in the results.
    pub(in crate::state) fn show_address(&mut self, address: Address, effects: &mut Vec<Effect>) {
        let Address { list, filter, grouping, line, record, has_details, theme, .. } = address;
        // An address without a theme does not change it.
        if let Some(theme) = theme.filter(|theme| *theme != self.theme) {
            self.set_theme(theme, effects);
        }
        self.filter_by_text(filter, effects);
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let preview = &mut check.preview;
        preview.list = list;
        preview.grouping = grouping;
        preview.focus = if has_details { Focus::Details } else { Focus::List };
        preview.reveals += 1;
        let counts = check.report().map(|report| report.counts.clone()).unwrap_or_default();
        match (list, record, line) {
            (ListKind::Findings, _, Some(line)) if check.preview.line() != Some(line) => {
                check.preview.wanted = Some((line, None));
            }
            (_, Some(record), line) if record < counts.records => {
                self.select(Some(Selection::Record { record, line }), effects);
            }
            (ListKind::Lines, _, Some(line)) if (1..=counts.lines).contains(&line) => {
                self.select(Some(Selection::Line(line)), effects);
            }
            _ => {}
        }
    }

    /// Shows the list of findings, with a filter.
    fn show_filtered(&mut self, filter: Filter, effects: &mut Vec<Effect>) {
        if let Some(check) = self.check.as_mut().map(Rc::make_mut) {
            check.preview.list = ListKind::Findings;
            check.preview.focus = Focus::List;
        }
        self.filter(filter, effects);
    }

    /// Filters the lists. A selected finding is replaced by the one nearest to it.
    fn filter(&mut self, filter: Filter, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let is_same = check.preview.filter.query == filter.query;
        check.preview.filter = filter;
        check.preview.may_reset_filter = false;
        if is_same || check.report().is_none() {
            return;
        }
        let line = check.preview.line();
        let is_finding = matches!(check.preview.selection, None | Some(Selection::Finding(_)));
        if is_finding || check.preview.list == ListKind::Findings {
            check.preview.wanted = Some((line.unwrap_or(0), None));
        }
        check.list_findings();
        // The details do not change until the nearest finding is known.
        if let Some(Selection::Finding(_)) = check.preview.selection {
            check.preview.selection = line.map(Selection::Line);
            check.preview.in_record = None;
        }
        self.end_search(effects);
    }

    /// The query of the listed findings. `None` while it is unknown, because a search has to end first.
    fn listed_query(check: &Check) -> Option<FindingQuery> {
        let filter = &check.preview.filter;
        let search = match &check.preview.search {
            _ if !filter.needs_search() => None,
            Some(search) if search.has_all_hits() => Some(search.id),
            _ => return None,
        };
        Some(FindingQuery { query: filter.query.to_string(), search })
    }

    /// Requests findings that are needed and not loaded, and their summary.
    pub(super) fn request_findings(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut() else { return };
        if !check.answering || check.report().is_none() {
            return;
        }
        let Some(of) = Self::listed_query(check) else { return };
        let id = check.id;
        self.request_items(
            |preview| preview.findings.cache(),
            |request, from, count| Command::ListFindings { id, request, of: of.clone(), from, count },
            effects,
        );
        let Some(check) = self.check.as_mut() else { return };
        if check.preview.summary == Summary::None && check.all_findings() > 0 {
            let check = Rc::make_mut(check);
            let (id, request) = (check.id, self.ids.next());
            check.preview.summary = Summary::Requested(request);
            effects.push(Effect::Post(Command::SummarizeFindings { id, request, of: of.clone() }, None));
        }
        if check.preview.wanted.is_some() {
            let check = Rc::make_mut(check);
            let Some((line, direction)) = check.preview.wanted.take() else { return };
            let (id, request) = (check.id, self.ids.next());
            check.preview.seeking = Some(request);
            effects.push(Effect::Post(Command::NearestFinding { id, request, of, line, direction }, None));
        }
    }

    /// Stores findings. The selected one may be among them, or the list may end before it.
    pub(super) fn store_findings(
        &mut self,
        id: CheckId,
        request: RequestId,
        list: FindingList,
        effects: &mut Vec<Effect>,
    ) {
        let Some(check) = self.check_of(id) else { return };
        if !check.preview.findings.cache().is_some_and(|cache| cache.is_open(request)) {
            return;
        }
        let was_loaded = check.preview.listed_finding().is_some();
        let FindingList { total, unlisted, findings, .. } = list;
        if let Some(cache) = check.preview.findings.cache() {
            cache.set_total(total);
            cache.store(request, total, findings);
        }
        check.preview.unlisted = unlisted;
        check.preview.kept_findings = Some(total + unlisted);
        if total == 0 && check.preview.may_reset_filter && !check.preview.filter.is_empty() {
            let selection = check.preview.selection;
            self.filter(Filter::default(), effects);
            return self.select(selection, effects);
        }
        check.preview.may_reset_filter = false;
        match check.preview.selection {
            Some(Selection::Finding(number)) if number >= total => {
                let selection = total.checked_sub(1).map(Selection::Finding);
                self.select(selection, effects);
            }
            Some(Selection::Finding(_)) if !was_loaded && check.preview.listed_finding().is_some() => {
                self.request_record(effects);
            }
            _ => {}
        }
    }

    /// Stores the summary of the findings; an answer to an older request is dropped.
    pub(super) fn store_summary(&mut self, id: CheckId, request: RequestId, summary: FindingSummary) {
        let is_of_list = |check: &&mut Check| check.preview.summary == Summary::Requested(request);
        if let Some(check) = self.check_of(id).filter(is_of_list) {
            check.preview.summary = Summary::Loaded(Rc::new(summary));
        } else {
            // The next report renders the page.
            self.skip_render =
                self.check.is_some() || self.batch.as_ref().is_some_and(|batch| batch.is_busy());
            self.change_batch(|batch| batch.store_groups(id, summary.groups));
        }
    }

    /// Selects the last requested finding; other answers are stale.
    pub(super) fn show_nearest(
        &mut self,
        id: CheckId,
        request: RequestId,
        number: Option<u64>,
        effects: &mut Vec<Effect>,
    ) {
        let Some(check) = self.check_of(id) else { return };
        let requested = check.preview.seeking.take_if(|seeking| *seeking == request);
        if let (Some(_), Some(number)) = (requested, number) {
            self.select(Some(Selection::Finding(number)), effects);
        }
    }

    /// Seeks the next or previous error in the list of findings.
    pub(super) fn seek_error(&mut self, direction: Direction) {
        if let Some(check) = self.check.as_mut().map(Rc::make_mut) {
            check.preview.wanted = Some((check.preview.line().unwrap_or(0), Some(direction)));
        }
    }
}
