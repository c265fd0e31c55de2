//! References from samples to files.

use std::io::Cursor;

use evalcheck_archive::Archive;
use evalcheck_core::rule::Problem as _;

use super::super::dataset_entry;
use evalcheck_report::Applicability;

use super::*;

fn attachments(names: &[&str]) -> Attachments {
    let names = ["samples.jsonl"].iter().chain(names);
    let bytes = evalcheck_archive::write(names.map(|name| (*name, b"a".as_slice()))).unwrap();
    let archive = Archive::open(&mut Cursor::new(&bytes), bytes.len() as u64).archive.unwrap();
    let files = Attachments::new(archive.entries(), |_, entry| dataset_entry::is_candidate(entry));
    files.set_record(Some(0));
    files
}

#[track_caller]
fn refused(files: &Attachments, path: &str, code: &str, message: &str) {
    let problem = look_up(files, path).unwrap_err().problem;
    assert_eq!((problem.rule().code, problem.message().as_str()), (code, message));
}

#[test]
fn references_are_compared_in_nfc() {
    let files = attachments(&["attachments/re\u{301}sume\u{301}.pdf", "attachments/é.pdf"]);
    assert_eq!(look_up(&files, "attachments/résumé.pdf"), Ok(1));
    assert_eq!(look_up(&files, "attachments/re\u{301}sume\u{301}.pdf"), Ok(1));
    assert_eq!(look_up(&files, "attachments/e\u{301}.pdf"), Ok(2));
}

#[test]
fn each_mistake_has_its_words() {
    let files = attachments(&["attachments/doc1.pdf", "root.pdf"]);
    for (path, code, message) in [
        ("", "attachment/empty-path", "the path is empty"),
        ("root.pdf", "attachment/outside-folder", "\"root.pdf\" is not under attachments/"),
        (
            "/attachments/doc1.pdf",
            "attachment/absolute-path",
            "\"/attachments/doc1.pdf\" is an absolute path",
        ),
        ("C:\\doc1.pdf", "attachment/absolute-path", "\"C:\\doc1.pdf\" is an absolute path"),
        (
            "attachments\\doc1.pdf",
            "attachment/backslash",
            "\"attachments\\doc1.pdf\" separates folders by a backslash",
        ),
        (
            "attachments/../root.pdf",
            "attachment/parent-folder",
            "\"attachments/../root.pdf\" goes up a folder with \"..\"",
        ),
        ("https://example.org/a.pdf", "attachment/url", "\"https://example.org/a.pdf\" is a URL"),
        ("data:text/plain,a", "attachment/url", "\"data:text/plain,a\" is a URL"),
        (
            "attachments/Doc1.pdf",
            "attachment/missing",
            "no file \"attachments/Doc1.pdf\" in the ZIP; the nearest is \"attachments/doc1.pdf\", which differs only in upper and lower case",
        ),
        ("attachments/x/y/z.txt", "attachment/missing", "no file \"attachments/x/y/z.txt\" in the ZIP"),
    ] {
        refused(&files, path, code, message);
    }
    assert!(look_up(&files, "attachments/a: b.pdf").unwrap_err().problem.rule().code.ends_with("missing"));
}

#[test]
fn what_is_evidently_meant_counts_as_referenced() {
    let names =
        ["attachments/a.pdf", "attachments/b.pdf", "attachments/c.pdf", "attachments/contract.pdf", "d.pdf"];
    let files = attachments(&names);
    let unused = || files.unreferenced().collect::<Vec<_>>();
    assert_eq!(unused(), [1, 2, 3, 4, 5]);
    assert_eq!(look_up(&files, "attachments/a.pdf"), Ok(1));
    assert!(look_up(&files, "attachments\\b.pdf").is_err());
    assert!(look_up(&files, "attachments/C.pdf").is_err());
    assert!(look_up(&files, "d.pdf").is_err());
    // A match by spelling is only a guess.
    assert!(look_up(&files, "attachments/contrakt.pdf").is_err());
    assert_eq!(unused(), [4]);
}

