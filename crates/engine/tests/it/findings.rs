//! Every finding can be reached by its number, as the check without a limit lists it.

use std::fmt::Write;
use std::io::Cursor;

use crate::support::cases::{Input, inputs};
use crate::support::suite::rounds;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::findings::FindingFilter;
use evalcheck_engine::search::{FindRegex, Matches, Search, short_names};
use evalcheck_report::{Finding, Severity};
use evalcheck_wire::findings::MapPart;
use evalcheck_wire::query::Query;
use evalcheck_wire::worker::CheckOptions;

fn check(data: &[u8], name: &str, options: CheckOptions, is_indexed: bool) -> Check {
    let file = FileInfo { name: name.to_owned(), size: data.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(data), file, options);
    if is_indexed {
        check.index_findings();
    }
    // An archive is not read from its start to its end.
    let mut source = data;
    while check.read_piece(&mut source, 1 << 16) {}
    check
}

fn indexed(data: &[u8], name: &str) -> Check {
    check(data, name, CheckOptions { max_findings_per_code: Some(2), ..CheckOptions::default() }, true)
}

/// The findings that the check without a limit lists.
fn all(data: &[u8], name: &str) -> Vec<Finding> {
    check(data, name, CheckOptions { all: true, ..CheckOptions::default() }, false).report().findings
}

/// All findings by number, in pages; and the number of summaries.
fn listed(check: &mut Check, data: &[u8], page: u32, filter: &FindingFilter<'_>) -> (Vec<Finding>, u64) {
    let (mut findings, mut summaries) = (Vec::new(), 0);
    loop {
        let from = findings.len() as u64;
        let list = check.view(&mut Cursor::new(data)).findings(from, page, filter);
        if list.findings.is_empty() {
            assert_eq!(list.total, from);
            return (findings, summaries);
        }
        summaries += list.summaries;
        findings.extend(list.findings);
    }
}

