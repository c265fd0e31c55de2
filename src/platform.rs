//! The browser. Only this module uses `web-sys` and `js-sys`. Operations that a browser may refuse return an `Option` or a `Result`; they
//! never panic.

mod address;
mod attachment;
mod boot;
mod clipboard;
mod disk;
mod download;
mod drop;
mod embed;
mod file_picker;
mod files;
mod focus;
mod folder;
mod form;
mod handles;
mod json;
mod keys;
mod launch;
mod layout;
mod markdown;
mod menu;
mod schema_file;
mod start;
mod swipe;
mod theme;
mod time;
mod title;
mod unload;
mod worker;
mod write_back;

use std::rc::Rc;

use evalcheck_wire::worker::Command;
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::state::{Action, BatchAction, Effect, FileKey, Place};

pub(crate) use self::address::{get as address, rule as rule_of_address};
pub(crate) use self::embed::options as embed_options;
pub(crate) use self::focus::FocusKeeper;
pub(crate) use self::form::{
    Pick, caret_of, focus, focus_at, height_of_click, is_submit_key, replace_text, show_dialog, text_of,
    value_of,
};
pub(crate) use self::keys::move_in_tabs;
pub(crate) use self::layout::{
    Viewport, ViewportObserver, capture_pointer, dragged_to, set_height, set_offset, set_rows, stored_split,
};
pub(crate) use self::markdown::stored as stored_text_mode;
pub(crate) use self::theme::applied as applied_theme;
pub(crate) use self::time::now_ms;

use self::address::AddressBar;
use self::attachment::ObjectUrls;
use self::drop::DropListener;
use self::embed::HostConnection;
use self::file_picker::FilePicker;
use self::files::Files;
use self::keys::BoundKeys;
use self::worker::WorkerHandle;

/// Runs effects, and owns the objects of the browser: the worker, files, object URLs and listeners.
pub(crate) struct Browser {
    dispatch: Callback<Action>,
    files: Rc<Files>,
    urls: Rc<ObjectUrls>,
    worker: Option<WorkerHandle>,
    host: Option<HostConnection>,
    address: AddressBar,
    /// Present while leaving the page would lose work.
    unload_guard: Option<EventListener>,
    /// The title of the page when it was opened.
    own_title: String,
    bound_keys: BoundKeys,
    /// The target of the focus once it is rendered.
    focus: Option<Place>,
    /// The last picker for a file beside the shown one.
    file_picker: Option<FilePicker>,
    _drop_listener: DropListener,
    _history_listener: Option<EventListener>,
    _key_listener: Option<EventListener>,
    _menu_listeners: Option<[EventListener; 3]>,
    _swipe_listeners: Option<[EventListener; 2]>,
}

impl Browser {
    /// Starts to listen; events go to `dispatch`.
    pub(crate) fn new(dispatch: Callback<Action>) -> Self {
        let files = Rc::new(Files::default());
        let drop_listener = DropListener::new(&files, &dispatch);
        start::take_over(&files, &dispatch);
        launch::listen(&files, &dispatch);
        boot::listen_for_loading(&dispatch);
        boot::listen_for_rules(&dispatch);
        boot::listen_for_update(&dispatch);
        let host = HostConnection::connect(&files, &dispatch);
        let bound_keys = BoundKeys::default();
        let menu_listeners = menu::listen();
        let address = AddressBar::default();
        let history_listener = address.listen(&dispatch);
        let key_listener = keys::listen(&bound_keys, &dispatch);
        let swipe_listeners = swipe::listen(&dispatch);
        Self {
            dispatch,
            files,
            urls: Rc::default(),
            worker: None,
            host,
            address,
            unload_guard: None,
            own_title: title::get(),
            bound_keys,
            focus: None,
            file_picker: None,
            _drop_listener: drop_listener,
            _history_listener: history_listener,
            _key_listener: key_listener,
            _menu_listeners: menu_listeners,
            _swipe_listeners: swipe_listeners,
        }
    }

    /// Opens the files chosen in the page's file input.
    pub(crate) fn on_input(&self) -> Callback<Event> {
        let (files, dispatch) = (Rc::clone(&self.files), self.dispatch.clone());
        Callback::from(move |event: Event| {
            if let Some(action) = files.open_input(&event, &dispatch) {
                dispatch.emit(action);
            }
        })
    }

    /// Moves the focus to the last target of an effect. To be called when the page is rendered.
    pub(crate) fn move_focus(&mut self) {
        if let Some(place) = self.focus.take() {
            keys::move_focus(place);
        }
    }

    /// Opens a picker of the browser, if possible one that returns file handles.
    pub(crate) fn open_picker(&self, input: &NodeRef) -> Callback<Pick> {
        let (files, dispatch, input) = (Rc::clone(&self.files), self.dispatch.clone(), input.clone());
        Callback::from(move |pick| {
            let is_open = match pick {
                Pick::Files => disk::pick(&files, &dispatch),
                Pick::Folder => disk::pick_folder(&files, &dispatch),
            };
            if !is_open {
                form::open_picker(&input, pick);
            }
        })
    }

