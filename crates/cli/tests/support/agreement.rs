//! The outputs for one dataset agree: on the number of records, and on the state of each.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::purpose::Purpose;
use evalcheck_engine::search::{LateFindings, Search, short_names};
use evalcheck_render::overview::sections::{Content, Section, sections};
use evalcheck_render::sarif;
use evalcheck_report::overview::Overview;
use evalcheck_report::view::{Hit, Loaded};
use evalcheck_report::{Finding, Loss, Report, Severity};
use evalcheck_wire::query::Query;
use serde_json::Value;

use super::cases::Case;

/// The outputs for a dataset that was checked to its end.
pub(crate) struct Told<'t> {
    pub(crate) report: &'t Report,
    pub(crate) overview: &'t Overview,
    /// The line of each loaded record, and its state.
    pub(crate) loaded: Vec<(u64, &'static str)>,
    /// The records that a query finds.
    pub(crate) find: &'t dyn Fn(&str) -> Vec<Hit>,
}

/// The name of the state of a loaded record.
pub(crate) const fn state(loaded: &Loaded) -> &'static str {
    match loaded {
        Loaded::Held(_) => "held",
        Loaded::Dropped => "dropped",
        Loaded::Refused => "refused",
    }
}

/// The contradictions between the outputs for these bytes, checked with the options of a case. Empty if they cannot be checked.
pub(crate) fn contradictions_of(case: &Case, bytes: &[u8]) -> Vec<String> {
    let read = |purpose: &mut Purpose<Cursor<Vec<u8>>>, query: Option<&str>| {
        let info = FileInfo { name: case.file_name.clone(), size: bytes.len() as u64 };
        let options = purpose.options(case.options.clone());
        let mut check = Check::open(&mut Cursor::new(bytes), info, options);
        purpose.prepare(&mut check);
        if let Some(query) = query {
            let query = Query::parse(query, &short_names()).unwrap();
            let format = check.dataset().format;
            let mut search = Search::new(&query, format, |_, _| Err("none".to_owned())).unwrap().keep_hits();
            if check.needs_late_findings(&query) {
                let info = check.file().clone();
                let mut first =
                    Check::open(&mut Cursor::new(bytes), info, purpose.options(case.options.clone()));
                first.observe(LateFindings::default());
                first.read_all(bytes, 1 << 16);
                search.note_late(first.take_observer().unwrap());
            }
            check.observe(search);
        }
        check.read_all(bytes, 1 << 16);
        check
    };
    let report = read(&mut Purpose::overview(), None).report();
    let Some(overview) = report.overview.as_ref().filter(|_| is_comparable(&report)) else {
        return Vec::new();
    };
    let mut purpose = Purpose::loaded();
    let mut check = read(&mut purpose, None);
    let records = purpose.take_loaded(&mut check).into_iter();
    let loaded = records.map(|record| {
        let is_replaced = purpose.is_replaced(&check, record.value);
        (record.line, if is_replaced { "dropped" } else { state(&record.loaded) })
    });
    let loaded = loaded.collect();
    let find = |query: &str| {
        read(&mut Purpose::search(), Some(query)).observer_mut().map(Search::take_hits).unwrap_or_default()
    };
    contradictions(&Told { report: &report, overview, loaded, find: &find })
}

/// Returns true for a dataset that was checked to its end.
pub(crate) fn is_comparable(report: &Report) -> bool {
    report.checked && !report.format.id.is_empty()
}

/// The contradictions between the outputs.
pub(crate) fn contradictions(told: &Told<'_>) -> Vec<String> {
    let mut differing = Vec::new();
    records(told, &mut differing);
    fates(told, &mut differing);
    statistics(told, &mut differing);
    queries(told, &mut differing);
    differing
}

