//! Searches find the contents of records, however they are written and however the bytes arrive.

use std::fmt::Write;
use std::io::Cursor;
use std::ops::Range;

use evalcheck_engine::ahead::AheadOfCheck;
use evalcheck_engine::check::known_lines::FoundLines;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::environment::Environment;
use evalcheck_engine::parts::{Part, PartScanner, plan};
use evalcheck_engine::purpose::Purpose;
use evalcheck_engine::search::{FindRegex, Search, short_names};
use evalcheck_report::view::Hit;
use evalcheck_wire::query::Query;
use evalcheck_wire::worker::CheckOptions;
use serde_json::json;

/// A regular expression of the tests: a text, which is enough to show that the driver's is used.
#[derive(Debug)]
struct Text(String);

impl FindRegex for Text {
    fn find(&self, text: &str) -> Option<Range<usize>> {
        text.find(&self.0).map(|at| at..at + self.0.len())
    }

    fn may_be_in(&self, text: &str) -> bool {
        text.contains(&self.0)
    }
}

fn regexes(pattern: &str, _ignores_case: bool) -> Result<Box<dyn FindRegex>, String> {
    if pattern.contains('(') { Err("no groups".to_owned()) } else { Ok(Box::new(Text(pattern.to_owned()))) }
}

/// The records that a query finds in data, which are read in pieces of `piece` bytes, by themselves or ahead: in parts of `ahead` bytes.
fn hits(data: &[u8], name: &str, format: &str, query: &str, piece: usize, ahead: Option<u64>) -> Vec<Hit> {
    let query = Query::parse(query, &short_names()).unwrap();
    let mut purpose = Purpose::<Cursor<Vec<u8>>>::search();
    let options = CheckOptions { format: Some(format.to_owned()), ..CheckOptions::default() };
    let file = FileInfo { name: name.to_owned(), size: data.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(data), file, purpose.options(options));
    check.observe(Search::new(&query, check.dataset().format, regexes).unwrap().keep_hits());
    let (mut found, mut source) = (Vec::new(), data);
    let ahead = ahead.map(|range| parts(&check, data, range)).unwrap_or_default();
    let mut known = AheadOfCheck::new(ahead.into_iter(), 1);
    while known.read_piece(&mut check, &mut source, piece) {
        purpose.take(&mut check);
        found.extend(check.observer_mut().map(Search::take_hits).unwrap());
    }
    found.extend(check.observer_mut().map(Search::take_hits).unwrap());
    found
}

/// The lines of a dataset that a search may pass over, found in ranges of `range` bytes.
fn parts(check: &Check, data: &[u8], range: u64) -> Vec<FoundLines> {
    let plan = plan(check, "", None, &CheckOptions::default(), range);
    let environment = Environment { regexes, ..Environment::default() };
    let part = |range: &(u64, u64)| {
        let mut scanner = PartScanner::in_environment(&environment, &plan.dataset, *range, 1).unwrap();
        while scanner.read_piece(&mut &*data, 1 << 16).unwrap() {}
        scanner.finish()
    };
    Part::whole(plan.ranges.iter().map(part).collect()).unwrap().into_found().collect()
}

#[track_caller]
fn expect(data: &str, name: &str, format: &str, query: &str, lines: &[u64]) {
    let whole = hits(data.as_bytes(), name, format, query, 1 << 16, None);
    assert_eq!(whole.iter().map(|hit| hit.line).collect::<Vec<_>>(), lines, "{query}");
    for piece in [1, 7, 1 << 16] {
        for ahead in [None, Some(10), Some(100), Some(1 << 16)] {
            let found = hits(data.as_bytes(), name, format, query, piece, ahead);
            assert_eq!(found, whole, "{query} in pieces of {piece}, ahead: {ahead:?}");
        }
    }
}

