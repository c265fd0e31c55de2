//! What `--select` and `--ignore` leave of a report.

use std::collections::BTreeMap;

use evalcheck_engine::fix::Selection;
use evalcheck_engine::rules;
use evalcheck_wire::report::{Counts, LossCounts, Severity};

/// The counts of the findings of the selected rules. Counts of lines and records stay those of the whole file.
pub(crate) fn counts(counts: &Counts, selected: &Selection) -> Counts {
    if selected.select.is_empty() && selected.ignore.is_empty() {
        return counts.clone();
    }
    let of = |counts: &BTreeMap<String, u64>| -> BTreeMap<String, u64> {
        counts.iter().filter(|(code, _)| selected.selects(code)).map(|(code, n)| (code.clone(), *n)).collect()
    };
    let by_code = of(&counts.by_code);
    let sum = |severity: Severity| {
        let rules = rules::all().filter(|rule| rule.severity == severity);
        rules.filter_map(|rule| by_code.get(rule.code)).sum()
    };
    Counts {
        errors: sum(Severity::Error),
        warnings: sum(Severity::Warning),
        infos: sum(Severity::Info),
        safe_fixes: of(&counts.safe_fixes),
        unsafe_fixes: of(&counts.unsafe_fixes),
        // It is not counted by rule; each finding has its own.
        loss: LossCounts::default(),
        by_code: by_code.clone(),
        ..counts.clone()
    }
}
