//! The browser. Nothing outside of this module uses `web-sys` or `js-sys`; everything here is typed, and what a
//! browser may refuse is an `Option` or a `Result`, never a panic.

mod attachment;
mod boot;
mod clipboard;
mod download;
mod drop;
mod embed;
mod files;
mod folder;
mod form;
mod launch;
mod layout;
mod theme;
mod time;
mod worker;

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use crate::state::{Action, Effect};

pub(crate) use self::embed::options as embed_options;
pub(crate) use self::form::{Pick, focus, open_picker, submits, text_of, value_of};
pub(crate) use self::layout::{Viewport, Watch, set_height, set_offset};
pub(crate) use self::theme::remembered as remembered_theme;
pub(crate) use self::time::now_ms;

use self::attachment::ObjectUrls;
use self::drop::Drops;
use self::embed::Surroundings;
use self::files::Files;
use self::worker::WorkerHandle;

/// Carries out effects, and holds what belongs to the browser: the worker, the files, object URLs, listeners.
pub(crate) struct Host {
    dispatch: Callback<Action>,
    files: Rc<Files>,
    urls: Rc<ObjectUrls>,
    worker: Option<WorkerHandle>,
    surroundings: Option<Surroundings>,
    _drops: Drops,
}

impl Host {
    /// A host that tells what happens to `dispatch`.
    pub(crate) fn new(dispatch: Callback<Action>) -> Self {
        let files = Rc::new(Files::default());
        let drops = Drops::listen(&files, &dispatch);
        launch::listen(&files, &dispatch);
        boot::listen_for_update(&dispatch);
        let surroundings = Surroundings::meet(&files, &dispatch);
        Self { dispatch, files, urls: Rc::default(), worker: None, surroundings, _drops: drops }
    }

    /// Takes the file that was chosen in the page's file input.
    pub(crate) fn on_chosen(&self) -> Callback<Event> {
        let (files, dispatch) = (Rc::clone(&self.files), self.dispatch.clone());
        Callback::from(move |event: Event| {
            if let Some(action) = files.take_from_input(&event) {
                dispatch.emit(action);
            }
        })
    }

    /// Carries out one effect.
    pub(crate) fn run(&mut self, effect: Effect) {
        match effect {
            Effect::StartWorker => {
                // The old one ends before a new one begins.
                self.worker = None;
                self.worker = Some(WorkerHandle::start(&self.dispatch, &self.urls));
            }
            Effect::Post(command, key) => {
                let file = key.and_then(|key| self.files.hold(key));
                let posted = match &self.worker {
                    Some(worker) => worker.post(&command, file.as_ref()),
                    None => Ok(()),
                };
                if let Err(why) = posted {
                    self.dispatch.emit(Action::WorkerFailed(why));
                }
            }
            Effect::MakeFile(new) => self.dispatch.emit(self.files.make(&new)),
            Effect::ForgetBefore(key) => self.files.forget_before(key),
            Effect::LookAtFile(key, job) => {
                if let Some((size, modified_ms)) = self.files.look(key) {
                    self.dispatch.emit(Action::FileSeen { job, size, modified_ms });
                }
            }
            Effect::ScrollToTop => layout::scroll_to_top(),
            Effect::ShowPanes => layout::show_panes(),
            Effect::ReleaseAttachments => self.urls.release(),
            Effect::Wake { after_ms, timer } => {
                let dispatch = self.dispatch.clone();
                Timeout::new(after_ms, move || dispatch.emit(Action::Woke(timer))).forget();
            }
            Effect::Copy(text) => clipboard::copy(text, self.dispatch.reform(Action::Copied)),
            Effect::Download(report) => download::save(&report),
            Effect::ApplyTheme(theme) => {
                theme::apply(theme);
                theme::remember(theme);
            }
            Effect::Dress { theme, compact, grow } => {
                theme::apply(theme);
                embed::dress(compact, grow);
            }
            Effect::Tell(told) => {
                if let Some(surroundings) = &self.surroundings {
                    surroundings.tell(&told);
                }
            }
            Effect::Update => boot::update(),
        }
    }
}

/// The element that the page is shown in.
pub(crate) fn root() -> Option<web_sys::Element> {
    web_sys::window()?.document()?.get_element_by_id("app")
}

fn document_root() -> Option<web_sys::Element> {
    web_sys::window()?.document()?.document_element()
}

/// Says something to the styles, by an attribute of the document's root element; `None` takes it away.
fn mark_root(attribute: &str, value: Option<&str>) {
    if let Some(root) = document_root() {
        let _ = match value {
            Some(value) => root.set_attribute(attribute, value),
            None => root.remove_attribute(attribute),
        };
    }
}
