//! Detects a dead worker. A worker can end without any event (an exception thrown later, out of memory), so it is pinged while an answer is
//! expected.

/// Milliseconds between two heartbeats.
pub(crate) const HEARTBEAT_MS: u32 = 2_000;

/// The number of heartbeats without a message after which the worker counts as dead: 10 seconds. Heartbeats are counted rather than time,
/// because a laptop that was asleep has not been silent.
const MAX_MISSED: u32 = 5;

/// The result of one heartbeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beat {
    /// No answer is expected; stop the timer.
    Idle,
    /// Ping the worker and restart the timer.
    Ping,
    /// The worker may still answer; restart the timer.
    Wait,
    /// The worker is dead.
    Dead,
}

/// The state between two heartbeats.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Heartbeat {
    armed: bool,
    pinged: bool,
    missed: u32,
}

impl Heartbeat {
    /// Returns true if the timer has to be started: an answer is expected and no timer is running.
    pub(crate) fn arm(&mut self, busy: bool) -> bool {
        let start = busy && !self.armed;
        self.armed |= busy;
        start
    }

    /// Notes that a message has arrived.
    pub(crate) fn message_received(&mut self) {
        self.pinged = false;
        self.missed = 0;
    }

    /// Handles the timer.
    pub(crate) fn tick(&mut self, busy: bool) -> Beat {
        if !busy {
            *self = Self::default();
            return Beat::Idle;
        }
        if !self.pinged {
            self.pinged = true;
            return Beat::Ping;
        }
        self.missed += 1;
        if self.missed < MAX_MISSED {
            Beat::Wait
        } else {
            *self = Self::default();
            Beat::Dead
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idle_worker_is_not_watched() {
        let mut heart = Heartbeat::default();
        assert!(!heart.arm(false));
        assert!(heart.arm(true));
        assert!(!heart.arm(true), "one timer is enough");
        assert_eq!(heart.tick(false), Beat::Idle);
        assert!(heart.arm(true));
    }

    #[test]
    fn a_silent_worker_is_dead_after_ten_seconds() {
        let mut heart = Heartbeat::default();
        heart.arm(true);
        assert_eq!(heart.tick(true), Beat::Ping);
        for _ in 1..MAX_MISSED {
            assert_eq!(heart.tick(true), Beat::Wait);
        }
        assert_eq!(heart.tick(true), Beat::Dead);
    }

    #[test]
    fn any_message_resets_the_count() {
        let mut heart = Heartbeat::default();
        heart.arm(true);
        for _ in 0..100 {
            heart.tick(true);
            heart.tick(true);
            heart.message_received();
        }
        assert_eq!(heart.tick(true), Beat::Ping);
    }
}
