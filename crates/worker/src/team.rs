//! The helpers of a check: workers that digest stretches of the file, or inflate it, each on a thread of its own.
//!
//! A check never depends on them. What a helper has not begun with when the check comes there, the check reads itself; and
//! what is wrong with the file it finds by itself as well.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::ops::Range;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use evalcheck_blob::{to_f64, to_u64};
use js_sys::{Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Event, MessageEvent, Worker};

use crate::helper::{self, Help};
use crate::inflate::{self, Deflated, Inflated};
use crate::port::get;
use crate::split::{Split, Stretch};

/// What a helper has digested.
pub(crate) struct Digest {
    /// Bytes of the file.
    pub(crate) bytes: Range<u64>,
    /// What came of them.
    pub(crate) digest: Uint8Array,
}

/// What a helper posted.
enum Part {
    Digest(Digest),
    Inflated(Inflated),
}

/// Started helpers, which wait for a file.
#[derive(Default)]
pub(crate) struct Helpers {
    idle: RefCell<Vec<Rc<Helper>>>,
}

impl Helpers {
    /// Starts helpers until there are so many. That a browser starts no worker inside of a worker is no error.
    pub(crate) fn start(&self, wanted: u32) {
        let mut idle = self.idle.borrow_mut();
        while idle.len() < wanted as usize {
            let Ok(helper) = Helper::start() else { return };
            idle.push(helper);
        }
    }

    /// Helpers for a file; `None` where there are none.
    pub(crate) fn team(
        self: &Rc<Self>,
        help: impl Fn(Split, u32) -> Help,
        size: u64,
        helpers: u32,
        taking: u8,
    ) -> Option<Team> {
        self.start(helpers);
        let mut idle = self.idle.borrow_mut();
        let from = idle.len().saturating_sub(helpers as usize);
        let members = idle.split_off(from);
        let helpers = u32::try_from(members.len()).ok().filter(|&n| n > 0)?;
        let split = Split::new(size, helpers, taking);
        for (number, member) in (0..).zip(&members) {
            member.begin(help(split, number).to_message());
        }
        Some(Team {
            split,
            members,
            home: Rc::clone(self),
            round: Cell::new(0),
            followed: Cell::new(None),
            all_done: Cell::new(false),
        })
    }

    /// A helper that inflates; `None` where there is none that has been loaded. With `wait`, one that is loading will do.
    pub(crate) fn inflating(self: &Rc<Self>, deflated: &Deflated, wait: bool) -> Option<Inflating> {
        self.start(1);
        let mut idle = self.idle.borrow_mut();
        let place = idle.iter().position(|helper| wait || helper.state.get() == State::Ready)?;
        let helper = idle.swap_remove(place);
        helper.begin(deflated.to_message());
        Some(Inflating { helper, home: Rc::clone(self), done: Cell::new(false) })
    }

    /// Takes back a helper that has nothing to do any more.
    fn come_home(&self, helper: Rc<Helper>) {
        if !helper.failed.get() {
            helper.inbox.borrow_mut().clear();
            helper.begun.replace(0..0);
            self.idle.borrow_mut().push(helper);
        }
    }
}

/// The helper that inflates for a check.
pub(crate) struct Inflating {
    helper: Rc<Helper>,
    home: Rc<Helpers>,
    done: Cell<bool>,
}

impl Inflating {
    /// What comes next; `None` when nothing more will come, though the stream is not at its end.
    pub(crate) async fn next(&self) -> Option<Inflated> {
        let inflated = self.helper.inflated().await?;
        self.done.set(inflated.ended);
        Some(inflated)
    }

    /// The contents were copied: the buffer can be filled again.
    pub(crate) fn give_back(&self, inflated: &Inflated) {
        self.helper.give_back(&inflated.contents);
    }
}

impl Drop for Inflating {
    fn drop(&mut self) {
        // A helper in the middle of a file would go on with it.
        if self.done.get() {
            self.home.come_home(Rc::clone(&self.helper));
        }
    }
}

