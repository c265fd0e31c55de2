//! A check that nobody sees, played while there is nothing to do. A browser compiles each function of the page when it is first
//! called, and what is called often once more and better: for a first file that came to a fifth of the page's work, on
//! processors that the check wants for itself.

use std::rc::Rc;

use evalcheck_wire::worker::Event;

use super::action::{Effect, Timer};
use super::dataset::{Dataset, FileKey};
use super::{EngineState, State};

/// What a worker would tell, as it posts it: an array of messages.
pub(crate) const MESSAGES: &str = include_str!("rehearsal.json");

/// How often it is played: the second time on, what was compiled in haste is found to be used a lot.
const TIMES: u32 = 4;

/// Milliseconds until it begins; what a person does with a page that was just opened comes first.
const BEGIN_MS: u32 = 150;

/// Milliseconds between two messages, in which whatever is real gets its turn.
const PAUSE_MS: u32 = 8;

impl State {
    /// Plans a rehearsal; to be called when the worker is ready.
    pub(super) fn plan_rehearsal(&self, effects: &mut Vec<Effect>) {
        if self.is_free() {
            effects.push(Effect::Wake { after_ms: BEGIN_MS, timer: Timer::Rehearsal { time: 1, message: 0 } });
        }
    }

    /// The next message is due.
    pub(super) fn go_on_rehearsing(&mut self, time: u32, message: u32, effects: &mut Vec<Effect>) {
        self.can_wait = true;
        if self.is_free() {
            effects.push(Effect::Rehearse { time, message });
        }
    }

    /// Takes a message of the rehearsal; `None` behind the last one.
    pub(super) fn rehearse(
        &mut self,
        time: u32,
        message: u32,
        event: Option<Event>,
        now_ms: f64,
        effects: &mut Vec<Effect>,
    ) {
        let next = match event {
            Some(event) => {
                let check = self.rehearsal.get_or_insert_with(|| Box::new(Self::on_stage(self.catalogue.clone(), now_ms)));
                // What would follow from it is not done: there is no worker and no file.
                let mut nothing = Vec::new();
                check.hear(event, now_ms, &mut nothing);
                check.ask_for_lines(&mut nothing);
                Timer::Rehearsal { time, message: message + 1 }
            }
            None => {
                self.rehearsal = None;
                if time == TIMES {
                    return;
                }
                Timer::Rehearsal { time: time + 1, message: 0 }
            }
        };
        effects.push(Effect::Wake { after_ms: PAUSE_MS, timer: next });
    }

    /// A state that has just been given a file.
    fn on_stage(catalogue: Rc<evalcheck_wire::catalogue::Catalogue>, now_ms: f64) -> Self {
        let mut state = Self { catalogue, engine: EngineState::Ready, ..Self::default() };
        let dataset =
            Dataset { key: FileKey(0), name: "a.jsonl".into(), path: "a.jsonl".into(), size: 900, modified_ms: 0.0 };
        state.take(dataset.into(), now_ms, &mut Vec::new());
        state
    }

    /// True while there is nothing to check or to look at.
    const fn is_free(&self) -> bool {
        self.check.is_none() && self.batch.is_none()
    }

    /// Ends the rehearsal where there is something to do.
    pub(super) fn give_way(&mut self) {
        if !self.is_free() {
            self.rehearsal = None;
        }
    }
}
