//! A map beside the lists, which shows the positions of the findings in the file.

use std::fmt::Write;
use std::rc::Rc;

use evalcheck_report::Severity;
use evalcheck_wire::findings::FindingSummary;
use evalcheck_wire::question::Answer;
use yew::prelude::*;

use crate::display::format_number::counted;
use crate::map_frame::MapFrame;
use crate::platform;
use crate::state::{Action, PreviewAction, ViewId, Views};

#[derive(Properties, PartialEq)]
pub(crate) struct FileMapProps {
    pub(crate) frame: MapFrame,
    /// The answer with the summary of the findings.
    pub(crate) summary: Rc<Answer>,
    pub(crate) views: Views,
    /// The view in front.
    pub(crate) view: ViewId,
    /// The first byte of the selected item.
    pub(crate) selected: Option<u64>,
    pub(crate) dispatch: Callback<Action>,
}

/// The map. A click goes to the nearest part that has a finding.
#[component]
pub(crate) fn FileMap(props: &FileMapProps) -> Html {
    let FileMapProps { frame, summary: answer, views, view, selected, dispatch } = props;
    let drawn = frame.clone();
    use_effect(move || drawn.draw());
    let Some(summary) = answer.try_as_finding_summary_ref() else { return Html::default() };
    let parts = summary.map.len();
    if parts == 0 || summary.map.iter().all(Option::is_none) {
        return Html::default();
    }
    let onclick = {
        let (answer, views, view) = (Rc::clone(answer), *views, *view);
        let go_to = move |event: MouseEvent| {
            let summary = answer.try_as_finding_summary_ref()?;
            let at = platform::height_of_click(&event)?;
            let marked = summary.map.iter().enumerate().filter_map(|(place, part)| Some((place, (*part)?)));
            #[expect(clippy::cast_precision_loss, reason = "there are at most 512 parts")]
            let distance = |place: usize| ((place as f64 + 0.5) / parts as f64 - at).abs();
            let (_, part) = marked.min_by(|one, other| distance(one.0).total_cmp(&distance(other.0)))?;
            let selection = views.named(view.0)?.of_map(&part);
            Some(PreviewAction::Select { selection, open: false })
        };
        let dispatch = dispatch.clone();
        Callback::from(move |event: MouseEvent| {
            if let Some(action) = go_to(event) {
                dispatch.emit(action.into());
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
