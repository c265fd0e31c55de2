//! The npm package: the entries of `crates/js/lib/`, the modules that they load, and their types, in `crates/js/pkg/`.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow};

use super::single::packed;
use super::wasm::{self, Module};

/// The files that the entries in `crates/js/lib/` import, beside them in the package.
const ENGINE: Files = Files { glue: "engine.js", wasm: "evalcheck.wasm", inline: "wasm-inline.js" };
const SCHEMA: Files = Files { glue: "schema.js", wasm: "schema.wasm", inline: "schema-inline.js" };
const TYPES: &str = "types.d.ts";

/// The names of the files of a module: its script, the wasm, and the wasm as a script.
struct Files {
    glue: &'static str,
    wasm: &'static str,
    inline: &'static str,
}

/// Makes the script of the module of schemas what the engine calls `schema_module` (`evalcheck_blob::compile_schema`).
const IMPORT_OF_SCHEMAS: &str = "import * as schema_module from \"./schema.js\";\n";

/// The licences, which npm reads only from the folder of the manifest.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Builds the JavaScript API into `crates/js/pkg/`, and replaces its content.
pub(crate) fn javascript_api(optimized: bool) -> Result<()> {
    let root = crate::root();
    let package = root.join("crates").join("js");
    let modules = wasm::javascript_api(optimized)?;

    let folder = package.join("pkg");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&folder)?;
    for entry in fs::read_dir(package.join("lib"))? {
        let path = entry?.path();
        copy(&path, &folder.join(path.file_name().unwrap_or_default()))?;
    }
    copy(&package.join(TYPES), &folder.join(TYPES))?;
    write(&modules.engine, IMPORT_OF_SCHEMAS, &ENGINE, &folder)?;
    write(&modules.schema, "", &SCHEMA, &folder)?;
    for name in LICENCES {
        copy(&root.join(name), &package.join(name))?;
    }
    Ok(())
}

/// Writes the files of a module. Its script begins with these imports.
fn write(module: &Module, imports: &str, files: &Files, folder: &Path) -> Result<()> {
    fs::write(folder.join(files.glue), format!("{imports}{}", module.script()?))?;
    copy(&module.wasm, &folder.join(files.wasm))?;
    let packed = packed(&fs::read(&module.wasm)?)?;
    fs::write(folder.join(files.inline), format!("export default \"{packed}\";\n"))?;
    Ok(())
}

/// Builds it for tests, without wasm-opt, once: two steps use it, and may run at the same time.
pub(crate) fn tested_javascript_api() -> Result<()> {
    static BUILT: OnceLock<Result<()>> = OnceLock::new();
    BUILT.get_or_init(|| javascript_api(false)).as_ref().copied().map_err(|error| anyhow!("{error:#}"))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display())).map(drop)
}
