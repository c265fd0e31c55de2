//! The integration tests of the crate, in one program: each program more costs a link.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[path = "../../../cli/tests/support/invariants.rs"]
mod invariants;
mod support;

mod attachments;
mod beyond_the_cap;
mod changes;
mod compare;
mod corpora;
mod counters;
mod csv;
mod csv_reader;
mod detection;
mod document;
mod edited;
mod eee_oracle;
mod evret_rows;
mod example_groups;
mod examples;
mod findings;
mod fix_kinds;
mod fixes;
mod hits;
mod infer;
mod json_reader;
mod json_schema;
mod known_lines;
mod lines;
mod linked;
mod loaded;
mod long_records;
mod mutations;
mod new_format;
mod outcomes;
mod overview;
mod parts;
mod repairs;
mod rows;
mod rows_anywhere;
mod search;
mod shown_as_fixed;
mod statistics;
mod stream;
mod tiers;
