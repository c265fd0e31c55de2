//! A worker that helps another: it digests stretches of a file for a check that goes on there, or inflates its dataset
//! (see [`inflate`]).
//!
//! The worker that it helps posts `{ help }` with the file and the split, and `{ round }` as it comes on; a helper is at
//! most [`AHEAD`] rounds ahead of that, so that what it has digested does not pile up. The helper posts
//! `{ from, to, digest? }`: bytes that it has digested, or, without a digest, a stretch that it begins with; `{ taken }` brings
//! it the digest's buffer back.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use evalcheck_blob::{Chunks, Stamp, SyncSource, to_f64};
use evalcheck_engine::digest::Digester;
use evalcheck_engine::job::{FileInfo, Job};
use evalcheck_wire::worker::CheckOptions;
use js_sys::{Array, ArrayBuffer, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, MessageEvent};

use crate::check::{PIECE, name_of};
use crate::inflate::{self, Buffers, Deflated};
use crate::port::{self, get, scope};
use crate::split::Split;
use crate::watch;

/// The name of a worker that is a helper.
pub(crate) const NAME: &str = "helper";

/// Rounds that a helper may be ahead of the check.
const AHEAD: u64 = 1;

/// Bytes of a digest that are posted at once: of clean lines those of a whole stretch, of others so many that little
/// memory is in use.
const POSTED: usize = 256 << 10;

/// What is to be done, as it is posted.
pub(crate) struct Help {
    pub(crate) file: Blob,
    pub(crate) stamp: Stamp,
    pub(crate) options: CheckOptions,
    pub(crate) split: Split,
    /// Which of the helpers this is.
    pub(crate) helper: u32,
}

impl Help {
    /// As a message.
    pub(crate) fn to_message(&self) -> Result<JsValue, JsValue> {
        let help = port::file_message(&self.file, self.stamp)?;
        let set = |key: &str, value: &JsValue| Reflect::set(&help, &key.into(), value);
        set("options", &evalcheck_plain::write(&self.options)?)?;
        set("helpers", &self.split.helpers().into())?;
        set("helper", &self.helper.into())?;
        set("taking", &self.split.taking().into())?;
        let message = Object::new();
        Reflect::set(&message, &"help".into(), &help)?;
        Ok(message.into())
    }

    fn read(help: &JsValue) -> Option<Self> {
        let (file, stamp) = port::file(help)?;
        let options = evalcheck_plain::read(&get(help, "options"))?;
        let taking = u8::try_from(whole(help, "taking")?).ok()?;
        let split = Split::new(stamp.size, whole(help, "helpers")?, taking);
        Some(Self { file, stamp, options, split, helper: whole(help, "helper")? })
    }
}

fn whole(object: &JsValue, key: &str) -> Option<u32> {
    u32::try_from(evalcheck_blob::to_u64(get(object, key).as_f64()?)).ok()
}

/// Where the check is, as far as it has told.
#[derive(Default)]
struct Ahead {
    round: Cell<u64>,
    waiting: RefCell<Option<Waker>>,
}

impl Ahead {
    fn tell(&self, round: u64) {
        self.round.set(round);
        if let Some(waker) = self.waiting.take() {
            waker.wake();
        }
    }

    /// Waits until a round may be begun.
    async fn reached(&self, round: u64) {
        poll_fn(|context| {
            if round <= self.round.get() + AHEAD {
                return Poll::Ready(());
            }
            self.waiting.replace(Some(context.waker().clone()));
            Poll::Pending
        })
        .await;
    }
}

