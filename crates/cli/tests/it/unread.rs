//! Reports on datasets that were not read: never valid, and with the reason.

use std::io::{Cursor, Read};

use crate::support;
use crate::support::invariants::assert_counts_add_up;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_report::{Finding, Report};
use evalcheck_wire::worker::CheckOptions;

const TWO_RECORDS: &str = r#"{"input":{"messages":[{"role":"user","content":"One"}]},"usage_output":null}
{"input":{"messages":[{"role":"user","content":"Two"}]},"usage_output":null}
"#;

/// A check of two records that has read the first one.
fn half_read() -> Check {
    let info = FileInfo { name: "two.jsonl".into(), size: TWO_RECORDS.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(TWO_RECORDS), info, CheckOptions::default());
    let first = TWO_RECORDS.find('\n').unwrap() + 1;
    let mut read = 0;
    while read < first {
        let space = check.buffer(first - read);
        let length = space.len();
        space.copy_from_slice(&TWO_RECORDS.as_bytes()[read..read + length]);
        check.commit(length);
        read += length;
    }
    check
}

fn failing_read() -> Report {
    let mut check = half_read();
    check.fail("the disk is gone");
    assert_eq!(check.next_range(), None);
    check.report()
}

fn cancelled() -> Report {
    let mut check = half_read();
    check.cancel();
    assert_eq!(check.next_range(), None);
    check.report()
}

/// An archive whose directory cannot be read.
fn failing_open() -> Report {
    struct Failing(Cursor<Vec<u8>>);
    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            // The start is readable, and is that of a ZIP.
            if self.0.position() < 256 << 10 {
                self.0.read(buffer)
            } else {
                Err(std::io::Error::other("the disk is gone"))
            }
        }
    }
    impl std::io::Seek for Failing {
        fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
            self.0.seek(to)
        }
    }
    let mut bytes = b"PK\x03\x04".to_vec();
    bytes.resize(3 << 20, 0);
    let info = FileInfo { name: "a.zip".into(), size: bytes.len() as u64 };
    let mut check = Check::open(&mut Failing(Cursor::new(bytes)), info, CheckOptions::default());
    if check.next_range().is_some() {
        check.fail("the disk is gone");
    }
    check.report()
}

/// The file is read, but has no format to check it against.
fn of_unknown_format() -> Report {
    let info = FileInfo { name: "two.jsonl".into(), size: TWO_RECORDS.len() as u64 };
    let options = CheckOptions { format: Some("nonsense".into()), ..CheckOptions::default() };
    let mut check = Check::open(&mut Cursor::new(TWO_RECORDS), info, options);
    check.read_all(TWO_RECORDS.as_bytes(), 1 << 20);
    check.report()
}

#[test]
fn what_was_not_read_is_not_checked_and_never_valid() {
    for (report, code, why) in [
        (failing_read(), "file/not-read", "the disk is gone"),
        (cancelled(), "file/cancelled", "cancelled"),
        (failing_open(), "zip/read-failed", "the disk is gone"),
        (of_unknown_format(), "format/unknown", "there is no format called nonsense; the formats are "),
    ] {
        support::assert_follows_schema(&serde_json::to_value(&report).unwrap(), why);
        assert_counts_add_up(why, &report);
        assert!(!report.valid, "{report:#?}");
        let is_why = |finding: &Finding| finding.code == code && finding.message.contains(why);
        assert!(report.findings.iter().any(is_why), "{report:#?}");
    }
    for report in [failing_read(), cancelled(), failing_open()] {
        assert!(!report.checked, "{report:#?}");
    }
    for report in [failing_read(), cancelled()] {
        assert_eq!(report.counts.records, 1);
        let place = format!("from byte {} on", TWO_RECORDS.find('\n').unwrap() + 1);
        assert!(report.findings[0].message.contains(&place), "{report:#?}");
    }
}
