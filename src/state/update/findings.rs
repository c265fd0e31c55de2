//! The filter, and what it makes of the selection.

use std::rc::Rc;

use evalcheck_report::Severity;
use evalcheck_wire::query::{CheckKey, Term};
use yew::AttrValue;

use crate::state::State;
use crate::state::address::Address;
use crate::state::effect::Effect;
use crate::state::filter::Filter;
use crate::state::findings::Grouping;
use crate::state::preview::{Focus, Seek, Selection};
use crate::state::view_id::ViewId;

impl State {
    /// Filters by the text in the field.
    pub(crate) fn filter_by_text(&mut self, text: AttrValue) {
        let catalogue = Rc::clone(&self.catalogue);
        let names = catalogue.formats.iter().flat_map(|format| &format.names);
        let names: Vec<&str> = names.map(|short| short.name.as_str()).collect();
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let filter = check.preview.filter.with_text(text, &names);
        self.filter(filter);
    }

    /// Lists the findings of a severity, or all.
    pub(super) fn filter_severity(&mut self, severity: Option<Severity>) {
        let Some(check) = &self.check else { return };
        let filter = severity.map_or_else(Filter::default, |severity| {
            let others = check.preview.filter.without(&[CheckKey::Severity, CheckKey::Is]);
            others.with(Term::check(CheckKey::Severity, severity.as_str()))
        });
        self.show_filtered(filter);
    }

    /// Lists the findings of a group.
    pub(crate) fn open_group(&mut self, code: &str, path: Option<&str>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        check.preview.findings.grouping = Some(Grouping::Single);
        let others = check.preview.filter.without(&[CheckKey::Rule, CheckKey::Path]);
        let of_rule = others.with(Term::check(CheckKey::Rule, code));
        let filter = match path {
            Some(path) => of_rule.with(Term::check(CheckKey::Path, path)),
            None => of_rule,
        };
        self.show_filtered(filter);
    }

    /// Lists the groups of all rules.
    pub(crate) fn show_groups(&mut self) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        check.preview.findings.grouping = Some(Grouping::Groups);
        let filter = check.preview.filter.without(&[CheckKey::Rule, CheckKey::Path]);
        if filter != check.preview.filter {
            self.filter(filter);
        }
    }

    /// Shows a place in the results.
    pub(in crate::state) fn show_address(&mut self, address: Address, effects: &mut Vec<Effect>) {
        let Address { view, filter, grouping, line, record, has_details, theme, .. } = address;
        // An address without a theme does not change it.
        if let Some(theme) = theme.filter(|theme| *theme != self.look.theme) {
            self.set_theme(theme, effects);
        }
        self.filter_by_text(filter);
        let view = self.views.named(&view).map(|view| view.about().id).unwrap_or_default();
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let preview = &mut check.preview;
        preview.view = view;
        preview.findings.grouping = grouping;
        preview.focus = if has_details { Focus::Details } else { Focus::List };
        preview.reveals += 1;
        let counts = check.report().map(|report| report.counts.clone()).unwrap_or_default();
        match (view, record, line) {
            (ViewId::FINDINGS, _, Some(line)) if check.preview.line() != Some(line) => {
                check.preview.seek = Some(Seek::Finding(line, None));
            }
            (_, Some(record), line) if record < counts.records => {
                self.select(Some(Selection::Record { record, line }), effects);
            }
            (ViewId::LINES, _, Some(line)) if (1..=counts.lines).contains(&line) => {
                self.select(Some(Selection::Line(line)), effects);
            }
            _ => {}
        }
    }

    /// Shows the list of findings, with a filter.
    fn show_filtered(&mut self, filter: Filter) {
        if let Some(check) = self.check.as_mut().map(Rc::make_mut) {
            check.preview.view = ViewId::FINDINGS;
            check.preview.focus = Focus::List;
        }
        self.filter(filter);
    }

    /// Filters the lists. A selected finding is replaced by the one nearest to it, or by its record if the records are listed that match.
    fn filter(&mut self, filter: Filter) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let is_same = check.preview.filter.query == filter.query;
        let (line, record) = (check.preview.line(), check.preview.record_number());
        let lists_hits = check.preview.view == ViewId::RECORDS && !filter.is_empty();
        check.preview.filter = filter;
        check.preview.findings.may_reset_filter = false;
        if is_same || check.report().is_none() {
            return;
        }
        // The report is not filtered.
        check.preview.findings.early = None;
        let is_finding = matches!(check.preview.selection, None | Some(Selection::Finding(_)));
        if !lists_hits && (is_finding || check.preview.view == ViewId::FINDINGS) {
            check.preview.seek = Some(Seek::Finding(line.unwrap_or(0), None));
        }
        // The details do not change until the nearest finding is known.
        if let Some(Selection::Finding(_)) = check.preview.selection {
            check.preview.selection = match record {
                Some(record) if lists_hits => Some(Selection::Record { record, line }),
                _ => line.map(Selection::Line),
            };
            check.preview.details.in_record = None;
        }
    }

    /// Brings the selection in line with the list of findings, when that is known. A filter that keeps nothing after a change of the file is
    /// dropped.
    pub(crate) fn settle_findings(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = &self.check else { return };
        let Some(total) = check.finding_list().and_then(|list| check.preview.answers.total(&list)) else {
            return;
        };
        let (selection, may_reset) = (check.preview.selection, check.preview.findings.may_reset_filter);
        if total == 0 && may_reset && !check.preview.filter.is_empty() {
            self.filter(Filter::default());
            return self.select(selection, effects);
        }
        if may_reset && let Some(check) = self.check.as_mut().map(Rc::make_mut) {
            check.preview.findings.may_reset_filter = false;
        }
        if let Some(Selection::Finding(number)) = selection
            && number >= total
        {
            self.select(total.checked_sub(1).map(Selection::Finding), effects);
        }
    }
}
