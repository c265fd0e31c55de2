//! Tests of the files that records may refer to.

use crate::Attachments;

use super::build::*;
use super::open;

fn attachments(names: &[&str]) -> Attachments {
    let mut parts = vec![samples()];
    parts.extend(names.iter().map(|name| stored(name, b"a")));
    let archive = open(&pack(&parts)).archive.unwrap();
    Attachments::new(archive.entries(), |_, entry| matches!(entry.path(), "samples.jsonl" | "other.jsonl"))
}

#[test]
fn paths_are_compared_in_nfc() {
    let files = attachments(&["attachments/re\u{301}sume\u{301}.pdf", "attachments/é.pdf"]);
    assert_eq!(files.find("attachments/résumé.pdf"), Some(1));
    assert_eq!(files.find("attachments/re\u{301}sume\u{301}.pdf"), Some(1));
    assert_eq!(files.find("attachments/e\u{301}.pdf"), Some(2));
    assert_eq!(files.path(1), Some("attachments/résumé.pdf"));
}

#[test]
fn a_path_that_is_not_portable_is_found_by_what_it_means() {
    let files = attachments(&["attachments\\doc1.pdf", "attachments/x.pdf"]);
    assert_eq!(files.find("attachments/doc1.pdf"), None);
    assert_eq!(files.find_unportable("attachments/doc1.pdf"), Some(1));
    assert_eq!(files.find_unportable("attachments/x.pdf"), None);
}

#[test]
fn some_files_need_no_reference() {
    let names = ["attachments/.DS_Store", "other.jsonl", "__MACOSX/._x", "attachments/a", "attachments/a"];
    let files = attachments(&names);
    assert_eq!(files.unreferenced().collect::<Vec<_>>(), [4, 5]);
    assert_eq!(files.find("attachments/a"), Some(5));
    files.note_reference(5, true);
    assert_eq!(files.unreferenced().count(), 2, "a record that is only shown does not count");
    files.set_record(Some(0));
    files.note_reference(5, true);
    assert_eq!(files.unreferenced().count(), 0, "of two files of one path, one is referenced");
}