#[test]
fn findings_of_a_file_that_is_gone_are_those_of_the_check() {
    let [good, bad] = ["user", "tool"].map(|role| {
        format!(r#"{{"input":{{"messages":[{{"role":"{role}","content":"Hi"}}]}},"usage_output":null}}"#)
    });
    let lines = [&bad[..], &good, &bad, "{}", &bad, &bad].map(|line| format!("{line}\n"));
    let data = lines.concat().into_bytes();
    let expected = all(&data, "a.jsonl");
    let mut check = indexed(&data, "a.jsonl");
    let list = check.view(&mut Cursor::new(&data[..9])).findings(0, 500, &FindingFilter::default());
    assert!(list.is_unreadable);
    let known = |findings: &[Finding]| -> Vec<(Option<u64>, String, String)> {
        let of = |finding: &Finding| (finding.line, finding.code.clone(), finding.message.clone());
        findings.iter().map(of).collect()
    };
    assert_eq!(known(&list.findings), known(&expected));
    assert!(!check.view(&mut Cursor::new(&data)).findings(0, 500, &FindingFilter::default()).is_unreadable);
}

#[test]
fn findings_by_number_are_those_of_the_check_without_a_limit() {
    let mut number = 0;
    for Input { name, path, data, .. } in inputs() {
        let expected = all(&data, &name);
        let mut check = indexed(&data, &name);
        for page in [500, 3] {
            let (findings, summaries) = listed(&mut check, &data, page, &FindingFilter::default());
            for (index, finding) in expected.iter().enumerate() {
                assert_eq!(findings.get(index), Some(finding), "{}, finding {index}", path.display());
            }
            assert_eq!((findings.len(), summaries), (expected.len(), 0), "{}", path.display());
        }
        let groups = check.findings().unwrap().summary(&FindingFilter::default()).groups;
        assert_eq!(groups.iter().map(|group| group.findings).sum::<u64>(), expected.len() as u64);
        number += expected.len();
    }
    assert!(number > 1_000, "{number} findings");
}

/// Whether a query is to keep a finding.
type IsKept<'a> = &'a dyn Fn(&Finding) -> bool;

/// A file of `records` records. Each has a finding of one of three kinds.
fn many(records: usize) -> String {
    let mut data = String::new();
    for n in 0..records {
        match n % 3 {
            0 => {
                write!(data, r#"{{"input":{{"messages":[{{"role":"human","content":"q {n}"}}]}}}}"#).unwrap();
            }
            1 => write!(data, r#"{{"input":{{"messages":[{{"role":"user"}}]}}}}"#).unwrap(),
            _ => write!(data, r#"{{"input":{{"messages":[{{"role":"user","content":{n}}}]}}}}"#).unwrap(),
        }
        data.push('\n');
    }
    data
}

#[test]
fn any_of_many_findings_is_found() {
    let data = many(40_000).into_bytes();
    let expected = all(&data, "a.jsonl");
    assert!(expected.len() > 33_000, "{}", expected.len());
    let mut check = indexed(&data, "a.jsonl");
    let end = expected.len();
    let last = end - 1;
    for from in [0, 1, 511, 512, 27_777, last - 9, last] {
        let found = check.view(&mut Cursor::new(&data)).findings(from as u64, 10, &FindingFilter::default());
        assert_eq!(found.total, expected.len() as u64);
        assert_eq!(found.findings, expected[from..(from + 10).min(end)], "from {from}");
    }
    let groups = check.findings().unwrap().summary(&FindingFilter::default()).groups;
    assert_eq!(groups.iter().map(|group| group.findings).sum::<u64>(), expected.len() as u64);
    for group in &groups {
        // A finding about the file as a whole is in no part of it.
        let located = if group.records > 0 { group.findings } else { 0 };
        assert_eq!(group.strip.iter().sum::<u64>(), located, "{group:?}");
        assert_eq!(expected[usize::try_from(group.first).unwrap()].code, group.code);
        assert_eq!(expected[usize::try_from(group.first).unwrap()].line, group.lines.first().copied());
        assert!(group.lines.is_sorted_by(|one, next| one < next) && group.lines.len() <= 3);
    }
    let briefs: Vec<_> = groups.iter().filter_map(|group| group.brief.as_deref()).collect();
    assert_eq!(briefs, [r#"is "human" (allowed: system, user, assistant)"#]);
    let map = check.findings().unwrap().summary(&FindingFilter::default()).map;
    assert_eq!(map.len(), 512);
    let parts: Vec<MapPart> = map.into_iter().map(Option::unwrap).collect();
    assert!(parts.iter().all(|part| part.severity == Severity::Error));
    let located = expected.iter().filter(|finding| finding.byte_start.is_some()).count();
    assert_eq!(parts.iter().map(|part| part.findings).sum::<u64>(), located as u64);
    for part in parts {
        assert_eq!(expected[usize::try_from(part.first).unwrap()].line, part.line);
    }
    let first_error = expected.iter().position(|finding| finding.severity == Severity::Error);
    assert_eq!(check.findings().unwrap().first_error(), first_error.map(|number| number as u64));
    for line in [1, 2, 20_000, u64::MAX] {
        let at = |finding: &Finding| finding.line >= Some(line);
        let nearest = expected.iter().position(at).unwrap_or(last);
        let found = check.findings().unwrap().nearest(&FindingFilter::default(), line).unwrap();
        assert_eq!(expected[usize::try_from(found).unwrap()].line, expected[nearest].line, "line {line}");
    }
}

#[test]
fn a_filter_keeps_the_findings_that_match() {
    let data = many(3_000).into_bytes();
    let expected = all(&data, "a.jsonl");
    let mut check = indexed(&data, "a.jsonl");
    let code = expected[0].code.clone();
    let is_code = |finding: &Finding| finding.code == code;
    let cases: [(String, IsKept<'_>); 6] = [
        (format!("rule:{code}"), &is_code),
        (format!("-rule:{code}"), &|finding| !is_code(finding)),
        ("line:100..200".to_owned(), &|finding| finding.line.is_some_and(|line| (100..=200).contains(&line))),
        ("record:7".to_owned(), &|finding| finding.record == Some(6)),
        ("severity:warning".to_owned(), &|finding| finding.severity == Severity::Warning),
        ("path:input.messages.*.role".to_owned(), &|finding| {
            finding.path.as_deref() == Some("input.messages.0.role")
        }),
    ];
    for (query, is_kept) in cases {
        let filter = FindingFilter::new(&Query::parse(&query, &[]).unwrap(), None).unwrap();
        let kept: Vec<Finding> = expected.iter().filter(|finding| is_kept(finding)).cloned().collect();
        assert_eq!(listed(&mut check, &data, 500, &filter), (kept, 0), "{query}");
    }
    let query = Query::parse("is:invalid line:1..9", &[]).unwrap();
    assert!(FindingFilter::new(&query, None).is_err(), "records are not known");
    let is_even = |record: u64| record.is_multiple_of(2);
    let filter = FindingFilter::new(&query, Some(&is_even)).unwrap();
    let lines = listed(&mut check, &data, 500, &filter).0.into_iter().filter_map(|finding| finding.line);
    let mut lines: Vec<u64> = lines.collect();
    lines.dedup();
    assert_eq!(lines, [1, 3, 5, 7, 9]);
    assert!(FindingFilter::new(&Query::parse("path:input.messages.0.role", &[]).unwrap(), None).is_err());
}

fn no_regexes(_: &str, _: bool) -> Result<Box<dyn FindRegex>, String> {
    Err("no regular expressions".to_owned())
}

/// The findings that a check lists with a filter, and the records that match.
fn filtered(data: &[u8], name: &str, query: &Query, piece: usize) -> Option<(Vec<Finding>, Matches)> {
    let options = CheckOptions { all: true, ..CheckOptions::default() };
    let file = FileInfo { name: name.to_owned(), size: data.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(data), file, options);
    // A format may not have the key.
    check.observe(Search::of_findings(query, check.dataset().format, no_regexes).ok()?);
    let (mut source, mut findings) = (data, Vec::new());
    let takes = !check.dataset().has_lists();
    while check.read_piece(&mut source, piece) {
        findings.extend(if takes { check.take_findings(1) } else { Vec::new() });
    }
    findings.extend(check.report().findings);
    let matches = check.observer::<Search>().unwrap().matches().clone();
    Some((findings, matches))
}

#[test]
fn a_filtered_check_lists_what_the_filter_of_the_index_keeps() {
    let queries = [
        "",
        "rule:json",
        "-rule:shape severity:error",
        "is:invalid",
        "e -\"user\"",
        "size:>100 line:>1",
        "-is:fixable has:id",
        "path:input.messages.*.role user",
    ];
    let (mut number, one_of) = (0, rounds(3, 1));
    for Input { name, path, data, .. } in inputs().into_iter().step_by(one_of) {
        let mut check = indexed(&data, &name);
        for query in queries {
            let query = Query::parse(query, &short_names()).unwrap();
            let mut about_records = query.clone();
            about_records.terms.retain(|term| !term.what.is_about_findings());
            let Some((_, records)) = filtered(&data, &name, &about_records, 1 << 16) else { continue };
            let is_match = |record| records.contains(record);
            let filter = FindingFilter::new(&query, Some(&is_match)).unwrap();
            let (mut expected, _) = listed(&mut check, &data, 500, &filter);
            number += expected.len();
            for piece in [1 << 16, 61] {
                let (mut findings, _) = filtered(&data, &name, &query, piece).unwrap();
                // Findings that are made at the end come last, if findings are taken before.
                findings.sort_by_key(|finding| finding.line);
                expected.sort_by_key(|finding| finding.line);
                assert_eq!(findings, expected, "{}: {query} in pieces of {piece}", path.display());
            }
        }
    }
    assert!(number > 1_000 / one_of, "{number} findings");
}
