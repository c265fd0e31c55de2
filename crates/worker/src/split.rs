//! Which stretch of a file is whose.

use std::ops::Range;

/// About as many bytes a worker reads in one go. To begin a stretch costs as much as to read a megabyte, so they are long. With
/// two processors, 256 MiB and time / reading alone: stretches of 8 MiB 1.22, of 32 MiB 1.09, of 128 MiB 1.43 (the last one is
/// waited for); one worker 1.31.
const STRETCH: u64 = 32 << 20;

/// What the check does besides reading its own stretches and taking what the helpers have digested, in bytes that a helper gets
/// through meanwhile: it opens the file, and writes what was found.
const BESIDES: u64 = 16 << 20;

/// Smaller files are read by one worker: they are done before a helper is of use.
const LEAST: u64 = 2 * STRETCH;

/// Whether a file is so large that helpers are asked.
pub(crate) const fn is_long(size: u64) -> bool {
    size >= LEAST
}

/// More workers than this wait for one another: the browser reads the file no faster.
pub(crate) const MOST_WORKERS: u32 = 4;

/// A file in rounds of one length: in each, a stretch for the check itself and one for each helper, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Split {
    /// Bytes of the file.
    size: u64,
    /// Helpers, at least one.
    helpers: u32,
    /// Bytes of a round; the last one may be shorter.
    round: u64,
    /// Bytes of a helper's stretch. The check's own is what remains of a round.
    stretch: u64,
    /// What it was made with.
    taking: u8,
}

/// A stretch of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// Whose it is; `None` for the check's own.
    pub(crate) helper: Option<u32>,
    /// Its bytes.
    pub(crate) bytes: Range<u64>,
}

impl Split {
    /// Splits a file between the check and its helpers; there must be one at least. The check's stretches are shorter by what else
    /// it does, so that all are done at the same time: `taking` is what taking a digest costs, see `Job::taking`.
    pub(crate) fn new(size: u64, helpers: u32, taking: u8) -> Self {
        let workers = 1 + u64::from(helpers);
        let rounds = ((size + workers * STRETCH / 2) / (workers * STRETCH)).max(1);
        let round = size.div_ceil(rounds).max(1);
        let besides = (BESIDES + size / 100 * u64::from(taking)) / rounds;
        let even = round / workers;
        let stretch = even + (besides / workers).min(even / 2 / u64::from(helpers));
        Self { size, helpers, round, stretch, taking }
    }

    /// Helpers, at least one.
    pub(crate) const fn helpers(self) -> u32 {
        self.helpers
    }

    /// What taking a digest costs.
    pub(crate) const fn taking(self) -> u8 {
        self.taking
    }

    /// Bytes of the check's own stretch.
    fn own(self) -> u64 {
        self.round - u64::from(self.helpers) * self.stretch
    }

    /// The stretch that a byte is in.
    pub(crate) fn at(self, byte: u64) -> Stretch {
        let round = self.round_of(byte);
        let place =
            (byte % self.round).checked_sub(self.own()).and_then(|behind| behind.checked_div(self.stretch));
        let helper = place.and_then(|place| u32::try_from(place).ok());
        let bytes = if let Some(helper) = helper {
            self.of_helper(helper, round)
        } else {
            let start = round * self.round;
            start..(start + self.own()).min(self.size)
        };
        Stretch { helper, bytes }
    }

    /// The stretch of a helper in a round; empty behind the end of the file.
    pub(crate) fn of_helper(self, helper: u32, round: u64) -> Range<u64> {
        let from = round * self.round + self.own() + u64::from(helper) * self.stretch;
        from.min(self.size)..(from + self.stretch).min(self.size)
    }

    /// The round that a byte is in.
    pub(crate) const fn round_of(self, byte: u64) -> u64 {
        byte / self.round
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_cover_the_file_without_a_gap() {
        for size in [1, STRETCH, LEAST, LEAST + 1, 100 << 20, (5 << 30) + 17, 1 << 30] {
            for helpers in [1, 2, 3, 6] {
                let split = Split::new(size, helpers, 25);
                let mut at = 0;
                let mut rounds = vec![0; helpers as usize];
                while at < size {
                    let stretch = split.at(at);
                    assert_eq!(stretch.bytes.start, at, "{split:?}");
                    assert!(!stretch.bytes.is_empty(), "{split:?}: nothing at {at}");
                    assert_eq!(split.at(stretch.bytes.end - 1), stretch, "{split:?}");
                    if let Some(helper) = stretch.helper {
                        let round = &mut rounds[helper as usize];
                        assert_eq!(split.of_helper(helper, *round), stretch.bytes);
                        assert_eq!(split.round_of(at), *round);
                        *round += 1;
                    }
                    at = stretch.bytes.end;
                }
                for (helper, round) in (0..).zip(rounds) {
                    assert!(split.of_helper(helper, round).is_empty(), "{split:?}: more for helper {helper}");
                }
            }
        }
    }

    #[test]
    fn the_check_reads_less_than_a_helper_and_all_have_about_the_same_in_every_round() {
        for size in [LEAST, 100 << 20, 256 << 20, 300_000_000, (5 << 30) + 17] {
            for helpers in [1, 3] {
                let split = Split::new(size, helpers, 3);
                let (own, helped) = (split.own(), split.stretch);
                assert!(own < helped && own >= helped / 3, "{split:?}: {own} bytes for the check");
                let other = Split::new(size, helpers, 25);
                assert!(other.own() <= own && other.own() >= helped / 4, "{other:?}");
                assert!((STRETCH / 2..2 * STRETCH).contains(&helped), "{split:?}");
                let last = split.round_of(size - 1) * split.round;
                assert!(size - last > split.round - 64, "{split:?}: the last round is short");
            }
        }
    }
}
