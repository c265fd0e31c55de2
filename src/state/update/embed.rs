//! The options and requests of the host page, and the messages to it about checks.

use std::rc::Rc;

use evalcheck_report::Report;
use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::embed::Options;
use evalcheck_wire::worker::Progress;
use yew::AttrValue;

use super::address::{find_example, no_example};
use crate::state::dataset::Dataset;
use crate::state::effect::Effect;
use crate::state::embed::HostMessage;
use crate::state::format_choice::FormatChoice;
use crate::state::theme::Theme;
use crate::state::{EngineState, State};

impl State {
    /// Applies the options of the host page.
    pub(in crate::state) fn configure(&mut self, options: Options, now_ms: f64, effects: &mut Vec<Effect>) {
        let Some(embed) = self.embed.as_mut() else { return };
        let format = options.format.as_deref().and_then(FormatChoice::from_value);
        let example = options.example.map(AttrValue::from);
        let format_changed = embed.format != format;
        if embed.example != example {
            embed.example = example;
            embed.example_opened = false;
        }
        if format_changed {
            embed.format.clone_from(&format);
            self.format = format;
        }
        let schema_changed = embed.schema != options.schema;
        if schema_changed {
            embed.schema.clone_from(&options.schema);
            self.schema = self.schema.with(options.schema.into_iter().collect());
        }
        self.look.theme = Theme::from_name(&options.theme);
        let (compact, grow) = (options.compact, options.grow);
        effects.push(Effect::ApplyEmbedOptions { theme: self.look.theme, compact, grow });
        match &self.engine {
            EngineState::Loading => {}
            EngineState::Ready => {
                self.resolve_embed_options(effects);
                if format_changed || schema_changed {
                    self.check_again(now_ms, effects);
                }
            }
            EngineState::Failed(why) => {
                let why = why.clone();
                self.post_error_to_host("engine", why, effects);
            }
        }
    }

    /// Checks a file for the host page.
    pub(super) fn check_for_host(
        &mut self,
        request: u32,
        dataset: Dataset,
        now_ms: f64,
        effects: &mut Vec<Effect>,
    ) {
        let key = dataset.key;
        self.open_files(dataset.into(), now_ms, effects);
        // The new check replaces the check of an earlier request.
        self.drop_replaced_request(effects);
        if let Some(embed) = self.embed.as_mut() {
            embed.requested = Some((key, request));
        }
    }

    /// Looks up format and example in the catalogue, once it is loaded, and opens the example.
    pub(super) fn resolve_embed_options(&mut self, effects: &mut Vec<Effect>) {
        let Some(embed) = self.embed.as_mut() else { return };
        if let Some(unknown) = embed.format.take_if(|format| !is_known(&self.catalogue, format)) {
            if self.format.as_ref() == Some(&unknown) {
                self.format = None;
            }
            let message = format!("There is no format \"{}\".", unknown.id);
            self.post_refusal_to_host("format", message.into(), effects);
        }
        let Some(embed) = self.embed.as_mut() else { return };
        let Some(name) = embed.example.clone().filter(|_| !embed.example_opened) else { return };
        embed.example_opened = true;
        let preset = embed.format.as_ref().map_or("", |format| format.id.as_str());
        if let Some((format, example)) = find_example(&self.catalogue, &name, preset) {
            self.open_example(format, example, effects);
        } else {
            self.post_refusal_to_host("example", no_example(&name), effects);
        }
    }

    /// Posts the progress of a check to the host page.
    pub(super) fn post_progress_to_host(
        &self,
        file: AttrValue,
        progress: Progress,
        effects: &mut Vec<Effect>,
    ) {
        if let Some(embed) = &self.embed {
            // A request is dropped as soon as its check is no longer shown.
            let request = embed.requested.map(|(_, request)| request);
            effects.push(Effect::PostToHost(HostMessage::Progress { request, file, progress }));
        }
    }

    /// Posts the result of the shown check. A file that changed during the check has no report.
    pub(super) fn post_result_to_host(&mut self, effects: &mut Vec<Effect>) {
        let (Some(embed), Some(check)) = (self.embed.as_mut(), &self.check) else { return };
        if let Some(why) = check.changed.clone() {
            self.post_error_to_host("changed", why, effects);
        } else if let Some(report) = check.report().cloned() {
            let request = embed.take_request();
            effects.push(Effect::PostToHost(HostMessage::Report { request, report }));
        }
    }

    /// Posts the report of one file of a batch.
    pub(super) fn post_report_to_host(&self, report: Rc<Report>, effects: &mut Vec<Effect>) {
        if self.embed.is_some() {
            effects.push(Effect::PostToHost(HostMessage::Report { request: None, report }));
        }
    }

    /// Posts an error, which answers the open request if there is one.
    pub(super) fn post_error_to_host(
        &mut self,
        code: &'static str,
        message: AttrValue,
        effects: &mut Vec<Effect>,
    ) {
        let Some(embed) = self.embed.as_mut() else { return };
        let request = embed.take_request();
        effects.push(Effect::PostToHost(HostMessage::Error { request, code, message }));
    }

    /// Posts an error about a refused request. A running check continues.
    pub(super) fn post_refusal_to_host(
        &self,
        code: &'static str,
        message: AttrValue,
        effects: &mut Vec<Effect>,
    ) {
        if self.embed.is_some() {
            effects.push(Effect::PostToHost(HostMessage::Error { request: None, code, message }));
        }
    }

    /// Answers the open request with an error if the shown check is not the requested one.
    pub(super) fn drop_replaced_request(&mut self, effects: &mut Vec<Effect>) {
        let shown = self.check.as_ref().map(|check| check.dataset.key);
        let requested = self.embed.as_ref().and_then(|embed| embed.requested);
        if requested.is_some_and(|(key, _)| Some(key) != shown) {
            let message = "The file was closed before it was checked.";
            self.post_error_to_host("replaced", message.into(), effects);
        }
    }
}

/// Whether the catalogue has this format with the version and the option.
fn is_known(catalogue: &Catalogue, choice: &FormatChoice) -> bool {
    let format = catalogue.format(&choice.id);
    let has_version = |version: &AttrValue| {
        format.is_some_and(|format| format.versions.iter().any(|known| known == version.as_str()))
    };
    let has_option = |option: &AttrValue| {
        format.is_some_and(|format| format.options.iter().any(|known| known.name == option.as_str()))
    };
    format.is_some()
        && choice.version.as_ref().is_none_or(has_version)
        && choice.option.as_ref().is_none_or(has_option)
}
