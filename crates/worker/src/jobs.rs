//! Questions that take long.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;

use evalcheck_wire::question::{Advance, Answer};
use evalcheck_wire::worker::{Event, RequestId};
use wasm_bindgen_futures::spawn_local;

use crate::{port, watch};

/// Why there is no answer to a question that was stopped. It is not posted.
pub(crate) const STOPPED: &str = "It was stopped.";

/// The requests that run and are wanted.
#[derive(Default)]
pub(crate) struct Jobs(RefCell<Vec<RequestId>>);

/// An answer that takes long. The box keeps [`Jobs::run`] from being compiled for each question.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Result<Answer, String>>>>;

impl Jobs {
    /// Posts the answer to a question when it is known, unless the question is stopped before.
    pub(crate) fn run(self: &Rc<Self>, request: RequestId, answer: Answering) {
        self.0.borrow_mut().push(request);
        let jobs = Rc::clone(self);
        spawn_local(async move {
            let result = answer.await;
            watch::note_rest();
            if jobs.stop(request) {
                port::post(&Event::Answer { request, result });
            }
        });
    }

    /// Stops a question; it is not answered. Returns whether it ran.
    pub(crate) fn stop(&self, request: RequestId) -> bool {
        let mut running = self.0.borrow_mut();
        let at = running.iter().position(|running| *running == request);
        at.map(|at| running.swap_remove(at)).is_some()
    }

    /// Whether a question runs and was not stopped.
    pub(crate) fn is_wanted(&self, request: RequestId) -> bool {
        self.0.borrow().contains(&request)
    }
}

/// Posts the progress of a question.
pub(crate) fn post_advance(request: RequestId, advance: Advance) {
    port::post(&Event::Advance { request, advance });
}
