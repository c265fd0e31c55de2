//! Collects the findings, in bounded memory, for the outputs that are written at the end.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;

use evalcheck_render::checked::{CheckedFile, Group, Listed, Unread, fill_up, share_out};
use evalcheck_render::sarif;
use evalcheck_report::{Finding, Report};

use crate::check::Outcome;
use crate::rules::Policy;

/// The most paths of a file that have their own group. The findings of a rule at other paths form one group.
const MOST_GROUPS: usize = 1000;

/// The most findings of a ZIP whose lines are quoted: for each, the ZIP may have to be read from its beginning.
const MOST_OF_ZIP: usize = 200;

/// The files that were checked so far.
#[derive(Default)]
pub(super) struct Collector {
    pub(super) files: Vec<CheckedFile>,
    pub(super) unread: Vec<Unread>,
}

/// Collects the findings of one file.
pub(super) struct FileCollector<'c> {
    collector: &'c mut Collector,
    file: &'c str,
    /// Selects the listed findings.
    policy: &'c Policy,
    findings: Vec<Finding>,
    /// Findings that are in a baseline; `None` if there is no baseline.
    known: Option<Vec<Finding>>,
    /// The number of findings of each rule that are kept.
    kept: BTreeMap<String, usize>,
    groups: BTreeMap<(String, Option<String>), Group>,
}

impl Collector {
    pub(super) fn of_file<'c>(&'c mut self, file: &'c str, policy: &'c Policy) -> FileCollector<'c> {
        let (findings, kept, groups) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        FileCollector { collector: self, file, policy, findings, known: None, kept, groups }
    }

    pub(super) fn add_unread(&mut self, file: &str, why: &str) {
        self.unread.push(Unread { file: file.to_owned(), why: why.to_owned() });
    }
}

impl FileCollector<'_> {
    /// Counts findings, and keeps the first of each rule.
    pub(super) fn add(&mut self, findings: &[Finding]) {
        for finding in findings.iter().filter_map(|finding| self.policy.listed(finding)) {
            let path = finding.path_pattern().filter(|_| self.groups.len() < MOST_GROUPS);
            let group = self.groups.entry((finding.code.clone(), path));
            group.or_insert_with(|| Group { findings: 0, first: finding.as_ref().clone() }).findings += 1;
            let kept = self.kept.entry(finding.code.clone()).or_default();
            if *kept < sarif::MOST {
                *kept += 1;
                self.findings.push(finding.into_owned());
            }
        }
    }

    /// Keeps findings that are in a baseline.
    pub(super) fn known(&mut self, findings: &[Finding]) {
        let listed = findings.iter().filter_map(|finding| self.policy.listed(finding));
        self.known = Some(listed.take(sarif::MOST).map(Cow::into_owned).collect());
    }

    /// Keeps the file, with the excerpts and fingerprints of its findings.
    pub(super) fn end(self, outcome: &mut Outcome) -> io::Result<()> {
        let Outcome { report, counts, dataset, .. } = outcome;
        let listed = |finding| Listed { finding, excerpt: None, fingerprint: 0 };
        let mut file = CheckedFile {
            file: self.file.to_owned(),
            report: Report { findings: Vec::new(), ..report.clone() },
            counts: counts.clone(),
            findings: self.findings.into_iter().map(listed).collect(),
            known: self.known.map(|known| known.into_iter().map(listed).collect()),
            groups: self.groups.into_values().collect(),
        };
        share_out(std::slice::from_mut(&mut file), sarif::MOST);
        let most = if report.file.entry.is_some() { MOST_OF_ZIP } else { usize::MAX };
        fill_up(std::slice::from_mut(&mut file), sarif::MOST);
        let fingerprints = dataset.fingerprints(file.all().map(|listed| &listed.finding))?;
        for (number, (listed, fingerprint)) in file.all_mut().zip(fingerprints).enumerate() {
            listed.excerpt = (number < most).then(|| dataset.excerpt(&listed.finding)).flatten();
            listed.fingerprint = fingerprint;
        }
        self.collector.files.push(file);
        Ok(())
    }
}
