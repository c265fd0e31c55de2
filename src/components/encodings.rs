//! The chooser of an encoding, for a file that is not UTF-8.

use evalcheck_report::view::{EncodingSample, Record};
use yew::prelude::*;

use super::text;
use crate::state::{Action, Check, FixAction};

/// The possible encodings of a record, each with a sample and a button that converts the whole file.
pub(super) fn encoding_chooser(check: &Check, record: &Record, dispatch: &Callback<Action>) -> Html {
    if record.encodings.is_empty() || check.is_running() {
        return Html::default();
    }
    html! {
        <section class="fix-card" data-testid="encodings">
            <p>
                <strong>{ "This record is not UTF-8. " }</strong>
                { "Choose the encoding in which it reads right. All of the file is then converted from it, also what is UTF-8 now." }
            </p>
            <ul class="encodings">
                for sample in &record.encodings {
                    { row(sample, dispatch) }
                }
            </ul>
        </section>
    }
}

fn row(sample: &EncodingSample, dispatch: &Callback<Action>) -> Html {
    let EncodingSample { encoding, text, is_cut_before, is_cut_after } = sample;
    let onclick = {
        let encoding = encoding.clone();
        dispatch.reform(move |_| FixAction::Decode(encoding.clone()).into())
    };
    let ellipsis = |is_cut: bool| if is_cut { "…" } else { "" };
    html! {
        <li data-testid="encoding" data-encoding={encoding.clone()}>
            <button type="button" class="change" {onclick}>{ format!("Read as {encoding}") }</button>
            <bdi class="mono">{ ellipsis(*is_cut_before) }{ text::source(text, false) }{ ellipsis(*is_cut_after) }</bdi>
        </li>
    }
}
