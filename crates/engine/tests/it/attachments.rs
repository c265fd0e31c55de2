//! The list of the files of an archive.

use std::fmt::Write;
use std::io::Cursor;

use crate::support::cases::indexed;
use evalcheck_engine::archive;
use evalcheck_engine::check::Check;
use evalcheck_report::Finding;
use evalcheck_wire::attachments::{
    AttachmentFilter, AttachmentList, AttachmentOrder, AttachmentQuery, AttachmentRow,
};
use evalcheck_wire::worker::CheckOptions;

/// A PNG of 640 by 480 pixels, by its first bytes.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x02\0\0\0";

/// Records that refer to these paths.
fn records(paths: &[&str]) -> String {
    paths.iter().fold(String::new(), |mut lines, path| {
        let path = serde_json::to_string(path).unwrap();
        let part = format!("{{\"type\":\"file_ref\",\"path\":{path}}}");
        let _ = writeln!(
            lines,
            "{{\"input\":{{\"messages\":[{{\"role\":\"user\",\"content\":[{part},{part}]}}]}}}}"
        );
        lines
    })
}

fn zip(paths: &[&str], files: &[(&str, &[u8])]) -> Vec<u8> {
    let dataset = records(paths);
    let files = files.iter().copied().chain([("samples.jsonl", dataset.as_bytes())]);
    archive::write(files).unwrap()
}

fn checked(data: &[u8]) -> Check {
    indexed(data, "dataset.zip", CheckOptions::default())
}

fn list(check: &mut Check, data: &[u8], query: &AttachmentQuery) -> AttachmentList {
    check.view(&mut Cursor::new(data)).attachments(query, 0, 100)
}

fn paths(list: &AttachmentList) -> Vec<&str> {
    list.rows.iter().map(|row| &*row.path).collect()
}

/// A JPEG whose size comes after this number of bytes of metadata.
fn jpeg(metadata: u16) -> Vec<u8> {
    let mut bytes = b"\xff\xd8\xff\xe1".to_vec();
    bytes.extend((metadata + 2).to_be_bytes());
    bytes.resize(bytes.len() + usize::from(metadata), 0);
    bytes.extend(b"\xff\xc0\0\x11\x08\0\x20\0\x30\x03\x01\x22\0\x02\x11\x01\x03\x11\x01\xff\xd9");
    bytes
}

#[test]
fn each_file_is_listed_with_its_type_and_the_records_that_refer_to_it() {
    let photo = jpeg(60_000);
    let data = zip(
        &[
            "attachments/a.png",
            "attachments/a.png",
            "attachments/B.txt",
            "attachments/none.pdf",
            "attachments/a.png",
        ],
        &[
            ("attachments/a.png", PNG),
            ("attachments/b.txt", b"The same."),
            ("attachments/c.txt", b"The same."),
            ("attachments/photo.jpg", &photo),
            (".DS_Store", b"\0\0\0\x01Bud1"),
            ("__MACOSX/._a.png", b"x"),
        ],
    );
    let mut check = checked(&data);
    let all = list(&mut check, &data, &AttachmentQuery::default());
    let brief = |row: &AttachmentRow| {
        (
            row.path.clone(),
            row.records,
            row.wrong,
            row.first_records.clone(),
            row.is_unused,
            row.nearest.clone(),
        )
    };
    let expected = [
        ("attachments/a.png", 3, 0, vec![0, 1, 4], false, None),
        ("attachments/b.txt", 1, 1, vec![2], false, None),
        ("attachments/c.txt", 0, 0, vec![], true, None),
        ("attachments/photo.jpg", 0, 0, vec![], true, None),
        (".DS_Store", 0, 0, vec![], false, None),
        ("attachments/B.txt", 1, 0, vec![2], false, Some("attachments/b.txt")),
        ("attachments/none.pdf", 1, 0, vec![3], false, None),
    ]
    .map(|(path, records, wrong, first, unused, nearest)| {
        (path.to_owned(), records, wrong, first, unused, nearest.map(str::to_owned))
    });
    assert_eq!(all.rows.iter().map(brief).collect::<Vec<_>>(), expected);
    let contents: Vec<_> = all.rows.iter().map(|row| (&*row.media_type, row.pixels)).collect();
    assert_eq!(
        contents[..4],
        [
            ("image/png", Some((640, 480))),
            ("text/plain", None),
            ("text/plain", None),
            ("image/jpeg", Some((48, 32))),
        ]
    );
    assert_eq!(contents[5..], [("", None), ("", None)]);
    let twins: Vec<_> = all.rows.iter().map(|row| row.repeats.clone()).collect();
    assert_eq!(
        twins[1..4],
        [Some((1, "attachments/c.txt".to_owned())), Some((1, "attachments/b.txt".to_owned())), None,]
    );
    let summary = &all.summary;
    let counts = (summary.files, summary.missing, summary.unused, summary.repeated, summary.unlisted);
    assert_eq!((counts, summary.is_complete), ((5, 2, 2, 2, 0), true));
    assert_eq!((&*summary.types[0].media_type, summary.types[0].files), ("text/plain", 2));

    let by_size = AttachmentQuery {
        filter: AttachmentFilter::Unused,
        order: AttachmentOrder::Size,
        is_descending: true,
        ..AttachmentQuery::default()
    };
    assert_eq!(paths(&list(&mut check, &data, &by_size)), ["attachments/photo.jpg", "attachments/c.txt"]);
    let named = AttachmentQuery { name: "PHOTO".to_owned(), ..by_size };
    let found = list(&mut check, &data, &named);
    assert_eq!(paths(&found), ["attachments/photo.jpg"]);
    assert_eq!((found.total, &found.summary), (1, summary), "all files are counted");
}

