//! Compiles the regular expressions of queries, and schemas of the user's own.

use std::ops::Range;

use evalcheck_engine::environment::Environment;
use evalcheck_engine::formats::FORMATS;
use evalcheck_engine::search::FindRegex;
use evalcheck_regex::without_anchors;
use regex::{Regex, RegexBuilder};

/// The compilers of the command, for a check.
pub(crate) const ENVIRONMENT: Environment =
    Environment { formats: FORMATS, schemas: evalcheck_schema::compile, regexes: compile };

#[derive(Debug)]
struct Compiled {
    regex: Regex,
    /// See [`without_anchors`].
    within: Option<Regex>,
}

impl FindRegex for Compiled {
    fn find(&self, text: &str) -> Option<Range<usize>> {
        self.regex.find(text).map(|found| found.range())
    }

    fn may_be_in(&self, text: &str) -> bool {
        self.within.as_ref().is_none_or(|within| within.is_match(text))
    }
}

/// Compiles a regular expression of a query.
pub(crate) fn compile(pattern: &str, ignores_case: bool) -> Result<Box<dyn FindRegex>, String> {
    let regex = RegexBuilder::new(pattern).case_insensitive(ignores_case).build();
    let regex = regex.map_err(|error| format!("the regular expression cannot be read: {error}"))?;
    let within = without_anchors(pattern, ignores_case).and_then(|within| Regex::new(&within).ok());
    Ok(Box::new(Compiled { regex, within }))
}
