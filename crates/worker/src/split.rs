//! Which stretch of a file is whose.

use std::ops::Range;

/// Bytes that a worker reads in one go. To begin a stretch costs as much as to read a megabyte, so they are long. With two
/// processors, 256 MiB and time / reading alone: stretches of 8 MiB 1.22, of 32 MiB 1.09, of 128 MiB 1.43 (the last one is
/// waited for); one worker 1.31.
const STRETCH: u64 = 32 << 20;

/// Smaller files are read by one worker: they are done before a helper is of use.
pub(crate) const LEAST: u64 = 2 * STRETCH;

/// More workers than this wait for one another: the browser reads the file no faster.
pub(crate) const MOST_WORKERS: u32 = 4;

/// A file in rounds: in each, a stretch for the check itself and one for each helper, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Split {
    /// Bytes of the file.
    pub(crate) size: u64,
    /// Helpers, at least one.
    pub(crate) helpers: u32,
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
    fn round(self) -> u64 {
        (1 + u64::from(self.helpers)) * STRETCH
    }

    /// The stretch that a byte is in.
    pub(crate) fn at(self, byte: u64) -> Stretch {
        let start = byte - byte % STRETCH;
        let place = start % self.round() / STRETCH;
        let helper = place.checked_sub(1).and_then(|helper| u32::try_from(helper).ok());
        Stretch { helper, bytes: start..(start + STRETCH).min(self.size) }
    }

    /// The stretch of a helper in a round; empty behind the end of the file.
    pub(crate) fn of_helper(self, helper: u32, round: u64) -> Range<u64> {
        let from = (round * self.round() + (1 + u64::from(helper)) * STRETCH).min(self.size);
        from..(from + STRETCH).min(self.size)
    }

    /// The round that a byte is in.
    pub(crate) fn round_of(self, byte: u64) -> u64 {
        byte / self.round()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_cover_the_file_without_a_gap() {
        for (size, helpers) in
            [(1, 1), (STRETCH, 1), (STRETCH + 1, 1), (100 << 20, 1), ((5 << 30) + 17, 6), (1 << 30, 3)]
        {
            let split = Split { size, helpers };
            let mut at = 0;
            let mut rounds = vec![0; helpers as usize];
            while at < size {
                let stretch = split.at(at);
                assert_eq!(stretch.bytes.start, at);
                assert_eq!(split.at(stretch.bytes.end - 1), stretch);
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
