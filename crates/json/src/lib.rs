//! JSON records: schemas, and the two tiers that check a record against a schema.
//!
//! # Two tiers
//!
//! Most records of a dataset are valid, so it has to be cheap to confirm that.
//! - The **fast tier** ([`scan`]) reads the bytes of a record once. It checks JSON, UTF-8 and schema together, builds no
//!   tree, and captures the values that a format's rules need.
//! - The **thorough tier** ([`diagnose`]) parses a record into a tree with spans, and finds all its problems, with cause and path.
//!
//! # Why they cannot disagree
//!
//! The fast tier answers *clean* or *doubtful*, never *wrong*. Clean means that no rule, not even a warning, applies. Anything unusual is
//! doubtful; the thorough tier reads it again and decides. So the fast tier cannot report anything, it can only cause too much work. The
//! one possible mistake is to call a record clean that is not. The tests search for it: they make random records from every schema, change
//! them, and compare both tiers.
//!
//! Both tiers read the same [`schema::Schema`], which is data. So do the documentation, the exported JSON Schema and the
//! generators of the tests.
//!
//! # Central types
//!
//! | type | purpose |
//! |---|---|
//! | [`schema::Schema`] | the requirements on a record |
//! | [`scan::Scratch`] | the memory of the fast tier: captures, and the template cache |
//! | [`diagnose::Value`] | a record as a tree with spans |
//! | [`diagnose::SyntaxError`] | why a record is not JSON |
//! | [`diagnose::RecordFinding`] | a problem at a span of a record |
//! | [`diagnose::RecordFindings`] | the findings of a record: keeps some, counts the others |
//! | [`diagnose::RecordStart`], [`diagnose::RecordText`] | the start of a record; its bytes, with lines and columns |
//! | [`tokens::Tokens`] | the tokens of text that is JSON, or nearly JSON |
//! | [`buffer::Buffer`] | bytes that were read but not yet checked |
//!
//! ```
//! use evalcheck_json::diagnose::{PathBuilder, RecordFindings, RecordStart, RecordText, check_schema, parse_at};
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

pub mod buffer;
pub mod csv;
pub mod diagnose;
pub mod extent;
pub mod nesting;
pub mod scan;
pub mod schema;
pub mod tokens;
pub mod walk;

use evalcheck_core::rule::Rule;

/// The rules that are declared here.
pub const RULES: &[&[Rule]] =
    &[diagnose::SyntaxProblem::RULES, diagnose::SchemaProblem::RULES, diagnose::TextProblem::RULES];
