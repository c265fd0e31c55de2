//! Whether the worker is alive. A worker can end without an event that says so (an exception thrown later, memory
//! that ran out), so while something is expected of it, it is asked.

/// Milliseconds between two looks at the worker.
pub(crate) const BEAT_MS: u32 = 2_000;

/// Looks in a row without a sign of life, after which it is given up: 10 seconds. Looks are counted and not the
/// clock, so that a laptop that slept does not count as silence.
const PATIENCE: u32 = 5;

/// What one look comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beat {
    /// Nothing is expected of the worker; no further look is needed.
    Rest,
    /// Ask it, and look again.
    Ping,
    /// It was asked and may still answer; look again.
    Wait,
    /// It has been silent for too long.
    Lost,
}

/// The state between two looks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Heartbeat {
    armed: bool,
    asked: bool,
    silent: u32,
}

impl Heartbeat {
    /// True when a timer has to be set now, because something is expected and none is running.
    pub(crate) fn arm(&mut self, busy: bool) -> bool {
        let start = busy && !self.armed;
        self.armed |= busy;
        start
    }

    /// A message came.
    pub(crate) fn heard(&mut self) {
        self.asked = false;
        self.silent = 0;
    }

    /// The timer went off.
    pub(crate) fn look(&mut self, busy: bool) -> Beat {
        if !busy {
            *self = Self::default();
            return Beat::Rest;
        }
        if !self.asked {
            self.asked = true;
            return Beat::Ping;
        }
        self.silent += 1;
        if self.silent < PATIENCE {
            Beat::Wait
        } else {
            *self = Self::default();
            Beat::Lost
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_is_not_needed_is_not_watched() {
        let mut heart = Heartbeat::default();
        assert!(!heart.arm(false));
        assert!(heart.arm(true));
        assert!(!heart.arm(true), "one timer is enough");
        assert_eq!(heart.look(false), Beat::Rest);
        assert!(heart.arm(true));
    }

    #[test]
    fn a_silent_worker_is_given_up_after_ten_seconds() {
        let mut heart = Heartbeat::default();
        heart.arm(true);
        assert_eq!(heart.look(true), Beat::Ping);
        for _ in 1..PATIENCE {
            assert_eq!(heart.look(true), Beat::Wait);
        }
        assert_eq!(heart.look(true), Beat::Lost);
    }

    #[test]
    fn any_message_is_a_sign_of_life() {
        let mut heart = Heartbeat::default();
        heart.arm(true);
        for _ in 0..100 {
            heart.look(true);
            heart.look(true);
            heart.heard();
        }
        assert_eq!(heart.look(true), Beat::Ping);
    }
}
