//! A check that nobody sees, played while there is nothing to do. A browser compiles each function of the page when it is first
//! called, and what is called often once more and better: for a first file that came to a fifth of the page's work, on
//! processors that the check wants for itself.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
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

/// Which message is next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cue {
    /// Which time it is played, from 1.
    time: u32,
    /// The place among [`MESSAGES`].
    pub(crate) message: u32,
}

impl State {
    /// Plans a rehearsal; to be called when the worker is ready.
    pub(super) fn plan_rehearsal(&self, effects: &mut Vec<Effect>) {
        if self.is_free() {
            let timer = Timer::Rehearsal(Cue { time: 1, message: 0 });
            effects.push(Effect::Wake { after_ms: BEGIN_MS, timer });
        }
    }

    /// The next message is due.
    pub(super) fn go_on_rehearsing(&mut self, cue: Cue, effects: &mut Vec<Effect>) {
        self.can_wait = true;
        if self.is_free() {
            effects.push(Effect::Rehearse(cue));
        }
    }

    /// Takes a message of the rehearsal; `None` behind the last one.
    pub(super) fn rehearse(
        &mut self,
        Cue { time, message }: Cue,
        event: Option<Box<Event>>,
        now_ms: f64,
        effects: &mut Vec<Effect>,
    ) {
        let next = if let Some(event) = event {
            let begin = || Box::new(Self::on_stage(&self.catalogue, now_ms));
            let stage = self.rehearsal.get_or_insert_with(begin);
            // What would follow from it is not done: there is no worker and no file.
            let mut nothing = Vec::new();
            stage.hear(*event, now_ms, &mut nothing);
            stage.ask_for_lines(&mut nothing);
            Cue { time, message: message + 1 }
        } else {
            self.rehearsal = None;
            if time == TIMES {
                return;
            }
            Cue { time: time + 1, message: 0 }
        };
        effects.push(Effect::Wake { after_ms: PAUSE_MS, timer: Timer::Rehearsal(next) });
    }

    /// A state that has just been given a file.
    fn on_stage(catalogue: &Rc<Catalogue>, now_ms: f64) -> Self {
        let catalogue = Rc::clone(catalogue);
        let mut state = Self { catalogue, engine: EngineState::Ready, ..Self::default() };
        let dataset = Dataset {
            key: FileKey(0),
            name: "a.jsonl".into(),
            path: "a.jsonl".into(),
            size: 900,
            modified_ms: 0.0,
        };
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