/// The helpers of one check.
pub(crate) struct Team {
    pub(crate) split: Split,
    members: Vec<Rc<Helper>>,
    home: Rc<Helpers>,
    round: Cell<u64>,
    /// The first byte of the stretch for which a helper is followed. A stretch that the check has begun to read itself it
    /// reads to its end.
    followed: Cell<Option<u64>>,
    all_done: Cell<bool>,
}

impl Team {
    /// The stretch that a byte is in, and the helper that works on it. `None` for what the check has to read itself.
    pub(crate) fn at(&self, byte: u64) -> (Stretch, Option<&Rc<Helper>>) {
        let round = self.split.round_of(byte);
        if self.round.replace(round) != round {
            for member in &self.members {
                member.tell_round(round);
            }
        }
        let stretch = self.split.at(byte);
        let is_followed = byte == stretch.bytes.start || self.followed.get() == Some(stretch.bytes.start);
        let helper =
            stretch.helper.filter(|_| is_followed).and_then(|helper| self.members.get(helper as usize));
        let helper = helper.filter(|helper| helper.has_begun(byte));
        self.followed.set(helper.map(|_| stretch.bytes.start));
        (stretch, helper)
    }

    /// The file was read to its end: the helpers have nothing more to do and can help again.
    pub(crate) fn done(&self) {
        self.all_done.set(true);
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        for member in self.members.drain(..) {
            // A helper in the middle of a file would go on with it.
            if self.all_done.get() {
                self.home.come_home(member);
            }
        }
    }
}

/// Takes the first of a few parts.
fn first_of(inbox: &mut Vec<Part>) -> Option<Part> {
    (!inbox.is_empty()).then(|| inbox.remove(0))
}

/// Takes a message or an error.
type Listener = Closure<dyn FnMut(JsValue)>;

/// A helper, seen from the check.
pub(crate) struct Helper {
    worker: Worker,
    state: Cell<State>,
    /// What it posted and was not taken yet.
    inbox: RefCell<Vec<Part>>,
    /// The stretch that it said it begins with last.
    begun: RefCell<Range<u64>>,
    failed: Cell<bool>,
    waiting: RefCell<Option<Waker>>,
    /// The message that says what it is to do, until it is loaded.
    first: RefCell<Option<Result<JsValue, JsValue>>>,
    listener: RefCell<Option<Listener>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Loading,
    Ready,
}

impl Helper {
    fn start() -> Result<Rc<Self>, JsValue> {
        let worker: Worker = start_worker(helper::NAME)?.unchecked_into();
        // The engine was compiled already.
        let message = Object::new();
        Reflect::set(&message, &"engine".into(), &wasm_bindgen::module())?;
        worker.post_message(&message)?;
        let helper = Rc::new(Self {
            worker,
            state: Cell::new(State::Loading),
            inbox: RefCell::default(),
            begun: RefCell::new(0..0),
            failed: Cell::new(false),
            waiting: RefCell::default(),
            first: RefCell::default(),
            listener: RefCell::default(),
        });
        let weak = Rc::downgrade(&helper);
        let listener = Listener::new(move |event: JsValue| {
            let message = event.dyn_ref::<MessageEvent>().map(MessageEvent::data);
            if message.is_none()
                && let Some(error) = event.dyn_ref::<Event>()
            {
                // Otherwise it would count as an error of this worker.
                error.prevent_default();
            }
            if let Some(helper) = weak.upgrade() {
                helper.hear(message);
            }
        });
        let function = listener.as_ref().unchecked_ref();
        helper.worker.set_onmessage(Some(function));
        helper.worker.set_onerror(Some(function));
        helper.worker.set_onmessageerror(Some(function));
        helper.listener.replace(Some(listener));
        Ok(helper)
    }

