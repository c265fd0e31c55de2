//! Assigns the findings of a record to the turns of its conversation.

use evalcheck_report::Finding;
use evalcheck_report::view::Turn;

/// The findings of a record by turn, as indices.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct TurnFindings {
    /// The findings of each turn, in the order of the turns.
    pub(crate) of_turns: Vec<Vec<usize>>,
    /// The findings outside of all turns.
    pub(crate) others: Vec<usize>,
}

/// Assigns each finding to the turn with the longest path that contains it: the path of one turn can contain the path of another.
pub(crate) fn turn_findings(turns: &[Turn], findings: &[Finding]) -> TurnFindings {
    let mut found = TurnFindings { of_turns: vec![Vec::new(); turns.len()], others: Vec::new() };
    for (index, finding) in findings.iter().enumerate() {
        let depth = |turn: &Turn| path_within(turn, finding).map(|_| turn.path.len());
        let at = turns.iter().enumerate().filter_map(|(at, turn)| Some((depth(turn)?, at)));
        match at.max_by_key(|(depth, _)| *depth) {
            Some((_, at)) => found.of_turns[at].push(index),
            None => found.others.push(index),
        }
    }
    found
}

/// The path of a finding relative to the turn, such as `role`; empty for the turn itself, `None` outside of it.
pub(crate) fn path_within<'a>(turn: &Turn, finding: &'a Finding) -> Option<&'a str> {
    path_from(&turn.path, finding)
}

/// The path of a finding relative to a value; empty for the value itself, `None` outside of it.
pub(crate) fn path_from<'a>(path: &str, finding: &'a Finding) -> Option<&'a str> {
    let rest = finding.path.as_deref()?.strip_prefix(path)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
}

#[cfg(test)]
mod tests {
    use evalcheck_report::Severity;

    use super::*;
    use crate::state::tests::finding;

    fn turns(paths: &[&str]) -> Vec<Turn> {
        paths
            .iter()
            .map(|path| Turn { role: "user".into(), path: (*path).into(), ..Turn::default() })
            .collect()
    }

    fn findings(paths: &[Option<&str>]) -> Vec<Finding> {
        let finding =
            |path: Option<&str>| Finding { path: path.map(str::to_owned), ..finding(1, Severity::Error) };
        paths.iter().copied().map(finding).collect()
    }

    #[test]
    fn a_finding_is_in_the_turn_whose_path_contains_its_own() {
        let turns = turns(&["messages.1", "messages.10"]);
        let findings =
            findings(&[Some("messages.10.role"), Some("messages.1"), Some("messages.1.content.0.text")]);
        let found = turn_findings(&turns, &findings);
        assert_eq!(found, TurnFindings { of_turns: vec![vec![1, 2], vec![0]], others: Vec::new() });
        assert_eq!(path_within(&turns[1], &findings[0]), Some("role"));
        assert_eq!(path_within(&turns[0], &findings[0]), None);
    }

    #[test]
    fn the_longest_path_decides() {
        let turns = turns(&["responses.0.reasoning_content", "responses.0"]);
        let findings = findings(&[Some("responses.0.reasoning_content"), Some("responses.0.content")]);
        assert_eq!(turn_findings(&turns, &findings).of_turns, [[0], [1]]);
    }

    #[test]
    fn a_finding_outside_of_the_turns_is_in_none() {
        let findings = findings(&[None, Some("(root)"), Some("usage_output"), Some("messages")]);
        assert_eq!(turn_findings(&turns(&["messages.0"]), &findings).others, [0, 1, 2, 3]);
    }
}
