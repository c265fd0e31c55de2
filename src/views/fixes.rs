//! The fixes of a file by kind, with examples and check boxes that select the kinds to apply.

use std::rc::Rc;

use evalcheck_report::{Applicability, Counts};
use evalcheck_wire::findings::{FixExample, FixGroup};
use evalcheck_wire::fix::{FixChoice, FixKind, Selection as FixSelection};
use evalcheck_wire::question::{Answer, Question};
use yew::prelude::*;

use crate::components::diff::diff_of;
use crate::components::text;
use crate::display::format_number::{counted, grouped};
use crate::state::{
    About, Action, Check, Count, Effect, Focus, PreviewAction, Remote, Selection, Shown, State, View, ViewId,
    Wanted,
};

/// Kinds that are shown at first, and how many more each time.
const PAGE: u32 = 20;

/// The view of the fixes.
pub(crate) struct FixesView;

const ID: ViewId = ViewId("fixes");

impl View for FixesView {
    fn about(&self) -> About {
        About { id: ID, name: "Fixes", help: "Fixes" }
    }

    fn applies(&self, check: &Check) -> bool {
        check.answering() && check.all_fixes() > 0
    }

    fn count(&self, check: &Check) -> Count {
        // The bar counts the safe ones.
        let is_counted = check.fixable(&FixSelection::default()) > 0;
        if is_counted { Count::None } else { Count::Of(check.all_fixes()) }
    }

    fn wants(&self, check: &Check) -> Vec<Wanted> {
        if check.preview.view != ID {
            return Vec::new();
        }
        let Choices { more, .. } = *check.preview.chosen.get();
        (0..=more / PAGE).map(|page| page_question(page).into()).collect()
    }

    fn leave(&self, state: &mut State, _effects: &mut Vec<Effect>) {
        state.choose(|choices| *choices = Choices::default());
    }

    fn draw(&self, shown: &Shown<'_>) -> Html {
        draw(shown)
    }
}

/// The question for all kinds, with examples of those on a page.
const fn page_question(page: u32) -> Question {
    Question::FixGroups { from: page * PAGE, count: PAGE }
}

/// The user's choices.
#[derive(Debug, Clone, Default, PartialEq)]
struct Choices {
    /// How many kinds the user wants to see beyond the first.
    more: u32,
    /// The kinds that are applied only because the user said so, or are not.
    changed: Vec<usize>,
}

/// The kinds of fixes, and the user's choices.
pub(crate) struct Review<'a> {
    check: &'a Check,
    choices: Rc<Choices>,
}

impl<'a> Review<'a> {
    /// The review of a check.
    pub(crate) fn of(check: &'a Check) -> Self {
        Self { check, choices: check.preview.chosen.get() }
    }

    /// Whether it is in front.
    pub(crate) fn is_shown(&self) -> bool {
        self.check.preview.view == ID && FixesView.applies(self.check)
    }

    /// All kinds, once they are loaded.
    fn groups(&self) -> Option<&'a [FixGroup]> {
        self.page(0)
    }

    fn page(&self, page: u32) -> Option<&'a [FixGroup]> {
        let answers = &self.check.preview.answers;
        answers.get(&page_question(page), Answer::try_as_fix_groups_ref).map(Vec::as_slice)
    }

    /// The examples of a kind, as far as they are loaded.
    fn examples(&self, kind: usize) -> &'a [FixExample] {
        let page = u32::try_from(kind).ok().and_then(|kind| self.page(kind / PAGE));
        page.and_then(|groups| groups.get(kind)).map_or(&[], |group| &group.examples)
    }

    /// The number of kinds that are shown.
    fn shown(&self) -> usize {
        let most = (PAGE + self.choices.more) as usize;
        self.groups().map_or(0, |groups| groups.len().min(most))
    }

    /// Whether the fixes of a kind will be applied: those that are safe, unless the user said otherwise.
    fn is_applied(&self, kind: usize) -> bool {
        let group = self.groups().and_then(|groups| groups.get(kind));
        group.is_some_and(|group| is_safe(group) != self.choices.changed.contains(&kind))
    }

    /// The fixes that will be applied. All kinds are named if the user changed one, because no other choice describes some of them.
    pub(crate) fn selection(&self) -> FixSelection {
        let groups = self.groups().filter(|_| !self.choices.changed.is_empty()).unwrap_or_default();
        let choice = |(kind, group): (usize, &FixGroup)| FixChoice {
            kind: group.kind.clone(),
            is_applied: self.is_applied(kind),
        };
        FixSelection { choices: groups.iter().enumerate().map(choice).collect(), ..FixSelection::default() }
    }

    /// The number of fixes that will be applied, of a file with these counts.
    pub(crate) fn count(&self, counts: &Counts) -> u64 {
        let groups = self.groups().unwrap_or_default();
        let changed = |is_wanted: bool| -> u64 {
            let of_kind = |kind: &&usize| groups.get(**kind).is_some_and(|group| is_safe(group) != is_wanted);
            self.choices.changed.iter().filter(of_kind).map(|kind| groups[*kind].findings).sum()
        };
        (FixSelection::default().count(counts) + changed(true)).saturating_sub(changed(false))
    }
}

