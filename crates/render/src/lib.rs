//! Writes reports: one module for each output. The functions are pure and take only the types of [`evalcheck_wire`],
//! so the page, the command and the documents write a report in the same way.
//!
//! - [`text`]: text in the form of compilers: a line for each finding, its hint below it, the verdict on each file.
//! - [`quote`]: the line of a finding with its span marked.
//! - [`sum`]: the last line, about all files.
//! - [`line`](mod@line): the parts of these lines.
//! - [`find`]: records that match a query, and the problem of a query.
//! - [`compare`]: changes between two versions of a dataset.
//! - [`overview`]: statistics of a dataset, with bars.
//! - [`markdown`]: a finding for an issue.
//! - [`html`]: a report as an HTML page.
//! - [`json`]: report v1 and comparisons as JSON.
//!
//! Outputs of whole runs, for other tools, are made from [`checked`] files:
//!
//! - [`sarif`]: SARIF 2.1.0, for code scanning.
//! - [`github`]: annotations and the summary of a GitHub workflow.
//! - [`gitlab`]: Code Quality of GitLab.
//! - [`junit`]: `JUnit`, for build servers.
//! - [`rdjson`]: the format of reviewdog.
//! - [`csv`]: a table.

pub mod checked;
pub mod compare;
pub mod csv;
pub mod find;
pub mod github;
pub mod gitlab;
pub mod html;
pub mod json;
pub mod junit;
pub mod line;
pub mod markdown;
pub mod overview;
pub mod quote;
pub mod rdjson;
pub mod sarif;
pub mod sum;
pub mod text;

/// Returns the address of the project's repository, if the publisher has set it in `Cargo.toml`.
pub fn repository() -> Option<&'static str> {
    Some(env!("CARGO_PKG_REPOSITORY")).filter(|address| !address.contains("/OWNER/"))
}
