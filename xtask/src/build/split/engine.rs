//! The split of the engine: the functions that run before a verdict stay.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use walrus::ir::{Call, Const, Value};
use walrus::{FunctionKind, ValType};

use super::{parse, parts};
use crate::build::{ENGINE, REST, WORKER_SCRIPT};
use crate::npm;
use crate::process::{output, say, timed};

/// Checks the examples of all formats with an instrumented engine, in Node.js, and prints the numbers of the functions that ran.
const PROFILE: &str = "xtask/src/build/profile.mjs";

/// Splits the engine in the folder of the worker, and returns the names of its parts. Without Node.js it stays whole, which only costs size.
pub(in crate::build) fn split_engine(worker: &Path) -> Result<&'static [&'static str]> {
    let Ok(mut node) = npm::node() else {
        say(
            "NOTE: no Node.js, the build goes on without splitting the engine: its verdict takes longer to load",
        );
        return Ok(&[ENGINE]);
    };
    let root = crate::root();
    let engine = worker.join(ENGINE);
    let whole = fs::read(&engine).context("there is no engine to split")?;
    let instrumented = root.join("target").join("instrumented.wasm");
    timed("splitting the engine", || {
        fs::write(&instrumented, instrument(&whole)?)?;
        node.arg(root.join(PROFILE)).arg(worker.join(WORKER_SCRIPT)).arg(&instrumented);
        let ran: HashSet<usize> = serde_json::from_str(&output(node.arg(root.join("crates/formats/src")))?)?;
        ensure!(!ran.is_empty(), "no function of the engine runs in {PROFILE}");
        let (first, rest) = parts(&whole, &ran)?;
        fs::write(&engine, first)?;
        fs::write(worker.join(REST), rest).context("cannot write the rest of the engine")
    })?;
    Ok(&[ENGINE, REST])
}

/// The engine with a call of the function `hit` of the module `profile` at the start of each function, with the function's number.
fn instrument(whole: &[u8]) -> Result<Vec<u8>> {
    let mut module = parse(whole)?;
    let hit = module.types.add(&[ValType::I32], &[]);
    let (hit, _) = module.add_import_func("profile", "hit", hit);
    for (number, function) in (0..).zip(module.funcs.iter_mut()) {
        if let FunctionKind::Local(local) = &mut function.kind {
            let mut body = local.builder_mut().func_body();
            body.instr_at(0, Const { value: Value::I32(number) }).instr_at(1, Call { func: hit });
        }
    }
    Ok(module.emit_wasm())
}
