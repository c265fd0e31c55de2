//! The helpers of a check: workers that find known lines ahead of it, on the other cores.
//!
//! The file is cut into ranges, which helpers take in order, a few at a time. Their results wait for the check. A range is given once again
//! if its helper dies, does not answer or cannot read, and is then left to the check, which reads all ranges without a result.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use evalcheck_blob::{Ahead, to_f64, to_u64};
use evalcheck_engine::check::known_lines::OtherLines;
use evalcheck_engine::parts::Part;
use evalcheck_wire::plan::{Plan, PlannedDataset};
use js_sys::{Function, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Event, MessageEvent, Worker};

use crate::port::get;
use crate::ranges::{Ranges, Taken};

/// The maximum number of helpers. More do not read a file faster.
const MOST: u32 = 8;

/// The minimum size of a file that is worth starting helpers.
const SMALLEST: u64 = 16 << 20;

/// Bytes that the check reads itself at first, while helpers start.
const FIRST: u64 = 4 << 20;

/// The minimum and maximum size of a range in bytes. Each range opens a stream: a check with ranges of 8 MiB takes a fifth more processor
/// time than with 32 MiB, and larger ones gain nothing.
const RANGE: (u64, u64) = (4 << 20, 32 << 20);

/// Ranges per helper in a file that is not large, so that all helpers are busy to the end.
const SHARES: u64 = 4;

/// Ranges that a helper has at a time, so that it does not wait for the next one.
const AT_A_TIME: usize = 2;

/// The maximum number of ranges per helper that wait for the check.
const WAITING: usize = 3;

/// The maximum memory in bytes for the known part of a file. Known lines of JuryArena take little; ids take 4 % of the file.
const MOST_KEPT: usize = 64 << 20;

/// Milliseconds after which a silent helper counts as dead.
const SILENT: i32 = 10_000;

/// The number of consecutive ranges with few known lines after which the check continues alone.
const IN_VAIN: u32 = 2;

// See `helpers.js`.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = helpers, js_name = start, catch)]
    fn start_worker() -> Result<Worker, JsValue>;

    /// The maximum number of workers.
    #[wasm_bindgen(js_namespace = helpers)]
    fn most() -> u32;

    /// Returns true in a helper.
    #[wasm_bindgen(js_namespace = helpers, js_name = isOne)]
    pub(crate) fn is_one() -> bool;

    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(call: &Function, ms: i32) -> i32;

    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: i32);
}

/// The result of a range.
type Found = (Part, OtherLines);

/// The helpers of a check. They end when this is dropped.
pub(crate) struct Helpers {
    dataset: PlannedDataset,
    /// In the order of their numbers; `None` for one that has ended.
    running: RefCell<Vec<Option<Helper>>>,
    ranges: RefCell<Ranges<Found>>,
    /// Resolves the promise that waits for a range.
    wake: RefCell<Option<Function>>,
    in_vain: Cell<u32>,
    /// The known part of the file from its first byte on, up to the position of the check; `None` if it is too large to keep, or not wanted.
    known: RefCell<Option<Part>>,
}

struct Helper {
    worker: Worker,
    /// The number of ranges that it has.
    has: usize,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(Event)>,
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl Helpers {
    /// Whether helpers make the check of a file of this size faster.
    pub(crate) fn are_worth_it(size: u64) -> bool {
        most() >= 2 && size >= SMALLEST
    }

    /// Starts helpers for a check that has read nothing yet, if the unknown part of the file is large enough. `known` begins at the first
    /// byte of the file. If `keeps_known`, [`Helpers::take_known`] returns it with what the helpers find.
    pub(crate) fn start(known: &Part, file: &Blob, keeps_known: bool) -> Option<Rc<Self>> {
        let dataset = known.dataset().clone();
        let from = known.range().1.max(FIRST);
        let (rest, most) = (dataset.size.saturating_sub(from), most().min(MOST));
        if !Self::are_worth_it(rest + FIRST) {
            return None;
        }
        let share = rest / (u64::from(most) * SHARES);
        // Statistics take up to half the size of their range, and ranges wait in memory.
        let counts = dataset.lines.as_ref().is_some_and(|lines| lines.statistics.is_some());
        let cut = Plan::cut(rest, if counts { RANGE.0 } else { share.clamp(RANGE.0, RANGE.1) });
        let ranges: Vec<_> = cut.iter().map(|(start, end)| (start + from, end + from)).collect();
        let most = (most as usize).min(ranges.len());
        let kept = if keeps_known {
            known.clone().merge(Part::unread(dataset.clone(), (known.range().1, from))).ok()
        } else {
            None
        };
        let helpers = Rc::new(Self {
            dataset,
            running: RefCell::default(),
            ranges: RefCell::new(Ranges::new(ranges, most * WAITING)),
            wake: RefCell::default(),
            in_vain: Cell::default(),
            known: RefCell::new(kept),
        });
        for number in 0..most {
            // The browser may refuse some.
            let helper = helpers.start_one(number, file).ok();
            helpers.running.borrow_mut().push(helper);
        }
        helpers.give();
        Some(helpers)
    }

    fn start_one(self: &Rc<Self>, number: usize, file: &Blob) -> Result<Helper, JsValue> {
        let worker = start_worker()?;
        let weak = Rc::downgrade(self);
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(helpers) = weak.upgrade() {
                helpers.answered(number, &event.data());
            }
        });
        let weak = Rc::downgrade(self);
        let on_error = Closure::<dyn FnMut(Event)>::new(move |_| {
            if let Some(helpers) = weak.upgrade() {
                helpers.lose(number);
            }
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(on_error.as_ref().unchecked_ref()));
        let message = Object::new();
        let dataset = serde_json::to_string(&self.dataset).unwrap_or_default();
        Reflect::set(&message, &"dataset".into(), &dataset.into())?;
        Reflect::set(&message, &"file".into(), file)?;
        let helper = Helper { worker, has: 0, _on_message: on_message, _on_error: on_error };
        helper.worker.post_message(&message)?;
        Ok(helper)
    }

