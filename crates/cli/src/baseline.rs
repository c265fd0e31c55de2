//! Known findings: `--baseline` lists only new ones.
//!
//! A baseline has the fingerprints of the findings for each file and rule. They are made of the rule, the path without indices, and the
//! content of the record: inserting or moving records, or changing their ids, keeps them. For a rule with more than [`MOST`] findings in
//! a file it has their number.

use std::collections::HashMap;
use std::collections::btree_map::{BTreeMap, Entry};
use std::io;
use std::path::{Path, PathBuf};

use evalcheck_report::text::count;
use evalcheck_report::{Applicability, Counts, Finding, Loss, LossCounts, Severity};
use serde::{Deserialize, Serialize};

use crate::check::Outcome;
use crate::listing::Listing;
use crate::new_file;
use crate::paths::located;
use crate::rules::Policy;
use crate::texts;

/// Name and version of the format of a baseline.
const VERSION: &str = "evalcheck/1";

/// The most findings of a rule in a file that are stored one by one. If there are more, only their number is stored.
const MOST: u64 = 10_000;

/// The longest baseline that is read, in MiB.
const LONGEST: u64 = 128;

/// The baselines of a run.
#[derive(Debug, Default)]
pub(crate) struct Baselines {
    by_path: BTreeMap<PathBuf, Baseline>,
    /// Whether they are written.
    writes: bool,
}

/// A baseline.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Baseline {
    /// [`VERSION`].
    baseline: String,
    /// By path of a dataset, relative to the folder of the baseline if it is in it, and by code of a rule.
    files: BTreeMap<String, BTreeMap<String, Known>>,
}

/// The findings of a rule in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Known {
    /// The fingerprint of each, in order.
    Each(Vec<String>),
    /// The number of findings.
    Number(u64),
}

/// The result of comparing a file with its baseline.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    /// Findings that the baseline contains.
    pub(crate) known: Vec<Finding>,
    /// Remarks for the user, a sentence each.
    pub(crate) remarks: Vec<String>,
}

impl Known {
    fn count(&self) -> u64 {
        match self {
            Self::Each(prints) => prints.len() as u64,
            Self::Number(number) => *number,
        }
    }
}

impl Baselines {
    /// Reads baselines; those to be written need not exist.
    ///
    /// # Errors
    /// The path, and the reason why it cannot be read.
    pub(crate) fn open(
        paths: impl Iterator<Item = PathBuf>,
        writes: bool,
    ) -> Result<Self, (PathBuf, String)> {
        let mut baselines = Self { by_path: BTreeMap::new(), writes };
        for path in paths {
            if let Entry::Vacant(vacant) = baselines.by_path.entry(path) {
                let baseline = read(vacant.key(), writes).map_err(|why| (vacant.key().clone(), why))?;
                vacant.insert(baseline);
            }
        }
        Ok(baselines)
    }

    /// A listing of the findings of a file, with at most as many of each rule as a baseline stores.
    pub(crate) fn listing() -> Listing {
        Listing::new(Some(MOST))
    }

    /// Removes the findings of a baseline from those of a file, or adds them to the baseline if it is written. Only selected rules count;
    /// `found` contains only their findings.
    ///
    /// # Errors
    /// The dataset cannot be read any more.
    pub(crate) fn apply(
        &mut self,
        path: &Path,
        file: &Path,
        mut found: Listing,
        policy: &Policy,
        outcome: &mut Outcome,
    ) -> io::Result<Compared> {
        let Some(baseline) = self.by_path.get_mut(path) else { return Ok(Compared::default()) };
        let rest = std::mem::take(&mut outcome.report.findings);
        rest.iter().filter(|finding| policy.selects(&finding.code)).for_each(|finding| found.add(finding));
        let prints = outcome.dataset.fingerprints(found.kept.iter())?;
        let prints: Vec<String> = prints.into_iter().map(|print| format!("{print:016x}")).collect();
        let of_file = baseline.files.entry(key(path, file)).or_default();
        // A file that could not be checked to its end has unknown findings.
        if self.writes && outcome.report.checked {
            of_file.retain(|code, _| !policy.selects(code));
            of_file.extend(known(&found, &prints));
        }
        let mut of_file = of_file.clone();
        of_file.retain(|code, _| policy.selects(code));
        Ok(compare(of_file, found, &prints, outcome))
    }

    /// Writes the baselines that are to be written.
    ///
    /// # Errors
    /// The path, and the reason why it cannot be written.
    pub(crate) fn write(&mut self) -> Result<(), (PathBuf, io::Error)> {
        for (path, baseline) in self.by_path.iter_mut().filter(|_| self.writes) {
            VERSION.clone_into(&mut baseline.baseline);
            baseline.files.retain(|_, rules| !rules.is_empty());
            let text = serde_json::to_string_pretty(baseline).map_err(io::Error::from);
            text.and_then(|text| new_file::write(path, (text + "\n").as_bytes()))
                .map_err(|error| (path.clone(), error))?;
        }
        Ok(())
    }
}

fn read(path: &Path, may_be_missing: bool) -> Result<Baseline, String> {
    let text = match texts::read_text(path, LONGEST) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound && may_be_missing => {
            return Ok(Baseline::default());
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err("no such baseline: --write-baseline makes it".to_owned());
        }
        Err(error) => return Err(texts::describe(&error)),
    };
    match serde_json::from_str::<Baseline>(&text) {
        Ok(baseline) if baseline.baseline == VERSION => Ok(baseline),
        Ok(baseline) => {
            Err(format!("a baseline of another version, \"{}\": {VERSION} is wanted", baseline.baseline))
        }
        Err(error) => Err(format!("no baseline: {error}")),
    }
}

