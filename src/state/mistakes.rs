//! Findings of several files, by rule and path.

use std::collections::BTreeMap;

use evalcheck_report::Report;
use evalcheck_report::order::Order as _;
use evalcheck_wire::findings::FindingGroup;

/// The maximum number of groups that a file keeps. The findings of its other groups are counted by rule.
const MAX_PER_FILE: usize = 100;

/// The approximate maximum number of groups that all files keep. Beyond it, the findings of a file are counted by rule.
pub(super) const MAX_TOTAL: usize = 50_000;

/// A rule, and the path with `*` for each index; `None` for findings without a path or whose path is not kept.
pub(crate) type MistakeKey = (String, Option<String>);

/// Numbers of findings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FindingCount {
    /// All findings.
    pub(crate) findings: u64,
    /// Findings with a safe fix.
    pub(crate) safe_fixes: u64,
    /// Findings with a fix that is not safe.
    pub(crate) unsafe_fixes: u64,
    /// Additional findings that the files had when they were opened.
    pub(crate) fixed: u64,
}

impl FindingCount {
    fn add(&mut self, other: Self) {
        self.findings += other.findings;
        self.safe_fixes += other.safe_fixes;
        self.unsafe_fixes += other.unsafe_fixes;
        self.fixed += other.fixed;
    }
}

/// The findings of one file by rule and path.
pub(crate) type FileMistakes = BTreeMap<MistakeKey, FindingCount>;

/// The findings of one rule in all files, at paths that differ only in indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// The rule and the path.
    pub(crate) key: MistakeKey,
    /// All findings.
    pub(crate) count: FindingCount,
    /// The files with such findings, by index, in the order of opening.
    pub(crate) files: Vec<(usize, FindingCount)>,
}

/// The findings of a report by rule.
pub(super) fn by_rule(report: &Report) -> FileMistakes {
    let mut mistakes = FileMistakes::new();
    let counts = &report.counts;
    for (code, findings) in &counts.by_code {
        let [safe_fixes, unsafe_fixes] =
            [&counts.safe_fixes, &counts.unsafe_fixes].map(|fixes| fixes.get(code).copied().unwrap_or(0));
        let count = FindingCount { findings: *findings, safe_fixes, unsafe_fixes, fixed: 0 };
        mistakes.entry((code.clone(), None)).or_default().add(count);
    }
    mistakes
}

/// The findings of a file by rule and path, from its groups, largest first.
pub(super) fn by_path(groups: Vec<FindingGroup>) -> FileMistakes {
    let mut mistakes = FileMistakes::new();
    for (number, group) in groups.into_iter().enumerate() {
        let FindingGroup { code, path, findings, safe_fixes, unsafe_fixes, .. } = group;
        let path = path.filter(|_| number < MAX_PER_FILE);
        let count = FindingCount { findings, safe_fixes, unsafe_fixes, fixed: 0 };
        mistakes.entry((code, path)).or_default().add(count);
    }
    mistakes
}

/// The findings of a file, and the numbers of fixed ones.
fn counts_of<'a>(now: &'a FileMistakes, opened: &'a FileMistakes) -> Vec<(&'a MistakeKey, FindingCount)> {
    let fixed = |key, findings| opened.get(key).map_or(0, |before| before.findings.saturating_sub(findings));
    let left =
        now.iter().map(|(key, count)| (key, FindingCount { fixed: fixed(key, count.findings), ..*count }));
    let gone = opened.iter().filter(|(key, _)| !now.contains_key(key));
    let gone =
        gone.map(|(key, count)| (key, FindingCount { fixed: count.findings, ..FindingCount::default() }));
    left.chain(gone).collect()
}

/// The findings of all files, those in most files first. `files` yields the findings of each file as it is now and as it was opened.
pub(super) fn of_all<'a>(files: impl Iterator<Item = [&'a FileMistakes; 2]>) -> Vec<Mistake> {
    let mut all: BTreeMap<&MistakeKey, Mistake> = BTreeMap::new();
    for (index, [now, opened]) in files.enumerate() {
        for (key, count) in counts_of(now, opened) {
            let mistake = all.entry(key).or_insert_with(|| Mistake {
                key: key.clone(),
                count: FindingCount::default(),
                files: Vec::new(),
            });
            mistake.count.add(count);
            mistake.files.push((index, count));
        }
    }
    let mut mistakes: Vec<Mistake> = all.into_values().collect();
    // Mistakes that are fixed everywhere come last.
    let rank = |mistake: &Mistake| {
        let FindingCount { findings, fixed, .. } = mistake.count;
        (findings > 0, mistake.files.len(), findings + fixed)
    };
    mistakes.order_by(|a, b| rank(b).cmp(&rank(a)).then_with(|| a.key.cmp(&b.key)));
    mistakes
}