/// Listens for what is to be done.
pub(crate) fn start() {
    let ahead = Rc::new(RefCell::new(Rc::new(Ahead::default())));
    let buffers = Rc::new(Buffers::default());
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let data = event.data();
        if let Some(round) = get(&data, "round").as_f64() {
            ahead.borrow().tell(evalcheck_blob::to_u64(round));
        } else if let Some(help) = Help::read(&get(&data, "help")) {
            let mine = Rc::new(Ahead::default());
            ahead.replace(Rc::clone(&mine));
            let buffers = Rc::clone(&buffers);
            wasm_bindgen_futures::spawn_local(async move {
                // What is wrong with the file the check finds itself, and says.
                if digest(help, &mine, &buffers).await.is_err() {
                    post(0..0, None);
                }
            });
        } else if let Some(deflated) = Deflated::read(&get(&data, "inflate")) {
            let buffers = Rc::clone(&buffers);
            buffers.begin();
            wasm_bindgen_futures::spawn_local(async move {
                if inflate::inflate(deflated, &buffers).await.is_err() {
                    post(0..0, None);
                }
            });
        } else if let Ok(buffer) = get(&data, inflate::TAKEN).dyn_into::<ArrayBuffer>() {
            buffers.give_back(buffer);
        }
    });
    scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    let message = Object::new();
    // Setting a key of a fresh object does not fail; a helper that cannot say so is not waited for.
    let _ = Reflect::set(&message, &"ready".into(), &true.into());
    let _ = scope().post_message(&message);
}

/// Digests every stretch that is this helper's.
async fn digest(help: Help, ahead: &Ahead, buffers: &Buffers) -> Result<(), String> {
    let Help { file, stamp, options, split, helper } = help;
    let mut source = SyncSource::new(file.clone(), stamp.size)?;
    let job = Job::open(&mut source, FileInfo { name: name_of(&file), size: stamp.size }, options);
    let digester = Digester::open(&mut source, job).map_err(|error| error.to_string())?;
    let mut digester = digester.ok_or("it has no lines")?;
    let mut chunks = Chunks::new(file, stamp.size);
    for round in 0.. {
        let stretch = split.of_helper(helper, round);
        if stretch.is_empty() {
            break;
        }
        ahead.reached(round).await;
        post(stretch.clone(), None);
        chunks.end_at(stretch.end);
        let (mut at, mut posted) = (stretch.start, stretch.start);
        while at < stretch.end {
            let bytes = chunks.read(at..stretch.end, u32::MAX).await?;
            let next = split.of_helper(helper, round + 1);
            if at == stretch.start && !next.is_empty() {
                chunks.open_ahead(next)?;
            }
            at += u64::from(bytes.length());
            feed(&mut digester, &bytes);
            if at == stretch.end {
                digester.end_stretch();
            }
            if at == stretch.end || digester.digest().len() >= POSTED {
                let until = at - digester.left() as u64;
                post(posted..until, Some(&in_buffer(digester.digest(), buffers)));
                digester.digest().clear();
                posted = until;
            }
        }
    }
    Ok(())
}

fn feed(digester: &mut Digester, bytes: &Uint8Array) {
    let mut at = 0;
    while at < bytes.length() {
        let end = bytes.length().min(at + PIECE);
        let piece = bytes.subarray(at, end);
        let length = (end - at) as usize;
        piece.copy_to(&mut digester.space(length)[..length]);
        digester.advance(length);
        at = end;
    }
}

/// Puts a digest into a buffer that can be handed over.
fn in_buffer(digest: &[u8], buffers: &Buffers) -> Uint8Array {
    let length = u32::try_from(digest.len()).unwrap_or(u32::MAX);
    let view = Uint8Array::new_with_byte_offset_and_length(&buffers.for_bytes(digest.len()), 0, length);
    view.copy_from(digest);
    view
}

/// Posts what was digested. Nothing at all means that this helper is of no help.
fn post(bytes: std::ops::Range<u64>, digest: Option<&Uint8Array>) {
    let send = || -> Result<(), JsValue> {
        let message = Object::new();
        Reflect::set(&message, &"from".into(), &to_f64(bytes.start).into())?;
        Reflect::set(&message, &"to".into(), &to_f64(bytes.end).into())?;
        let Some(digest) = digest else { return scope().post_message(&message) };
        Reflect::set(&message, &"digest".into(), digest)?;
        scope().post_message_with_transfer(&message, &Array::of1(&digest.buffer()))
    };
    if let Err(error) = send() {
        watch::died(&format!("A digest could not be posted: {error:?}"));
    }
}