/// The name of a dataset in a baseline.
fn key(baseline: &Path, file: &Path) -> String {
    let (baseline, located_file) = (located(baseline), located(file));
    let below = baseline.parent().and_then(|folder| located_file.strip_prefix(folder).ok());
    let path = if file.as_os_str() == "-" { file } else { below.unwrap_or(&located_file) };
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}

/// The entries of a baseline for the findings of a file.
fn known(found: &Listing, prints: &[String]) -> BTreeMap<String, Known> {
    let mut all = BTreeMap::new();
    for (finding, print) in found.kept.iter().zip(prints) {
        let number = found.of_rules[&finding.code];
        let new = || if number > MOST { Known::Number(number) } else { Known::Each(Vec::new()) };
        if let Known::Each(prints) = all.entry(finding.code.clone()).or_insert_with(new) {
            prints.push(print.clone());
        }
    }
    for known in all.values_mut() {
        if let Known::Each(prints) = known {
            prints.sort_unstable();
        }
    }
    all
}

/// Keeps in an outcome only the findings that are not in the baseline.
fn compare(
    mut of_file: BTreeMap<String, Known>,
    found: Listing,
    prints: &[String],
    outcome: &mut Outcome,
) -> Compared {
    let mut compared = Compared::default();
    // The number of findings with each fingerprint, all of one rule.
    let mut left: HashMap<&str, u64> = HashMap::new();
    let before = of_file.clone();
    for known in before.values() {
        if let Known::Each(prints) = known {
            for print in prints {
                *left.entry(print).or_default() += 1;
            }
        }
    }
    // The number of new findings by rule, whether listed or not.
    let mut new: BTreeMap<String, u64> = BTreeMap::new();
    for (finding, print) in found.kept.into_iter().zip(prints) {
        let is_known = match before.get(&finding.code) {
            Some(Known::Number(_)) => true,
            Some(Known::Each(_)) => left.get_mut(print.as_str()).is_some_and(|left| {
                let is_left = *left > 0;
                *left = left.saturating_sub(1);
                is_left
            }),
            None => false,
        };
        if is_known {
            compared.known.push(finding);
        } else {
            *new.entry(finding.code.clone()).or_default() += 1;
            outcome.report.findings.push(finding);
        }
    }
    let (mut is_known, mut is_gone) = (0, 0);
    for (code, now) in found.of_rules {
        let before = of_file.remove(&code).map_or(0, |known| known.count());
        let new = new.entry(code.clone()).or_default();
        if now > MOST {
            *new = (*new).max(now.saturating_sub(before));
            if before > 0 && *new > 0 {
                compared.remarks.push(format!(
                    "{} of {code}, {before} in the baseline. Of more than 10,000 only the number is compared, so which are new is not known.",
                    count(now, "finding"),
                ));
            }
        }
        is_known += now - (*new).min(now);
        is_gone += before.saturating_sub(now - (*new).min(now));
    }
    is_gone += of_file.values().map(Known::count).sum::<u64>();
    if is_known > 0 {
        let are = if is_known == 1 { "is" } else { "are" };
        compared
            .remarks
            .push(format!("{} {are} in the baseline and not listed.", count(is_known, "finding")));
    }
    // A query hides findings that still exist.
    if is_gone > 0 && outcome.report.filter.is_none() && outcome.report.checked {
        let are = if is_gone == 1 { "is" } else { "are" };
        compared.remarks.push(format!(
            "{} of the baseline {are} gone. Write it again with --write-baseline.",
            count(is_gone, "finding")
        ));
    }
    outcome.counts = counts(&outcome.counts, &new, &outcome.report.findings, &compared.known);
    compared
}

/// The counts of the new findings; `new` has their number by rule. Counts of lines and records are kept.
fn counts(all: &Counts, new: &BTreeMap<String, u64>, listed: &[Finding], known: &[Finding]) -> Counts {
    let mut counts = Counts { loss: LossCounts::default(), by_code: BTreeMap::new(), ..all.clone() };
    (counts.errors, counts.warnings, counts.infos) = (0, 0, 0);
    for (code, new) in new.iter().filter(|(_, new)| **new > 0) {
        counts.by_code.insert(code.clone(), *new);
        let of_rule = listed.iter().chain(known).find(|finding| finding.code == *code);
        match of_rule.map(|finding| finding.severity) {
            Some(Severity::Error) | None => counts.errors += new,
            Some(Severity::Warning) => counts.warnings += new,
            Some(Severity::Info) => counts.infos += new,
        }
        match of_rule.and_then(|finding| finding.loss) {
            Some(Loss::Line) => counts.loss.lines += new,
            Some(Loss::Value) => counts.loss.values += new,
            Some(Loss::Key) => counts.loss.keys += new,
            None => {}
        }
    }
    for finding in known {
        let fixes = match finding.fix.as_ref().map(|fix| fix.applicability) {
            Some(Applicability::Safe) => &mut counts.safe_fixes,
            Some(Applicability::Unsafe) => &mut counts.unsafe_fixes,
            None => continue,
        };
        if let Some(count) = fixes.get_mut(&finding.code) {
            *count = count.saturating_sub(1);
        }
    }
    for fixes in [&mut counts.safe_fixes, &mut counts.unsafe_fixes] {
        fixes.retain(|code, fixes| *fixes > 0 && new.get(code).is_some_and(|new| *new > 0));
    }
    counts
}
