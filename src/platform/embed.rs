//! The page around this one, where this one stands in a frame of it. What the two say is in `evalcheck_wire::embed`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use evalcheck_wire::embed::{FromHost, Options, Request, ToHost};
use gloo_events::EventListener;
use js_sys::{Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{File, MessageEvent, MessagePort, Window};
use yew::Callback;

use super::files::Files;
use super::layout::Watch;
use crate::state::{Action, Told};

/// What the page's own address says behind `#embed`, where it does: `index.html` has noted it at the root element.
pub(crate) fn options() -> Option<Options> {
    let root = super::document_root()?;
    let noted = |name: &str| root.get_attribute(name).filter(|value| !value.is_empty());
    let embed = noted("data-embed")?;
    Some(Options {
        format: noted("data-format"),
        theme: noted("data-theme").unwrap_or_default(),
        compact: embed == "compact",
        grow: root.has_attribute("data-grow"),
        example: noted("data-example"),
    })
}

/// Tells the styles how much of the page is wanted.
pub(super) fn dress(compact: bool, grow: bool) {
    super::mark_root("data-embed", Some(if compact { "compact" } else { "full" }));
    super::mark_root("data-grow", grow.then_some(""));
}

/// The connection to the page around this one.
pub(super) struct Surroundings {
    line: Rc<Line>,
    _greeted: EventListener,
    _size: Option<Watch>,
}

#[derive(Default)]
struct Line {
    port: RefCell<Option<(MessagePort, EventListener)>>,
    height: Cell<f64>,
}

impl Surroundings {
    /// Says to the page around this one that it can connect. `None` where this page is not embedded.
    pub(super) fn meet(files: &Rc<Files>, dispatch: &Callback<Action>) -> Option<Self> {
        options()?;
        let window = web_sys::window()?;
        let parent = window.parent().ok().flatten().filter(|parent| !Object::is(parent, &window))?;

        let line = Rc::new(Line::default());
        let greeted = {
            let (line, parent) = (Rc::clone(&line), parent.clone());
            let (files, dispatch) = (Rc::clone(files), dispatch.clone());
            EventListener::new(&window, "message", move |event| {
                if let Some(options) = line.connect(event, &parent, &files, &dispatch) {
                    dispatch.emit(Action::Configure(options));
                }
            })
        };
        let size = super::root().and_then(|root| {
            let (line, element) = (Rc::clone(&line), root.clone());
            Watch::element(&root, move || {
                line.height.set(element.get_bounding_client_rect().height().ceil());
                line.post(&ToHost::size(line.height.get()));
            })
        });
        // To whichever origin: whoever embeds this page may know that it is there, and it says no more than that.
        let hello = evalcheck_plain::write(&ToHost::hello()).ok()?;
        parent.post_message(&hello, "*").ok()?;
        Some(Self { line, _greeted: greeted, _size: size })
    }

    /// Tells it something, once it has connected.
    pub(super) fn tell(&self, told: &Told) {
        self.line.post(&match told {
            Told::Progress { request, file, progress } => ToHost::progress(*request, file, *progress),
            Told::Report { request, report } => ToHost::report(*request, report),
            Told::Error { request, code, message } => ToHost::error(*request, code, message),
        });
    }
}

impl Line {
    /// Takes the port that the parent offers: nobody else's, and no second one.
    fn connect(
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
            // It fails when the page around this one is gone, which this one then soon is too.
            let _ = evalcheck_plain::write(message).and_then(|message| port.post_message(&message));
        }
    }
}

fn read(data: &JsValue) -> Option<Request> {
    evalcheck_plain::read::<FromHost>(data)?.into_request()
}

fn action(data: &JsValue, files: &Files) -> Option<Action> {
    match read(data)? {
        Request::Connect(_) => None,
        Request::Configure(options) => Some(Action::Configure(options)),
        Request::Check { id } => {
            let file = Reflect::get(data, &"file".into()).ok()?.dyn_into::<File>().ok()?;
            Some(Action::Ask { request: id, dataset: files.take_asked(file) })
        }
    }
}
