//! The queries of `find` and `check --where`.

use evalcheck_engine::search::short_names;
use evalcheck_render::find;
use evalcheck_wire::query::Query;

use crate::printer;

/// Parses a query. Reports an invalid one, and returns `None`.
pub(crate) fn parse(text: &str) -> Option<Query> {
    let error = match Query::parse(text, &short_names()) {
        Ok(query) => return Some(query),
        Err(error) => error,
    };
    let mut out = anstream::stderr().lock();
    for line in find::error_lines(&error, text) {
        // If that fails, there is no place left to report it.
        let _ = printer::write_line(&mut out, &line, true);
    }
    None
}
