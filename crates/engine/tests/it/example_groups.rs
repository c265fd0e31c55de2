//! The groups of findings with examples, for a report.

use std::io::Cursor;

use crate::support::cases::{Input, indexed, inputs};
use evalcheck_wire::findings::EXAMPLES;
use evalcheck_wire::worker::CheckOptions;

#[test]
fn the_examples_of_a_group_are_its_first_findings_and_their_excerpts_mark_them() {
    let mut marked = 0;
    for Input { name, path, data, .. } in inputs() {
        let options = CheckOptions { all: true, ..CheckOptions::default() };
        let mut check = indexed(&data, &name, options);
        let all = check.report().findings;
        let groups = check.view(&mut Cursor::new(&data)).example_groups().unwrap();
        assert_eq!(groups.iter().map(|of| of.group.findings).sum::<u64>(), all.len() as u64);
        for of in &groups {
            assert!((1..=EXAMPLES).contains(&of.examples.len()), "{}: {of:?}", path.display());
            for (finding, excerpt) in &of.examples {
                assert!(all.contains(finding), "{}: {finding:?}", path.display());
                assert_eq!(finding.code, of.group.code);
                let Some(excerpt) = excerpt else { continue };
                let shown = excerpt.text.get(excerpt.start..excerpt.end);
                assert!(shown.is_some(), "{}: {excerpt:?}", path.display());
                // In an archive, the bytes are those of an entry.
                if let (Some(start), Some(end), Ok(text)) =
                    (finding.byte_start, finding.byte_end, std::str::from_utf8(&data))
                    && let Some(token) =
                        text.get(usize::try_from(start).unwrap()..usize::try_from(end).unwrap())
                    && !token.is_empty()
                    && token.len() < 100
                    && !token.contains(['\n', '\r'])
                {
                    assert_eq!(shown, Some(token), "{}: {finding:?}", path.display());
                    marked += 1;
                }
            }
        }
    }
    assert!(marked > 500, "{marked}");
}