/// A search finds the records that the report counts.
fn records(Told { report, find, .. }: &Told<'_>, differing: &mut Vec<String>) {
    let counts = &report.counts;
    let found = |query: &str| find(query).iter().map(|hit| hit.record).collect::<Vec<u64>>();
    let (all, valid, invalid) = (found(""), found("is:valid"), found("is:invalid"));
    if all != (0..counts.records).collect::<Vec<_>>() {
        differing.push(format!("{} records are found of {}", all.len(), counts.records));
    }
    let numbers = (valid.len() as u64, invalid.len() as u64);
    if numbers != (counts.valid, counts.invalid) {
        differing.push(format!("valid and invalid: {numbers:?} of {:?}", (counts.valid, counts.invalid)));
    }
    if valid.iter().any(|record| invalid.contains(record)) {
        differing.push("a record is found as valid and as invalid".to_owned());
    }
    if report.truncated {
        return;
    }
    for code in counts.by_code.keys() {
        let of_code = report.findings.iter().filter(|finding| finding.code == *code);
        let expected: BTreeSet<u64> = of_code.filter_map(|finding| finding.record).collect();
        let found: BTreeSet<u64> = found(&format!("rule:{code}")).into_iter().collect();
        if found != expected {
            differing.push(format!("rule:{code} finds {found:?}, the report has it in {expected:?}"));
        }
    }
}

/// Each record is loaded once, and according to its findings.
fn fates(Told { report, loaded, find, .. }: &Told<'_>, differing: &mut Vec<String>) {
    let all = find("");
    if loaded.len() as u64 != report.counts.records {
        differing.push(format!("{} records are loaded of {}", loaded.len(), report.counts.records));
        return;
    }
    let invalid: BTreeSet<u64> = find("is:invalid").iter().map(|hit| hit.record).collect();
    let of = |of: &dyn Fn(&Finding) -> bool| -> BTreeSet<u64> {
        report.findings.iter().filter(|finding| of(finding)).filter_map(|finding| finding.record).collect()
    };
    let lost = of(&|finding| finding.loss == Some(Loss::Line));
    // The system knows nothing of the user's own schema.
    let is_of_schema = |finding: &Finding| finding.code.starts_with("schema/");
    let wrong = of(&|finding| finding.severity == Severity::Error && !is_of_schema(finding));
    let of_schema = of(&is_of_schema);
    // A value that a later one replaces is reported at its key.
    let is_replaced = report.counts.by_code.contains_key("document/duplicate-key");
    // The system refuses the dataset because of a column.
    let is_refused = !report.valid && loaded.iter().all(|(_, state)| *state == "refused");
    for (hit, (line, state)) in all.iter().zip(loaded) {
        let record = hit.record;
        if hit.line != *line {
            differing
                .push(format!("record {record} is found on line {}, and loaded on line {line}", hit.line));
        }
        let is_right = match *state {
            "held" => !wrong.contains(&record) && (!invalid.contains(&record) || of_schema.contains(&record)),
            "dropped" => {
                invalid.contains(&record) || lost.contains(&record) || report.truncated || is_replaced
            }
            _ => invalid.contains(&record) || is_refused,
        };
        if !is_right {
            differing.push(format!("record {record} is {state}, invalid: {}", invalid.contains(&record)));
        }
    }
}

/// The statistics count the same records.
fn statistics(Told { report, overview, loaded, .. }: &Told<'_>, differing: &mut Vec<String>) {
    let counts = &report.counts;
    let numbers = (overview.records, overview.valid, overview.invalid);
    if numbers != (counts.records, counts.valid, counts.invalid) {
        differing.push(format!("the statistics count {numbers:?}"));
    }
    if let Some(facts) = &overview.loaded {
        let of = |state: &str| loaded.iter().filter(|(_, of)| *of == state).count() as u64;
        let (told, expected) = (
            (facts.same + facts.different, facts.dropped, facts.refused),
            (of("held"), of("dropped"), of("refused")),
        );
        if told != expected {
            differing.push(format!("held, dropped and refused: {told:?} of {expected:?}"));
        }
    }
}

