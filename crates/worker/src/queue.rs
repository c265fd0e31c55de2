//! The files of a batch, which are checked one after another. The bytes of small files are read while others are checked: of thousands of
//! small files, waiting for the browser would take most of the time.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use evalcheck_blob::{FileSnapshot, SyncSource};
use evalcheck_wire::findings::FindingQuery;
use evalcheck_wire::question::Answer;
use evalcheck_wire::worker::{CheckId, CheckOptions, Event};
use js_sys::Uint8Array;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Blob;

use crate::check::FileCheck;
use crate::search::Searches;
use crate::{port, watch};

/// A file that waits to be checked.
struct Waiting {
    id: CheckId,
    options: CheckOptions,
    file: Blob,
    snapshot: FileSnapshot,
    source: SyncSource,
    /// The bytes of a small file, while they are read. Made at once, so that a failure is no error of the worker.
    bytes: Option<JsFuture>,
    /// Whether the user stopped it.
    is_cancelled: bool,
}

/// The files that wait, in order.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: RefCell<VecDeque<Waiting>>,
    runs: Cell<bool>,
}

impl Queue {
    /// Adds a file. `start` receives its check before it runs.
    pub(crate) fn add(
        self: &Rc<Self>,
        id: CheckId,
        options: CheckOptions,
        (file, snapshot): (Blob, FileSnapshot),
        start: impl Fn(&Rc<FileCheck>) + 'static,
    ) {
        let source = match SyncSource::new(file.clone(), snapshot.size) {
            Ok(source) => source,
            Err(why) => return watch::died(&why),
        };
        let bytes = SyncSource::holds_all(snapshot.size).then(|| JsFuture::from(file.array_buffer()));
        let waiting = Waiting { id, options, file, snapshot, source, bytes, is_cancelled: false };
        self.waiting.borrow_mut().push_back(waiting);
        if !self.runs.replace(true) {
            let queue = Rc::clone(self);
            spawn_local(async move {
                while let Some(next) = queue.next().await {
                    check(next, &start).await;
                }
                queue.runs.set(false);
            });
        }
    }

    /// Whether files wait or are checked. Commands that no batch precedes ask first: a call of the functions below would load the rest of the
    /// engine.
    pub(crate) fn is_in_use(&self) -> bool {
        self.runs.get()
    }

    /// Drops all files.
    #[inline(never)]
    pub(crate) fn clear(&self) {
        self.waiting.borrow_mut().clear();
    }

    /// Drops all files. The first one is reported as cancelled if it is this one.
    #[inline(never)]
    pub(crate) fn cancel(&self, id: CheckId) {
        let mut waiting = self.waiting.borrow_mut();
        waiting.truncate(1);
        match waiting.front_mut().filter(|first| first.id == id) {
            Some(first) => first.is_cancelled = true,
            None => waiting.clear(),
        }
    }

    /// Removes the first file once its bytes are there.
    async fn next(&self) -> Option<Waiting> {
        loop {
            let (id, bytes) =
                self.waiting.borrow_mut().front_mut().map(|first| (first.id, first.bytes.take()))?;
            let bytes = match bytes {
                Some(bytes) => bytes.await.ok(),
                None => None,
            };
            // It may have been dropped meanwhile.
            let mut waiting = self.waiting.borrow_mut();
            if waiting.front().is_none_or(|first| first.id != id) {
                continue;
            }
            let mut first = waiting.pop_front()?;
            // A file that cannot be read is read again by its check, which says why.
            if let Some(bytes) = bytes {
                first.source = first.source.with_content(Uint8Array::new(&bytes).to_vec());
            }
            return Some(first);
        }
    }
}

/// Checks a file, and posts its report and the groups of its findings.
async fn check(next: Waiting, start: &impl Fn(&Rc<FileCheck>)) {
    let check = FileCheck::start_from(next.source, next.id, next.file, next.snapshot, next.options);
    check.index_findings();
    start(&check);
    if next.is_cancelled {
        return check.cancel();
    }
    if !check.read(|_| {}).await {
        return;
    }
    check.report();
    if let Ok(summary) = check.summarize_findings(&FindingQuery::default(), &Searches::default())
        && !summary.groups.is_empty()
    {
        port::post(&Event::Answer { request: next.id, result: Ok(Answer::FindingSummary(summary)) });
    }
}
