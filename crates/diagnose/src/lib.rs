//! The thorough tier: parses a record into a tree with spans, and finds all its problems.
//!
//! It reads the records that the fast tier ([`evalcheck_json::scan`]) finds doubtful, and those that are shown to the user. There are three
//! steps:
//! 1. [`parse_at`] returns the tree ([`Value`]), or the only [`SyntaxError`] with its cause.
//! 2. [`check_schema`] compares the tree with the format's schema: `compare` yields the differences, `repair` decides on the advice and the
//!    fix for each.
//! 3. [`check_anomalies`] reports the [`Anomaly`]s that the parser noted, such as duplicate keys.
//!
//! Each step adds [`RecordFinding`]s, whose spans count from the start of the record. [`RecordFinding::locate`] turns them
//! into findings of the dataset, with line and column.
//!
//! # Central types
//!
//! | type | purpose |
//! |---|---|
//! | [`Value`] | a record as a tree with spans |
//! | [`SyntaxError`] | why a record is not JSON |
//! | [`RecordFinding`] | a problem at a span of a record |
//! | [`RecordFindings`] | the findings of a record: keeps some, counts the others |
//! | [`RecordStart`], [`RecordText`] | the start of a record; its bytes, with lines and columns |
//!
//! ```
//! use evalcheck_diagnose::{PathBuilder, RecordFindings, RecordStart, RecordText, check_schema, parse_at};
//! use evalcheck_json::scan::{self, Doubtful, PADDING, Scratch, TextPolicy};
//! use evalcheck_json::schema::{Object, Property, Schema, StringSchema, UnknownKeys};
//!
//! static ROLE: Schema = Schema::text(StringSchema::one_of(&["user", "assistant"]));
//! static MESSAGE: Schema = Schema::object(Object::new(&[Property::required("role", &ROLE)], UnknownKeys::Ignore));
//!
//! let mut bytes = b"{\"role\":\"User\"}\n".to_vec();
//! let length = bytes.len() - 1;
//! bytes.resize(bytes.len() + PADDING, 0);
//! let policy = TextPolicy::NONE;
//! assert_eq!(scan::line(&bytes, 0, &MESSAGE, policy, &mut Scratch::default()), Err(Doubtful));
//!
//! // It is the third line of its file.
//! let start = RecordStart { offset: 500, line: 3, column: 1, record: 2 };
//! let record = &bytes[..length];
//! let parsed = parse_at(record, start).unwrap();
//! let mut found = RecordFindings::default();
//! check_schema(&parsed.value, &MESSAGE, &PathBuilder::default(), &[], &mut found);
//! let finding = found.into_vec().remove(0).locate(&RecordText::new(record, start));
//! assert_eq!(finding.problem.rule().code, "shape/invalid-enum-value");
//! assert_eq!((finding.location.line, finding.location.column), (Some(3), Some(9)));
//! ```

pub mod select;

mod advice;
mod anomaly;
mod beside_record;
mod captures;
mod check;
mod check_anomalies;
mod compare;
mod conflict_marker;
mod epoch;
mod fix;
mod kin;
mod lenience;
mod levels;
mod parse;
mod path_builder;
mod place;
mod record_finding;
mod record_findings;
mod record_text;
mod repair;
mod schema_problem;
mod syntax_causes;
mod syntax_error;
mod syntax_finding;
mod syntax_problem;
mod table;
mod text_problem;
mod unexpected_token;
mod value;
mod walk;
mod wording;

pub use advice::{Advice, expected_types};
pub use anomaly::{Anomaly, TextSpans};
pub use beside_record::after_text;
pub use captures::{TreeCaptures, paths_of_captures};
pub use check::{check_schema, check_schema_outside};
pub use check_anomalies::check_anomalies;
pub use conflict_marker::conflict_marker;
pub use fix::{RecordFix, fix_syntax, is_one_entry, join_lines, json_string, localized, quoted};
pub use kin::{are_synonyms, may_be_meant};
pub use parse::{Parsed, parse, parse_at};
pub use path_builder::PathBuilder;
pub use record_finding::RecordFinding;
pub use record_findings::{RecordFindings, Room};
pub use record_text::{RecordStart, RecordText};
pub use schema_problem::SchemaProblem;
pub use syntax_error::SyntaxError;
pub use syntax_finding::{fixed_syntax_finding, syntax_finding};
pub use syntax_problem::SyntaxProblem;
pub use text_problem::TextProblem;
pub use unexpected_token::{Expected, unexpected_token};
pub use value::{Kind, Member, Value};

/// The rules that are declared here.
pub const RULES: &[&[evalcheck_core::rule::Rule]] =
    &[SyntaxProblem::RULES, SchemaProblem::RULES, TextProblem::RULES];
