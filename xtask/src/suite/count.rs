//! Counting tests by what cargo and Playwright write at the end.

use std::fmt;

/// Tests that passed and failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Count {
    /// How many ran.
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

    /// The closing lines of Playwright's list reporter: `  2 failed`, `  15 passed (12.3s)`, and others that mean that
    /// a test did not do what it should.
    pub(crate) fn from_playwright(output: &str) -> Self {
        let mut count = Self::default();
        for line in output.lines().filter(|line| line.starts_with("  ")) {
            count.add_part(line);
        }
        count
    }

    fn add_part(&mut self, part: &str) {
        let mut words = part.split_whitespace();
        let Some(number) = words.next().and_then(|word| word.parse::<u64>().ok()) else { return };
        let rest: Vec<_> = words.collect();
        match rest[..] {
            ["passed"] => self.passed += number,
            ["passed", time] if time.starts_with('(') => self.passed += number,
            ["failed" | "flaky" | "interrupted"] | ["did", "not", "run"] => self.failed += number,
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
    use super::*;

    #[test]
    fn cargo_is_summed_over_all_its_programs() {
        let output = "running 3 tests\ntest a ... ok\n\
            test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n\
            test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.50s\n";
        assert_eq!(Count::from_cargo(output), Count { passed: 13, failed: 2 });
    }

    #[test]
    fn playwright_is_read_from_its_closing_lines() {
        let output = "  ok 1 [chromium] > page.spec.ts:3:1 > 7 passed (2s)\n\n  1 flaky\n  2 failed\n    page.spec.ts:9:1 > x\n\
            \x20 3 did not run\n  4 skipped\n  15 passed (12.3s)\n";
        assert_eq!(Count::from_playwright(output), Count { passed: 15, failed: 6 });
    }
}
