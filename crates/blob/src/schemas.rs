//! Schemas of the user's own. They are in a separate module, `evalcheck-schema`, which is loaded with the first check that has one.
//!
//! The engine refers to the script of that module by the name `schema_module`: the build puts the script before that of the worker, and an import
//! before that of the JavaScript API.

use std::cell::RefCell;
use std::rc::Rc;

use borsh::BorshDeserialize;
use evalcheck_wire::user_schema::{
    RecordText, RootKeys, SchemaError, SchemaFile, SchemaPlace, Validate, Violation,
};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

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

/// Removes the schema from the module with its last user.
#[derive(Debug)]
struct Held(Compiled);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.free();
    }
}

/// A schema of the user.
#[derive(Debug, Clone)]
struct Schema(Rc<Held>);

impl Schema {
    fn compiled(&self) -> &Compiled {
        &self.0.0
    }
}

impl Validate for Schema {
    fn is_valid(&self, record: &[u8], text: RecordText) -> bool {
        self.compiled().is_valid(record, text == RecordText::Row)
    }

    fn violations(&self, record: &str, text: RecordText) -> Vec<Violation> {
        read(&self.compiled().violations(record, text == RecordText::Row))
    }

    fn root_keys(&self) -> RootKeys {
        read(&self.compiled().root_keys())
    }

    fn is_of_elements(&self) -> bool {
        self.compiled().is_of_elements()
    }
}

thread_local! {
    /// The schema that was compiled last, and what it was compiled from: an editor checks after each change, and a fix is several checks.
    static LAST: RefCell<Option<(Vec<u8>, Schema)>> = const { RefCell::new(None) };
}

/// Compiles a schema in the module, which has to be loaded: see [`Schemas`](evalcheck_wire::user_schema::Schemas).
///
/// # Errors
/// The schema cannot be used, or the module is not loaded.
pub fn compile_schema(files: &[SchemaFile], formats: bool) -> Result<Box<dyn Validate>, SchemaError> {
    let given = borsh::to_vec(&(files, formats)).unwrap_or_default();
    let last = LAST
        .with_borrow(|last| last.as_ref().filter(|(of, _)| *of == given).map(|(_, schema)| schema.clone()));
    if let Some(schema) = last {
        return Ok(Box::new(schema));
    }
    match Compiled::new(&given) {
        Ok(compiled) => {
            let schema = Schema(Rc::new(Held(compiled)));
            LAST.set(Some((given, schema.clone())));
            Ok(Box::new(schema))
        }
        Err(error) => Err(error
            .dyn_ref::<Uint8Array>()
            .map_or_else(|| not_loaded(&error), |bytes| read(&bytes.to_vec()))),
    }
}

/// The module is not loaded. Only the page starts a check in that case, and its report says so.
fn not_loaded(error: &JsValue) -> SchemaError {
    let why = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message())).unwrap_or_default();
    SchemaError {
        at: SchemaPlace::default(),
        message: format!("the module for schemas could not be loaded: {why}"),
        hint: "Check again once the page can reach its host.".to_owned(),
    }
}

/// Both sides are of one build.
fn read<T: BorshDeserialize + Default>(bytes: &[u8]) -> T {
    borsh::from_slice(bytes).unwrap_or_default()
}
