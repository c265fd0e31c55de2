//! Copies parts of the selected finding and its record.

use evalcheck_render::markdown::finding_issue;
use evalcheck_render::text::{finding_line, help_lines};
use evalcheck_report::Finding;
use evalcheck_report::view::{Mark, Source};
use serde_json::Value;
use yew::prelude::*;

use super::icon::Icon;
use super::menu::{item, menu_of};
use super::verdict::copy_label;
use crate::display::excerpt::{ROW_CONTEXT, byte_range, excerpt};
use crate::display::json_path::place;
use crate::state::{Action, Copied, Notice, RecordState};

#[derive(Properties, PartialEq)]
pub(crate) struct CopyMenuProps {
    pub(crate) finding: Option<Finding>,
    pub(crate) record: RecordState,
    /// The index of the finding in the record.
    pub(crate) selected: Option<usize>,
    /// The name of the file.
    pub(crate) file: AttrValue,
    pub(crate) notice: Option<Notice>,
    pub(crate) dispatch: Callback<Action>,
}

/// The menu; empty if there is nothing to copy.
#[component]
pub(crate) fn CopyMenu(props: &CopyMenuProps) -> Html {
    let texts = use_memo(
        (props.finding.clone(), props.record.clone(), props.selected, props.file.clone()),
        |(finding, record, selected, file)| texts(finding.as_ref(), record, *selected, file),
    );
    if texts.is_empty() {
        return Html::default();
    }
    let items = texts.iter().map(|(what, text)| {
        let (what, text) = (*what, text.clone());
        let onclick = props.dispatch.reform(move |_| Action::CopyText(what, text.clone()));
        item(test_id(what), "stays", copy_label(what, props.notice), false, onclick)
    });
    let items = html! { <div class="menu-group">{ for items }</div> };
    menu_of("copy-menu", "Copy", Icon::Copy.draw(), items)
}

const fn test_id(what: Copied) -> &'static str {
    match what {
        Copied::Value => "copy-value",
        Copied::Record => "copy-record",
        Copied::Path => "copy-path",
        Copied::JqPath => "copy-jq-path",
        Copied::FindingText => "copy-finding",
        Copied::FindingMarkdown => "copy-markdown",
        Copied::Report => "copy-report",
        Copied::Summary => "copy-summary",
        Copied::FixedLine => "copy-fixed-line",
    }
}

/// The texts that can be copied.
fn texts(
    finding: Option<&Finding>,
    record: &RecordState,
    selected: Option<usize>,
    file: &str,
) -> Vec<(Copied, String)> {
    let source = match record {
        RecordState::Loaded(record) => Some(&record.source),
        _ => None,
    };
    // Only then the source is the whole record, unchanged from the file.
    let whole = source.filter(|source| source.editable.is_some() && source.before == 0 && source.after == 0);
    let mark = source.zip(selected).and_then(|(source, at)| source.marks.get(at).copied().flatten());
    let mut texts = Vec::new();
    if let Some(finding) = finding {
        if let Some(path) = &finding.path {
            let json = whole.and_then(|source| serde_json::from_str::<Value>(&source.text).ok());
            let place = json.as_ref().and_then(|record| place(record, path));
            let value = place.as_ref().and_then(|place| place.value);
            let value = value.zip(whole).and_then(|(value, source)| written(value, source, mark));
            texts.extend(value.map(|value| (Copied::Value, value)));
            texts.push((Copied::Path, path.clone()));
            texts.extend(place.map(|place| (Copied::JqPath, place.jq)));
        }
        let lines = [finding_line(finding, file)].into_iter().chain(help_lines(finding));
        let lines: Vec<String> = lines.map(|line| line.to_string()).collect();
        texts.push((Copied::FindingText, lines.join("\n")));
        let around = source.filter(|_| mark.is_some()).map(|source| {
            let around = excerpt(source, selected, ROW_CONTEXT);
            let ellipsis = |is_cut: bool| if is_cut { "…" } else { "" };
            let text: String = around.segments.iter().map(|segment| segment.text).collect();
            format!("{}{text}{}", ellipsis(around.before.all > 0), ellipsis(around.after.all > 0))
        });
        texts.push((Copied::FindingMarkdown, finding_issue(finding, file, around.as_deref())));
    }
    texts.extend(whole.map(|source| (Copied::Record, source.text.clone())));
    texts
}

/// Returns a value as text: the marked text of the file if it is that value, otherwise the JSON of an integer, string, boolean or null.
fn written(value: &Value, source: &Source, mark: Option<Mark>) -> Option<String> {
    let marked = mark.and_then(|mark| source.text.get(byte_range(&source.text, &mark)?));
    let is_value = |text: &&str| serde_json::from_str::<Value>(text).is_ok_and(|marked| marked == *value);
    match value {
        _ if marked.as_ref().is_some_and(is_value) => marked.map(str::to_owned),
        Value::Number(number) => (number.is_i64() || number.is_u64()).then(|| number.to_string()),
        Value::Array(_) | Value::Object(_) => None,
        Value::String(_) | Value::Bool(_) | Value::Null => Some(value.to_string()),
    }
}
