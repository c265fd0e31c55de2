//! The crate `jsonschema` with `serde_json`: `evalcheck-rival FORMAT FILE SCHEMA`.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};

use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [_, path, schema] = arguments.as_slice() else {
        return Err("the arguments are FORMAT FILE SCHEMA".into());
    };
    let schema: Value = serde_json::from_reader(BufReader::new(File::open(schema)?))?;
    let validator = jsonschema::validator_for(&schema)?;
    let mut reader = BufReader::with_capacity(1 << 20, File::open(path)?);
    let (mut records, mut bad) = (0_u64, Vec::new());
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        records += 1;
        if !serde_json::from_slice(&line).is_ok_and(|value: Value| validator.is_valid(&value)) {
            bad.push(records);
        }
        line.clear();
    }
    println!("{}", serde_json::json!({ "records": records, "bad": bad }));
    Ok(())
}