/// A row or a cell of the statistics has a query that finds its records.
fn queries(Told { report, overview, find, .. }: &Told<'_>, differing: &mut Vec<String>) {
    // Of a record with errors the statistics count what can be read, and a query may find more or less. Of several values at a key of a
    // record, a search sees the last one, and the statistics count all.
    if overview.invalid > 0 || report.counts.by_code.keys().any(|code| code.ends_with("duplicate-key")) {
        return;
    }
    for Section { heading, content, .. } in sections(overview) {
        let queries: Vec<(String, Option<u64>)> = match content {
            Content::Bars { rows, .. } => {
                rows.into_iter().filter_map(|row| Some((row.query?, Some(row.count)))).collect()
            }
            Content::Table { rows, .. } => {
                rows.into_iter().flatten().filter_map(|cell| Some((cell.query?, None))).collect()
            }
        };
        // A search sees the text of a cell, and no list.
        let is_row = report.file.name.rsplit('.').next() == Some("csv");
        for (query, count) in queries.into_iter().filter(|(query, _)| !(is_row && query.contains('*'))) {
            let found = find(&query).len() as u64;
            let is_right = match count {
                Some(count) if !query.contains('*') => found == count,
                // A record can have several of the values in a list.
                Some(count) => found <= count && (found > 0) == (count > 0),
                None => found > 0,
            };
            if !is_right {
                differing.push(format!("{heading}: {query} finds {found}, the statistics count {count:?}"));
            }
        }
    }
}

/// Differences between the outputs of a run and the report, by output.
pub(crate) fn differing_outputs(report: &Report, log: &Value, junit: &str, html: &str) -> Vec<String> {
    let counts = &report.counts;
    let mut differing = Vec::new();
    let mut of_sarif = BTreeMap::<String, u64>::new();
    for result in log["runs"][0]["results"].as_array().unwrap() {
        *of_sarif.entry(result["ruleId"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    let mut listed = BTreeMap::<String, u64>::new();
    for finding in &report.findings {
        *listed.entry(finding.code.clone()).or_default() += 1;
    }
    if !report.truncated && report.findings.len() <= sarif::MOST && of_sarif != listed {
        differing.push(format!("SARIF has {of_sarif:?}, the report {listed:?}"));
    }
    let cases: BTreeSet<&str> =
        junit.split("<testcase ").skip(1).filter_map(|case| case.split('"').nth(3)).collect();
    let codes = counts.by_code.keys().map(String::as_str).chain(["verdict"]).collect::<BTreeSet<_>>();
    if cases != codes {
        differing.push(format!("JUnit has the cases {cases:?}, the report {codes:?}"));
    }
    let has_failures = !junit.contains("failures=\"0\"");
    if has_failures == report.valid {
        differing.push(format!("JUnit fails: {has_failures}, the dataset is valid: {}", report.valid));
    }
    for (name, number) in [
        ("Records", counts.records),
        ("Valid", counts.valid),
        ("Invalid", counts.invalid),
        ("Errors", counts.errors),
        ("Warnings", counts.warnings),
        ("Notes", counts.infos),
    ] {
        if !html.contains(&format!("<th scope=\"row\">{name}</th><td>{number}</td>")) {
            differing.push(format!("HTML does not have {name}: {number}"));
        }
    }
    differing
}

/// The number of ways to spoil a dataset.
pub(crate) const SPOILED: usize = 10;

/// The bytes of a dataset, spoiled in one of these ways.
pub(crate) fn spoiled(bytes: &[u8], way: usize) -> Vec<u8> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let middle = lines.len() / 2;
    let with = |at: usize, line: &[u8]| [&lines[..at].concat()[..], line, &lines[at..].concat()].concat();
    let half = |line: &[u8]| line[..line.len() / 2].to_vec();
    match way {
        // Truncated.
        0 => bytes[..bytes.len() - bytes.len().min(3)].to_vec(),
        // Without its first line.
        1 => lines.get(1..).unwrap_or_default().concat(),
        2 => [&b"\xef\xbb\xbf"[..], bytes].concat(),
        // Concatenated files.
        3 => [bytes, b"\n", bytes].concat(),
        4 => with(middle, lines.first().copied().unwrap_or_default()),
        // A truncated line, with its line break and without.
        5 => with(middle, &[half(lines.last().copied().unwrap_or_default()), b"\n".to_vec()].concat()),
        6 => with(middle, &half(lines.last().copied().unwrap_or_default())),
        // An array around all lines.
        7 => [&b"[\n"[..], bytes, b"]\n"].concat(),
        // Records that span several lines.
        8 => {
            let text =
                bytes.iter().flat_map(|byte| if *byte == b',' { vec![b',', b'\n'] } else { vec![*byte] });
            text.collect()
        }
        _ => with(middle, b"\xff\xfe\n{\"a\":\n\n"),
    }
}
