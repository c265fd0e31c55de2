//! The formats and compilers that a driver lends to a check.

use crate::formats::{FORMATS, Formats};
use crate::search::Regexes;
use crate::user_schema::no_schemas;
use evalcheck_wire::user_schema::Schemas;

/// The formats to choose from, and compilers that are too large for the engine or differ between drivers: a driver lends them to a check.
#[derive(Debug, Clone, Copy)]
pub struct Environment {
    /// The formats, usually [`FORMATS`].
    pub formats: Formats,
    /// Compiles the user's own schemas.
    pub schemas: Schemas,
    /// Compiles the regular expressions of queries.
    pub regexes: Regexes,
}

impl Default for Environment {
    /// All formats, and no compilers.
    fn default() -> Self {
        let regexes: Regexes = |_, _| Err("there are no regular expressions".to_owned());
        Self { formats: FORMATS, schemas: no_schemas, regexes }
    }
}