fn is_safe(group: &FixGroup) -> bool {
    group.kind.applicability == Applicability::Safe
}

/// Shows the fixes.
pub(crate) fn review() -> Action {
    Action::of_view(|state, _| {
        if let Some(check) = state.check.as_mut().map(Rc::make_mut) {
            check.preview.view = ID;
            check.preview.focus = Focus::List;
        }
    })
}

/// Chooses whether the fixes of a kind will be applied.
pub(crate) fn choose(kind: usize) -> Action {
    Action::choose(move |choices: &mut Choices| {
        match choices.changed.iter().position(|changed| *changed == kind) {
            Some(at) => {
                choices.changed.swap_remove(at);
            }
            None => choices.changed.push(kind),
        }
    })
}

/// Shows more kinds.
fn show_more() -> Action {
    Action::choose(|choices: &mut Choices| choices.more += PAGE)
}

/// The kinds of fixes: first the safe ones, then the others.
fn draw(shown: &Shown<'_>) -> Html {
    let Shown { check, dispatch, .. } = *shown;
    let review = Review::of(check);
    let first = check.preview.answers.state(&page_question(0), Answer::try_as_fix_groups_ref);
    let Some(groups) = review.groups().filter(|groups| !groups.is_empty()) else {
        let why = match first {
            None | Some(Remote::Waiting(_)) => "…",
            Some(_) => "The fixes cannot be listed.",
        };
        return html! { <p class="empty">{ why }</p> };
    };
    let kinds = |safe: bool| {
        let kinds =
            groups.iter().enumerate().take(review.shown()).filter(|(_, group)| is_safe(group) == safe);
        kinds.map(|(number, group)| kind(number, group, &review, dispatch)).collect::<Vec<_>>()
    };
    let (safe, others) = (kinds(true), kinds(false));
    let left = groups.len() - review.shown();
    html! {
        <div class="fix-review" data-testid="fix-review">
            if !safe.is_empty() {
                <h2>{ "Safe fixes" }</h2>
                <p class="muted">{ "The data says the same afterwards. Further safe fixes that show up then are applied as well." }</p>
                { safe }
            }
            if !others.is_empty() {
                <h2>{ "Possible fixes" }</h2>
                <p class="muted">{ "Each guesses or drops something. Look, then tick." }</p>
                { others }
            }
            if left > 0 {
                <button
                    type="button"
                    class="link"
                    data-testid="more-fixes"
                    onclick={dispatch.reform(|_| show_more())}
                >
                    { format!("Show more of {} other kinds", grouped(left as u64)) }
                </button>
            }
        </div>
    }
}

fn kind(number: usize, group: &FixGroup, review: &Review<'_>, dispatch: &Callback<Action>) -> Html {
    let FixKind { code, path, .. } = &group.kind;
    let records = if group.records > 0 && group.records != group.findings {
        format!(" in {}", counted(group.records, "record"))
    } else {
        String::new()
    };
    let id = format!("fix-kind-{number}");
    html! {
        <div role="group" key={number} class="fix-kind" data-testid="fix-kind" data-code={code.clone()} aria-labelledby={id.clone()}>
            <label>
                <input
                    type="checkbox"
                    checked={review.is_applied(number)}
                    disabled={review.check.is_running()}
                    onchange={dispatch.reform(move |_| choose(number))}
                />
                <span {id}>
                    <strong>{ format!("{} × ", grouped(group.findings)) }</strong>
                    { text::inline(group.title.as_deref().unwrap_or(&group.summary)) }
                    { records }
                </span>
            </label>
            <p class="muted fix-kind-place">
                if let Some(path) = path {
                    <span class="path">{ text::path(path) }</span>
                    { " " }
                }
                <span class="code">{ code }</span>
            </p>
            for example in review.examples(number) {
                { example_of(example, group.title.is_none(), dispatch) }
            }
        </div>
    }
}

/// One fix: its place and its diff.
fn example_of(example: &FixExample, has_title: bool, dispatch: &Callback<Action>) -> Html {
    let FixExample { line, record, title, diff } = example;
    let place = match (line, record) {
        (Some(line), _) => format!("Line {}", grouped(*line)),
        (None, Some(record)) => format!("Record {}", grouped(record + 1)),
        (None, None) => "File".to_owned(),
    };
    let selection = match (*record, *line) {
        (Some(record), line) => Some(Selection::Record { record, line }),
        (None, Some(line)) => Some(Selection::Line(line)),
        (None, None) => None,
    };
    html! {
        <div class="fix-example" data-testid="fix-example">
            if let Some(selection) = selection {
                <button
                    type="button"
                    class="link"
                    onclick={dispatch.reform(move |_| PreviewAction::Select { selection, open: true }.into())}
                >
                    { place }
                </button>
            } else {
                <span>{ place }</span>
            }
            if has_title {
                <span class="fix-example-title">{ text::inline(title) }</span>
            }
            { diff_of(diff) }
        </div>
    }
}
