//! Counts tests from the reports of cargo, Node and Playwright.

use std::fmt;

use anyhow::{Context, Result};
use serde_json::Value;

/// Tests that passed and failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Count {
    /// The number of tests that ran.
    pub(crate) fn all(self) -> u64 {
        self.passed + self.failed
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }

    /// The sum of all `test result: ok. 3 passed; 1 failed; ...` of `cargo test`.
    pub(crate) fn from_cargo(output: &str) -> Self {
        let mut count = Self::default();
        for line in output.lines().filter_map(|line| line.trim_start().strip_prefix("test result: ")) {
            // `ok. 3 passed; 1 failed; 0 ignored; ...`
            for part in line.split([';', '.']) {
                count.add_part(part);
            }
        }
        count
    }

    /// The sums in Playwright's JSON report. A test that passes at a second attempt has failed.
    pub(crate) fn from_playwright(report: &Value) -> Result<Self> {
        let sum = |name: &str| {
            let number = report["stats"][name].as_u64();
            number.with_context(|| format!("Playwright's report has no number stats.{name}"))
        };
        Ok(Self { passed: sum("expected")?, failed: sum("unexpected")? + sum("flaky")? })
    }

    /// The closing `# pass 3` and `# fail 1` of Node's test runner.
    pub(crate) fn from_tap(output: &str) -> Self {
        let sum = |name: &str| {
            let number =
                output.lines().rev().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
            number.unwrap_or_default()
        };
        Self { passed: sum("# pass "), failed: sum("# fail ") + sum("# cancelled ") }
    }

    /// The closing `1 failed, 3 passed, 2 skipped in 1.20s` of pytest.
    pub(crate) fn from_pytest(output: &str) -> Self {
        let last = output.lines().rev().find(|line| line.contains(" in ")).unwrap_or_default();
        let mut count = Self::default();
        for part in last.split(',') {
            match part.split_whitespace().collect::<Vec<_>>().as_slice() {
                [number, "passed", ..] => count.passed += number.parse().unwrap_or(0),
                [number, "failed" | "error" | "errors", ..] => count.failed += number.parse().unwrap_or(0),
                _ => {}
            }
        }
        count
    }

    fn add_part(&mut self, part: &str) {
        let mut words = part.split_whitespace();
        let Some(number) = words.next().and_then(|word| word.parse::<u64>().ok()) else { return };
        match words.next() {
            Some("passed") => self.passed += number,
            Some("failed") => self.failed += number,
            _ => {}
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn cargo_is_summed_over_all_its_programs() {
        let output = "running 3 tests\ntest a ... ok\n\
            test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n\
            test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.50s\n";
        assert_eq!(Count::from_cargo(output), Count { passed: 13, failed: 2 });
    }

    #[test]
    fn node_is_read_from_its_closing_lines() {
        let output = "ok 1 - a\n1..4\n# tests 4\n# pass 2\n# fail 1\n# cancelled 1\n# skipped 0\n";
        assert_eq!(Count::from_tap(output), Count { passed: 2, failed: 2 });
    }

    #[test]
    fn pytest_is_read_from_its_closing_line() {
        let output = "..F\nFAILED test_a.py::b - 3 passed in vain\n1 failed, 2 passed, 1 skipped in 31.54s\n";
        assert_eq!(Count::from_pytest(output), Count { passed: 2, failed: 1 });
        assert_eq!(Count::from_pytest("12 passed in 0.10s\n"), Count { passed: 12, failed: 0 });
        assert_eq!(Count::from_pytest("5 errors in 0.89s\n"), Count { passed: 0, failed: 5 });
        assert_eq!(Count::from_pytest("no tests ran in 0.01s\n"), Count::default());
    }

    #[test]
    fn playwright_is_read_from_its_report() {
        let report = json!({"stats": {"expected": 15, "skipped": 4, "unexpected": 2, "flaky": 1}});
        assert_eq!(Count::from_playwright(&report).unwrap(), Count { passed: 15, failed: 3 });
        assert!(Count::from_playwright(&json!({})).is_err());
    }
}