    /// Posts a command to the worker, with files.
    fn post(&self, command: &Command, file: Option<FileKey>, other: Option<FileKey>) {
        let [file, other] = [file, other].map(|key| key.and_then(|key| self.files.get(key)));
        let posted = match &self.worker {
            Some(worker) => worker.post(command, file.as_ref(), other.as_ref()),
            None => Ok(()),
        };
        if let Err(why) = posted {
            self.dispatch.emit(Action::WorkerFailed(why));
        }
    }

    /// Runs one effect.
    pub(crate) fn run(&mut self, effect: Effect) {
        match effect {
            Effect::StartWorker => {
                // The old worker is terminated before a new one starts.
                self.worker = None;
                self.worker = Some(WorkerHandle::start(&self.dispatch, &self.files, &self.urls));
            }
            Effect::Post(command, key) => self.post(&command, key, None),
            Effect::PostPair { command, key, other } => self.post(&command, Some(key), Some(other)),
            Effect::PickFile(purpose) => {
                self.file_picker = FilePicker::open(purpose, &self.files, &self.dispatch);
            }
            Effect::PickSchema => self.file_picker = FilePicker::open_for_schema(&self.dispatch),
            Effect::CreateFile(new) => self.dispatch.emit(self.files.create(&new)),
            Effect::SaveFile(key, name) => {
                if let Some(handle) = self.files.get(key) {
                    let on_saved = self.dispatch.reform(move |name| Action::FileSaved(key, name));
                    download::save_file(&handle.file, &name, on_saved);
                }
            }
            Effect::WriteFile { id, original, content, path } => {
                let (files, dispatch) = (Rc::clone(&self.files), self.dispatch.clone());
                spawn_local(async move {
                    let result = write_back::write(files, original, content, &path).await;
                    dispatch.emit(BatchAction::Written(id, result).into());
                });
            }
            Effect::ReleaseFilesBefore(key) => self.files.release_before(key),
            Effect::ReleaseFile(key) => self.files.release(key),
            Effect::InspectFile(key, id) => {
                if let Some((size, modified_ms)) = self.files.inspect(key) {
                    self.dispatch.emit(Action::FileInspected { id, size, modified_ms });
                }
            }
            Effect::ScrollToTop => layout::scroll_to_top(),
            Effect::ShowPanes => layout::show_panes(),
            Effect::ReleaseAttachments => self.urls.release(),
            Effect::StartTimer { after_ms, timer } => {
                let dispatch = self.dispatch.clone();
                Timeout::new(after_ms, move || dispatch.emit(Action::TimerFired(timer))).forget();
            }
            Effect::Copy(text) => clipboard::copy(text, self.dispatch.reform(Action::Copied)),
            Effect::Download(report) => download::save(&report),
            Effect::BindKeys(keys) => *self.bound_keys.borrow_mut() = keys,
            Effect::MoveFocus(place) => self.focus = Some(place),
            Effect::MoveInList(direction) => keys::move_in_list(direction),
            Effect::GuardUnload(guards) => self.unload_guard = if guards { unload::guard() } else { None },
            Effect::SetAddress(address, screen, step) => self.address.set(address, screen, step),
            Effect::ApplySplit(split) => {
                layout::apply_split(split);
                layout::store_split(split);
            }
            Effect::StoreTextMode(mode) => markdown::store(mode),
            Effect::SetTitle(title) => title::set(title.as_deref().unwrap_or(&self.own_title)),
            Effect::ApplyTheme(theme) => {
                theme::apply(theme);
                theme::store(theme);
            }
            Effect::ApplyEmbedOptions { theme, compact, grow } => {
                theme::apply(theme);
                embed::apply_options(compact, grow);
            }
            Effect::PostToHost(message) => {
                if let Some(host) = &self.host {
                    host.post(&message);
                }
            }
            Effect::ApplyUpdate => boot::apply_update(),
            Effect::SayReady => boot::say_ready(),
        }
    }
}

/// The element into which the page is rendered.
pub(crate) fn root() -> Option<web_sys::Element> {
    web_sys::window()?.document()?.get_element_by_id("app")
}

/// The storage of the browser, if it has one and allows it.
fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

fn document_root() -> Option<web_sys::Element> {
    web_sys::window()?.document()?.document_element()
}

/// Sets an attribute of the root element, for the styles; `None` removes it.
fn set_root_attribute(attribute: &str, value: Option<&str>) {
    if let Some(root) = document_root() {
        let _ = match value {
            Some(value) => root.set_attribute(attribute, value),
            None => root.remove_attribute(attribute),
        };
    }
}
