//! Schemas of the user's own, which the module `evalcheck-schema` compiles: see [`compile_schema`].

use evalcheck_blob::compile_schema;
use evalcheck_engine::environment::Environment;
use evalcheck_engine::formats::FORMATS;

use crate::modules::{self, Module};
use crate::regex;

/// The compilers of the worker, for a check. [`load`] has to be called before.
pub(crate) const ENVIRONMENT: Environment =
    Environment { formats: FORMATS, schemas: compile_schema, regexes: regex::compile };

/// Loads the module. If it cannot be loaded, a check says so.
pub(crate) async fn load() -> bool {
    modules::load(Module::Schema).await.is_ok()
}
