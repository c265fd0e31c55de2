//! The module's interface for the worker: texts as bytes, everything else as Borsh.

use evalcheck_wire::user_schema::{RecordText, SchemaFile, Validate};
use wasm_bindgen::prelude::*;

use crate::Schema;

/// A schema that the module holds.
#[wasm_bindgen]
#[derive(Debug)]
pub struct UserSchema(Schema);

#[wasm_bindgen]
impl UserSchema {
    /// Compiles a schema: its files, and whether formats are held against strings.
    ///
    /// # Errors
    /// The bytes of a [`SchemaError`](evalcheck_wire::user_schema::SchemaError).
    #[wasm_bindgen(constructor)]
    pub fn new(given: &[u8]) -> Result<UserSchema, Vec<u8>> {
        let (files, formats): (Vec<SchemaFile>, bool) = borsh::from_slice(given).unwrap_or_default();
        match Schema::new(&files, formats) {
            Ok(schema) => Ok(Self(schema)),
            Err(error) => Err(borsh::to_vec(&error).unwrap_or_default()),
        }
    }

    /// See [`Validate::is_valid`].
    #[wasm_bindgen(js_name = isValid)]
    pub fn is_valid(&self, record: &[u8], is_row: bool) -> bool {
        self.0.is_valid(record, text(is_row))
    }

    /// See [`Validate::violations`].
    pub fn violations(&self, record: &str, is_row: bool) -> Vec<u8> {
        borsh::to_vec(&self.0.violations(record, text(is_row))).unwrap_or_default()
    }

    /// See [`Validate::root_keys`].
    #[wasm_bindgen(js_name = rootKeys)]
    pub fn root_keys(&self) -> Vec<u8> {
        borsh::to_vec(&self.0.root_keys()).unwrap_or_default()
    }

    /// See [`Validate::is_of_elements`].
    #[wasm_bindgen(js_name = isOfElements)]
    pub fn is_of_elements(&self) -> bool {
        self.0.is_of_elements()
    }
}

fn text(is_row: bool) -> RecordText {
    if is_row { RecordText::Row } else { RecordText::Json }
}
