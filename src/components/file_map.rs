//! A map beside the lists, which shows the positions of the findings in the file.

use std::cell::Cell;
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::rc::Rc;

use evalcheck_wire::findings::FindingSummary;
use evalcheck_wire::report::Severity;
use yew::html::ImplicitClone;
use yew::prelude::*;

use crate::display::format_number::counted;
use crate::platform;
use crate::state::{Action, ListKind, PreviewAction};

/// The frame on the map around the visible rows of the list. Scrolling the list moves it without rendering.
#[derive(Debug, Clone, Default)]
pub(crate) struct MapFrame {
    node: NodeRef,
    /// The bytes that it encloses, until another list is shown.
    bytes: Rc<Cell<(u64, u64)>>,
}

impl ImplicitClone for MapFrame {}

impl PartialEq for MapFrame {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl MapFrame {
    /// Moves the frame to rows of a list of `all` rows, from 1. Leaves it in place if none of them is loaded.
    fn show(&self, rows: RangeInclusive<u64>, all: u64, byte_of: impl Fn(u64) -> Option<u64>) {
        let Some(first) = rows.clone().find_map(&byte_of) else { return };
        let after = byte_of(rows.end() + 1).or_else(|| (*rows.end() >= all).then_some(u64::MAX));
        let last = after.or_else(|| rows.rev().find_map(&byte_of)).unwrap_or(first);
        // A list may have another order than the file.
        self.bytes.set((first.min(last), first.max(last)));
        self.draw();
    }

    /// Returns a callback that moves the frame to the visible rows of a list of `all` rows.
    pub(crate) fn follow(
        &self,
        all: u64,
        byte_of: impl Fn(u64) -> Option<u64> + 'static,
    ) -> Callback<RangeInclusive<u64>> {
        let frame = self.clone();
        Callback::from(move |rows| frame.show(rows, all, &byte_of))
    }

    fn draw(&self) {
        let (first, end) = self.bytes.get();
        platform::set_rows(&self.node, first, end);
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct FileMapProps {
    pub(crate) frame: MapFrame,
    pub(crate) summary: Rc<FindingSummary>,
    /// The shown list.
    pub(crate) list: ListKind,
    /// The first byte of the selected item.
    pub(crate) selected: Option<u64>,
    pub(crate) dispatch: Callback<Action>,
}

/// The map. A click goes to the nearest part that has a finding.
#[component]
pub(crate) fn FileMap(props: &FileMapProps) -> Html {
    let FileMapProps { frame, summary, list, selected, dispatch } = props;
    let drawn = frame.clone();
    use_effect(move || drawn.draw());
    let parts = summary.map.len();
    if parts == 0 || summary.map.iter().all(Option::is_none) {
        return Html::default();
    }
    let onclick = {
        let (summary, list) = (Rc::clone(summary), *list);
        let go_to = move |event: MouseEvent| {
            let at = platform::height_of_click(&event)?;
            let marked = summary.map.iter().enumerate().filter_map(|(place, part)| Some((place, (*part)?)));
            #[expect(clippy::cast_precision_loss, reason = "there are at most 512 parts")]
            let distance = |place: usize| ((place as f64 + 0.5) / parts as f64 - at).abs();
            let (_, part) = marked.min_by(|one, other| distance(one.0).total_cmp(&distance(other.0)))?;
            Some(match (list, part.line, part.record) {
                (ListKind::Lines, Some(line), _) => PreviewAction::GoToLine(line).into(),
                (ListKind::Records, line, Some(record)) => {
                    PreviewAction::SelectRecord { record, line, open: false }.into()
                }
                _ => PreviewAction::SelectFinding { number: part.first, open: false }.into(),
            })
        };
        let dispatch = dispatch.clone();
        Callback::from(move |event: MouseEvent| {
            if let Some(action) = go_to(event) {
                dispatch.emit(action);
            }
        })
    };
    let findings = summary.map.iter().flatten().map(|part| part.findings).sum();
    let label = format!("Map of the file: {} in {parts} parts", counted(findings, "finding"));
    html! {
        <svg
            class="file-map"
            viewBox={format!("0 0 1 {parts}")}
            preserveAspectRatio="none"
            role="img"
            aria-label={label}
            data-testid="file-map"
            {onclick}
        >
            for severity in [Severity::Info, Severity::Warning, Severity::Error] {
                <path class={severity.as_str()} d={marks(summary, severity)} />
            }
            if let Some(selected) = selected {
                <rect class="here" x="0" width="1" height={(parts.max(128) / 128).to_string()} y={place(*selected, summary.bytes, parts)} />
            }
            <svg class="map-frame" viewBox={format!("0 0 1 {}", summary.bytes.max(1))} preserveAspectRatio="none">
                <rect ref={&frame.node} width="1" data-testid="map-frame" />
            </svg>
        </svg>
    }
}

/// A square for each part with this worst severity. On a map of many parts, each square has a visible height.
fn marks(summary: &FindingSummary, severity: Severity) -> String {
    let height = (summary.map.len() / 128).max(1);
    let mut path = String::new();
    for (place, part) in summary.map.iter().enumerate() {
        if part.is_some_and(|part| part.severity == severity) {
            // Writing to a string cannot fail.
            let _ = write!(path, "M0 {place}h1v{height}h-1z");
        }
    }
    path
}

/// The part that contains a byte.
fn place(byte: u64, bytes: u64, parts: usize) -> String {
    let part = u128::from(byte) * parts as u128 / u128::from(bytes.max(1));
    part.min(parts as u128 - 1).to_string()
}
