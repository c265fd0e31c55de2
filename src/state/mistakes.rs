//! Findings of several files by rule and path.

use std::collections::BTreeMap;
use std::rc::Rc;

use evalcheck_wire::findings::FindingGroup;
use evalcheck_wire::report::Report;

use super::batch_file::BatchFile;

/// The most groups that a file keeps. The findings of its other groups are counted by their rules.
const MAX_PER_FILE: usize = 100;

/// About the most groups that all files keep. Beyond it, the findings of a file are counted by their rules.
pub(super) const MAX_TOTAL: usize = 50_000;

/// A rule, and the path with `*` for each index; `None` for findings without a path, and where it is not kept.
pub(crate) type MistakeKey = (String, Option<String>);

/// How many findings there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FindingCount {
    /// All of them.
    pub(crate) findings: u64,
    /// Those with a safe fix.
    pub(crate) safe_fixes: u64,
    /// How many more there were in the files as they were opened.
    pub(crate) fixed: u64,
}

impl FindingCount {
    fn add(&mut self, other: Self) {
        self.findings += other.findings;
        self.safe_fixes += other.safe_fixes;
        self.fixed += other.fixed;
    }
}

/// The findings of one file by rule and path.
pub(crate) type FileMistakes = BTreeMap<MistakeKey, FindingCount>;

/// The findings of one rule, at paths that differ in indices only, in all files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// The rule and the path.
    pub(crate) key: MistakeKey,
    /// All findings.
    pub(crate) count: FindingCount,
    /// The files that have such findings, by their indices, in the order in which they were opened.
    pub(crate) files: Vec<(usize, FindingCount)>,
}

/// The findings of a report by rule.
pub(super) fn by_rule(report: &Report) -> FileMistakes {
    let counts = &report.counts;
    let safe_fixes = |code: &String| counts.safe_fixes.get(code).copied().unwrap_or(0);
    let of_rule = |(code, findings): (&String, &u64)| {
        let count = FindingCount { findings: *findings, safe_fixes: safe_fixes(code), fixed: 0 };
        ((code.clone(), None), count)
    };
    counts.by_code.iter().map(of_rule).collect()
}

/// The findings of a file by rule and path, of groups that begin with those of most findings.
pub(super) fn by_path(groups: Vec<FindingGroup>) -> FileMistakes {
    let mut mistakes = FileMistakes::new();
    for (number, group) in groups.into_iter().enumerate() {
        let FindingGroup { code, path, findings, safe_fixes, .. } = group;
        let path = path.filter(|_| number < MAX_PER_FILE);
        mistakes.entry((code, path)).or_default().add(FindingCount { findings, safe_fixes, fixed: 0 });
    }
    mistakes
}

/// The findings of a file, and those that were fixed.
fn counts_of(file: &BatchFile) -> Vec<(&MistakeKey, FindingCount)> {
    let (now, opened) = (&*file.mistakes, &*file.opened_mistakes);
    let fixed = |key, findings| opened.get(key).map_or(0, |before| before.findings.saturating_sub(findings));
    let left =
        now.iter().map(|(key, count)| (key, FindingCount { fixed: fixed(key, count.findings), ..*count }));
    let gone = opened.iter().filter(|(key, _)| !now.contains_key(key));
    let gone =
        gone.map(|(key, count)| (key, FindingCount { fixed: count.findings, ..FindingCount::default() }));
    left.chain(gone).collect()
}

/// The findings of all files, those in most files first.
pub(super) fn of_all(files: &[Rc<BatchFile>]) -> Vec<Mistake> {
    let mut all: BTreeMap<&MistakeKey, Mistake> = BTreeMap::new();
    for (index, file) in files.iter().enumerate() {
        for (key, count) in counts_of(file) {
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
    // What was fixed everywhere is last.
    let rank = |mistake: &Mistake| {
        let FindingCount { findings, fixed, .. } = mistake.count;
        (findings > 0, mistake.files.len(), findings + fixed)
    };
    mistakes.sort_unstable_by(|a, b| rank(b).cmp(&rank(a)).then_with(|| a.key.cmp(&b.key)));
    mistakes
}
