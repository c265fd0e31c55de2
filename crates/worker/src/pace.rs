//! When a check that runs tells how far it is, and when it lets others have a turn.

use evalcheck_blob::{Macrotask, now};
use evalcheck_wire::worker::Event;

use crate::check::Check;
use crate::port;

/// Milliseconds between two messages about progress. Each costs some 10 ms of processor time over all threads, which the check
/// wants for itself.
const PROGRESS_EVERY: f64 = 200.0;

/// Milliseconds after which waiting messages get their turn.
const TURN_EVERY: f64 = 25.0;

/// Findings that are told before the report: a screenful and some more.
const FIRST_FINDINGS: usize = 200;

pub(crate) struct Pace {
    turn: Macrotask,
    last_turn: f64,
    last_progress: Option<f64>,
    /// Findings that were told.
    told: usize,
}

impl Pace {
    pub(crate) fn new() -> Result<Self, String> {
        let turn =
            Macrotask::new().map_err(|error| format!("This browser has no message channels: {error:?}"))?;
        Ok(Self { turn, last_turn: now(), last_progress: None, told: 0 })
    }

    /// Lets messages that wait get through.
    pub(crate) async fn turn(&mut self) {
        self.turn.turn().await;
        self.last_turn = now();
    }

    /// To be called after each piece; looks at the clock and does what is due.
    pub(crate) async fn keep(&mut self, check: &Check) {
        let time = now();
        if self.last_progress.is_none_or(|last| time - last >= PROGRESS_EVERY) {
            self.last_progress = Some(time);
            self.tell(check);
        }
        if time - self.last_turn >= TURN_EVERY {
            self.turn().await;
        }
    }

    fn tell(&mut self, check: &Check) {
        let job = check.job();
        let first_findings = match FIRST_FINDINGS.saturating_sub(self.told) {
            0 => Vec::new(),
            most => job.findings_since(self.told, most),
        };
        self.told += first_findings.len();
        port::post(&Event::Progress { job: check.id(), progress: job.progress(), first_findings });
    }
}
