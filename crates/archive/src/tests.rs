//! Tests with archives of real programs and with broken ones.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "a test fails by panicking, and its archives are small"
)]

mod accepted;
mod attachments;
mod build;
mod constructions;
mod contents;
mod directory;
mod disputed;
mod hostile;
mod rewrite;

use std::io::Cursor;

use super::{Archive, Opened};

/// Opens an archive. If it can be rewritten, checks that the new archive has the same contents.
fn open(bytes: &[u8]) -> Opened {
    let opened = Archive::open(&mut Cursor::new(bytes), bytes.len() as u64);
    if let Some(archive) = opened.archive.as_ref().filter(|archive| archive.is_rewritable()) {
        rewrite::assert_same(archive, bytes, opened.findings.is_empty());
    }
    opened
}

/// The findings as `code` or `code entry`.
fn codes(opened: &Opened) -> Vec<String> {
    let code = |finding: &evalcheck_core::finding::Finding| match &finding.location.entry {
        Some(entry) => format!("{} {entry}", finding.problem.rule().code),
        None => finding.problem.rule().code.to_owned(),
    };
    opened.findings.iter().map(code).collect()
}

#[track_caller]
fn expect(bytes: &[u8], expected: &[&str]) -> Option<Archive> {
    let opened = open(bytes);
    assert_eq!(codes(&opened), expected);
    opened.archive
}

#[track_caller]
fn accept(bytes: &[u8]) -> Archive {
    expect(bytes, &[]).expect("it is a sound archive")
}
