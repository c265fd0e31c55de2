//! A record against the exported schema of its format, or of a made-up one, by the `jsonschema` crate, and by the check.
//! The first byte chooses the format.
#![no_main]

use std::sync::LazyLock;

use evalcheck_engine::formats::{Format, Variant};
use evalcheck_engine::schema::Schema;
use evalcheck_fuzz::support::json_schema::{assert_schema_agrees, made_schemas, schemas};
use evalcheck_fuzz::{MADE_FORMATS, choose};
use jsonschema::Validator;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

type Case = (&'static Format, &'static Variant, &'static Schema, Validator);

fuzz_target!(|data: &[u8]| {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
        let compiled = |schema: Value| jsonschema::draft7::new(&schema).expect("the exported schema is one");
        // Any value follows the schema of plain data.
        let all = schemas().into_iter().filter(|(format, ..)| !format.is_plain()).chain(made_schemas(MADE_FORMATS));
        all.map(|(format, variant, schema, exported)| (format, variant, schema, compiled(exported))).collect()
    });
    let Some(((format, variant, schema, validator), line)) = choose(&CASES, data) else { return };
    if let Ok(record) = serde_json::from_slice::<Value>(line) {
        assert_schema_agrees(record, format, variant, schema, validator);
    }
});