    /// Waits for the result of the next range, for [`evalcheck_blob::drive_after`].
    pub(crate) async fn next(&self, last: Ahead) -> Ahead {
        if last.is_start() {
            return Ahead::nothing(FIRST);
        }
        self.in_vain.set(if last.was_in_vain() { self.in_vain.get() + 1 } else { 0 });
        if self.in_vain.get() >= IN_VAIN {
            self.end();
            return Ahead::nothing(u64::MAX);
        }
        loop {
            let has_helpers = self.running.borrow().iter().any(Option::is_some);
            let taken = self.ranges.borrow_mut().take(has_helpers);
            self.give();
            match taken {
                Taken::Made((_, end), (part, others)) => {
                    self.keep(|| part.clone());
                    return Ahead::new(end, part.into_found(), others);
                }
                Taken::Lost(range) => {
                    self.keep(|| Part::unread(self.dataset.clone(), range));
                    return Ahead::nothing(range.1);
                }
                Taken::End => return Ahead::nothing(u64::MAX),
                Taken::Waits => self.wait().await,
            }
        }
    }

    /// Keeps the part of the range that the check reads next.
    fn keep(&self, part: impl FnOnce() -> Part) {
        let known = self.known.take().and_then(|known| known.merge(part()).ok());
        self.known.replace(known.filter(|known| known.memory() <= MOST_KEPT));
    }

    /// Takes the known part of the file from its first byte on, up to the position of the check.
    pub(crate) fn take_known(&self) -> Option<Part> {
        self.known.take()
    }

    /// Ends all helpers.
    pub(crate) fn end(&self) {
        let helpers = self.running.take();
        for number in 0..helpers.len() {
            self.ranges.borrow_mut().lose(number);
        }
        self.wake();
    }

    /// Waits for the result of a range. A helper that does not answer for long is dropped.
    async fn wait(&self) {
        let waits_for = self.ranges.borrow().waits_for();
        let mut timer = 0;
        let promise = Promise::new(&mut |resolve, _| {
            timer = set_timeout(&resolve, SILENT);
            self.wake.replace(Some(resolve));
        });
        // This promise is never rejected.
        let _ = JsFuture::from(promise).await;
        clear_timeout(timer);
        let is_woken = self.wake.take().is_none();
        if !is_woken && let Some(helper) = waits_for {
            self.lose(helper);
        }
    }

    fn wake(&self) {
        let wake = self.wake.take();
        if let Some(wake) = wake {
            // The resolve function of a promise does not throw.
            let _ = wake.call0(&JsValue::NULL);
        }
    }

    /// Handles the message of a helper.
    fn answered(&self, helper: usize, data: &JsValue) {
        let number = get(data, "number").as_f64().and_then(|number| usize::try_from(to_u64(number)).ok());
        let range = number.and_then(|number| self.ranges.borrow().given(helper, number));
        let (Some(number), Some(range)) = (number, range) else { return self.lose(helper) };
        let Some(found) = self.read(range, data) else { return self.lose(helper) };
        self.ranges.borrow_mut().made(number, found);
        if let Some(Some(helper)) = self.running.borrow_mut().get_mut(helper) {
            helper.has -= 1;
        }
        self.give();
        self.wake();
    }

    /// Reads the result of a range; `None` if it belongs to another range or dataset.
    fn read(&self, range: (u64, u64), data: &JsValue) -> Option<Found> {
        let bytes = |key: &str| get(data, key).dyn_into::<Uint8Array>().ok().map(|bytes| bytes.to_vec());
        let part = Part::from_bytes(&bytes("part")?).ok()?;
        let others = OtherLines::from_bytes(bytes("others")?)?;
        (part.range() == range && *part.dataset() == self.dataset).then_some((part, others))
    }

    /// Drops a helper; others get its ranges.
    fn lose(&self, helper: usize) {
        let lost = self.running.borrow_mut().get_mut(helper).and_then(Option::take);
        if lost.is_some() {
            self.ranges.borrow_mut().lose(helper);
            self.give();
            self.wake();
        }
    }

    /// Gives ranges to helpers that have few, to each in turn.
    fn give(&self) {
        let count = self.running.borrow().len();
        for round in 1..=AT_A_TIME {
            for number in 0..count {
                self.give_one(number, round);
            }
        }
    }

    fn give_one(&self, number: usize, most: usize) {
        let mut helpers = self.running.borrow_mut();
        let Some(Some(helper)) = helpers.get_mut(number) else { return };
        if helper.has >= most {
            return;
        }
        let Some((range, (start, end))) = self.ranges.borrow_mut().give(number) else { return };
        helper.has += 1;
        let message = Object::new();
        for (key, value) in [("number", range as u64), ("start", start), ("end", end)] {
            // Setting a key of a fresh object does not fail.
            let _ = Reflect::set(&message, &key.into(), &to_f64(value).into());
        }
        // A message that cannot be posted is treated like a missing answer.
        let _ = helper.worker.post_message(&message);
    }
}
