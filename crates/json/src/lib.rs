//! JSON records: schemas, and the fast one of the two tiers that check a record against a schema.
//!
//! # Two tiers
//!
//! Most records of a dataset are valid, so it has to be cheap to confirm that.
//! - The **fast tier** ([`scan`]) reads the bytes of a record once. It checks JSON, UTF-8 and schema together, builds no
//!   tree, and captures the values that a format's rules need.
//! - The **thorough tier** (the crate `evalcheck-diagnose`) parses a record into a tree with spans, and finds all its problems, with cause
//!   and path.
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
//! | [`tokens::Tokens`] | the tokens of text that is JSON, or nearly JSON |
//! | [`buffer::Buffer`] | bytes that were read but not yet checked |

pub mod buffer;
pub mod csv;
pub mod extent;
pub mod nesting;
pub mod scan;
pub mod schema;
pub mod tokens;
pub mod walk;