#[test]
fn only_one_file_can_be_meant_for_certain() {
    let files = attachments(&[
        "attachments/a/1.png",
        "attachments/b/1.png",
        "attachments/A.pdf",
        "attachments/x/doc.pdf",
        "attachments/report.docx",
        "attachments/c/2.png",
    ]);
    for (path, meant, is_certain) in [
        ("attachments/A.PDF", Some(3), true),
        ("attachments/doc.pdf", Some(4), true),
        ("attachments\\doc.pdf", Some(4), true),
        ("C:\\work\\2.png", Some(6), true),
        // Two files have this name.
        ("attachments/1.png", Some(1), false),
        ("/home/me/1.png", Some(1), false),
        // A file with this name is in a folder that the path does not name.
        ("attachments/d/2.png", Some(6), false),
        ("attachments/report.pdf", Some(5), false),
        ("attachments/dco.pdf", None, false),
    ] {
        let bad = look_up(&files, path).unwrap_err();
        assert_eq!((bad.meant, bad.is_certain), (meant, is_certain), "{path}");
        let fix = bad.fix(&files, path, 0..1);
        let is_safe = fix.is_some_and(|fix| fix.applicability == Applicability::Safe);
        assert_eq!(is_safe, is_certain, "{path}");
    }
}

#[test]
fn missing_files_are_noted_with_the_nearest_and_others_are_not() {
    let files = attachments(&["attachments/a.pdf", "b.pdf", "attachments/contract.pdf"]);
    let paths = [
        "attachments/a.pdf",
        "attachments\\a.pdf",
        "b.pdf",
        "",
        "attachments/A.pdf",
        "attachments/contrakt.pdf",
        "/home/me/none.txt",
        "attachments/none.txt",
    ];
    for (record, path) in paths.iter().enumerate() {
        files.set_record(Some(record as u64));
        let _ = look_up(&files, path);
    }
    let missing: Vec<(String, Option<usize>)> =
        files.missing().iter().map(|(path, file)| (path.to_owned(), file.nearest)).collect();
    let expected = [
        ("/home/me/none.txt", None),
        ("attachments/A.pdf", Some(1)),
        ("attachments/contrakt.pdf", Some(3)),
        ("attachments/none.txt", None),
    ];
    assert_eq!(missing, expected.map(|(path, nearest)| (path.to_owned(), nearest)));
    let references = files.references(1);
    assert_eq!((references.records, references.wrong, references.first()), (3, 2, &[0, 1, 4][..]));
    assert_eq!(
        (files.references(2).records, files.references(2).wrong, files.references(3).records),
        (1, 1, 0)
    );
}

#[test]
fn a_file_with_a_bad_name_is_not_missing() {
    let files = attachments(&["attachments\\doc1.pdf", "attachments/x.pdf"]);
    assert_eq!(look_up(&files, "attachments/doc1.pdf"), Ok(1));
    assert_eq!(files.find("attachments/doc1.pdf"), None);
}

#[test]
fn many_wrong_references_end() {
    let names: Vec<String> = (0..5_000).map(|n| format!("attachments/file {n} of the lot.txt")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let files = attachments(&names);
    for n in 0..10_000 {
        let problem = look_up(&files, &format!("attachments/fiel {n} fo the plot.text")).unwrap_err();
        assert_eq!(problem.problem.rule().code, "attachment/missing");
    }
}

#[test]
fn files_that_the_worker_does_not_read_are_known_by_their_extension() {
    for (path, unsupported) in [
        ("attachments/a.pdf", None),
        ("attachments/a.JPEG", None),
        ("attachments/a.b.webp", None),
        ("attachments/a.docx", Some(".docx")),
        ("attachments/a.pdf.txt", Some(".txt")),
        ("attachments/a.pdf/b", Some("")),
        ("attachments/README", Some("")),
        ("attachments/.png", None),
    ] {
        assert_eq!(unsupported_type(path), unsupported, "{path}");
    }
}
