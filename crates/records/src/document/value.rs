//! Waits for the end of a value that has not arrived completely.

use evalcheck_diagnose::{SyntaxError, SyntaxProblem};
use evalcheck_json::extent::{EndFinder, Extent};

use super::{DocumentReader, State, WINDOW};
use crate::{MAX_RECORD, Visit};

/// An element with more bytes than this is parsed before its end is known, so that a missing quote does not swallow the rest
/// of the document. The number doubles with each attempt.
const FIRST_LOOK: usize = 64 << 10;

/// The state of a value that has not arrived completely.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) finder: EndFinder,
    /// Its end, if it is known.
    pub(super) ends: Option<usize>,
    /// Whether the fast tier was tried, perhaps before the value was complete.
    pub(super) tried: bool,
    /// Its syntax error, while its fix waits for the rest of the document.
    broken: Option<SyntaxError>,
    pub(super) next_look: usize,
}

impl Default for Waiting {
    fn default() -> Self {
        Self { finder: EndFinder::default(), ends: None, tried: false, broken: None, next_look: FIRST_LOOK }
    }
}

/// The result of a search for the end of a value.
pub(super) enum Whole {
    /// The value has this length.
    Ends(usize),
    /// The value has a syntax error.
    Broken(SyntaxError),
    /// The value is too long to be read.
    TooLong,
    More,
}

impl<V: Visit> DocumentReader<V> {
    /// Waits for the end of the value that begins here; if it is broken, for the bytes that its fix needs.
    pub(super) fn whole_value(&mut self) -> Whole {
        let broken = self.value.broken.take();
        match broken.map_or_else(|| self.find_end(), Whole::Broken) {
            Whole::Broken(error) if self.waits_for_rest() => {
                self.value.broken = Some(error);
                Whole::More
            }
            whole => whole,
        }
    }

    fn find_end(&mut self) -> Whole {
        if let Some(length) = self.value.ends {
            return Whole::Ends(length);
        }
        let rest = self.buffer.held().get(self.at..).unwrap_or_default();
        let most = rest.len().min(MAX_RECORD + 1);
        let finder = &mut self.value.finder;
        match finder.find(&rest[..most]) {
            Extent::Ends(length) => {
                self.value.ends = Some(length);
                return Whole::Ends(length);
            }
            Extent::Lost => {
                let until = finder.forget() + 1;
                if let Err(error) = evalcheck_diagnose::parse_at(&rest[..until], self.record_start()) {
                    return Whole::Broken(error);
                }
            }
            Extent::More => {}
        }
        while most >= self.value.next_look {
            let look = self.value.next_look;
            self.value.next_look *= 2;
            if let Err(error) = evalcheck_diagnose::parse_at(&rest[..look], self.record_start())
                && !matches!(error.problem, SyntaxProblem::Truncated { .. })
                && error.span.end + WINDOW < look
            {
                return Whole::Broken(error);
            }
        }
        if most > MAX_RECORD {
            return Whole::TooLong;
        }
        if !self.ended {
            return Whole::More;
        }
        match evalcheck_diagnose::parse_at(rest, self.record_start()) {
            Err(error) => Whole::Broken(error),
            Ok(_) => Whole::Ends(rest.len()),
        }
    }

    /// Discards the rest of a value that is too long.
    pub(super) fn skip(&mut self) -> bool {
        let found = self.value.finder.find(self.buffer.held().get(self.at..).unwrap_or_default());
        let gone = self.value.finder.forget();
        self.skip_bytes(gone);
        let is_element = self.list.is_some();
        match found {
            Extent::More => return false,
            Extent::Lost => self.search_from_here(),
            Extent::Ends(_) => {
                self.state = if is_element { self.after_item() } else { State::AfterValue };
            }
        }
        if is_element {
            self.index += 1;
        }
        self.value = Waiting::default();
        true
    }
}