const CONVERSATIONS: &str = r#"{"input":{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Where is Paris?"}]},"usage_output":"In France."}
{"input":{"messages":[{"role":"user","content":"Gr\u00fc\u00dfe aus \u6771\u4eac"},{"role":"assistant","content":"I cannot."}]}}
{"input":{"messages":[{"role":"human","content":"I cannot see \"Paris\""}]}}
{"input":{"messages":[{"role":"user","content":[{"type":"text","text":"C:\\new"}]}]},"usage_output":null}

{"input":{"messages":[{"role":"user","content":"paris
}
"#;

#[test]
fn records_with_a_safe_fix_are_fixable() {
    let turn = |role: &str| format!(r#"{{"role":"{role}","content":"Hi"}}"#);
    let record = |role: &str, end: &str| format!("{{\"input\":{{\"messages\":[{}]}}{end}}}\n", turn(role));
    let data = [record("user", ""), record("user", ","), record("human", ""), record("human", ",")].concat();
    let expect = |query: &str, lines: &[u64]| expect(&data, "data.jsonl", "juryarena", query, lines);
    // The fix of another system's role is a guess.
    expect("is:fixable", &[2, 4]);
    expect("is:invalid -is:fixable", &[3]);
    expect("is:(fixable OR valid)", &[1, 2, 4]);
}

#[test]
fn records_with_the_bytes_of_an_earlier_one_are_duplicates() {
    let line = |text: &str| format!(r#"{{"input":{{"messages":[{{"role":"user","content":"{text}"}}]}}}}"#);
    let wrong = line("b").replace("user", "User");
    let lines = [line("a"), wrong.clone(), line("b"), line("a"), String::new(), wrong, line("a")];
    let data = lines.join("\n");
    let expect = |query: &str, lines: &[u64]| expect(&data, "data.jsonl", "juryarena", query, lines);
    expect("is:duplicate", &[4, 6, 7]);
    expect("is:duplicate is:invalid", &[6]);
    expect("-is:duplicate", &[1, 2, 3]);
    expect("is:(invalid OR duplicate) line:>3", &[4, 6, 7]);
    let rows = "query_id,query_text,relevant_doc_ids\nq1,how,d1\nq2,why,d1\nq1,how,d1\n";
    self::expect(rows, "data.csv", "evret", "is:duplicate", &[4]);
}

#[test]
fn texts_keys_and_findings_are_found() {
    let expect = |query: &str, lines: &[u64]| expect(CONVERSATIONS, "data.jsonl", "juryarena", query, lines);
    expect("", &[1, 2, 3, 4, 6, 7]);
    expect("paris", &[1, 3, 6]);
    expect("Paris", &[1, 3]);
    expect("\"\\\"paris\\\"\"", &[3]);
    expect("grüsse", &[]);
    expect("grüße", &[2]);
    expect("東京", &[2]);
    expect("\"c:\\\\new\"", &[4]);
    expect("/Paris/ -/France/", &[3]);
    expect("role:user", &[1, 2, 4]);
    expect("role:user \"cannot\"", &[]);
    expect("role:assistant \"i cannot\"", &[2]);
    expect("role:(assistant OR human) cannot", &[2, 3]);
    expect("input.messages.*.role:=human", &[3]);
    expect("input.messages.1.role:user", &[1]);
    expect("content:brief", &[1]);
    expect("content:new", &[4]);
    expect("-role:user", &[3, 6, 7]);
    expect("has:usage_output", &[1]);
    expect(".usage_output:null", &[4]);
    expect("is:invalid", &[3, 6, 7]);
    expect("-is:valid", &[3, 6, 7]);
    expect("is:valid", &[1, 2, 4]);
    expect("is:fixable", &[]);
    expect("rule:shape", &[3]);
    expect("rule:shape/invalid-enum-value", &[3]);
    expect("rule:sha", &[]);
    expect("path:input.messages.*.role severity:error", &[3]);
    expect("line:2..3", &[2, 3]);
    expect("record:<2", &[1]);
    expect("turns:2", &[1, 2]);
    expect("input.messages:2", &[1, 2]);
    expect("input.messages:<2", &[3, 4]);
    expect("input.messages.*.content:1", &[4]);
    expect("size:<90", &[3, 6, 7]);
}

#[test]
fn rows_and_elements_are_found() {
    let csv = "query_id,query_text,relevant_doc_ids\nq1,how high,\"[\"\"d1\"\"]\"\nq2,\"how, then\",\"[\"\"d2\"\"]\"\n";
    let expect_csv = |query: &str, lines: &[u64]| expect(csv, "data.csv", "evret", query, lines);
    expect_csv("\"how, then\"", &[3]);
    expect_csv("query:high", &[2]);
    expect_csv("id:=q2", &[3]);
    expect_csv("document:d1", &[2]);
    expect_csv("has:query_text", &[2, 3]);
    // A search sees the text of a cell, and no list.
    expect_csv(".relevant_doc_ids:1", &[]);
    expect_csv("query_text", &[]);
    let document = "{\"queries\":[\n{\"query_id\":\"q1\",\"query_text\":\"how\",\"relevant_doc_ids\":[\"d1\",\"d3\"]},\n{\"query_id\":\"q2\",\"query_text\":\"why\",\"relevant_doc_ids\":[\"d2\"]}],\n\"documents\":[\n{\"doc_id\":\"d1\",\"text\":\"how\"}]}";
    let expect_json = |query: &str, lines: &[u64]| expect(document, "data.json", "evret", query, lines);
    expect_json("how", &[2, 5]);
    expect_json("id:q2", &[3]);
    expect_json("document:d3", &[2]);
    expect_json("document:2", &[2]);
    expect_json("text:how", &[5]);
}

#[test]
fn records_over_several_lines_are_found_whole() {
    let data = "{\"input\":{\"messages\":[\n{\"role\":\"user\",\n\n\"content\":\"deep\"}]}}\n{\"input\":\n";
    let expect = |query: &str, lines: &[u64]| expect(data, "data.jsonl", "juryarena", query, lines);
    expect("deep", &[1]);
    expect("role:user deep rule:json", &[1]);
    expect("is:invalid", &[1, 5]);
    expect("input", &[5]);
}

#[test]
fn records_behind_a_wrong_header_are_invalid() {
    let sample = r#"[{"type":"text","id":"a","text":"One."}]"#;
    let data = |per_line: &str, total: u64| {
        let metadata = format!(
            r#"{{"total_samples":{total},"sample_type":"text","samples_per_line":{per_line},"hidden_metadata":[]}}"#
        );
        format!("{metadata}\n{sample}\n{}\n", sample.replace("\"a\"", "\"b\""))
    };
    let expect = |data: &str, query: &str, lines: &[u64]| expect(data, "data.jsonl", "quest", query, lines);
    // Refused, dropped, and read.
    for (data, invalid, lost) in
        [(data("1", 0), &[2, 3][..], &[][..]), (data("\"1\"", 2), &[2, 3], &[2, 3]), (data("1", 2), &[], &[])]
    {
        expect(&data, "is:invalid", invalid);
        expect(&data, "-is:valid", invalid);
        expect(&data, "is:valid", if invalid.is_empty() { &[2, 3] } else { &[] });
        expect(&data, "is:lost", lost);
        expect(&data, "is:invalid \"b\"", if invalid.is_empty() { &[] } else { &[3] });
    }
}

#[test]
fn line_breaks_are_no_part_of_a_record() {
    let line = r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#;
    for line_break in ["\n", "\r\n"] {
        let query = format!("size:{}", line.len());
        expect(&[line, line_break].concat(), "data.jsonl", "juryarena", &query, &[1]);
    }
}

#[test]
fn a_hit_says_where_the_match_is() {
    let found = hits(CONVERSATIONS.as_bytes(), "data.jsonl", "juryarena", "role:user where", 1 << 16, None);
    let [Hit { line: 1, record: 0, path, excerpt }] = &found[..] else { panic!("{found:?}") };
    assert_eq!(path.as_deref(), Some("input.messages.1.content"));
    assert_eq!(&excerpt.text[excerpt.start..excerpt.end], "Where");
}

#[test]
fn what_a_format_does_not_know_is_an_error() {
    let data = CONVERSATIONS.as_bytes();
    let file = FileInfo { name: "data.jsonl".to_owned(), size: data.len() as u64 };
    let check = Check::open(&mut Cursor::new(data), file, CheckOptions::default());
    let format = check.dataset().format;
    let query = Query::parse("score:1", &["score"]).unwrap();
    let error = Search::new(&query, format, regexes).unwrap_err();
    assert_eq!(error.message, "the format juryarena has no key \"score\"; it has output, role, content");
    let query = Query::parse("/(/", &[]).unwrap();
    assert_eq!(Search::new(&query, format, regexes).unwrap_err().message, "no groups");
}

/// The text as a JSON string, with some characters as escapes of one form or another.
fn written(text: &str, random: &mut fastrand::Rng) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        if c.is_control() || matches!(c, '"' | '\\') || random.u8(0..4) == 0 {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let digits = format!("{unit:04x}");
                out += "\\u";
                out.extend(digits.chars().map(|d| if random.bool() { d.to_ascii_uppercase() } else { d }));
            }
        } else {
            out.push(c);
        }
    }
    out + "\""
}

fn lower(text: &str) -> String {
    text.to_lowercase()
}

#[test]
fn a_text_is_found_however_it_is_escaped() {
    const LETTERS: [&str; 16] =
        ["a", "B", "e", " ", "\"", "\\", "/", "\n", "é", "É", "東", "京", "👩", "ß", "1", "_"];
    let mut random = fastrand::Rng::with_seed(11);
    let text = |random: &mut fastrand::Rng, most: usize| -> String {
        (0..random.usize(1..most)).map(|_| LETTERS[random.usize(0..LETTERS.len())]).collect()
    };
    for _ in 0..300 {
        let texts: Vec<String> = (0..40).map(|_| text(&mut random, 12)).collect();
        let mut data = String::new();
        for text in &texts {
            let content = written(text, &mut random);
            let messages = format!(r#"[{{"role":"user","content":{content}}}]"#);
            writeln!(data, r#"{{"input":{{"messages":{messages}}}}}"#).unwrap();
        }
        let wanted = text(&mut random, 4);
        let query = json!(wanted).to_string().replace("\\n", "\n");
        let is_found = |text: &&String| {
            if wanted.chars().any(char::is_uppercase) {
                text.contains(&wanted)
            } else {
                lower(text).contains(&wanted)
            }
        };
        let lines: Vec<u64> =
            (1..).zip(&texts).filter(|(_, text)| is_found(text)).map(|(line, _)| line).collect();
        let found = hits(data.as_bytes(), "data.jsonl", "juryarena", &query, 1 << 16, None);
        // The role of each message is "user".
        let found: Vec<u64> = found
            .iter()
            .filter(|hit| hit.path.as_deref() != Some("input.messages.0.role"))
            .map(|hit| hit.line)
            .collect();
        let lines: Vec<u64> = if lower("user").contains(&wanted) { found.clone() } else { lines };
        assert_eq!(found, lines, "{wanted:?}");
        // A regular expression is searched for in the same texts, with its case.
        if !"user".contains(&wanted) && !wanted.contains('\\') {
            let query = format!("/{}/", wanted.replace('/', "\\/"));
            let texts = (1..).zip(&texts).filter(|(_, text)| text.contains(&wanted));
            let lines: Vec<u64> = texts.map(|(line, _)| line).collect();
            let found = hits(data.as_bytes(), "data.jsonl", "juryarena", &query, 1 << 16, Some(1 << 10));
            assert_eq!(found.iter().map(|hit| hit.line).collect::<Vec<_>>(), lines, "{query}");
        }
    }
}
