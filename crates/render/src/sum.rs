//! The last line of text output: the findings in all files, and how many of them can be fixed.

use evalcheck_report::Report;
use evalcheck_report::text::{count, listed};

/// Sums over files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    files: u64,
    /// Files with at least one finding.
    found_in: u64,
    errors: u64,
    warnings: u64,
    infos: u64,
    /// Findings with a safe fix.
    safe: u64,
    /// Findings with an unsafe fix.
    not_safe: u64,
    /// Files that were not checked to their end.
    not_checked: u64,
    /// Files that fit several systems alike.
    undecided: u64,
    /// Files of folders that are not datasets.
    skipped: u64,
}

impl Sum {
    /// Adds the report of a file.
    pub fn add(&mut self, report: &Report) {
        let counts = &report.counts;
        self.files += 1;
        self.found_in += u64::from(counts.errors + counts.warnings + counts.infos > 0);
        self.errors += counts.errors;
        self.warnings += counts.warnings;
        self.infos += counts.infos;
        self.safe += counts.safe_fixes.values().sum::<u64>();
        self.not_safe += counts.unsafe_fixes.values().sum::<u64>();
        self.not_checked += u64::from(!report.checked);
    }

    /// Adds a file that fits several systems alike.
    pub fn add_undecided(&mut self) {
        self.undecided += 1;
    }

    /// Adds files of folders that were skipped, because they are not datasets.
    pub fn add_skipped(&mut self, files: u64) {
        self.skipped += files;
    }

    /// Adds a file that has no report.
    pub fn add_not_checked(&mut self) {
        self.files += 1;
        self.not_checked += 1;
    }

    /// The sentences; `None` if the verdict on the only file is sufficient.
    ///
    /// ```
    /// use evalcheck_render::sum::Sum;
    ///
    /// let mut sum = Sum::default();
    /// sum.add_not_checked();
    /// assert_eq!(sum.text(), None);
    /// sum.add_not_checked();
    /// assert_eq!(sum.text().unwrap(), "Found no errors in 2 files. 2 files were not checked to their end.");
    /// ```
    pub fn text(&self) -> Option<String> {
        let found = self.errors + self.warnings + self.infos;
        if self.files + self.undecided <= 1 && found == 0 && self.skipped == 0 {
            return None;
        }
        let undecided = match self.undecided {
            0 => String::new(),
            1 => " 1 file fits several formats.".to_owned(),
            files => format!(" {files} files fit several formats."),
        };
        let kinds = [(self.errors, "error"), (self.warnings, "warning"), (self.infos, "info")];
        let kinds: Vec<String> =
            kinds.into_iter().filter(|(n, _)| *n > 0).map(|(n, noun)| count(n, noun)).collect();
        let kinds = if kinds.is_empty() { "no errors".to_owned() } else { listed(&kinds) };
        let files = match (self.files, self.found_in) {
            (0 | 1, _) => String::new(),
            (files, 0) => format!(" in {files} files"),
            (files, found_in) => format!(" in {found_in} of {files} files"),
        };
        let fixable = match (self.safe, self.not_safe) {
            (0, 0) => String::new(),
            (safe, 0) => format!(" {} fixable with `evalcheck fix`.", are(safe)),
            (0, not_safe) => format!(" {} fixable with `evalcheck fix --unsafe`.", are(not_safe)),
            (safe, not_safe) => format!(
                " {} fixable with `evalcheck fix`, {not_safe} more with `evalcheck fix --unsafe`.",
                are(safe)
            ),
        };
        let not_checked = match self.not_checked {
            0 => String::new(),
            1 => " 1 file was not checked to its end.".to_owned(),
            files => format!(" {files} files were not checked to their end."),
        };
        let skipped = if self.skipped == 0 { String::new() } else { format!(" {}", skipped(self.skipped)) };
        let found = if self.files == 0 && self.undecided > 0 {
            String::new()
        } else {
            format!("Found {kinds}{files}.{fixable}")
        };
        let sentences = format!("{found}{not_checked}{undecided}{skipped}");
        Some(sentences.trim_start().to_owned())
    }
}

/// The number of files of folders that were skipped, as a sentence; there is at least one.
///
/// ```
/// assert_eq!(evalcheck_render::sum::skipped(1), "Skipped 1 file that is no dataset; --skipped names it.");
/// ```
pub fn skipped(files: u64) -> String {
    let (are, them) = if files == 1 { ("is no dataset", "it") } else { ("are no datasets", "them") };
    format!("Skipped {} that {are}; --skipped names {them}.", count(files, "file"))
}

/// `1 is`, `2 are`.
fn are(n: u64) -> String {
    if n == 1 { "1 is".to_owned() } else { format!("{n} are") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(
        files: u64,
        found_in: u64,
        errors: u64,
        warnings: u64,
        safe: u64,
        not_safe: u64,
    ) -> Option<String> {
        Sum { files, found_in, errors, warnings, safe, not_safe, ..Sum::default() }.text()
    }

    #[test]
    fn a_file_without_findings_needs_no_sum() {
        assert_eq!(sum(1, 0, 0, 0, 0, 0), None);
        assert_eq!(sum(3, 0, 0, 0, 0, 0).unwrap(), "Found no errors in 3 files.");
    }

    #[test]
    fn findings_and_fixes_are_counted() {
        assert_eq!(sum(1, 1, 6, 0, 4, 0).unwrap(), "Found 6 errors. 4 are fixable with `evalcheck fix`.");
        assert_eq!(
            sum(9, 2, 1, 3, 1, 2).unwrap(),
            "Found 1 error and 3 warnings in 2 of 9 files. 1 is fixable with `evalcheck fix`, \
            2 more with `evalcheck fix --unsafe`."
        );
        assert_eq!(
            sum(1, 1, 0, 1, 0, 1).unwrap(),
            "Found 1 warning. 1 is fixable with `evalcheck fix --unsafe`."
        );
    }
}
