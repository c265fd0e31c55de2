//! Schemas of the user's own. They are in a separate module, `evalcheck-schema`, which is loaded with the first check that has one.

use borsh::BorshDeserialize;
use evalcheck_engine::environment::Environment;
use evalcheck_engine::formats::FORMATS;
use evalcheck_wire::user_schema::{
    RecordText, RootKeys, SchemaError, SchemaFile, SchemaPlace, Validate, Violation,
};
use wasm_bindgen::prelude::*;

use crate::modules::{self, Module, text_of};
use crate::regex;

/// The compilers of the worker, for a check. [`load`] has to be called before.
pub(crate) const ENVIRONMENT: Environment =
    Environment { formats: FORMATS, schemas: compile, regexes: regex::compile };

#[wasm_bindgen]
extern "C" {
    /// A schema that the module holds.
    #[wasm_bindgen(js_namespace = schema_module, js_name = UserSchema)]
    #[derive(Debug)]
    type Compiled;

    #[wasm_bindgen(constructor, js_namespace = schema_module, js_class = "UserSchema", catch)]
    fn new(given: &[u8]) -> Result<Compiled, JsValue>;

    #[wasm_bindgen(method, js_name = isValid)]
    fn is_valid(this: &Compiled, record: &[u8], is_row: bool) -> bool;

    #[wasm_bindgen(method)]
    fn violations(this: &Compiled, record: &str, is_row: bool) -> Vec<u8>;

    #[wasm_bindgen(method, js_name = rootKeys)]
    fn root_keys(this: &Compiled) -> Vec<u8>;

    #[wasm_bindgen(method, js_name = isOfElements)]
    fn is_of_elements(this: &Compiled) -> bool;

    /// Removes the schema from the module.
    #[wasm_bindgen(method)]
    fn free(this: &Compiled);
}

/// A schema of the user.
#[derive(Debug)]
struct Schema(Compiled);

impl Validate for Schema {
    fn is_valid(&self, record: &[u8], text: RecordText) -> bool {
        self.0.is_valid(record, text == RecordText::Row)
    }

    fn violations(&self, record: &str, text: RecordText) -> Vec<Violation> {
        read(&self.0.violations(record, text == RecordText::Row))
    }

    fn root_keys(&self) -> RootKeys {
        read(&self.0.root_keys())
    }

    fn is_of_elements(&self) -> bool {
        self.0.is_of_elements()
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        self.0.free();
    }
}

/// Loads the module. If it cannot be loaded, a check says so.
pub(crate) async fn load() -> bool {
    modules::load(Module::Schema).await.is_ok()
}

/// Compiles a schema in the loaded module.
fn compile(files: &[SchemaFile], formats: bool) -> Result<Box<dyn Validate>, SchemaError> {
    let given = borsh::to_vec(&(files, formats)).unwrap_or_default();
    match Compiled::new(&given) {
        Ok(compiled) => Ok(Box::new(Schema(compiled))),
        Err(error) => Err(error
            .dyn_ref()
            .map_or_else(|| not_loaded(&error), |bytes: &js_sys::Uint8Array| read(&bytes.to_vec()))),
    }
}

/// The module is not there.
fn not_loaded(error: &JsValue) -> SchemaError {
    SchemaError {
        at: SchemaPlace::default(),
        message: format!("the module for schemas could not be loaded: {}", text_of(error)),
        hint: "Check again once the page can reach its host.".to_owned(),
    }
}

/// Both sides are of one build.
fn read<T: BorshDeserialize + Default>(bytes: &[u8]) -> T {
    borsh::from_slice(bytes).unwrap_or_default()
}
