//! Finds the turns of a conversation that are results of tool calls.

use evalcheck_report::view::{Part, ToolCall, Turn};

/// The place of a tool call: the index of its turn, and the index of its part.
pub(crate) type CallPlace = (usize, usize);

/// The tool calls that the turns of a conversation answer.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ToolResults {
    /// For each turn, the calls that it answers. It is shown with the first of them.
    answered: Vec<Vec<CallPlace>>,
}

impl ToolResults {
    /// Matches turns with calls by the ids of the calls. A turn that itself calls tools is not shown with another call.
    pub(crate) fn new(turns: &[Turn]) -> Self {
        let is_result = |turn: &Turn| !turn.result_of.is_empty() && calls(turn).next().is_none();
        let answered = turns.iter().enumerate().map(|(index, turn)| {
            if !is_result(turn) {
                return Vec::new();
            }
            turn.result_of.iter().filter_map(|id| call_before(&turns[..index], id)).collect()
        });
        Self { answered: answered.collect() }
    }

    /// Returns true for a turn that is shown with a call.
    pub(crate) fn is_with_call(&self, turn: usize) -> bool {
        self.answered.get(turn).is_some_and(|calls| !calls.is_empty())
    }

    /// The turns that answer a call, and whether each is shown with it, rather than with another call.
    pub(crate) fn of_call(&self, call: CallPlace) -> impl Iterator<Item = (usize, bool)> {
        let answered = self.answered.iter().enumerate();
        answered
            .filter(move |(_, calls)| calls.contains(&call))
            .map(move |(turn, calls)| (turn, calls[0] == call))
    }
}

/// The calls of a turn, with the indices of their parts.
pub(crate) fn calls(turn: &Turn) -> impl Iterator<Item = (usize, &ToolCall)> {
    turn.parts.iter().enumerate().filter_map(|(index, part)| match part {
        Part::ToolCall(call) => Some((index, call)),
        _ => None,
    })
}

/// The call with an id in the last turn that has one; `None` if that turn has several, because the reference is ambiguous.
fn call_before(turns: &[Turn], id: &str) -> Option<CallPlace> {
    let with_id = |turn: &Turn| {
        let mut found = calls(turn).filter(|(_, call)| call.id.as_deref() == Some(id));
        let first = found.next().map(|(part, _)| part);
        first.map(|part| found.next().is_none().then_some(part))
    };
    let last = turns.iter().enumerate().rev().find_map(|(index, turn)| Some((index, with_id(turn)?)));
    last.and_then(|(index, part)| Some((index, part?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A turn that calls tools with some ids, and answers calls with others.
    fn turn(calls: &[&str], result_of: &[&str]) -> Turn {
        let call = |id: &&str| {
            Part::ToolCall(ToolCall {
                path: String::new(),
                id: Some((*id).to_owned()).filter(|id| !id.is_empty()),
                name: "clock".to_owned(),
                arguments: None,
            })
        };
        Turn {
            parts: calls.iter().map(call).collect(),
            result_of: result_of.iter().map(|id| (*id).to_owned()).collect(),
            ..Turn::default()
        }
    }

    /// The turns that answer a call and are shown with it.
    fn shown(results: &ToolResults, call: CallPlace) -> Vec<usize> {
        results.of_call(call).filter(|(_, is_here)| *is_here).map(|(turn, _)| turn).collect()
    }

    #[test]
    fn results_are_with_the_calls_that_they_name() {
        let turns =
            [turn(&[], &[]), turn(&["a", "b"], &[]), turn(&[], &["b"]), turn(&[], &["a"]), turn(&[], &["c"])];
        let results = ToolResults::new(&turns);
        assert_eq!(shown(&results, (1, 0)), [3]);
        assert_eq!(shown(&results, (1, 1)), [2]);
        let with_call: Vec<bool> = (0..6).map(|turn| results.is_with_call(turn)).collect();
        assert_eq!(with_call, [false, false, true, true, false, false]);
    }

    #[test]
    fn a_result_of_two_calls_is_shown_once() {
        let results = ToolResults::new(&[turn(&["a", "b"], &[]), turn(&[], &["a", "b"])]);
        assert_eq!(shown(&results, (0, 0)), [1]);
        assert_eq!(shown(&results, (0, 1)), [0; 0]);
        assert_eq!(results.of_call((0, 1)).collect::<Vec<_>>(), [(1, false)]);
    }

    #[test]
    fn nothing_is_joined_without_an_id_or_with_an_ambiguous_one() {
        let turns = [turn(&["", "x", "x"], &[]), turn(&[], &[""]), turn(&[], &["x"]), turn(&[], &[])];
        assert!((0..4).all(|turn| !ToolResults::new(&turns).is_with_call(turn)));
    }

    #[test]
    fn an_id_that_each_turn_uses_again_is_that_of_the_last_turn() {
        let turns = [turn(&["x"], &[]), turn(&[], &["x"]), turn(&["x"], &[]), turn(&[], &["x"])];
        let results = ToolResults::new(&turns);
        assert_eq!(shown(&results, (0, 0)), [1]);
        assert_eq!(shown(&results, (2, 0)), [3]);
    }

    #[test]
    fn a_result_that_calls_tools_itself_is_a_turn_of_its_own() {
        let turns = [turn(&["a"], &[]), turn(&["b"], &["a"])];
        assert!(!ToolResults::new(&turns).is_with_call(1));
    }
}
