//! The findings of all files of a batch, by rule and path, and their files.

use std::rc::Rc;

use evalcheck_report::Severity;
use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use super::fixes::{fix_label, with_fixes};
use super::icon::Icon;
use super::severity;
use super::text;
use super::virtual_list::{ListRow, VirtualList, group_place, row_command};
use crate::display::format_number::{counted, grouped};
use crate::state::{Action, Batch, BatchAction, FindingCount, Mistake};

#[derive(Properties, PartialEq)]
pub(crate) struct MistakeListProps {
    pub(crate) batch: Rc<Batch>,
    pub(crate) catalogue: Rc<Catalogue>,
    pub(crate) dispatch: Callback<Action>,
}

/// A row of the list.
#[derive(Clone, Copy)]
enum Row {
    /// A group of findings, by its number.
    Group(usize),
    /// A file of a group, by the number of the group and its index in the group.
    File(usize, usize),
}

/// The list. A click or Enter opens a group, which lists its files, or a file.
#[component]
pub(crate) fn MistakeList(props: &MistakeListProps) -> Html {
    let MistakeListProps { batch, catalogue, dispatch } = props;
    let active = use_state(|| None::<u64>);
    let open = use_state(|| None::<usize>);
    let mistakes = use_memo(Rc::clone(batch), |batch| batch.mistakes());
    let opened = open.filter(|number| *number < mistakes.len());
    let render = {
        let (batch, mistakes, catalogue) = (Rc::clone(batch), Rc::clone(&mistakes), Rc::clone(catalogue));
        let dispatch = dispatch.clone();
        Callback::from(move |row: u64| match row_at(&mistakes, opened, row) {
            Some(Row::Group(number)) => {
                let mut of_rule = mistakes.iter().filter(|other| other.key.0 == mistakes[number].key.0);
                let is_distinct = mistakes[number].key.1.is_some() || of_rule.nth(1).is_none();
                let fix = (is_distinct && !batch.is_running() && batch.run.is_none()).then_some(&dispatch);
                group_row(&mistakes[number], opened == Some(number), &catalogue, fix)
            }
            Some(Row::File(number, place)) => file_row(&mistakes[number], place, &batch),
            None => ListRow::default(),
        })
    };
    let on_select = {
        let (mistakes, dispatch) = (Rc::clone(&mistakes), dispatch.clone());
        let (set_active, set_open) = (active.setter(), open.setter());
        Callback::from(move |(row, opens): (u64, bool)| match row_at(&mistakes, opened, row) {
            Some(Row::Group(number)) if opens => {
                set_open.set((opened != Some(number)).then_some(number));
                // The rows of the previously open group are gone.
                set_active.set(Some(number as u64));
            }
            Some(Row::File(number, place)) if opens => {
                let Mistake { key, files, .. } = &mistakes[number];
                dispatch.emit(Action::OpenMistake { file: files[place].0, key: key.clone() });
            }
            _ => set_active.set(Some(row)),
        })
    };
    let files = opened.map_or(0, |number| mistakes[number].files.len());
    html! {
        if mistakes.is_empty() {
            <p class="empty">{ "No findings so far." }</p>
        } else {
            <VirtualList
                id="mistakes"
                label="Mistakes in all files"
                testid="mistake-list"
                rows={(mistakes.len() + files) as u64}
                active={*active}
                {render}
                {on_select}
                on_opened={dispatch.reform(|()| Action::FocusFront)}
            />
        }
    }
}

/// Returns the content of a row. The files of the open group follow the group.
fn row_at(mistakes: &[Mistake], open: Option<usize>, row: u64) -> Option<Row> {
    let row = usize::try_from(row).ok()?;
    let Some(open) = open.filter(|open| row > *open) else {
        return (row < mistakes.len()).then_some(Row::Group(row));
    };
    let files = mistakes.get(open)?.files.len();
    let place = row - open - 1;
    if place < files {
        return Some(Row::File(open, place));
    }
    let number = row - files;
    (number < mistakes.len()).then_some(Row::Group(number))
}