    fn hear(&self, data: Option<JsValue>) {
        let range = data
            .as_ref()
            .and_then(|data| Some(to_u64(get(data, "from").as_f64()?)..to_u64(get(data, "to").as_f64()?)));
        match (data, range) {
            (Some(data), _) if get(&data, "ready").is_truthy() => {
                self.state.set(State::Ready);
                if let Some(help) = self.first.take() {
                    self.begin(help);
                }
            }
            (Some(data), Some(bytes)) if !bytes.is_empty() => {
                match get(&data, "digest").dyn_into::<Uint8Array>() {
                    Ok(digest) => self.receive(Part::Digest(Digest { bytes, digest })),
                    Err(_) => {
                        self.begun.replace(bytes);
                    }
                }
            }
            (Some(data), None) if let Some(inflated) = Inflated::read(&data) => {
                self.receive(Part::Inflated(inflated));
            }
            // It died, it gave up, or it sent something that nobody understands.
            _ => self.failed.set(true),
        }
        if let Some(waker) = self.waiting.take() {
            waker.wake();
        }
    }

    fn receive(&self, part: Part) {
        self.inbox.borrow_mut().push(part);
    }

    fn begin(&self, message: Result<JsValue, JsValue>) {
        if self.state.get() == State::Loading {
            self.first.replace(Some(message));
            return;
        }
        let sent = message.and_then(|message| self.worker.post_message(&message));
        self.failed.set(self.failed.get() || sent.is_err());
    }

    fn tell_round(&self, round: u64) {
        let message = Object::new();
        // Setting a key of a fresh object does not fail; a helper that hears nothing is waited for by nobody.
        let _ = Reflect::set(&message, &"round".into(), &to_f64(round).into());
        let _ = self.worker.post_message(&message);
    }

    /// True when it works on the stretch that a byte is in, or has digested it.
    fn has_begun(&self, byte: u64) -> bool {
        let mut inbox = self.inbox.borrow_mut();
        while let Some(Part::Digest(digest)) = inbox.first()
            && digest.bytes.start < byte
        {
            inbox.remove(0);
        }
        match inbox.first() {
            Some(Part::Digest(digest)) => digest.bytes.start == byte,
            Some(Part::Inflated(_)) => false,
            None => !self.failed.get() && self.begun.borrow().contains(&byte),
        }
    }

    /// The digest of the bytes from `byte` on; `None` when it will not come.
    pub(crate) async fn digest(&self, byte: u64) -> Option<Digest> {
        poll_fn(|context| {
            if !self.has_begun(byte) {
                return Poll::Ready(None);
            }
            // It begins here: `has_begun` lets nothing else wait.
            if let Some(Part::Digest(digest)) = first_of(&mut self.inbox.borrow_mut()) {
                return Poll::Ready(Some(digest));
            }
            self.wait(context);
            Poll::Pending
        })
        .await
    }

    /// What it posted was copied: it can fill the buffer again. A browser frees a buffer that nobody has any more only much
    /// later, and what is posted comes to megabytes for each gigabyte of a file.
    pub(crate) fn give_back(&self, bytes: &Uint8Array) {
        let sent = inflate::taken(&bytes.buffer())
            .and_then(|(message, transfer)| self.worker.post_message_with_transfer(&message, &transfer));
        self.failed.set(self.failed.get() || sent.is_err());
    }

    /// What it has inflated next; `None` when nothing more will come.
    async fn inflated(&self) -> Option<Inflated> {
        poll_fn(|context| {
            if let Some(Part::Inflated(inflated)) = first_of(&mut self.inbox.borrow_mut()) {
                return Poll::Ready(Some(inflated));
            }
            if self.failed.get() {
                return Poll::Ready(None);
            }
            self.wait(context);
            Poll::Pending
        })
        .await
    }

    fn wait(&self, context: &Context<'_>) {
        self.waiting.replace(Some(context.waker().clone()));
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

// See worker.js.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = helpers, catch, js_name = start)]
    fn start_worker(name: &str) -> Result<JsValue, JsValue>;
}
