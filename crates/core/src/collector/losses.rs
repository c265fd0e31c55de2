//! The losses of the system.

use evalcheck_report::{Loss, LossCounts};

/// The losses of the system so far. A record is counted once.
#[derive(Debug, Default)]
pub(super) struct Losses {
    /// The counts.
    pub(super) counts: LossCounts,
    /// The last record with a lost line.
    last_lost: Option<u64>,
    /// The last record that loses a value or a key.
    last_changed: Option<u64>,
}

impl Losses {
    /// Counts a loss as often as it occurs in a record.
    pub(super) fn count(&mut self, loss: Option<Loss>, record: Option<u64>, number: u64) {
        match loss {
            Some(Loss::Line) if self.last_lost != record => {
                self.last_lost = record;
                self.counts.lines += 1;
            }
            Some(Loss::Value) => self.counts.values += number,
            Some(Loss::Key) => self.counts.keys += number,
            Some(Loss::Line) | None => {}
        }
        if matches!(loss, Some(Loss::Value | Loss::Key)) && self.last_changed < record {
            self.last_changed = record;
            self.counts.records += 1;
        }
    }
}