/// The row of a group. With `fix`, it has a command that applies the safe fixes.
fn group_row(
    mistake: &Mistake,
    is_open: bool,
    catalogue: &Catalogue,
    fix: Option<&Callback<Action>>,
) -> ListRow {
    let (code, path) = &mistake.key;
    let rule = catalogue.rule(code);
    let severity = rule.map_or(Severity::Error, |rule| rule.severity);
    let is_fixed = mistake.count.findings == 0;
    let summary = rule.map_or(code, |rule| &rule.summary);
    let (place, path) = group_place(path.as_deref(), catalogue.title(code), summary);
    let content = html! {
        <>
            if is_fixed {
                <span class="severity-mark fixed">{ Icon::Check.draw() }</span>
            } else {
                { severity::mark(severity) }
            }
            <span class="finding-text">
                <span class="finding-place">
                    <span class="place">{ place }</span>
                </span>
                <span class="message">
                    <span data-cell="counts">{ counts(mistake) }</span>
                    if let Some(path) = path { { " at " }{ path } }
                    <span class="visually-hidden">{ if is_open { ", files follow" } else { ", closed" } }</span>
                </span>
            </span>
            <span class="code">{ code }</span>
            if let Some(dispatch) = fix.filter(|_| mistake.count.safe_fixes > 0) {
                { fix_these(mistake, dispatch) }
            }
        </>
    };
    ListRow {
        testid: Some("mistake"),
        class: classes!("finding", is_open.then_some("open")),
        severity: Some(severity).filter(|_| !is_fixed),
        content,
        ..ListRow::default()
    }
}

fn fix_these(mistake: &Mistake, dispatch: &Callback<Action>) -> Html {
    let key = mistake.key.clone();
    let fix = dispatch.reform(move |()| BatchAction::FixMistake(key.clone()).into());
    row_command("fix-these", fix_label(mistake.count.safe_fixes), fix)
}

/// The numbers of findings, files and fixes of a mistake.
fn counts(mistake: &Mistake) -> String {
    let files = counted(mistake.files.len() as u64, "file");
    let FindingCount { findings, fixed, .. } = mistake.count;
    match (findings, fixed) {
        (0, fixed) => format!("{} in {files}, all fixed", grouped(fixed)),
        (findings, _) => format!("{} in {files}{}", grouped(findings), fixes(&mistake.count)),
    }
}

/// The number of available and of applied fixes.
fn fixes(count: &FindingCount) -> String {
    let left = with_fixes(count.findings, count.safe_fixes, count.unsafe_fixes);
    if count.fixed > 0 { format!("{left}, {} fixed", grouped(count.fixed)) } else { left }
}

fn file_row(mistake: &Mistake, place: usize, batch: &Batch) -> ListRow {
    let Some((index, count)) = mistake.files.get(place) else { return ListRow::default() };
    let Some(file) = batch.files.get(*index) else { return ListRow::default() };
    let content = html! {
        <span class="finding-text">
            <span class="finding-place file-path" title={&file.dataset.path}>
                <span class="muted">{ text::inline(file.dataset.folder()) }</span>
                <span class="file-name">{ text::inline(&file.dataset.name) }</span>
            </span>
            <span class="message">{ counted(count.findings, "finding") }{ fixes(count) }</span>
        </span>
    };
    ListRow {
        testid: Some("mistake-file"),
        class: classes!("finding", "mistake-file"),
        content,
        ..ListRow::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_the_open_group_follow_it() {
        let mistake = |files: usize| Mistake {
            key: (String::new(), None),
            count: FindingCount::default(),
            files: (0..files).map(|index| (index, FindingCount::default())).collect(),
        };
        let mistakes = [mistake(1), mistake(2), mistake(3)];
        let rows = |open: Option<usize>| -> Vec<(usize, Option<usize>)> {
            let row = |row| match row_at(&mistakes, open, row)? {
                Row::Group(number) => Some((number, None)),
                Row::File(number, place) => Some((number, Some(place))),
            };
            (0..9).map_while(row).collect()
        };
        assert_eq!(rows(None), [(0, None), (1, None), (2, None)]);
        assert_eq!(rows(Some(1)), [(0, None), (1, None), (1, Some(0)), (1, Some(1)), (2, None)]);
    }
}
