//! The connection to the host page, if the page is embedded. The messages are in `evalcheck_wire::embed`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use evalcheck_wire::embed::{FromHost, Options, Request, ToHost};
use gloo_events::EventListener;
use js_sys::{Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{File, MessageEvent, MessagePort, Window};
use yew::Callback;

use super::files::Files;
use super::json::{from_js, to_js};
use super::layout::ViewportObserver;
use crate::state::{Action, HostMessage};

/// The options in the fragment `#embed` of the page's address, if it has one. `www/boot/theme.js` copies them to
/// attributes of the root element.
pub(crate) fn options() -> Option<Options> {
    let root = super::document_root()?;
    let attribute = |name: &str| root.get_attribute(name).filter(|value| !value.is_empty());
    let embed = attribute("data-embed")?;
    Some(Options {
        format: attribute("data-format"),
        theme: attribute("data-theme").unwrap_or_default(),
        compact: embed == "compact",
        grow: root.has_attribute("data-grow"),
        example: attribute("data-example"),
        schema: None,
    })
}

/// Applies options of the host page to the styles.
pub(super) fn apply_options(compact: bool, grow: bool) {
    super::set_root_attribute("data-embed", Some(if compact { "compact" } else { "full" }));
    super::set_root_attribute("data-grow", grow.then_some(""));
}

/// The connection to the host page.
pub(super) struct HostConnection {
    channel: Rc<Channel>,
    _connect_listener: EventListener,
    _size_observer: Option<ViewportObserver>,
}

/// The port, once the host page has connected, and the page's height in CSS pixels.
#[derive(Default)]
struct Channel {
    port: RefCell<Option<(MessagePort, EventListener)>>,
    height: Cell<f64>,
}

impl HostConnection {
    /// Tells the host page that it can connect. `None` if the page is not embedded.
    pub(super) fn connect(files: &Rc<Files>, dispatch: &Callback<Action>) -> Option<Self> {
        options()?;
        let window = web_sys::window()?;
        let parent = window.parent().ok().flatten().filter(|parent| !Object::is(parent, &window))?;

        let channel = Rc::new(Channel::default());
        let connect_listener = {
            let (channel, parent) = (Rc::clone(&channel), parent.clone());
            let (files, dispatch) = (Rc::clone(files), dispatch.clone());
            EventListener::new(&window, "message", move |event| {
                if let Some(options) = channel.accept(event, &parent, &files, &dispatch) {
                    dispatch.emit(Action::Configure(options));
                }
            })
        };
        let size_observer = super::root().and_then(|root| {
            let (channel, element) = (Rc::clone(&channel), root.clone());
            ViewportObserver::of_element(&root, move || {
                channel.height.set(element.get_bounding_client_rect().height().ceil());
                channel.post(&ToHost::size(channel.height.get()));
            })
        });
        // To any origin, because the message only says that the page is loaded.
        let hello = to_js(&ToHost::hello())?;
        parent.post_message(&hello, "*").ok()?;
        Some(Self { channel, _connect_listener: connect_listener, _size_observer: size_observer })
    }

    /// Posts a message. It is dropped if the host page has not connected.
    pub(super) fn post(&self, message: &HostMessage) {
        self.channel.post(&match message {
            HostMessage::Progress { request, file, progress } => ToHost::progress(*request, file, *progress),
            HostMessage::Report { request, report } => ToHost::report(*request, report),
            HostMessage::Error { request, code, message } => ToHost::error(*request, code, message),
        });
    }
}

impl Channel {
    /// Accepts the first port that the parent window sends, and no other.
    fn accept(
        self: &Rc<Self>,
        event: &yew::prelude::Event,
        parent: &Window,
        files: &Rc<Files>,
        dispatch: &Callback<Action>,
    ) -> Option<Options> {
        let event = event.dyn_ref::<MessageEvent>()?;
        let from_parent = event.source().is_some_and(|source| Object::is(&source, parent));
        if !from_parent || self.port.borrow().is_some() {
            return None;
        }
        let Request::Connect(options) = read(&event.data())? else { return None };
        let port = event.ports().get(0).dyn_into::<MessagePort>().ok()?;
        let listener = {
            let (files, dispatch) = (Rc::clone(files), dispatch.clone());
            EventListener::new(&port, "message", move |event| {
                let data = event.dyn_ref::<MessageEvent>().map(MessageEvent::data);
                if let Some(action) = data.and_then(|data| action(&data, &files)) {
                    dispatch.emit(action);
                }
            })
        };
        port.start();
        self.port.replace(Some((port, listener)));
        self.post(&ToHost::size(self.height.get()));
        Some(options)
    }

    fn post(&self, message: &ToHost<'_>) {
        if let Some((port, _)) = self.port.borrow().as_ref() {
            // It fails only when the host page is being closed.
            let _ = to_js(message).map(|message| port.post_message(&message));
        }
    }
}

fn read(data: &JsValue) -> Option<Request> {
    from_js::<FromHost>(data)?.into_request()
}

fn action(data: &JsValue, files: &Files) -> Option<Action> {
    match read(data)? {
        Request::Connect(_) => None,
        Request::Configure(options) => Some(Action::Configure(options)),
        Request::Check { id } => {
            let file = Reflect::get(data, &"file".into()).ok()?.dyn_into::<File>().ok()?;
            Some(Action::CheckForHost { request: id, dataset: files.open_for_host(file) })
        }
    }
}
