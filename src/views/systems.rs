//! The systems that the file may be meant for, and how each of them takes it.

use evalcheck_render::text::system_words;
use evalcheck_report::{Report, Verdict};
use evalcheck_wire::question::{Answer, Question};
use yew::prelude::*;

use crate::components::formats;
use crate::components::icon::Icon;
use crate::components::progress::strip;
use crate::components::text;
use crate::state::{About, Check, Remote, Shown, View, ViewId, Wanted, percent_of};

/// The view of the systems.
pub(super) struct SystemsView;

impl View for SystemsView {
    fn about(&self) -> About {
        About { id: ViewId::SYSTEMS, name: "Systems", help: "Systems that the file may be meant for" }
    }

    fn applies(&self, check: &Check) -> bool {
        question(check).is_some()
    }

    fn wants(&self, check: &Check) -> Vec<Wanted> {
        let is_in_front = check.preview.view == ViewId::SYSTEMS;
        question(check).filter(|_| is_in_front).map(Wanted::from).into_iter().collect()
    }

    fn is_undivided(&self) -> bool {
        true
    }

    fn draw(&self, shown: &Shown<'_>) -> Html {
        let answers = &shown.check.preview.answers;
        let state =
            question(shown.check).and_then(|question| answers.state(&question, Answer::try_as_systems_ref));
        let done = match state {
            Some(Remote::Loaded(reports)) => return table(reports, shown),
            Some(Remote::Failed(why)) => return html! { <p class="empty">{ why }</p> },
            Some(Remote::Waiting(advance)) => percent_of(&advance),
            Some(Remote::Stopped(_)) | None => 0,
        };
        html! {
            <div class="dataset-overview" data-testid="checking-systems">
                <p>{ format!("Checking, {done} %") }</p>
                { strip(done) }
            </div>
        }
    }
}

/// The question about all formats that the content may mean; `None` if there is none besides the one it was checked as.
fn question(check: &Check) -> Option<Question> {
    let format = &check.report()?.format;
    let ids = format.possible();
    ids.iter().any(|id| *id != format.id).then_some(Question::Systems(ids))
}

fn table(reports: &[Report], shown: &Shown<'_>) -> Html {
    let detected = shown.check.report().map(|report| &report.format);
    let reason = |id: &str| {
        let format = detected?;
        let of_other = || Some(&format.others.iter().find(|other| other.id == id)?.reason);
        if format.id == id { Some(&format.reason) } else { of_other() }
    };
    let row = |report: &Report| {
        let id = &report.format.id;
        let name = formats::title(shown.catalogue, id);
        let (verdict, does, outcome) = system_words(report);
        let mark = match verdict {
            Verdict::Valid => Icon::Check,
            Verdict::Invalid => Icon::Cross,
            _ => Icon::Unknown,
        };
        html! {
            <tr key={id.as_str()} data-testid="system" data-format={id.clone()} data-verdict={verdict.as_str()}>
                <th scope="row">
                    <span class={classes!("system-mark", verdict.as_str())}>{ mark.draw() }</span>
                    { name }
                </th>
                <td class="system-outcome">
                    <strong>{ does }</strong>{ " " }{ text::inline(&outcome) }
                    if let Some(reason) = reason(id) {
                        <p class="muted">{ text::inline(reason) }</p>
                    }
                </td>
                <td>{ formats::check_as("this", id, shown.dispatch) }</td>
            </tr>
        }
    };
    html! {
        <div class="dataset-overview" data-testid="systems">
            <div class="scroll-box" tabindex="0" role="region" aria-label="Systems">
                <table class="systems">
                    <caption>{ "What each system does with this file" }</caption>
                    <tbody>{ for reports.iter().map(row) }</tbody>
                </table>
            </div>
        </div>
    }
}
