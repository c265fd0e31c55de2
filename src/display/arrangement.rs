//! The places of the turns of a conversation and of the findings about them.

use evalcheck_report::Finding;
use evalcheck_report::view::Sample;

use super::tool_results::ToolResults;
use super::turn_findings::{TurnFindings, turn_findings};

/// The places of the turns of a conversation and of the findings about them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arrangement {
    /// The findings of each turn, and those outside of all turns.
    pub(crate) findings: TurnFindings,
    /// The turns that are shown with tool calls.
    pub(crate) results: ToolResults,
}

impl Arrangement {
    /// Arranges a record.
    pub(crate) fn new(sample: &Sample, findings: &[Finding]) -> Self {
        Self { findings: turn_findings(&sample.turns, findings), results: ToolResults::new(&sample.turns) }
    }

    /// The turns that are not shown with a tool call.
    pub(crate) fn turns(&self) -> impl Iterator<Item = usize> {
        (0..self.findings.of_turns.len()).filter(|turn| !self.results.is_with_call(*turn))
    }
}
