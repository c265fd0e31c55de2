//! The same for generated ZIPs.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Choices, assert_fixes_hold, options, rounds};
use evalcheck_engine::fix::Selection;
use evalcheck_engine::fix::in_memory::fix;

/// Names of the dataset, the usual one often.
const DATASETS: [&str; 8] = [
    "samples.jsonl",
    "samples.jsonl",
    "./samples.jsonl",
    "Samples.JSONL",
    "data.jsonl",
    "data/samples.jsonl",
    "data/questions.jsonl",
    "samples.json",
];

/// Names of files, and paths of references.
const FILES: [&str; 24] = [
    "attachments/a.txt",
    "attachments/A.txt",
    "attachments/b c.txt",
    "attachments/b%20c.txt",
    "attachments/re\u{301}sume\u{301}.txt",
    "attachments/r\u{e9}sum\u{e9}.txt",
    "attachments//a.txt",
    "./attachments/a.txt",
    "attachments/./d.txt",
    "attachments\\a.txt",
    "/attachments/a.txt",
    "../a.txt",
    "C:\\attachments\\e.txt",
    "a.txt",
    "files/a.txt",
    "files/f.txt",
    "Attachments/f.txt",
    "data/attachments/a.txt",
    "data/attachments/f.txt",
    "attachments/aa.txt",
    "__MACOSX/._a.txt",
    ".DS_Store",
    "data/Thumbs.db",
    "attachments/",
];

fn archive(choices: &mut Choices) -> Vec<u8> {
    let mut files = BTreeMap::new();
    let name = |choices: &mut Choices| FILES[choices.below(FILES.len())];
    for _ in 0..choices.below(6) {
        let contents = if choices.chance(3) { "same" } else { "" };
        files.insert(name(choices).to_owned(), format!("{contents}{}", choices.below(3)));
    }
    let mut lines = String::new();
    for _ in 0..=choices.below(5) {
        let path = serde_json::to_string(name(choices)).unwrap();
        let comma = if choices.chance(4) { "," } else { "" };
        let part = format!("{{\"type\":\"file_ref\",\"path\":{path}}}");
        let messages = format!("[{{\"role\":\"user\",\"content\":[{part}]}}]");
        let _ = writeln!(lines, "{{\"input\":{{\"messages\":{messages}}},\"usage_output\":null}}{comma}");
    }
    files.insert(DATASETS[choices.below(DATASETS.len())].to_owned(), lines);
    let folder = ["", "", "", "top/", "./"][choices.below(5)];
    let named: Vec<_> = files.iter().map(|(name, contents)| (format!("{folder}{name}"), contents)).collect();
    let files = named.iter().map(|(name, contents)| (name.as_str(), contents.as_bytes()));
    let mut bytes = evalcheck_engine::archive::write(files).unwrap();
    if choices.chance(6) {
        bytes.extend([0; 100]);
    }
    bytes
}

#[test]
fn archives_that_people_pack_are_fixed() {
    let mut choices = Choices::new(23);
    let (mut safe, mut all) = (0, 0);
    let archives = rounds(300, 3_000);
    for _ in 0..archives {
        let bytes = archive(&mut choices);
        safe += assert_fixes_hold(&bytes, "data.zip", Some("juryarena")).0;
        // Fixes that lose or guess something end too, and the result is an archive.
        let selection = Selection { not_safe: true, ..Selection::default() };
        let fixed = fix(bytes, "data.zip", &options(Some("juryarena")), &selection);
        let left = fixed.report.findings.iter().filter(|finding| selection.fix_of(finding).is_some());
        assert_eq!(left.count(), 0, "{:#?}\n{:#?}", fixed.before, fixed.report);
        all += fixed.fixes;
    }
    println!("{safe} safe fixes, {all} of all");
    assert!(safe > archives, "{safe} fixes");
}
