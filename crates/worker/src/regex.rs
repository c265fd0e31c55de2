//! Regular expressions for searches. They are in a separate module, `evalcheck-regex`, which is loaded with the first query that has one.

use std::ops::Range;

use evalcheck_engine::search::FindRegex;
use evalcheck_wire::query::{Pattern, Query, Value, What};
use wasm_bindgen::prelude::*;

use crate::modules::{self, Module, text_of};

#[wasm_bindgen]
extern "C" {
    /// A regular expression that the module holds.
    #[wasm_bindgen(js_namespace = regex_module, js_name = Pattern)]
    #[derive(Debug)]
    type Compiled;

    /// Compiles a regular expression in the module.
    #[wasm_bindgen(constructor, js_namespace = regex_module, js_class = "Pattern", catch)]
    fn new(pattern: &str, ignores_case: bool) -> Result<Compiled, JsValue>;

    /// The first match in a UTF-8 text: its start in the upper 32 bits, its end in the lower.
    #[wasm_bindgen(method)]
    fn find(this: &Compiled, text: &[u8]) -> Option<u64>;

    /// Returns false only if the text has no match, and none of its parts would match alone.
    #[wasm_bindgen(method, js_name = mayBeIn)]
    fn may_be_in(this: &Compiled, text: &[u8]) -> bool;

    /// Removes the regular expression from the module.
    #[wasm_bindgen(method)]
    fn free(this: &Compiled);
}

/// A regular expression of a query.
#[derive(Debug)]
struct Regex(Compiled);

impl FindRegex for Regex {
    fn find(&self, text: &str) -> Option<Range<usize>> {
        let found = self.0.find(text.as_bytes())?;
        let byte = |half: u64| usize::try_from(half & u64::from(u32::MAX)).ok();
        Some(byte(found >> 32)?..byte(found)?)
    }

    fn may_be_in(&self, text: &str) -> bool {
        self.0.may_be_in(text.as_bytes())
    }
}

impl Drop for Regex {
    fn drop(&mut self) {
        self.0.free();
    }
}

/// Loads the module if a query has a regular expression.
///
/// # Errors
/// Why it cannot be loaded, for the user.
pub(crate) async fn load_for(query: &Query) -> Result<(), String> {
    let is_regex = |pattern: &Pattern| matches!(pattern, Pattern::Regex { .. });
    let has_regex = query.terms.iter().any(|term| match &term.what {
        What::Text(pattern) => is_regex(pattern),
        What::Data(_, values) | What::Check(_, values) => {
            values.iter().any(|value| matches!(value, Value::Contains(pattern) if is_regex(pattern)))
        }
        What::Has(_) | What::Sort(_) => false,
    });
    if !has_regex {
        return Ok(());
    }
    modules::load(Module::Regex).await
}

/// Compiles a regular expression in the loaded module.
pub(crate) fn compile(pattern: &str, ignores_case: bool) -> Result<Box<dyn FindRegex>, String> {
    match Compiled::new(pattern, ignores_case) {
        Ok(compiled) => Ok(Box::new(Regex(compiled))),
        Err(error) => Err(format!("The regular expression cannot be read: {}.", text_of(&error))),
    }
}
