//! The page as a part of another one, which says how it is to be, may ask for checks, and is told what comes of every
//! check, whoever asked for it.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::embed::Options;
use evalcheck_wire::report::Report;
use evalcheck_wire::worker::Progress;
use yew::AttrValue;

use super::action::Effect;
use super::check::Loss;
use super::choice::FormatChoice;
use super::dataset::{Dataset, FileKey};
use super::theme::Theme;
use super::work::in_words;
use super::{EngineState, State};

/// What the page around this one wants.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Embed {
    /// The format that is set until the person chooses another.
    pub(crate) format: Option<FormatChoice>,
    /// The example to begin with.
    example: Option<AttrValue>,
    /// True when that has been opened.
    opened: bool,
    /// The file whose check was asked for, and the number of that, until it is answered.
    asked: Option<(FileKey, u32)>,
}

/// What the page around this one is told. `request` is its number, where it has asked for the check.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Told {
    /// How far a check is.
    Progress {
        /// Whose check.
        request: Option<u32>,
        /// The file's name.
        file: AttrValue,
        /// How far.
        progress: Progress,
    },
    /// A check is done.
    Report {
        /// Whose check.
        request: Option<u32>,
        /// What came of it.
        report: Rc<Report>,
    },
    /// There will be no report.
    Error {
        /// Whose check.
        request: Option<u32>,
        /// One word for scripts.
        code: &'static str,
        /// The same for people.
        message: AttrValue,
    },
}

impl State {
    /// The page is to be so.
    pub(super) fn configure(&mut self, options: Options, now_ms: f64, effects: &mut Vec<Effect>) {
        let Some(embed) = self.embed.as_mut() else { return };
        let format = options.format.as_deref().and_then(FormatChoice::from_value);
        let example = options.example.map(AttrValue::from);
        let other_format = embed.format != format;
        if embed.example != example {
            embed.example = example;
            embed.opened = false;
        }
        if other_format {
            embed.format.clone_from(&format);
            self.format = format;
        }
        self.theme = Theme::from_word(&options.theme);
        effects.push(Effect::Dress { theme: self.theme, compact: options.compact, grow: options.grow });
        match &self.engine {
            EngineState::Loading => {}
            EngineState::Ready => {
                self.settle_embed(effects);
                if other_format {
                    self.begin_again(now_ms, effects);
                }
            }
            EngineState::Failed(why) => {
                let why = why.clone();
                self.tell_error("engine", why, effects);
            }
        }
    }

    /// The page around this one hands over a file.
    pub(super) fn asked(&mut self, request: u32, dataset: Dataset, now_ms: f64, effects: &mut Vec<Effect>) {
        let key = dataset.key;
        self.take(dataset.into(), now_ms, effects);
        // The one that was asked for before is given up.
        self.give_up_asked(effects);
        if let Some(embed) = self.embed.as_mut() {
            embed.asked = Some((key, request));
        }
    }

    /// Holds what was wanted against the catalogue, once that is here, and opens the example.
    pub(super) fn settle_embed(&mut self, effects: &mut Vec<Effect>) {
        let Some(embed) = self.embed.as_mut() else { return };
        if let Some(unknown) = embed.format.take_if(|format| !is_in(&self.catalogue, format)) {
            if self.format.as_ref() == Some(&unknown) {
                self.format = None;
            }
            let message = format!("There is no format \"{}\".", unknown.id);
            self.tell_refusal("format", message.into(), effects);
        }
        let Some(embed) = self.embed.as_mut() else { return };
        let Some(wanted) = embed.example.clone().filter(|_| !embed.opened) else { return };
        embed.opened = true;
        let preset = embed.format.as_ref().map_or("", |format| format.id.as_str());
        let (format, example) = wanted.split_once('/').unwrap_or((preset, wanted.as_str()));
        let formats = &self.catalogue.formats;
        let place = formats.iter().position(|known| known.id == format).and_then(|at| {
            let example = formats[at].examples.iter().position(|known| known.id == example);
            example.map(|example| (at, example))
        });
        if let Some((format, example)) = place {
            self.open_example(format, example, effects);
        } else {
            let message = format!("There is no example \"{wanted}\".");
            self.tell_refusal("example", message.into(), effects);
        }
    }

    /// The format that an example of a format is checked as: the one that was set, if it is of that.
    pub(super) fn format_for_example(&self, id: &str) -> Option<FormatChoice> {
        let preset = self.embed.as_ref()?.format.clone();
        preset.filter(|preset| preset.id == id)
    }

    /// Tells how far the check of a file is.
    pub(super) fn tell_progress(&self, file: AttrValue, progress: Progress, effects: &mut Vec<Effect>) {
        if let Some(embed) = &self.embed {
            // What was asked for is the check that is shown, or has been given up.
            let request = embed.asked.map(|(_, request)| request);
            effects.push(Effect::Tell(Told::Progress { request, file, progress }));
        }
    }

    /// Tells what came of the check that is shown. A file that has changed meanwhile has no report.
    pub(super) fn tell_result(&mut self, effects: &mut Vec<Effect>) {
        let (Some(embed), Some(check)) = (self.embed.as_mut(), &self.check) else { return };
        if let Some(why) = check.changed.clone() {
            self.tell_error("changed", why, effects);
        } else if let Some(report) = check.report().cloned() {
            let request = embed.asked.take().map(|(_, request)| request);
            effects.push(Effect::Tell(Told::Report { request, report }));
        }
    }

    /// Tells what came of one of several files.
    pub(super) fn tell_report(&self, report: Rc<Report>, effects: &mut Vec<Effect>) {
        if self.embed.is_some() {
            effects.push(Effect::Tell(Told::Report { request: None, report }));
        }
    }

    /// Tells that the engine is gone.
    pub(super) fn tell_loss(&mut self, why: &Loss, effects: &mut Vec<Effect>) {
        self.tell_error("engine", in_words(why), effects);
    }

    /// Tells that a check has no report, and that this is what has come of the one that was asked for.
    pub(super) fn tell_error(&mut self, code: &'static str, message: AttrValue, effects: &mut Vec<Effect>) {
        let Some(embed) = self.embed.as_mut() else { return };
        let request = embed.asked.take().map(|(_, request)| request);
        effects.push(Effect::Tell(Told::Error { request, code, message }));
    }

    /// Tells that something was not begun. A check that runs goes on.
    pub(super) fn tell_refusal(&self, code: &'static str, message: AttrValue, effects: &mut Vec<Effect>) {
        if self.embed.is_some() {
            effects.push(Effect::Tell(Told::Error { request: None, code, message }));
        }
    }

    /// Tells that a check which was asked for is given up, when something else has taken its place.
    pub(super) fn give_up_asked(&mut self, effects: &mut Vec<Effect>) {
        let shown = self.check.as_ref().map(|check| check.dataset.key);
        let asked = self.embed.as_ref().and_then(|embed| embed.asked);
        if asked.is_some_and(|(key, _)| Some(key) != shown) {
            self.tell_error("replaced", "It was put away before it was checked.".into(), effects);
        }
    }
}

fn is_in(catalogue: &Catalogue, choice: &FormatChoice) -> bool {
    let format = catalogue.formats.iter().find(|format| format.id == choice.id.as_str());
    let has = |version: &AttrValue| {
        format.is_some_and(|format| format.versions.iter().any(|known| known == version.as_str()))
    };
    format.is_some() && choice.version.as_ref().is_none_or(has)
}
