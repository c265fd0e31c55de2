//! The progress of reading a file, on a terminal, if it takes longer than a second.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use evalcheck_report::text::{count, one_line};
use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The time before which nothing is shown.
const AFTER: Duration = Duration::from_secs(1);

/// The most characters of a file's name.
const NAME: usize = 40;

/// Shows bytes, speed, and the number of findings so far; on standard error, and only if that is a terminal.
pub(crate) struct Progress {
    started: Instant,
    after: Duration,
    /// False if nothing may be shown.
    is_wanted: bool,
    is_ended: bool,
    bar: Option<ProgressBar>,
    findings: u64,
}

impl Default for Progress {
    /// Shows nothing.
    fn default() -> Self {
        Self::wanted(false)
    }
}

impl Progress {
    fn wanted(is_wanted: bool) -> Self {
        Self { started: Instant::now(), after: AFTER, is_wanted, is_ended: false, bar: None, findings: 0 }
    }

    /// Shows the progress of reading, if standard error is a terminal.
    pub(crate) fn on_terminal() -> Self {
        Self::wanted(io::stderr().is_terminal())
    }

    /// The progress of another file, shown under the same condition.
    pub(crate) fn again(&self) -> Self {
        Self::wanted(self.is_wanted)
    }

    /// Sets the number of bytes read.
    pub(crate) fn at(&mut self, file: &str, bytes: u64, of: u64) {
        if !self.is_wanted || self.is_ended || (self.bar.is_none() && self.started.elapsed() < self.after) {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| bar(file, of, ProgressDrawTarget::stderr()));
        bar.set_position(bytes);
        // The speed over the whole time: the estimate of the crate begins with the bar.
        let speed = u128::from(bytes) * 1000 / self.started.elapsed().as_millis().max(1);
        let mut message = format!("{}/s", HumanBytes(u64::try_from(speed).unwrap_or(u64::MAX)));
        if self.findings > 0 {
            message += "  ";
            message += &count(self.findings, "finding");
        }
        bar.set_message(message);
    }

    /// Sets the number of findings so far.
    pub(crate) const fn note_findings(&mut self, findings: u64) {
        self.findings = findings;
    }

    /// Removes the bar, and shows nothing more.
    pub(crate) fn end(&mut self) {
        self.is_ended = true;
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Makes room for an output during the reading: if that goes to a terminal too, nothing more is shown.
    pub(crate) fn before_output(&mut self) {
        if self.is_wanted && !self.is_ended && io::stdout().is_terminal() {
            self.end();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

fn bar(file: &str, of: u64, target: ProgressDrawTarget) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {bar:24} {bytes} of {total_bytes}, {msg}");
    let bar = ProgressBar::with_draw_target(Some(of), target);
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.set_prefix(one_line(file).chars().take(NAME).collect::<String>());
    bar
}

#[cfg(test)]
mod tests {
    use indicatif::InMemoryTerm;

    use super::*;

    /// A progress shown on a terminal in memory, after a time.
    fn progress(terminal: &InMemoryTerm, after: Duration) -> Progress {
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let bar = (after == Duration::ZERO).then(|| bar("a\u{1b}[31m.jsonl", 2048, target));
        Progress { started: Instant::now(), after, is_wanted: true, is_ended: false, bar, findings: 0 }
    }

    #[test]
    fn it_says_bytes_speed_and_findings_and_leaves_nothing() {
        let terminal = InMemoryTerm::new(4, 120);
        let mut progress = progress(&terminal, Duration::ZERO);
        progress.note_findings(3);
        progress.at("", 1024, 2048);
        if let Some(bar) = &progress.bar {
            bar.tick();
        }
        let shown = terminal.contents();
        assert!(
            shown.contains("1.00 KiB of 2.00 KiB") && shown.contains("/s") && shown.contains("3 findings"),
            "{shown}"
        );
        assert!(!shown.contains('\u{1b}'), "{shown}");
        progress.end();
        assert_eq!(terminal.contents(), "");
        progress.at("", 2048, 2048);
        assert!(progress.bar.is_none());
    }

    #[test]
    fn what_is_quick_shows_nothing() {
        let mut progress = progress(&InMemoryTerm::new(4, 120), Duration::MAX);
        progress.at("a", 1, 2);
        assert!(progress.bar.is_none());
    }
}