#[test]
fn a_record_that_is_only_shown_refers_to_nothing() {
    let data = zip(&["attachments/a.txt"], &[("attachments/a.txt", b"a"), ("attachments/b.txt", b"b")]);
    let mut check = checked(&data);
    let before = list(&mut check, &data, &AttachmentQuery::default());
    let mut source = Cursor::new(&data);
    check.view(&mut source).record(1, None).unwrap().unwrap();
    check.view(&mut source).recheck(1, &records(&["attachments/b.txt"]), None).unwrap().unwrap();
    check.view(&mut source).recheck(1, &records(&["attachments/c.txt"]), None).unwrap().unwrap();
    assert_eq!(list(&mut check, &data, &AttachmentQuery::default()), before);
    assert!(before.rows[1].is_unused);
}

#[test]
fn an_unused_file_can_be_removed_unless_a_record_with_an_error_may_mean_it() {
    let (used, other) = ("attachments/a.txt", "attachments/b.txt");
    let files: [(&str, &[u8]); 3] = [(used, b"a"), (other, b"b"), ("attachments/c.txt", b"c")];
    let removable = |records: &str| -> Vec<String> {
        let files = files.into_iter().chain([("samples.jsonl", records.as_bytes())]);
        let report = checked(&archive::write(files).unwrap()).report();
        let is_unused =
            |finding: &&Finding| finding.code == "attachment/unreferenced" && finding.fix.is_some();
        report.findings.iter().filter(is_unused).filter_map(|finding| finding.entry.clone()).collect()
    };
    let with = |record: &str| removable(&format!("{}{record}\n", records(&[used])));
    let good = records(&[other]);
    let good = good.trim_end();
    let all = [other, "attachments/c.txt"];
    assert_eq!(with(""), all);
    assert_eq!(with(r#"{"input":{"messages":[{"role":"tool","content":"Hi"}]}}"#), all);
    assert_eq!(with(&format!("{good},")), ["attachments/c.txt"], "the record names the other one");
    for unclear in [
        &good[..good.len() - 9],
        &good.replace("b.txt", "d.txt"),
        &good.replace(r#""path""#, r#""file""#),
        r#"{"input":{"messages":[{"role":"user","content":}]}}"#,
    ] {
        assert_eq!(with(unclear), [""; 0], "{unclear}");
    }
}

#[test]
fn what_was_not_read_is_not_unused() {
    let large: Vec<u8> = (0..200_000u32).flat_map(u32::to_le_bytes).collect();
    let data = zip(&["attachments/a.txt"], &[("attachments/a.txt", b"a"), ("attachments/b.bin", &large)]);
    let mut check = indexed(&data[..0], "dataset.zip", CheckOptions::default());
    assert_eq!(list(&mut check, &data, &AttachmentQuery::default()), AttachmentList::default());

    let file = evalcheck_engine::check::FileInfo { name: "dataset.zip".to_owned(), size: data.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(&data), file, CheckOptions::default());
    let mut source = &data[..];
    while check.report().counts.records == 0 && check.read_piece(&mut source, 64) {}
    check.cancel();
    let stopped = list(&mut check, &data, &AttachmentQuery::default());
    assert_eq!((stopped.summary.files, stopped.summary.unused, stopped.summary.is_complete), (2, 0, false));
}

#[test]
fn many_files_are_listed_by_pages() {
    let names: Vec<String> =
        (0..3_000).map(|n| format!("attachments/{:04}.txt", (n * 7919) % 3_000)).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, name.as_bytes())).collect();
    let data = zip(&["attachments/0000.txt"], &files);
    let mut check = checked(&data);
    let query = AttachmentQuery { order: AttachmentOrder::Path, ..AttachmentQuery::default() };
    let page = check.view(&mut Cursor::new(&data)).attachments(&query, 1_200, 1_000);
    assert_eq!((page.total, page.rows.len()), (3_000, 500));
    let expected: Vec<String> = (1_200..1_700).map(|n| format!("attachments/{n:04}.txt")).collect();
    assert_eq!(paths(&page), expected);
    assert!(check.view(&mut Cursor::new(&data)).attachments(&query, u64::MAX, 1).rows.is_empty());
}

#[test]
fn a_missing_file_can_be_added_where_readers_find_it() {
    let paths = [
        "attachments/none.pdf",
        "attachments/a.txt/b",
        "attachments/folder",
        "attachments/./b",
        "attachments/._b",
        "attachments/../b",
        "attachments/b\\c",
        "https://example.org/b",
        "b",
        "attachments/",
    ];
    let files: [(&str, &[u8]); 2] = [("attachments/a.txt", b"a"), ("attachments/folder/c.txt", b"c")];
    let added = |data: &[u8]| {
        let missing = AttachmentQuery { filter: AttachmentFilter::Missing, ..AttachmentQuery::default() };
        let rows = list(&mut checked(data), data, &missing).rows;
        assert_eq!(rows.len(), paths.len(), "{rows:?}");
        rows.into_iter().filter_map(|row| Some((row.path, row.added_as?))).collect::<Vec<_>>()
    };
    let none = "attachments/none.pdf".to_owned();
    let mut data = zip(&paths, &files);
    assert_eq!(added(&data), [(none.clone(), none.clone())]);

    let dataset = records(&paths);
    let in_top = files.map(|(name, contents)| (format!("top/{name}"), contents));
    let in_top = in_top.iter().map(|(name, contents)| (&**name, *contents));
    let in_top = archive::write(in_top.chain([("top/samples.jsonl", dataset.as_bytes())])).unwrap();
    assert_eq!(added(&in_top), [(none, "top/attachments/none.pdf".to_owned())]);

    // Rewriting it would lose the bytes after its end.
    data.extend(b"more");
    assert_eq!(added(&data), []);
}
