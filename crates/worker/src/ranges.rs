//! The ranges of a file for helpers, in order.

use std::collections::VecDeque;

/// How often a range is given to a helper before it is left to the check.
const MOST_TRIES: u8 = 2;

/// The ranges of a file, in order, and their states.
#[derive(Debug)]
pub(crate) struct Ranges<T> {
    all: Vec<(u64, u64)>,
    /// The states of the ranges from `next` on, up to the last one that was given.
    states: VecDeque<State<T>>,
    /// The next range of the check.
    next: usize,
    /// The maximum number of ranges, from the next one on, that may be given.
    ahead: usize,
}

#[derive(Debug)]
enum State<T> {
    /// Not given, after this many tries.
    Open(u8),
    /// A helper has it, after this many tries.
    Given(usize, u8),
    Made(T),
    Lost,
}

/// The result of taking the next range.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Taken<T> {
    Made((u64, u64), T),
    /// The check reads it.
    Lost((u64, u64)),
    /// A helper has it.
    Waits,
    /// There are no more ranges.
    End,
}

impl<T> Ranges<T> {
    /// Creates ranges in the order of the file. At most `ahead` of them may be ahead of the check.
    pub(crate) fn new(all: Vec<(u64, u64)>, ahead: usize) -> Self {
        Self { all, states: VecDeque::new(), next: 0, ahead }
    }

    /// Gives a range to a helper if one is available, and returns its number and the range.
    pub(crate) fn give(&mut self, helper: usize) -> Option<(usize, (u64, u64))> {
        let open = self.states.iter().position(|state| matches!(state, State::Open(_)));
        let at = open.unwrap_or(self.states.len());
        let range = *self.all.get(self.next + at)?;
        if at >= self.ahead {
            return None;
        }
        if at == self.states.len() {
            self.states.push_back(State::Open(0));
        }
        if let State::Open(tries) = self.states[at] {
            self.states[at] = State::Given(helper, tries + 1);
        }
        Some((self.next + at, range))
    }

    /// The range with this number if this helper has it.
    pub(crate) fn given(&self, helper: usize, number: usize) -> Option<(u64, u64)> {
        let state = self.states.get(number.checked_sub(self.next)?)?;
        matches!(state, State::Given(by, _) if *by == helper).then(|| self.all[number])
    }

    /// Sets the result of a range.
    pub(crate) fn made(&mut self, number: usize, made: T) {
        if let Some(state) = number.checked_sub(self.next).and_then(|at| self.states.get_mut(at)) {
            *state = State::Made(made);
        }
    }

    /// Takes all ranges from a helper, so that others get them.
    pub(crate) fn lose(&mut self, helper: usize) {
        for state in &mut self.states {
            if let State::Given(by, tries) = *state
                && by == helper
            {
                *state = if tries < MOST_TRIES { State::Open(tries) } else { State::Lost };
            }
        }
    }

    /// The helper that has the first of the given ranges.
    pub(crate) fn waits_for(&self) -> Option<usize> {
        self.states.iter().find_map(|state| match state {
            State::Given(helper, _) => Some(*helper),
            _ => None,
        })
    }

    /// Takes the next range, unless it has to wait for a helper. Without helpers, a range that nobody has is lost.
    pub(crate) fn take(&mut self, has_helpers: bool) -> Taken<T> {
        let Some(range) = self.all.get(self.next).copied() else { return Taken::End };
        match self.states.front() {
            Some(State::Given(..)) => return Taken::Waits,
            None | Some(State::Open(_)) if has_helpers => return Taken::Waits,
            _ => {}
        }
        self.next += 1;
        match self.states.pop_front() {
            Some(State::Made(made)) => Taken::Made(range, made),
            _ => Taken::Lost(range),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(ahead: usize) -> Ranges<&'static str> {
        Ranges::new(vec![(0, 10), (10, 20), (20, 30)], ahead)
    }

    #[test]
    fn ranges_are_taken_in_order_whoever_is_first() {
        let mut ranges = ranges(8);
        assert_eq!(ranges.give(0), Some((0, (0, 10))));
        assert_eq!(ranges.give(1), Some((1, (10, 20))));
        ranges.made(1, "second");
        assert_eq!(ranges.take(true), Taken::Waits);
        assert_eq!(ranges.waits_for(), Some(0));
        ranges.made(0, "first");
        assert_eq!(ranges.take(true), Taken::Made((0, 10), "first"));
        assert_eq!(ranges.take(true), Taken::Made((10, 20), "second"));
        assert_eq!(ranges.take(false), Taken::Lost((20, 30)));
        assert_eq!(ranges.take(true), Taken::End);
    }

    #[test]
    fn helpers_are_not_far_ahead() {
        let mut ranges = ranges(2);
        assert!(ranges.give(0).is_some() && ranges.give(1).is_some());
        assert_eq!(ranges.give(0), None);
        ranges.made(0, "first");
        assert_eq!(ranges.give(0), None);
        assert_eq!(ranges.take(true), Taken::Made((0, 10), "first"));
        assert_eq!(ranges.give(0), Some((2, (20, 30))));
    }

    #[test]
    fn a_lost_range_is_given_once_again() {
        let mut ranges = ranges(8);
        assert_eq!(ranges.give(0), Some((0, (0, 10))));
        assert_eq!(ranges.give(1), Some((1, (10, 20))));
        ranges.lose(0);
        assert_eq!(ranges.given(0, 0), None);
        assert_eq!(ranges.take(true), Taken::Waits);
        assert_eq!(ranges.give(1), Some((0, (0, 10))));
        assert_eq!(ranges.given(1, 0), Some((0, 10)));
        ranges.lose(1);
        assert_eq!(ranges.take(true), Taken::Lost((0, 10)));
        assert_eq!(ranges.take(true), Taken::Waits);
        assert_eq!(ranges.take(false), Taken::Lost((10, 20)));
    }
}
