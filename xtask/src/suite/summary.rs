//! The results of a run: the table at its end, and `target/suite.json`.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use super::count::Count;
use crate::process::seconds;

/// The number of slowest browser tests that are shown.
const SLOWEST: usize = 10;

/// The result of a step.
pub(super) struct Ran {
    pub(super) name: &'static str,
    pub(super) time: Duration,
    /// The part of the time in which cargo compiled, or waited to.
    pub(super) compiling: Duration,
    pub(super) tests: Count,
    pub(super) passed: bool,
    pub(super) skipped: bool,
    /// Its tests with their durations, if it knows them.
    pub(super) tests_by_time: Vec<TimedTest>,
}

/// A test and its duration.
pub(super) struct TimedTest {
    pub(super) name: String,
    pub(super) time: Duration,
}

/// The results of a run.
#[derive(Default)]
pub(super) struct Summary {
    pub(super) steps: Vec<Ran>,
}

impl Summary {
    /// Whether a step has run.
    pub(super) fn has(&self, name: &str) -> bool {
        self.steps.iter().any(|step| step.name == name)
    }

    /// The tests of all steps; a step that fails without naming a test counts as one that fails.
    pub(super) fn tests(&self) -> Count {
        let mut sum = Count::default();
        for step in &self.steps {
            let failed = if step.passed { step.tests.failed } else { step.tests.failed.max(1) };
            sum.add(Count { failed, ..step.tests });
        }
        sum
    }

    /// The names of the steps that satisfy a condition.
    pub(super) fn names(&self, is: fn(&Ran) -> bool) -> Vec<&'static str> {
        self.steps.iter().filter(|step| is(step)).map(|step| step.name).collect()
    }

    /// The steps by time, then the slowest tests of the browser.
    pub(super) fn table(&self) -> String {
        let mut text = format!("{:<14} {:>8} {:>10} {:>7}\n", "step", "seconds", "compiling", "tests");
        let mut by_time: Vec<_> = self.steps.iter().collect();
        by_time.sort_by_key(|step| std::cmp::Reverse(step.time));
        let mut row = |name: &str, time: Duration, compiling: Duration, tests: u64| {
            let (time, compiling) = (time.as_secs_f64(), compiling.as_secs_f64());
            // Writing to a string does not fail.
            let _ = writeln!(text, "{name:<14} {time:>8.1} {compiling:>10.1} {tests:>7}");
        };
        for step in &by_time {
            row(step.name, step.time, step.compiling, step.tests.all());
        }
        let sum = |of: fn(&Ran) -> Duration| self.steps.iter().map(of).sum();
        // More than the whole run takes, if steps run in parallel.
        row("sum", sum(|step| step.time), sum(|step| step.compiling), self.tests().all());
        let mut tests: Vec<_> = self.steps.iter().flat_map(|step| &step.tests_by_time).collect();
        tests.sort_by_key(|test| std::cmp::Reverse(test.time));
        for test in tests.iter().take(SLOWEST) {
            let _ = writeln!(text, "{:>8}  {}", seconds(test.time), test.name);
        }
        text
    }

    pub(super) fn to_json(&self, suite: &str, time: Duration, dependencies: &str) -> Value {
        let steps = self.steps.iter().map(|step| {
            json!({
                "step": step.name,
                "seconds": step.time.as_secs_f64(),
                "compiling": step.compiling.as_secs_f64(),
                "passed": step.tests.passed,
                "failed": step.tests.failed,
                "ok": step.passed,
                "skipped": step.skipped,
                "tests": step.tests_by_time.iter().map(|test| json!({
                    "name": test.name, "seconds": test.time.as_secs_f64(),
                })).collect::<Vec<_>>(),
            })
        });
        json!({
            "suite": suite,
            "seconds": time.as_secs_f64(),
            "dependencies": dependencies,
            "steps": steps.collect::<Vec<_>>(),
        })
    }
}

/// The tests in Playwright's JSON report with their times.
pub(super) fn of_playwright(report: &Value) -> Vec<TimedTest> {
    let mut found = Vec::new();
    let mut open = vec![report];
    while let Some(suite) = open.pop() {
        open.extend(suite["suites"].as_array().into_iter().flatten());
        for spec in suite["specs"].as_array().into_iter().flatten() {
            let results =
                spec["tests"].as_array().into_iter().flatten().filter_map(|test| test["results"].as_array());
            let times = results.flatten().filter_map(|result| result["duration"].as_u64());
            let text = |key: &str| spec[key].as_str().unwrap_or_default();
            let name = format!("{}: {}", text("file"), text("title"));
            found.push(TimedTest { name, time: Duration::from_millis(times.sum()) });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(name: &'static str, seconds: u64, passed: bool, tests: Count) -> Ran {
        let (time, compiling) = (Duration::from_secs(seconds), Duration::ZERO);
        Ran { name, time, compiling, tests, passed, skipped: false, tests_by_time: Vec::new() }
    }

    #[test]
    fn a_step_that_fails_without_a_test_counts_as_one_failure() {
        let of = |tests| Summary { steps: vec![ran("a", 1, false, tests)] }.tests().to_string();
        assert_eq!(of(Count::default()), "0 passed, 1 failed");
        assert_eq!(of(Count { passed: 5, failed: 3 }), "5 passed, 3 failed");
    }

    #[test]
    fn the_slowest_comes_first() {
        let report = serde_json::from_str::<Value>(
            r#"{"suites": [{"suites": [{"specs": [{"file": "a.ts", "title": "slow", "tests": [{"results": [{"duration": 1500}]}]}]}],
                "specs": [{"file": "a.ts", "title": "fast", "tests": [{"results": [{"duration": 20}]}]}]}]}"#,
        );
        let tests_by_time = of_playwright(&report.unwrap());
        let one = Ran { tests_by_time, ..ran("browser", 9, true, Count { passed: 2, failed: 0 }) };
        let table = Summary { steps: vec![ran("fmt", 3, true, Count::default()), one] }.table();
        let begins: Vec<_> = table.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(begins, ["step", "browser", "fmt", "sum", "1.5", "0.0"], "{table}");
        assert!(table.contains("a.ts: slow"), "{table}");
    }
}
